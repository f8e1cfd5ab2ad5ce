"""The format of chat completions: DeepSeek, every OpenAI-compatible server, and older replies of Perplexity."""

import msgspec

from sightline.platforms.assemble import Sources
from sightline.platforms.faults import read_embedded_fault, read_error
from sightline.platforms.models import CUT_OFF, PlatformFault, Usage
from sightline.platforms.payload import ABSENT, Count, read, read_all
from sightline.platforms.responses import Annotation, cite_annotation


class Completion(msgspec.Struct):
    id: msgspec.Raw = ABSENT
    model: msgspec.Raw = ABSENT
    choices: msgspec.Raw = ABSENT
    usage: msgspec.Raw = ABSENT
    error: msgspec.Raw = ABSENT
    citations: msgspec.Raw = ABSENT
    search_results: msgspec.Raw = ABSENT


class _Message(msgspec.Struct):
    content: msgspec.Raw = ABSENT
    refusal: msgspec.Raw = ABSENT
    annotations: msgspec.Raw = ABSENT


class _Choice(msgspec.Struct):
    message: msgspec.Raw = ABSENT
    finish_reason: msgspec.Raw = ABSENT


class _Part(msgspec.Struct):
    type: str | None = None
    text: str | None = None


class _Nested(msgspec.Struct):
    url_citation: Annotation


class _Tokens(msgspec.Struct):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None


def read_message(completion: Completion, sources: Sources) -> str:
    """Return the text of the first choice and record its annotations as citations. Raises a fault if incomplete."""
    error = read_error(bytes(completion.error))
    if error.codes or error.message:
        raise read_embedded_fault(error)
    choices = read_all(completion.choices, _Choice)
    if not choices:
        raise PlatformFault("malformed", "the response has no answer")
    reason = read(choices[0].finish_reason, str)
    if reason == "length":
        raise PlatformFault("malformed", CUT_OFF)
    if reason == "insufficient_system_resource":
        raise PlatformFault("unavailable", "the platform ran out of resources in the middle of the answer")
    message = read(choices[0].message, _Message) or _Message()
    text = _read_text(message)
    if reason == "content_filter" and not text.strip():
        raise PlatformFault("rejected", "the answer was withheld by a content filter")
    nested = [annotation.url_citation for annotation in read_all(message.annotations, _Nested)]
    for annotation in (*nested, *read_all(message.annotations, Annotation)):
        cite_annotation(annotation, sources, offset=0)
    return text


def read_tokens(completion: Completion) -> Usage:
    tokens = read(completion.usage, _Tokens) or _Tokens()
    return Usage(tokens.prompt_tokens, tokens.completion_tokens)


def _read_text(message: _Message) -> str:
    whole = read(message.content, str)
    if whole is None:
        whole = "".join(part.text or "" for part in read_all(message.content, _Part) if part.type in {None, "text"})
    return whole or read(message.refusal, str) or ""
