"""Second opinions on whether a claim is in the evidence, behind one seam, and how they change what the checks found.

The checks of `youju.chains.grounding` compare values, names, negations and words. A model that reads both texts knows
paraphrases that they do not, and sees contradictions in words; but models err on exactly what the checks are sure of.
So an opinion may take support away from any claim, and give it only where nothing but the words was missing.
"""

import asyncio
import logging
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import Runnable

from youju.chains.grounding import Finding, Thresholds, check_claim
from youju.chains.marks import harmless
from youju.chains.result import Evidence
from youju.errors import SettingsError, TextTooLongError, YoujuError
from youju.models import build_chat_model, check_reply, model_errors, without_thinking
from youju.models.keys import error_text, hide_secrets
from youju.prompts import prompt_text
from youju.settings import ChatSettings, EntailmentSettings, Settings

if TYPE_CHECKING:
    from youju.models.entailment import EntailmentModel

_LOG = logging.getLogger("youju")
_MOST_REMEMBERED = 500
_VERDICTS = ("supported", "contradicted", "unsupported", "unknown")
_WORDS_DO_NOT_COUNT = Thresholds(lexical=0.0, partial=0.0)


@dataclass(frozen=True)
class Judgement:
    """What a model says of a claim and its evidence.

    Attributes:
        verdict: `supported`, `contradicted`, `unsupported`: the evidence does not say it; `unknown`: no use could be
            made of the model.
        score: How sure the model is, in [0, 1]; None where it does not say.
        reason: Who says so, one Chinese sentence.
    """

    verdict: Literal["supported", "contradicted", "unsupported", "unknown"]
    score: float | None
    reason: str


class Opinion(Protocol):
    """Somebody to ask; the only thing a second opinion of your own needs."""

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Whether the texts say the claim."""

    async def ajudge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """`judge` for asynchronous callers."""


class EntailmentOpinion:
    """The opinion of a cross-encoder for natural-language inference."""

    def __init__(self, model: "EntailmentModel", *, threshold: float = 0.5) -> None:
        """Take the model, and the least probability that counts."""
        self._model = model
        self._threshold = threshold

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Whether the texts say the claim.

        Raises:
            ModelRequestError: The model cannot be loaded, or is none for this.
        """
        name = self._model.name
        try:
            found = self._model.probabilities(claim, evidence)
        except TextTooLongError as error:
            return _unknown(name, error_text(error))
        if found.entailment >= max(self._threshold, found.contradiction):
            return Judgement("supported", found.entailment, f"{name} 认为资料支持这句话")
        if found.contradiction >= self._threshold:
            return Judgement("contradicted", found.contradiction, f"{name} 认为资料和这句话矛盾")
        return Judgement("unsupported", 1 - found.entailment, f"{name} 认为资料没有写到这句话")

    async def ajudge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """`judge` in a thread."""
        return await asyncio.to_thread(self.judge, claim, evidence)


class JudgeOpinion:
    """The opinion of a chat model; where it fails, or says something else, there is none, and a warning says so."""

    def __init__(self, chat: Runnable[Any, Any], name: str) -> None:
        """Take any chat model, and the name it has in messages."""
        self._chat = chat
        self._name = name

    def judge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """Whether the texts say the claim."""
        try:
            with model_errors(self._name):
                return self._read(self._chat.invoke(_judge_prompt(claim, evidence)))
        except Exception as error:  # noqa: BLE001 - see the class
            return _unknown(self._name, error_text(error))

    async def ajudge(self, claim: str, evidence: Sequence[str]) -> Judgement:
        """`judge` for asynchronous callers."""
        try:
            with model_errors(self._name):
                return self._read(await self._chat.ainvoke(_judge_prompt(claim, evidence)))
        except Exception as error:  # noqa: BLE001 - as above
            return _unknown(self._name, error_text(error))

    def _read(self, reply: Any) -> Judgement:
        if isinstance(reply, BaseMessage):
            check_reply(reply, self._name)
        said = without_thinking(reply.text if isinstance(reply, BaseMessage) else str(reply))
        verdict = read_verdict(said)
        if verdict is None:
            quoted = hide_secrets(" ".join(said.split()))[:40]
            return _unknown(self._name, f"回复不是支持、矛盾、没有提到之一：{quoted}")
        words = {"supported": "支持这句话", "contradicted": "和这句话矛盾", "unsupported": "没有写到这句话"}
        return Judgement(verdict, None, f"{self._name} 认为资料{words[verdict]}")


