"""Gemini, through Google's generateContent with search grounding."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from urllib.parse import quote

import msgspec

from sightline.platforms.assemble import Sources, assemble_answer
from sightline.platforms.faults import ErrorText, classify_fault, read_embedded_fault, read_error, says_no_money
from sightline.platforms.models import (
    CUT_OFF,
    Connector,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
    Span,
    Usage,
)
from sightline.platforms.payload import ABSENT, MOST, Count, read, read_all, read_members, read_reply
from sightline.platforms.wire import post_json, require_model

_TOOL = "google_search"
# Every grounded link leads through this host and dies within weeks.
REDIRECT_HOSTS = frozenset({"vertexaisearch.cloud.google.com"})
_DELAY = re.compile(r'"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d{1,9})?)s"')
# The sentence "you exceeded your current quota" also stands in refusals that last a minute; these do not pass.
_SPENT = re.compile(r"PerDay|prepayment credits|BILLING_DISABLED|billing (?:account|to be enabled)", re.IGNORECASE)


class _Reply(msgspec.Struct, rename="camel"):
    candidates: msgspec.Raw = ABSENT
    prompt_feedback: msgspec.Raw = ABSENT
    usage_metadata: msgspec.Raw = ABSENT
    model_version: msgspec.Raw = ABSENT
    response_id: msgspec.Raw = ABSENT
    error: msgspec.Raw = ABSENT


class _Feedback(msgspec.Struct, rename="camel"):
    block_reason: str | None = None


class _Candidate(msgspec.Struct, rename="camel"):
    content: msgspec.Raw = ABSENT
    finish_reason: msgspec.Raw = ABSENT
    grounding_metadata: msgspec.Raw = ABSENT


class _Content(msgspec.Struct, rename="camel"):
    parts: msgspec.Raw = ABSENT


class _Part(msgspec.Struct, rename="camel"):
    text: str | None = None
    thought: msgspec.Raw = ABSENT


class _Grounding(msgspec.Struct, rename="camel"):
    web_search_queries: msgspec.Raw = ABSENT
    grounding_chunks: msgspec.Raw = ABSENT
    grounding_supports: msgspec.Raw = ABSENT


class _Web(msgspec.Struct, rename="camel"):
    uri: str | None = None
    title: msgspec.Raw = ABSENT


class _Chunk(msgspec.Struct, rename="camel"):
    web: _Web | None = None


class _Segment(msgspec.Struct, rename="camel"):
    part_index: int = 0
    start_index: int = 0
    end_index: int | None = None
    text: str | None = None


class _Support(msgspec.Struct, rename="camel"):
    segment: msgspec.Raw = ABSENT
    grounding_chunk_indices: msgspec.Raw = ABSENT


class _Tokens(msgspec.Struct, rename="camel"):
    prompt_token_count: Count | None = None
    candidates_token_count: Count | None = None
    thoughts_token_count: Count | None = None


def request(question: Question, connection: PlatformConnection) -> HttpRequest:
    """Build the request. Raises "rejected" if no model is set. There is no field for a country."""
    model = quote(require_model(connection).removeprefix("models/"), safe="")
    body: dict[str, object] = {
        "contents": [{"role": "user", "parts": [{"text": question.prompt}]}],
    }
    if not question.is_task:
        body["tools"] = [{_TOOL: {}}]
    if question.language:
        body["toolConfig"] = {"retrievalConfig": {"languageCode": question.language}}
    return post_json(connection, f"/v1beta/models/{model}:generateContent", body, {"x-goog-api-key": connection.secret})


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer:
    payload = read_reply(reply, _Reply)
    error = read_error(bytes(payload.error))
    if error.codes or error.message:
        raise read_embedded_fault(error)
    candidates = read_all(payload.candidates, _Candidate)
    candidate = candidates[0] if candidates else _Candidate()
    content = read(candidate.content, _Content) or _Content()
    parts = [
        (part.text or "") if read(part.thought, bool) is not True else "" for part in read_all(content.parts, _Part)
    ]
    _require_whole(payload, candidate, has_text=any(parts))
    sources = Sources()
    grounding = read(candidate.grounding_metadata, _Grounding) or _Grounding()
    _add_sources(grounding, parts, sources)
    queries = read_all(grounding.web_search_queries, str)
    tokens = read(payload.usage_metadata, _Tokens) or _Tokens()
    written = [each for each in (tokens.candidates_token_count, tokens.thoughts_token_count) if each is not None]
    output_tokens = sum(written) if written and sum(written) <= MOST else None
    return assemble_answer(
        "".join(parts),
        sources,
        question,
        carries_country=False,
        queries=queries,
        model=read(payload.model_version, str) or connection.model,
        request_id=read(payload.response_id, str),
        tool_version=_TOOL,
        usage=Usage(tokens.prompt_token_count, output_tokens, len(queries) or None),
    )


def fault(reply: HttpReply) -> PlatformFault:
    found = classify_fault(reply, lambda error: _is_quota_exhausted(reply.status, error, reply.body))
    delay = _DELAY.search(reply.body.decode(errors="replace"))
    if found.retry_after is None and delay:
        found.retry_after = float(delay[1])
    return found


def _is_quota_exhausted(status: int, error: ErrorText, body: bytes) -> bool:
    """Return whether waiting does not help. This depends on the name of the quota, not on the message."""
    if status != 429:
        return bool(_SPENT.search(error.message)) or "billing_disabled" in error.codes or says_no_money(error)
    return bool(_SPENT.search(body.decode(errors="replace")))


def _require_whole(payload: _Reply, candidate: _Candidate, *, has_text: bool) -> None:
    feedback = read(payload.prompt_feedback, _Feedback)
    reason = read(candidate.finish_reason, str)
    if not has_text and feedback and feedback.block_reason:
        raise PlatformFault("rejected", "the prompt was blocked")
    if not has_text and reason in {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"}:
        raise PlatformFault("rejected", f"the answer was withheld: {reason}")
    if reason == "MAX_TOKENS":
        raise PlatformFault("malformed", CUT_OFF)


def _add_sources(grounding: _Grounding, parts: list[str], sources: Sources) -> None:
    """Record the sources: chunks that a support points to are cited, the others only retrieved."""
    # Supports count chunks by position, so one that cannot be read keeps its place.
    chunks = [read(raw, _Chunk) for raw in read_members(grounding.grounding_chunks)]
    measured = [
        _ByteIndexedText(part, at) for part, at in zip(parts, accumulate(map(len, parts), initial=0), strict=False)
    ]
    whole = _ByteIndexedText("".join(parts), 0)
    for support in read_all(grounding.grounding_supports, _Support):
        segment = read(support.segment, _Segment)
        span = _read_span(segment, measured, whole) if segment else None
        for index in read_all(support.grounding_chunk_indices, int):
            chunk = chunks[index] if 0 <= index < len(chunks) else None
            if chunk and chunk.web:
                sources.cite(chunk.web.uri, read(chunk.web.title, str), span)
    for chunk in chunks:
        if chunk and chunk.web:
            sources.retrieve(chunk.web.uri, read(chunk.web.title, str))


class _ByteIndexedText:
    """A text with the UTF-8 byte offset of each of its characters, and its own place in the answer."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        # In ASCII text, every byte is a character.
        self._starts: Sequence[int] = (
            range(len(text)) if text.isascii() else [at for at, byte in enumerate(text.encode()) if byte & 0xC0 != 0x80]
        )

    def span(self, first_byte: int, last_byte: int) -> Span:
        return Span(bisect_left(self._starts, first_byte), bisect_left(self._starts, last_byte))


def _read_span(segment: _Segment, parts: list[_ByteIndexedText], whole: _ByteIndexedText) -> Span | None:
    """Convert a segment, which counts UTF-8 bytes of a part, to a span.

    If it does not fit the text that it quotes, the quoted text decides.
    """
    if segment.end_index is not None and 0 <= segment.start_index < segment.end_index:
        number = segment.part_index if 0 <= segment.part_index < len(parts) else 0
        for measured in (parts[number] if parts else whole, whole):
            span = measured.span(segment.start_index, segment.end_index)
            if span.start < span.end and segment.text in {None, "", measured.text[span.start : span.end]}:
                return Span(measured.at + span.start, measured.at + span.end)
    found = whole.text.find(segment.text) if segment.text else -1
    return Span(found, found + len(segment.text)) if segment.text and found >= 0 else None


CONNECTOR = Connector(
    platform="gemini",
    vendor="google",
    surface="api",
    request=request,
    parse=parse,
    redirect_hosts=REDIRECT_HOSTS,
    fault=fault,
)
