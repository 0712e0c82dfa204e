"""Rerankers behind an HTTP service."""

import asyncio
import time
from typing import Any

from youju.errors import ModelError
from youju.models.failures import excerpt
from youju.models.keys import read_key
from youju.settings import RerankSettings

_PASSING = {408, 429, 500, 502, 503, 504}
_FIRST_WAIT = 0.5


class ReplyError(Exception):
    """The service refused a request; carries what `model_errors` reads."""

    def __init__(self, status_code: int, text: str) -> None:
        super().__init__(excerpt(text))
        self.status_code = status_code


class HttpScores:
    """The `/rerank` of Text Embeddings Inference, or that of Jina, Cohere, vLLM, Xinference and SiliconFlow.

    Attributes:
        name: The model as the settings name it.
    """

    def __init__(self, settings: RerankSettings) -> None:
        """Take the address and the key.

        Raises:
            ModelAuthError: The variable of the key is unset.
        """
        self.name = settings.model
        self._url = f"{(settings.base_url or '').rstrip('/')}/rerank"
        self._tei = settings.api == "tei"
        self._tries = settings.max_retries + 1
        self._timeout = settings.timeout
        # An open connection belongs to the event loop it was made in; beside the model's work, a new one is nothing.
        self._headers = {"Connection": "close"}
        if settings.api_key_env is not None:
            self._headers["Authorization"] = f"Bearer {read_key(settings.api_key_env, settings.model)}"

    def __repr__(self) -> str:
        return f"HttpScores({self.name!r})"

    def score(self, query: str, passages: list[str]) -> list[float]:
        """What the service says of each passage; passing failures are tried again."""
        import httpx  # noqa: PLC0415 - only where a service is asked

        with httpx.Client(headers=self._headers, timeout=self._timeout) as client:
            for attempt in range(self._tries):
                last = attempt == self._tries - 1
                try:
                    response = client.post(self._url, json=self._body(query, passages))
                except httpx.TransportError:
                    if last:
                        raise
                else:
                    if last or response.status_code not in _PASSING:
                        return self._read(response, len(passages))
                time.sleep(_FIRST_WAIT * 2**attempt)
        raise AssertionError("unreachable")  # pragma: no cover - the last try returns or raises

    async def ascore(self, query: str, passages: list[str]) -> list[float]:
        """`score` for asynchronous callers."""
        import httpx  # noqa: PLC0415 - only where a service is asked

        async with httpx.AsyncClient(headers=self._headers, timeout=self._timeout) as client:
            for attempt in range(self._tries):
                last = attempt == self._tries - 1
                try:
                    response = await client.post(self._url, json=self._body(query, passages))
                except httpx.TransportError:
                    if last:
                        raise
                else:
                    if last or response.status_code not in _PASSING:
                        return self._read(response, len(passages))
                await asyncio.sleep(_FIRST_WAIT * 2**attempt)
        raise AssertionError("unreachable")  # pragma: no cover - as above

    def _body(self, query: str, passages: list[str]) -> dict[str, Any]:
        if self._tei:
            return {"query": query, "texts": passages}
        return {"model": self.name, "query": query, "documents": passages, "top_n": len(passages)}

    def _read(self, response: Any, count: int) -> list[float]:
        """The scores in the order of the passages; services answer in the order of the scores."""
        if response.is_error:
            raise ReplyError(response.status_code, response.text)
        unreadable = f"{self.name} 的服务给的回复读不懂。请检查 base_url 和 api（jina 或 tei）"
        try:
            data = response.json()
            rows = data["results"] if isinstance(data, dict) else data
            found = {}
            for row in rows:
                score = row["score"] if "score" in row else row["relevance_score"]
                if isinstance(row["index"], bool) or not isinstance(row["index"], int) or not 0 <= row["index"] < count:
                    raise ModelError(f"{unreadable}：编号 {row['index']!r} 不在发出的 {count} 段里")
                found[row["index"]] = float(score)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            raise ModelError(unreadable) from None
        if len(found) != count:
            raise ModelError(f"给 {self.name} 发了 {count} 段文字，回来 {len(found)} 个得分。请换一个模型或服务")
        return [found[place] for place in range(count)]