class Panel:
    """Several opinions on the claims of answers. What was judged once is not asked again."""

    def __init__(self, opinions: Sequence[Opinion]) -> None:
        self._opinions = tuple(opinions)
        self._known: dict[tuple[Any, ...], list[Judgement]] = {}

    def review(self, finding: Finding, claim: str, cited: Sequence[Evidence], *, question: str = "") -> Finding:
        """What was found of a claim, in the light of the opinions.

        Args:
            finding: What the checks found.
            claim: The sentence, without its marks.
            cited: The blocks that it cites.
            question: What was asked.
        """
        if not self._opinions or not _is_open(finding, claim, cited, question):
            return finding
        texts = tuple(block.text for block in cited)
        judged = self._known.get((claim, texts)) or [_judged(one, claim, texts) for one in self._opinions]
        return self._combined(finding, claim, texts, judged)

    async def areview(self, finding: Finding, claim: str, cited: Sequence[Evidence], *, question: str = "") -> Finding:
        """`review` for asynchronous callers; all are asked at once."""
        if not self._opinions or not _is_open(finding, claim, cited, question):
            return finding
        texts = tuple(block.text for block in cited)
        judged = self._known.get((claim, texts))
        if judged is None:
            judged = list(await asyncio.gather(*(_ajudged(one, claim, texts) for one in self._opinions)))
        return self._combined(finding, claim, texts, judged)

    def _combined(self, finding: Finding, claim: str, texts: tuple[str, ...], judged: list[Judgement]) -> Finding:
        if all(one.verdict != "unknown" for one in judged):
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[claim, texts] = judged
        return combine(finding, judged, facts_hold=True)


def _is_open(finding: Finding, claim: str, cited: Sequence[Evidence], question: str) -> bool:
    """Whether an opinion can change anything: the claim is supported, or all that is missing of it is words."""
    if not cited or finding.verdict in {"supported", "contradicted"}:
        return bool(cited) and finding.verdict == "supported"
    return check_claim(claim, cited, question=question, thresholds=_WORDS_DO_NOT_COUNT).verdict == "supported"


def combine(finding: Finding, judgements: Sequence[Judgement], *, facts_hold: bool) -> Finding:
    """What a claim is worth once others have been asked.

    Unknown judgements do not count. Of a supported claim any other judgement takes the support away, the worst one
    deciding. A claim of which the checks miss words only is supported if all judgements say so, and contradicted if one
    does. A contradicted claim stays so, and one with a wrong number, name or negation is never made better.

    Args:
        finding: What the checks found.
        judgements: What the others say.
        facts_hold: Whether nothing but its words is missing of the claim.
    """
    known = {one.verdict: one for one in reversed(judgements) if one.verdict != "unknown"}  # the first of each verdict
    if not known or finding.verdict == "contradicted":
        return finding
    if "contradicted" in known:
        return replace(finding, verdict="contradicted", reason=known["contradicted"].reason)
    if finding.verdict == "supported":
        worst = known.get("unsupported")
        return finding if worst is None else replace(finding, verdict="unsupported", reason=worst.reason)
    if facts_hold and set(known) == {"supported"}:
        return replace(finding, verdict="supported", reason=None)
    return finding


_OPENING = re.compile(r"[\W_]*(?:(?:判断|结论|答案|结果|answer|verdict)(?:是|为)?[\W_]*)?", re.IGNORECASE)
_SUPPORTS = re.compile(r"(?:完全|明确)?支持|supported|supports?|entailed|entailment", re.IGNORECASE)
_FIRST = re.compile(r"[\W_]*(?:[。.!;,\n]|$)")
_VERDICT = re.compile(
    r"(?P<unclear>(?:不|没有|不存在)矛盾|不一定|(?:\bno|\bnot|n['’]t) contradict\w*)"
    r"|(?P<unsupported>(?:[不无未非难缺]|没有?)[^。，,;/]{0,6}支持|(?:部分|基本|得不到)[^。，,;/]{0,6}支持|支持(?:不足|部分)"
    r"|(?:没有?|未)(?:提到|提及|写到|写明)|无法判断"
    r"|\b(?:not (?:mentioned|stated)|unsupported|neutral)\b"
    r"|(?:\bnot?|n['’]t|fails? to|lacks?)\b[\w ]{0,12} (?:support|entail)\w*)"
    r"|(?P<contradicted>矛盾|\bcontradict(?:ed|ion|ory|s)?\b)"
    r"|(?P<supported>支持|\b(?:supported|supports?|entailed|entailment)\b)",
    re.IGNORECASE,
)


