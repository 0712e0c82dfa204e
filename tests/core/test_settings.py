"""Settings: what they refuse, and how they say so."""

import json
from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from youju import Settings
from youju.errors import SettingsError
from youju.settings import BM25Settings, HybridSettings, VectorSettings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "my.yaml"


def load(*overrides: str, file: Path | None = None, text: str = "", **environ: str) -> Settings:
    if file is not None:
        file.write_text(text, encoding="utf-8")
    return Settings.load(file, overrides=overrides, environ=environ)


def message_of(*overrides: str, file: Path | None = None, text: str = "", **environ: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load(*overrides, file=file, text=text, **environ)
    return str(caught.value)


def test_the_defaults_need_no_file_no_key_and_no_network() -> None:
    settings = load()
    assert settings == Settings()
    assert (settings.embeddings.model, settings.chat.model) == ("e5", "extractive")
    assert (settings.splitter.chunk_size, settings.splitter.chunk_overlap) == (400, 50)
    legs = [BM25Settings(weight=0.35), VectorSettings(weight=0.65)]
    assert settings.retriever == HybridSettings(retrievers=legs, lead=0.6)


def test_legs_of_ones_own_have_no_lead_unless_it_is_given() -> None:
    legs = [{"kind": "bm25", "weight": 0.5}, {"kind": "vector", "weight": 0.5}]
    assert HybridSettings.model_validate({"retrievers": legs}).lead == 0.0
    assert HybridSettings.model_validate({"retrievers": legs, "lead": 0.2}).lead == 0.2
    assert HybridSettings.model_validate({"k": 9}).lead == 0.6
    assert HybridSettings.model_validate({"fusion": "rrf"}).lead == 0.0


def test_a_file_is_read_and_the_environment_and_the_command_line_win(file: Path) -> None:
    text = "splitter: {chunk_size: 100, chunk_overlap: 10}\nanswer: {max_retries: 0}\n"
    environ = {"YOUJU_SPLITTER__CHUNK_SIZE": "200", "YOUJU_ANSWER__CONTEXT_CHARS": "900", "OTHER": "x"}
    settings = load("splitter.chunk_size=300", file=file, text=text, **environ)
    assert settings.splitter.chunk_size == 300
    assert settings.splitter.chunk_overlap == 10
    assert settings.answer.context_chars == 900
    assert settings.answer.max_retries == 0


def test_youju_yaml_in_the_working_folder_is_read_without_being_named() -> None:
    Path("youju.yaml").write_text("answer: {max_retries: 4}", encoding="utf-8")
    assert Settings.load(environ={}).answer.max_retries == 4


def test_a_file_with_a_byte_order_mark_and_an_empty_file_are_read(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbfanswer: {max_retries: 3}")
    assert Settings.load(file, environ={}).answer.max_retries == 3
    assert load(file=file, text="# nothing\n") == Settings()


def test_a_mapping_of_overrides_takes_values_as_they_are() -> None:
    overrides = {"retriever.k": 3, "store.path": Path("x")}
    settings = Settings.load(overrides=overrides, environ={})
    assert settings.retriever.k == 3
    assert settings.store.path == Path("x")


def test_one_leg_of_the_default_hybrid_can_be_changed_alone() -> None:
    settings = load("retriever.retrievers.0.weight=0.9", "retriever.k=7")
    assert isinstance(settings.retriever, HybridSettings)
    assert settings.retriever.k == 7
    assert [leg.weight for leg in settings.retriever.retrievers] == [0.9, 0.65]


@pytest.mark.parametrize(
    ("text", "line", "place", "nearest", "allowed"),
    [
        (
            "spliter: {}",
            1,
            "spliter",
            "splitter",
            "answer、chat、embeddings、keywords、loader、retriever、splitter、store",
        ),
        ("chat:\n  modle: x", 2, "chat.modle", "model", "base_url"),
        ("splitter:\n\n  chunk_sise: 3", 3, "splitter.chunk_sise", "chunk_size", "chunk_overlap、chunk_size、kind"),
        ("retriever:\n  kind: bm25\n  kk: 3", 3, "retriever.kk", None, "filter、k、kind、weight"),
        (
            "retriever:\n  kind: vector\n  wieght: 3",
            3,
            "retriever.wieght",
            "weight",
            "k、kind、lambda_mult、search_type、weight",
        ),
        (
            "retriever:\n  kind: hybrid\n  retrievers:\n    - kind: bm25\n      weigth: 1",
            5,
            "retriever.retrievers.0.weigth",
            "weight",
            "filter、k、kind、weight",
        ),
        ("answer:\n  context_char: 1", 2, "answer.context_char", "context_chars", "max_retries"),
        ("store: {nane: x}", 1, "store.nane", "name", "backend"),
    ],
)
def test_an_unknown_key_at_any_level_is_refused_with_its_line_the_nearest_key_and_the_choices(
    file: Path, text: str, line: int, place: str, nearest: str | None, allowed: str
) -> None:
    message = message_of(file=file, text=text)
    assert message.startswith(f"{file} 第 {line} 行：{place}：没有这个选项。")
    assert allowed in message
    assert (f"最接近的是 {nearest}；" in message) == (nearest is not None)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("retriever.kind=bm52", "不能是 bm52。最接近的是 bm25；可选的值有 bm25、vector、overlap、ngram、hybrid、"),
        ("answer.citations=coverrage", "不能是 coverrage。最接近的是 coverage；可选的值有 format、coverage"),
        ("store.backend=chrom", "不能是 chrom。"),
        ("retriever.k=0", "retriever.k：不能小于 1"),
        ("retriever.k=-1", "retriever.k：不能小于 1"),
        ("retriever.k=三", "retriever.k：要写成整数"),
        ("retriever.k=2.5", "retriever.k：要写成整数"),
        ("retriever.rrf_k=0", "retriever.rrf_k：不能小于 1"),
        ("retriever.weight=-0.1", "retriever.weight：不能小于 0"),
        ("retriever.weight=.nan", "retriever.weight：要写成有限的数"),
        ("retriever.weight=.inf", "retriever.weight：要写成有限的数"),
        ("chat.timeout=0", "chat.timeout：必须大于 0"),
        ("chat.timeout=yes", "timeout 不能是 true 或 false"),
        ("chat.max_tokens=true", "max_tokens 不能是 true 或 false"),
        ("chat.temperature=3", "chat.temperature：不能大于 2"),
        ("chat.base_url=127.0.0.1:8000", "要写成 http:// 或 https:// 开头的完整地址"),
        ("chat.base_url=http://[::1", "要写成 http:// 或 https:// 开头的完整地址"),
        ("chat.base_url=http://u:p@host/v1", "地址里不要带用户名、密码或参数"),
        ("chat.model=", "chat.model：要写成文字"),
        ("chat.model='  '", "模型名不能为空"),
        ("store.name=a/b", "知识库的名字不能为空"),
        ("store.name=..", "知识库的名字不能为空"),
        ("splitter=3", "splitter：要写成“键: 值”的形式"),
        ("retriever.retrievers=[]", "项数不能少于 1"),
        ("retriever.retrievers=[{weight: 1}]", "缺少 kind；可选的值有 bm25、compress、current、hybrid、"),
        ("retriever.retrievers=[{kind: bm25, weight: 0}, {kind: vector, weight: 0}]", "weight 不能全是 0"),
        ("retriever.retrievers.5.weight=1", "retriever.retrievers 是列表，只有第 0 到 1 项"),
        ("answer.max_retries.x=1", "answer.max_retries：要写成整数"),
    ],
)
def test_an_impossible_value_is_refused_in_words(override: str, said: str) -> None:
    message = message_of(override)
    assert said in message
    assert f"--set {override.partition('=')[0]}" in message


