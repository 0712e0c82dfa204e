"""What an answer says of itself, in the language of the question."""

from typing import Any

from youju.prompts import language

BUILT_IN = "extractive"
"""The name of the built-in model: it knows an answer by its words, so that its silence says less than another's."""

_PHRASES = {
    "silent": ("模型读了资料，资料没有写到", "the model read the evidence, and it does not say"),
    "silent_part": ("模型读了资料，这一部分没有写到", "the model read the evidence, and it does not say this part"),
    "silent_first": ("模型读第一遍时，资料没有写到", "the first time the model read the evidence, it did not say"),
    "unrecognised": (
        "内置模型没有在资料里认出答案：它只凭字词来认，资料里也许有；{advice}",
        "the built-in model recognised no answer in the evidence, but goes by words alone: there may be one; {advice}",
    ),
    "unrecognised_part": (
        "内置模型没有认出这一部分的答案：它只凭字词来认，资料里也许有；{advice}",
        "the built-in model recognised no answer to this part, but goes by words alone: there may be one; {advice}",
    ),
    "advice": (
        "换成更接近原文的问法再问，或用设置 chat.model 接一个大模型",
        "ask in words closer to the text, or set a large language model as chat.model",
    ),
    "failed_part": (
        "模型写到这一部分的话没有通过引用检查",
        "what the model wrote of this part did not pass the citation checks",
    ),
    "rejected": (
        "模型的回答没有通过引用检查：{problems}",
        "the model's answer did not pass the citation checks: {problems}",
    ),
    "taken_out": (
        "删去了没有通过核对的话：{problems}",
        "sentences that did not pass the checks were taken out: {problems}",
    ),
    "left_open": ("没有回答“{part}”", "“{part}” is not answered"),
    "nothing_retrieved": ("没有检索到相关的资料", "nothing that bears on the question was found"),
    "too_long": (
        "检索到的资料都放不进 answer.context_chars 的字数",
        "none of the passages found fits into answer.context_chars characters",
    ),
    "some_too_long": (
        "{n} 段放不进 answer.context_chars 的字数",
        "{n} did not fit into answer.context_chars characters",
    ),
    "all_read": ("全部交给了模型", "all were put before the model"),
    "found": ("找到 {n} 段", "{n} found"),
    "searched": ("用“{text}”检索，{found}", "searched for “{text}”: {found}"),
    "lost": ("{n} 段{why}", "{n} {why}"),
    "rank": ("名次在取的数目之外", "not among the first that are taken"),
    "score": ("得分低于阈值", "below the threshold"),
    "filter": ("不符合过滤条件", "outside the filter"),
    "version": ("已有新版本", "with a newer version"),
    "expired": ("已过期", "no longer in force"),
    "not_yet": ("还没有生效", "not yet in force"),
    "replaced": ("换成了所在的大块或其中的句子", "replaced by the block around them or sentences in them"),
    "sentence": ("句子与问题无关", "with sentences that do not bear on the question"),
    "unsaid": ("没有说明原因", "for no reason given"),
    "comma": ("，", ", "),
    "between": ("；", "; "),
}


def phrase(key: str, question: str, **values: Any) -> str:
    """One of the phrases, Chinese or English as the question is, with the values that it takes."""
    return _PHRASES[key][language(question) == "en"].format(**values)


def joined(parts: list[str], question: str) -> str:
    """Several phrases as one."""
    return phrase("between", question).join(parts)


def silence(model: str, question: str, *, part: bool = False) -> str:
    """Why nothing was answered by a model that read the evidence, or of a part of the question; and what to do then."""
    if model != BUILT_IN:
        return phrase("silent_part" if part else "silent", question)
    advice = phrase("advice", question)
    return phrase("unrecognised_part" if part else "unrecognised", question, advice=advice)
