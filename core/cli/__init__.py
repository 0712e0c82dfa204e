"""The `youju` command."""