@pytest.mark.parametrize(("size", "overlap"), [(12, 12), (12, 13), (12, -1), (0, 0)])
def test_an_overlap_that_leaves_no_way_forward_is_refused_before_any_file_is_read(size: int, overlap: int) -> None:
    message = message_of(f"splitter.chunk_size={size}", f"splitter.chunk_overlap={overlap}")
    assert "chunk_size" in message or "chunk_overlap" in message
    if size > 0 <= overlap:
        assert f"chunk_size（{size}）" in message
        assert f"chunk_overlap（{overlap}）" in message


def test_the_environment_is_named_where_it_is_wrong() -> None:
    assert message_of(YOUJU_CHAT__MODLE="x").startswith("环境变量 YOUJU_CHAT__MODLE：chat.modle：没有这个选项。")
    assert message_of(YOUJU_SPLITER__KIND="x").startswith("环境变量 YOUJU_SPLITER__KIND：spliter：没有这个选项。")


def test_a_variable_whose_name_is_no_settings_is_told_to_be_renamed() -> None:
    advice = "。YOUJU_ 开头的环境变量都当作设置来读；它要是有别的用处（例如存密码），请换一个不这样开头的名字"
    assert message_of(YOUJU_PW="s3cret").endswith(f"splitter、store{advice}")
    assert "s3cret" not in message_of(YOUJU_PW="s3cret")
    assert advice not in message_of(YOUJU_CHAT__MODLE="x")
    assert advice not in message_of("pw=x")


