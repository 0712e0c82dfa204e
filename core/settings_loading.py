"""Reading settings from YAML, the environment and `key=value` texts, and saying clearly what is wrong in them."""

import difflib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast, get_args

import yaml
from pydantic import BaseModel, ValidationError

from youju.errors import SettingsError
from youju.key_shapes import KNOWN_KEY, without_keys
from youju.settings import OpinionSettings, Settings
from youju.settings_yaml import YamlRefusedError, read_yaml

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

DEFAULT_FILE = "youju.yaml"
PREFIX = "YOUJU_"
_VARIABLE = "环境变量"
_OPTION = "--set"

_Path = tuple[str | int, ...]
_PYDANTIC_PREFIX = "Value error, "
_INDEX = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_MOST_PARTS = 50
_BOUNDS = {  # pydantic's name of an error: the limit in its context, and what to say of it
    "greater_than": ("gt", "必须大于"),
    "greater_than_equal": ("ge", "不能小于"),
    "less_than": ("lt", "必须小于"),
    "less_than_equal": ("le", "不能大于"),
    "too_short": ("min_length", "项数不能少于"),
    "string_too_short": ("min_length", "字数不能少于"),
    "string_too_long": ("max_length", "字数不能多于"),
}
_TYPES = {  # how pydantic's names of type errors begin, and what to write instead
    "int": "整数",
    "float": "数",
    "string": "文字",
    "path": "路径",
    "dict": "“键: 值”的形式",
    "model": "“键: 值”的形式",
    "list": "列表",
    "finite": "有限的数",
    "invalid_key": "文字的键",
}


