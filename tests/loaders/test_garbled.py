"""Noise is told from text, also from text in rare scripts."""

import pytest

from youju.loaders.garbled import looks_garbled, odd_share


@pytest.mark.parametrize(
    "text",
    [
        "年假为10天，见GB/T 19001-2016。",
        "Größe, façade, Übermaß, São Tomé",
        "INFORMAÇÃO",
        "Ежегодный отпуск составляет десять дней",
        "有給休暇は10日です。",
        "연차 휴가는 10일입니다.",
        "วันลาพักร้อนสิบวัน 年假十天",
        "ལོ་རེའི་ངལ་གསོ་ཉིན་བཅུ། 年假十天",
        "وقت الإجازة السنوية 年假十天",
        "• 年假十天\n\uf0b7 病假另计，事假扣薪，婚假三天，产假按照国家规定执行",
        "\uf8ee\uf8f0 x \uf8f9\uf8fb = 1",
        "",
        " \n",
    ],
)
def test_text_is_not_garbled(text: str) -> None:
    assert not looks_garbled(text)


@pytest.mark.parametrize(
    "text",
    [
        "မစၗҵ",  # numbers of glyphs taken for characters
        "ቔᆀ\u0b00",
        "Äê¼ÙÎªÊ®Ìì",  # 年假为十天 in GBK, read as Western letters
        "Äê ¼Ù Îª Ê® Ìì",
        "年\ufffd\ufffd十天",
        "\x10\x19年假\x11\x04",
        "\ue1a2\ue1b3\ue09f",
    ],
)
def test_noise_is_garbled(text: str) -> None:
    assert looks_garbled(text)


def test_one_odd_character_in_a_sentence_is_a_share_not_a_verdict() -> None:
    text = "员工每年有十天年假，可以分三次\ufffd使用。"  # 20 visible characters, 1 of them lost

    assert odd_share(text) == 1 / 19
    assert not looks_garbled(text)