def test_how_a_list_is_written_is_shown_in_the_form_in_which_the_value_was_given(file: Path) -> None:
    key = "loader.pdf_password_env"
    assert message_of(f"{key}=s3cret") == (
        f"--set {key}：要写成列表，例如 --set '{key}=[A, B]'；只有一项也要方括号"  # the value may be a password
    )
    assert message_of(YOUJU_LOADER__PDF_PASSWORD_ENV="s3cret") == (
        f"环境变量 YOUJU_LOADER__PDF_PASSWORD_ENV：{key}：要写成列表，例如 YOUJU_LOADER__PDF_PASSWORD_ENV='[A, B]'"
    )
    assert message_of(file=file, text="loader:\n  pdf_password_env: s3cret") == (
        f"{file} 第 2 行：{key}：要写成列表，例如 pdf_password_env: [A, B]"
    )
    assert "[{kind: …}, {kind: …}]" in message_of("retriever.retrievers=bm25")
    assert Settings.load(overrides=[f"{key}=[A, B]"]).loader.pdf_password_env == ["A", "B"]


def test_the_key_of_a_set_option_is_named_once() -> None:
    assert message_of("answer.readings=3") == "--set answer.readings：不能是 3。可选的值有 1、2"
    assert message_of("retriever={kind: bm25, kk: 1}").startswith("--set retriever：retriever.kk：没有这个选项。")


def test_every_mistake_is_reported_at_once(file: Path) -> None:
    lines = message_of(file=file, text="chat:\n  modle: x\nanswer:\n  max_retries: 9\n").split("\n")
    assert sorted(line.partition("：")[0] for line in lines) == [f"{file} 第 2 行", f"{file} 第 4 行"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chat: {model: x", "第 1 行：不是正确的 YAML"),
        ("chat:\n\tmodel: x", "第 2 行：不是正确的 YAML"),
        ("- a", "最外层要写成“键: 值”的形式"),
        ("text", "最外层要写成“键: 值”的形式"),
        ("chat: {}\nchat: {}", "第 2 行：chat 写了两次"),
        ("1: 2", "要写成文字的键"),
    ],
)
def test_a_file_that_is_no_settings_file_is_refused(file: Path, text: str, said: str) -> None:
    assert said in message_of(file=file, text=text)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="找不到配置文件"):
        Settings.load(tmp_path / "none.yaml", environ={})
    with pytest.raises(SettingsError, match="是文件夹"):
        Settings.load(tmp_path, environ={})
    (tmp_path / "gbk.yaml").write_bytes("chat: 模型".encode("gbk"))
    with pytest.raises(SettingsError, match="UTF-8"):
        Settings.load(tmp_path / "gbk.yaml", environ={})


@pytest.mark.parametrize("text", ["splitter.chunk_size", "=3", " =3", ""])
def test_an_override_without_key_and_value_is_refused(text: str) -> None:
    assert "要写成 键=值，例如 --set splitter.chunk_size=300" in message_of(text)


def test_settings_cannot_change_once_made() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().answer.max_retries = 3


def test_settings_survive_a_way_through_json() -> None:
    settings = load("retriever.k=3")
    assert Settings.model_validate(json.loads(settings.model_dump_json())) == settings


KEY = "sk-test-ABCDEF123456"
LONG_KEY = "gsk_0123456789abcdefABCDEF"


@pytest.mark.parametrize("key", [KEY, LONG_KEY])
@pytest.mark.parametrize(
    "override",
    [
        "{}",
        "{}=1",
        "chat.{}=1",
        "chat.model.{}=1",
        "chat={}",
        "chat.api_key={}",
        "chat.api_key_env={}",
        "chat.base_url={}",
        "chat.base_url=http://user:{}@host/v1",
        "chat.base_url=http://host/v1?key={}",
        "chat.base_url=http://[{}",
        "chat.timeout={}",
        "splitter.chunk_size={}",
        "answer.citations={}",
        "store.backend={}",
        "store.name=a/{}",
        "retriever.kind={}",
        "retriever.{}.kind=bm25",
        "retriever.retrievers.{}=1",
        "retriever.retrievers.0.kind={}",
        "retriever.retrievers.0.{}=1",
        "retriever.retrievers.0.weight.{}=1",
    ],
)
def test_a_key_in_the_wrong_place_of_the_command_line_is_not_repeated(override: str, key: str) -> None:
    assert key.lower() not in message_of(override.format(key)).lower()