def read_verdict(reply: str) -> Literal["supported", "contradicted", "unsupported"] | None:
    """The verdict of a reply; None if there is none, or more than one.

    Support must be said in one word at the beginning, and nothing behind it may take it back: other words around it,
    such as 难以 or 与否, are too many to know.
    """
    text = unicodedata.normalize("NFKC", reply)
    opening = _OPENING.match(text)
    start = opening.end() if opening else 0
    said = _SUPPORTS.match(text, start)
    if said and (end := _FIRST.match(text, said.end())):
        return None if _kinds(text[end.end() :]) - {"unclear", "supported"} else "supported"
    found: Any = _kinds(text)
    first = _VERDICT.match(text, start)
    if first and first.lastgroup in {"contradicted", "unsupported"} and _FIRST.match(text, first.end()):
        found = {first.lastgroup}
    return next(iter(found)) if len(found) == 1 and found <= {"contradicted", "unsupported"} else None


def _kinds(text: str) -> set[str | None]:
    return {match.lastgroup for match in _VERDICT.finditer(text)}


def build_opinions(settings: Settings, *, chat: Runnable[Any, Any] | None = None) -> list[Opinion]:
    """Make the second opinions that the settings name.

    Args:
        settings: Those of `answer.opinions`, and the `chat` section.
        chat: The model to ask where an opinion names none, in place of that of the `chat` section.

    Raises:
        SettingsError: A model cannot judge, or there is none of its name.
        MissingExtraError: sentence-transformers is not installed and is needed.
        ModelAuthError: A chat model needs a key and there is none.
    """
    return [
        _entailment(one) if isinstance(one, EntailmentSettings) else _judge(one.chat, settings.chat, chat)
        for one in settings.answer.opinions
    ]


def _entailment(settings: EntailmentSettings) -> EntailmentOpinion:
    from youju.models.entailment import EntailmentModel  # noqa: PLC0415 - only where one is wanted

    model = EntailmentModel(settings.model, batch_size=settings.batch_size, window=settings.window)
    return EntailmentOpinion(model, threshold=settings.threshold)


def _judge(own: ChatSettings | None, usual: ChatSettings, chat: Runnable[Any, Any] | None) -> JudgeOpinion:
    if own is None and chat is not None:
        return JudgeOpinion(chat, type(chat).__name__)
    wanted = own or usual
    if wanted.model == "extractive":
        raise SettingsError(
            "answer.opinions 的 judge 需要会判断的聊天模型，内置的 extractive 只会摘录原文。"
            "请在 chat 一节或它自己的 chat 里写出模型，例如 openai:gpt-4o-mini"
        )
    return JudgeOpinion(build_chat_model(wanted), wanted.model)


def _judge_prompt(claim: str, evidence: Sequence[str]) -> list[BaseMessage]:
    blocks = "\n\n".join(map(harmless, evidence))
    text = prompt_text("judge.human").format(evidence=blocks, claim=harmless(" ".join(claim.split())))
    return [HumanMessage(text)]


def _judged(one: Opinion, claim: str, texts: Sequence[str]) -> Judgement:
    """What somebody says; an opinion of the caller's that fails or gives something else is none, with a warning."""
    try:
        return _usable(one, one.judge(claim, texts))
    except YoujuError:
        raise
    except Exception as error:  # noqa: BLE001 - it may be anybody's: the answer does not fall with it
        return _unknown(type(one).__name__, error_text(error))


async def _ajudged(one: Opinion, claim: str, texts: Sequence[str]) -> Judgement:
    try:
        return _usable(one, await one.ajudge(claim, texts))
    except YoujuError:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        return _unknown(type(one).__name__, error_text(error))


def _usable(one: Opinion, said: Any) -> Judgement:
    if isinstance(said, Judgement) and said.verdict in _VERDICTS:
        return said
    problem = f"judge 要返回 Judgement，verdict 是 {'、'.join(_VERDICTS)} 之一；现在是 {hide_secrets(repr(said))[:80]}"
    return _unknown(type(one).__name__, problem)


def _unknown(name: str, problem: str) -> Judgement:
    _LOG.warning("没有用上 %s 的判断：%s", name, problem)
    return Judgement("unknown", None, f"没有得到 {name} 的判断")
