"""Whether text read from a PDF is text at all.

A font without a usable character map makes an engine return characters that were never printed, and no error. Three
kinds are told apart: characters that no text holds, letters of scripts that never meet inside a word, and bytes of a
Chinese encoding read as Western letters.
"""

import re
import unicodedata

_GARBLED_SHARE = 0.1
_BRACKET_PIECES = re.compile("[\uf8e5-\uf8fe]")  # tall brackets of formulas, in Adobe's private but fixed codes
_LEAST_WESTERN = 4
_WESTERN_SHARE = 0.3
_NEVER_TEXT = frozenset({"Cc", "Cn", "Co", "Cs"})  # control, unassigned, private use, half a surrogate pair
_RARE = "\u0530-\u1cff\ua000-\ua6ff\ua800-\uabff"
_RARE_CHARACTER = re.compile(f"[{_RARE}]")
_ANYWHERE = frozenset({"CJK", "FULLWIDTH", "HALFWIDTH", "LATIN", "HIRAGANA", "KATAKANA"})
_WORD = re.compile(rf"(?:[^\W\d_]|[{_RARE}])+")
_WESTERN_RUN = re.compile("[\u00a1-\u00ff\u0152\u0153\u0160\u0161\u017d\u017e\u0178\u0192\u2020-\u2022\u20ac]{2,}")


def looks_garbled(text: str) -> bool:
    """Whether a text is so full of characters nobody wrote that it must not be shown as a page's text.

    One odd character does not spoil a page: a formula or a list mark often has no code. From one in ten on, the text is
    taken for noise.
    """
    return odd_share(text) >= _GARBLED_SHARE


def odd_share(text: str) -> float:
    """The share of a text's visible characters that cannot be what was printed, from 0 to 1."""
    text = _BRACKET_PIECES.sub("", text)
    visible = [character for character in text if not character.isspace()]
    if not visible:
        return 0.0
    mixed = [word for word in _WORD.findall(text) if _mixes_scripts(word)]
    odd = sum(len(_RARE_CHARACTER.findall(word)) for word in mixed)
    odd += sum(_never_text(character) for character in visible if not (mixed and _RARE_CHARACTER.match(character)))
    western = sum(len(run) for run in _WESTERN_RUN.findall("".join(visible)))
    if western >= _LEAST_WESTERN and western >= _WESTERN_SHARE * len(visible):
        odd += western
    return min(1.0, odd / len(visible))


def _never_text(character: str) -> bool:
    return character == "\ufffd" or (not character.isprintable() and unicodedata.category(character) in _NEVER_TEXT)


def _mixes_scripts(word: str) -> bool:
    """Whether a word holds letters of two rare scripts, or of a rare one and Cyrillic or Greek.

    Documents in Tibetan, Thai or Uyghur keep to one script in a word; Chinese or Latin letters may stand right beside
    it.
    """
    if not _RARE_CHARACTER.search(word):
        return False
    letters = [letter for letter in word if letter > "\u036f" and unicodedata.category(letter)[0] in "LMC"]
    scripts = {unicodedata.name(letter, "?").split()[0] for letter in letters}
    return len(scripts - _ANYWHERE) > 1