def load_settings(
    path: str | Path | None,
    *,
    overrides: Sequence[str | tuple[str, Any]] | Mapping[str, Any] = (),
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Do the work of `Settings.load`; see there."""
    places: dict[_Path, str] = {}
    data: dict[str, Any] = {}
    if path is None and Path(DEFAULT_FILE).is_file():
        path = DEFAULT_FILE
    if path is not None:
        data = _read_yaml(Path(path), places)
    for key, value, place in (*_from_environment(os.environ if environ is None else environ), *_from_texts(overrides)):
        _set(data, key, value, place, places)
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        _explain(error, places)


def _read_yaml(path: Path, places: dict[_Path, str]) -> dict[str, Any]:
    file = KNOWN_KEY.sub("***", str(path))
    text = _read_text(path, file)
    try:
        node, data = read_yaml(text)
    except YamlRefusedError as error:
        raise SettingsError(f"{file} 第 {error.line} 行：{error}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" 第 {mark.line + 1} 行" if mark else ""
        raise SettingsError(f"{file}{where}：不是正确的 YAML（{without_keys(str(error.problem))}）") from None
    except yaml.YAMLError as error:
        raise SettingsError(f"{file}：不是正确的 YAML（{without_keys(str(error))}）") from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise SettingsError(f"{file}：最外层要写成“键: 值”的形式，例如 splitter: {{chunk_size: 400}}")
    if node is not None:
        _note_places(node, (), file, places)
    return cast("dict[str, Any]", data)


def _read_text(path: Path, file: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise SettingsError(f"找不到配置文件 {file}") from None
    except IsADirectoryError:
        raise SettingsError(f"{file} 是文件夹，不是配置文件") from None
    except UnicodeDecodeError:
        raise SettingsError(f"读不了配置文件 {file}：需要 UTF-8 编码的 YAML，请另存为 UTF-8 后重试") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else "路径里有空字符"
        raise SettingsError(f"读不了配置文件 {file}：{reason}") from None


def _note_places(node: yaml.Node, at: _Path, file: str, places: dict[_Path, str]) -> None:
    """Remember the line of every key, and refuse one that is written twice."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*at, str(key.value))
            place = f"{file} 第 {key.start_mark.line + 1} 行"
            if here in places:
                raise SettingsError(f"{place}：{_dotted(here)} 写了两次（{places[here]}）")
            places[here] = place
            _note_places(value, here, file, places)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            here = (*at, number)
            places[here] = f"{file} 第 {value.start_mark.line + 1} 行"
            _note_places(value, here, file, places)


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    for variable in sorted(environ):
        if variable.startswith(PREFIX):
            key = tuple(part.lower() for part in variable.removeprefix(PREFIX).split("__"))
            place = f"{_VARIABLE} {without_keys(variable)}"
            yield key, _parse(environ[variable], place), place


def _from_texts(
    overrides: Sequence[str | tuple[str, Any]] | Mapping[str, Any],
) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    for text in overrides.items() if isinstance(overrides, Mapping) else overrides:
        if not isinstance(text, str):
            dotted, value = text
            yield tuple(dotted.split(".")), value, without_keys(dotted)
            continue
        dotted, sign, value = text.partition("=")
        if not sign or not dotted.strip():
            raise SettingsError(f"{_OPTION} {without_keys(text)}：要写成 键=值，例如 --set splitter.chunk_size=300")
        place = f"{_OPTION} {without_keys(dotted.strip())}"
        yield tuple(dotted.strip().split(".")), _parse(value, place), place


def _parse(text: str, place: str) -> Any:
    """A value as YAML reads it; text that is not YAML stays text."""
    try:
        return read_yaml(text)[1]
    except YamlRefusedError as error:
        raise SettingsError(f"{place}：{error}") from None
    except yaml.YAMLError:
        return text


def _set(data: dict[str, Any], key: tuple[str, ...], value: Any, place: str, places: dict[_Path, str]) -> None:
    if len(key) > _MOST_PARTS:
        raise SettingsError(f"{place[:80]}…：嵌套太深，最多 {_MOST_PARTS} 层")
    target: Any = data
    for depth, part in enumerate(key):
        last = depth == len(key) - 1
        step: Any = part
        if isinstance(target, list):
            if not _INDEX.fullmatch(part) or not 0 <= int(part) < len(target):
                has = f"只有第 0 到 {len(target) - 1} 项" if target else "现在是空的"
                raise SettingsError(f"{place}：{_dotted(key[:depth])} 是列表，{has}")
            step = int(part)
        elif not isinstance(target, dict):
            raise SettingsError(f"{place}：{_dotted(key[:depth])} 下面没有 {without_keys(part)}")
        elif not last and target.get(step) is None:
            target[step] = _default_list(key[: depth + 1]) or {}
        here = (*key[:depth], step)
        if last:
            target[step] = value
            for old in [known for known in places if known[: len(here)] == here]:
                del places[old]
            places[here] = place
        else:
            target = target[step]


def _default_list(key: tuple[str, ...]) -> list[Any]:
    """The list that stands at a place by default, to be changed in one of its items."""
    value: Any = Settings().model_dump()
    for part in key:
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _explain(error: ValidationError, places: dict[_Path, str]) -> NoReturn:
    lines = []
    for problem in error.errors(include_url=False):
        at = _without_tags(tuple(problem["loc"]), places)
        around = (places[at[:size]] for size in range(len(at), 0, -1) if at[:size] in places)
        within = (place for key, place in places.items() if key[: len(at)] == at)
        place = next(around, None) or next(within, "")
        message = problem_text(cast("dict[str, Any]", problem), tuple(problem["loc"]))
        message += _how_to_write(problem["type"], at, place)
        name = _dotted(at)
        lines.append("：".join(part for part in (place, "" if place == f"{_OPTION} {name}" else name, message) if part))
    # the cause would print the values refused, which may hold a key written in the wrong place
    raise SettingsError("\n".join(dict.fromkeys(lines))) from None


def _how_to_write(kind: str, at: _Path, place: str) -> str:
    """What else to say of a problem: how a list is written, and what a variable is for whose name is no setting's."""
    if kind == "extra_forbidden" and len(at) == 1 and place.startswith(_VARIABLE):
        return f"。{PREFIX} 开头的环境变量都当作设置来读；它要是有别的用处（例如存密码），请换一个不这样开头的名字"
    if kind == "list_type":
        items = "{kind: …}, {kind: …}" if at[-1] in {"retrievers", "opinions"} else "A, B"
        name, last = _dotted(at), str(at[-1])
        if place.startswith(_OPTION):
            return f"，例如 {_OPTION} '{name}=[{items}]'；只有一项也要方括号"
        if place.startswith(_VARIABLE):
            return f"，例如 {place.removeprefix(_VARIABLE).strip()}='[{items}]'"
        return f"，例如 {last}: [{items}]"
    return ""


def problem_text(problem: dict[str, Any], loc: _Path) -> str:
    """What is wrong with a value, for people, from one of pydantic's errors."""
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "extra_forbidden":
        known = sorted(_fields_at(loc[:-1]))
        near = difflib.get_close_matches(str(loc[-1]), known, n=1, cutoff=0.5)
        hint = f"最接近的是 {near[0]}；" if near else ""
        return f"没有这个选项。{hint}可用的有 {'、'.join(known)}"
    if kind in {"literal_error", "union_tag_invalid"}:
        given = str(problem["input"] if kind == "literal_error" else context["tag"])
        expected = str(context.get("expected") or context["expected_tags"])
        choices = [part.strip().strip("'") for part in expected.replace(" or ", ", ").split(",")]
        near = difflib.get_close_matches(given, choices, n=1, cutoff=0.5)
        hint = f"最接近的是 {near[0]}；" if near else ""
        return f"不能是 {without_keys(given)[:40]}。{hint}可选的值有 {'、'.join(choices)}"
    if kind == "value_error":
        return str(problem["msg"]).removeprefix(_PYDANTIC_PREFIX)
    if kind == "union_tag_not_found":
        kinds = _kinds(next((section for section in ("splitter", "answer") if section in loc), "retriever"))
        return f"缺少 kind；可选的值有 {'、'.join(sorted(kinds))}"
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return f"{words} {context[name]:g}"
    if kind == "missing":
        return "缺少这一项；它没有默认值，请写出来"
    wanted = next((words for start, words in _TYPES.items() if kind.startswith(start)), None)
    return f"要写成{wanted}" if wanted else str(problem["msg"])


def _kinds(section: str) -> dict[str, type[BaseModel]]:
    """The models of a section whose options depend on its `kind`; none for other sections."""
    field = Settings.model_fields.get(section)
    if section == "answer":  # of its list of opinions
        union = get_args(get_args(OpinionSettings)[0])
    else:
        union = get_args(field.annotation) if field else ()
    models = [model for model in union if isinstance(model, type) and issubclass(model, BaseModel)]
    return {model.model_fields["kind"].default: model for model in models}


def _without_tags(loc: _Path, places: dict[_Path, str]) -> _Path:
    """Drop the `kind` that pydantic puts into the path of a union: (retriever, hybrid, k) becomes (retriever, k)."""
    kinds = _kinds(str(loc[0])) if loc else {}
    out: list[str | int] = []
    for part in loc:
        after_union = (
            (len(out) == 1 and out != ["answer"])
            or out[-1:] == ["base"]
            or (len(out) > 1 and out[-2] in {"retrievers", "opinions"})
        )
        if after_union and part in kinds and (*out, part) not in places:
            continue
        out.append(part)
    return tuple(out)


def _fields_at(loc: _Path) -> list[str]:
    """The options that exist at a place in the tree of settings."""
    model: type[BaseModel] = Settings
    kinds = _kinds(str(loc[0])) if loc else {}
    for part in loc:
        field: FieldInfo | None = model.model_fields.get(str(part)) if isinstance(part, str) else None
        if isinstance(part, str) and part in kinds:
            model = kinds[part]
        elif field is not None:
            model = next(filter(_is_section, (field.annotation, *get_args(field.annotation))), model)
    return list(model.model_fields)


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel) and "kind" not in kind.model_fields


def _dotted(path: _Path) -> str:
    return without_keys(".".join(str(part) for part in path))
