"""Files to documents: a PDF by page, Markdown by heading, text as a whole, each unit with its exact place."""

from youju.loaders.files import SUFFIXES, LoadedFile, Ocr, load_file
from youju.loaders.finding import FoundFiles, find_files
from youju.loaders.langchain_loader import FileLoader
from youju.loaders.pdf_places import Box, locate

__all__ = ["SUFFIXES", "Box", "FileLoader", "FoundFiles", "LoadedFile", "Ocr", "find_files", "load_file", "locate"]
