"""YAML as settings use it: plain data, decimal numbers, and nothing that stands for more than it shows."""

import re
from typing import Any

import yaml

_DEEPEST = 50
_MOST_DIGITS = 300


class YamlRefusedError(ValueError):
    """The text is YAML, with something that settings do not take."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class _PlainLoader(yaml.SafeLoader):
    """Refuses anchors, aliases, tags and depths that no settings need.

    A few aliases can stand for more data than memory holds, and a tag can turn a text into a number that fails.
    """

    yaml_implicit_resolvers = {}  # noqa: RUF012 - types-PyYAML does not let it be a ClassVar
    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call] # types-PyYAML gives it no types
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise YamlRefusedError("不支持锚点和引用（& 和 *），请把内容直接写出来；是文字就加上引号", line)
        if getattr(event, "tag", None) is not None:
            raise YamlRefusedError("不支持类型标签（以 ! 开头），请去掉它；是文字就加上引号", line)
        if self._depth >= _DEEPEST:
            raise YamlRefusedError(f"嵌套太深，最多 {_DEEPEST} 层", line)
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        if len(node.value) > _MOST_DIGITS:
            raise YamlRefusedError(f"数太长，最多 {_MOST_DIGITS} 位", node.start_mark.line + 1)
        if node.tag.endswith(":int"):
            return int(node.value)
        return float(node.value.lower().replace(".inf", "inf").replace(".nan", "nan"))

    def construct_date(self, node: yaml.ScalarNode) -> Any:
        try:
            return self.construct_yaml_timestamp(node)
        except (ValueError, OverflowError):
            return node.value  # 2024-13-45 looks like a day and is none


def _teach() -> None:
    # YAML 1.1 would read 0400 as 256 and 1:00 as 60; here they are texts, and 0400 given for a number is 400.
    forms = {
        "null": (r"~|null|Null|NULL|", ("~", "n", "N", "")),
        "bool": (r"(?i:yes|no|true|false|on|off)", tuple("yYnNtTfFoO")),
        "int": (r"[-+]?(?:0|[1-9][0-9]*)", tuple("-+0123456789")),
        "float": (
            r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
            tuple("-+0123456789."),
        ),
        "timestamp": (
            (
                r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
                r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
                r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
            ),
            tuple("0123456789"),
        ),
    }
    for name, (form, firsts) in forms.items():
        # typed as if first characters were needed; an empty one is how a null without any text is found
        _PlainLoader.add_implicit_resolver(f"tag:yaml.org,2002:{name}", re.compile(f"(?:{form})\\Z"), list(firsts))
    for name in ("int", "float"):
        _PlainLoader.add_constructor(f"tag:yaml.org,2002:{name}", _PlainLoader.construct_number)
    _PlainLoader.add_constructor("tag:yaml.org,2002:timestamp", _PlainLoader.construct_date)


_teach()


def read_yaml(text: str) -> tuple[yaml.Node | None, Any]:
    """Read one YAML document.

    Returns:
        Its nodes, which know their lines, and its data.

    Raises:
        YamlRefusedError: It holds an anchor, alias or tag, is nested too deeply, or a number is too long.
        yaml.YAMLError: It is no YAML.
    """
    loader = _PlainLoader(text)
    try:
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    except (ValueError, OverflowError) as error:
        if isinstance(error, YamlRefusedError):
            raise
        raise yaml.YAMLError("escaped character out of range") from None  # "\U00110000"
    finally:
        loader.dispose()