@pytest.mark.parametrize("key", [KEY, LONG_KEY])
@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}: 1",
        "{0}: 1\n{0}: 2",
        "chat: {}",
        "chat:\n  {}: 1",
        "chat: *{}",
        "chat: !{} x",
        "chat: {{a: {}",
        "chat: '{}",
        "chat: @{}",
        "? [{}]\n: 1",
        "chat: {{api_key: {}}}",
        "chat: {{timeout: {}}}",
        "retriever: {{kind: {}}}",
        "retriever: {{kind: hybrid, retrievers: [{{kind: {}}}]}}",
        "retriever: {{kind: hybrid, retrievers: [{{kind: bm25, {}: 1}}]}}",
        "[{}]",
    ],
)
def test_a_key_in_the_wrong_place_of_a_file_is_not_repeated(file: Path, text: str, key: str) -> None:
    assert key.lower() not in message_of(file=file, text=text.format(key)).lower()


@pytest.mark.parametrize("key", [KEY, LONG_KEY])
@pytest.mark.parametrize(
    ("variable", "value"),
    [("YOUJU_{}", "1"), ("YOUJU_CHAT__{}", "1"), ("YOUJU_CHAT__API_KEY", "{}"), ("YOUJU_CHAT", "{}")],
)
def test_a_key_in_the_wrong_place_of_the_environment_is_not_repeated(variable: str, value: str, key: str) -> None:
    environ = {variable.format(key): value.format(key)}
    assert key.lower() not in message_of(**environ).lower()


def test_a_key_given_in_code_is_not_repeated() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate({"chat": {"api_key": KEY, "timeout": KEY}})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("key", [KEY, LONG_KEY])
@pytest.mark.parametrize(
    "override",
    [
        "chat.model={}",
        "chat.model=openai:{}",
        "chat.model={}:x",
        "chat.model=huggingface:org/{}",
        "embeddings.model={}",
        "embeddings.model=huggingface:{}",
        "embeddings.query_prefix={}",
        "chat.base_url=http://host/{}/v1",
        "chat.base_url=http://host/v1#{}",
        "store.name={}",
        "store.path=/data/{}",
        "chat.model=!!int {}",
        "chat.model=!!bool {}",
        "chat.model=&{} x",
    ],
)
def test_a_key_is_refused_where_a_text_would_do_and_not_repeated(override: str, key: str) -> None:
    assert key.lower() not in message_of(override.format(key)).lower()


@pytest.mark.parametrize(
    "name", ["ABCDEF123456", "AbCdEfGhIjKlMnOpQrStUvWxYz", "abcdefgh_1234567890", "hf_ABCDEFGHIJKL"]
)
def test_a_name_of_a_variable_that_looks_like_a_key_is_refused(name: str) -> None:
    message = message_of(f"chat.api_key_env={name}")
    assert "这里写环境变量的名字（如 OPENAI_API_KEY），不要写密钥本身" in message
    assert name not in message


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "HF_TOKEN", "KEY2", "token", "MY_COMPANY_OPENAI_KEY_2024"])
def test_usual_names_of_variables_are_taken(name: str) -> None:
    assert load(f"chat.api_key_env={name}").chat.api_key_env == name


@pytest.mark.parametrize(
    "name",
    [
        "openai:gpt-4o-mini-2024-07-18",
        "anthropic:claude-3-5-sonnet-20241022",
        "huggingface:BAAI/bge-small-zh-v1.5",
        "huggingface:/models/snapshots/0123456789abcdef0123456789abcdef01234567",
        "ollama:qwen2.5:7b-instruct-q4_K_M",
    ],
)
def test_usual_names_of_models_are_taken(name: str) -> None:
    assert load(f"embeddings.model={name}").embeddings.model == name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chat: {model: !!int sk-test-ABCDEF123456}", "第 1 行：不支持类型标签"),
        ('chat:\n  model: !!timestamp "x"', "第 2 行：不支持类型标签"),
        ("splitter: &a {chunk_size: *a}", "第 1 行：不支持锚点和引用"),
        ("a: &a [x]\nb: &b [*a, *a]", "第 1 行：不支持锚点和引用"),
        ("splitter: {chunk_size: " + "9" * 5000 + "}", "第 1 行：数太长，最多 300 位"),
        ("[" * 3000, "第 1 行：嵌套太深，最多 50 层"),
        ("{a: " * 3000, "第 1 行：嵌套太深，最多 50 层"),
        ("splitter: {chunk_size: 2024-13-45}", "splitter.chunk_size：要写成整数"),
        ("splitter: {chunk_size: 1:00}", "splitter.chunk_size：要写成整数"),
        ("splitter: {chunk_size: 0x10}", "splitter.chunk_size：要写成整数"),
        ('chat: {model: "\\U00110000"}', "不是正确的 YAML"),
    ],
)
def test_yaml_that_no_settings_need_is_refused_with_its_line(file: Path, text: str, said: str) -> None:
    message = message_of(file=file, text=text)
    assert said in message
    assert KEY not in message


