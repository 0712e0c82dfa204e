"""Passages of documents that speak to a model instead of to their readers."""

import re

_TO_A_MODEL = re.compile(
    r"(?:忽略|无视|無視|忘记|忘掉|不要理会|不必理会|不再遵守|推翻)[^。！？\n]{0,12}(?:以上|上述|上面|之前|前面|先前|此前|所有|一切|任何|系统)"
    r"[^。！？\n]{0,10}(?:规则|規則|指令|要求|提示|设定|命令|约束)"
    r"|\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,30}\b(?:previous|above|prior|earlier|all|system)\b"
    r"[^.!?\n]{0,30}\b(?:instructions?|rules?|prompts?|messages?)\b"
    r"|(?:你|您)(?:现在|从现在起|接下来|将)?(?:是|扮演|作为)(?:一个|一名|一位)?[^。！？\n]{0,10}(?:助手|模型|AI|机器人)"
    r"|\byou are (?:now )?an? [^.!?\n]{0,20}\b(?:assistant|model|AI|bot)\b"
    r"|(?:AI|人工智能|大模型|语言模型|聊天机器人|智能助手)[，,：: ]{0,2}(?:请|必须|应当|务必|只能|需要)[^。！？\n]{0,6}"
    r"(?:回答|回复|输出)"
    r"|(?:不要|无需|不必|不得)(?:引用|标注|标出|给出)(?:来源|出处|依据|编号|资料)?(?=[。！；，\n]|$)"
    r"|系统提示|\bsystem prompt\b|<\|im_start\|>|\[/?INST\]",
    re.IGNORECASE,
)


def told_to_a_model(text: str) -> list[tuple[int, int]]:
    """Where a text speaks to a model: from the beginning of such a sentence to the end of its line.

    What such a passage says is no content of the document: an answer that repeats it follows it.
    """
    spans: list[tuple[int, int]] = []
    for match in _TO_A_MODEL.finditer(text):
        if spans and match.start() < spans[-1][1]:
            continue
        start = max(text.rfind(mark, 0, match.start()) for mark in "。！？!?\n") + 1
        end = text.find("\n", match.end())
        spans.append((start, len(text) if end < 0 else end))
    return spans


def content_of(text: str) -> str:
    """A text in which blanks stand for what is addressed to a model, so that no claim can rest on it."""
    for start, end in told_to_a_model(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