@pytest.mark.parametrize("value", ["!!float x", "*a", "[" * 3000, "9" * 5000])
def test_an_override_and_the_environment_refuse_the_same_yaml(value: str) -> None:
    assert message_of(f"chat.model={value}").startswith("--set chat.model：")
    assert message_of(YOUJU_CHAT__MODEL=value).startswith("环境变量 YOUJU_CHAT__MODEL：")


def test_numbers_are_decimal_whatever_yaml_once_meant_by_a_leading_zero() -> None:
    assert load("splitter.chunk_size=000000000000400").splitter.chunk_size == 400
    assert load("retriever.weight=1.5e-1").retriever.weight == 0.15


@pytest.mark.parametrize("condition", ["{a: null}", "{a: {$eq: null}}", "{$or: [{a: 1}, {b: {$in: [1, null]}}]}"])
def test_a_filter_that_compares_with_nothing_is_refused(condition: str) -> None:
    said = message_of("retriever.kind=bm25", f"retriever.filter={condition}")
    assert "retriever.filter：过滤条件不能和空值（null）比较" in said


def test_a_filter_keeps_days_and_texts() -> None:
    conditions = load("retriever.kind=bm25", "retriever.filter={day: 2024-01-02, code: 007}").retriever
    assert isinstance(conditions, BM25Settings)
    assert conditions.filter == {"day": date(2024, 1, 2), "code": "007"}


@pytest.mark.parametrize("kind", ["bm25", "vector", "overlap", "hybrid"])
def test_no_retriever_is_asked_for_more_than_ten_thousand(kind: str) -> None:
    assert load(f"retriever.kind={kind}", "retriever.k=10000").retriever.k == 10_000
    assert "retriever.k：不能大于 10000" in message_of(f"retriever.kind={kind}", "retriever.k=10001")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("retriever.0=1", "retriever.0：没有这个选项"),
        ("retriever.retrievers.-1.k=1", "retriever.retrievers 是列表，只有第 0 到 1 项"),
        ("retriever.retrievers.k=1", "retriever.retrievers 是列表，只有第 0 到 1 项"),
        ("retriever.retrievers.².k=1", "retriever.retrievers 是列表，只有第 0 到 1 项"),
        ("retriever" + ".a" * 3000 + "=1", "嵌套太深，最多 50 层"),
    ],
)
def test_a_wrong_way_into_a_list_is_explained(override: str, said: str) -> None:
    assert said in message_of(override)


def test_an_item_of_an_empty_list_cannot_be_set(file: Path) -> None:
    said = message_of("retriever.retrievers.0.k=1", file=file, text="retriever: {retrievers: []}")
    assert "retriever.retrievers 是列表，现在是空的" in said


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            "retriever={kind: threshold, at_least: 0.5, base: {kind: bm25, kk: 3}}",
            "retriever.base.kk：没有这个选项。最接近的是 k；",
        ),
        (
            "retriever={kind: hyde, base: {kind: bm25}, chat: {modell: x}}",
            "retriever.chat.modell：没有这个选项。最接近的是 model；",
        ),
        ("retriever={kind: hyde, base: {k: 3}}", "retriever.base：缺少 kind；可选的值有 bm25、"),
        ("retriever={kind: rerank}", "retriever.model：缺少这一项；它没有默认值，请写出来"),
        ("splitter={kind: markdown, foo: 1}", "splitter.foo：没有这个选项。可用的有 chunk_overlap、chunk_size、kind"),
    ],
)
def test_what_is_wrong_inside_a_wrapped_retriever_or_a_splitter_is_named_by_its_place(
    changed: str, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load(overrides=[changed])
    assert message in str(caught.value)
