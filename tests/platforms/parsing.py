"""Helpers for the tests of connectors: replies made from dictionaries, and payloads damaged in every way."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

from sightline.platforms.models import (
    Connector,
    FollowUp,
    HttpReply,
    HttpRequest,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
)

SECRET = "the-secret-7f3a"
QUESTION = Question("best crm for startups", "DE", "de")
ANYWHERE = Question("best crm for startups")


def connect(
    connector: Connector, *, model: str | None = "asked-model", base_url: str = "https://api.test"
) -> PlatformConnection:
    return PlatformConnection(
        platform=connector.platform, vendor=connector.vendor, base_url=base_url, secret=SECRET, model=model
    )


def build_reply(payload: Any, status: int = 200, **headers: str) -> HttpReply:
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return HttpReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


def parse(connector: Connector, payload: Any, question: Question = QUESTION, **headers: str) -> ProviderAnswer:
    found = connector.parse(build_reply(payload, **headers), question, connect(connector))
    assert isinstance(found, ProviderAnswer)
    return found


def parse_fault(connector: Connector, payload: Any) -> PlatformFault:
    """Return the fault that a 200 with this payload raises."""
    try:
        found = connector.parse(build_reply(payload), QUESTION, connect(connector))
    except PlatformFault as fault:
        return fault
    raise AssertionError(f"no fault, but {found}")


def decode_body(request: HttpRequest) -> Any:
    assert request.body is not None
    return json.loads(request.body)


def quotes(answer: ProviderAnswer) -> dict[str, list[str]]:
    """Return the parts of the text for which each page is cited."""
    return {page.url: [answer.text[span.start : span.end] for span in page.spans] for page in answer.cited}


def urls(sources: tuple[Any, ...]) -> list[str]:
    return [source.url for source in sources]


def changed(payload: Any, *path: str | int, to: Any) -> Any:
    """Return a copy with one value replaced."""
    copied = copy.deepcopy(payload)
    *way, last = path
    at = copied
    for step in way:
        at = at[step]
    at[last] = to
    return copied


# Damaged payloads

_DEEP: Any = "bottom"
for _ in range(40):
    _DEEP = {"list": [{"text_blocks": [{"items": [_DEEP]}]}]}
JUNK = st.sampled_from(
    [
        None, True, False, -1, 0, 7, 2**31, 2**70, 1.5, -0.0, 1e300, "", " ", "x", "\0 with a null", "\ud800", "3",
        "ü🙂" * 30, "https://[", "javascript:alert(1)", "http://", "https://a.test/" + "p" * 9000, [], [[]], [None],
        [0, "a"], {}, {"type": 5}, {"type": "text"}, {"error": "failed"}, {"code": "insufficient_quota"},
        [{"type": None}], [[1], {}], {"web_search": -1}, {"reason": 4}, _DEEP,
    ]
)  # fmt: skip


def _places(tree: Any) -> list[tuple[Any, str | int]]:
    """Return every container and key of the tree that hold a value."""
    keys: list[Any] = list(tree) if isinstance(tree, dict) else list(range(len(tree))) if isinstance(tree, list) else []
    return [(tree, key) for key in keys] + [place for key in keys for place in _places(tree[key])]


@st.composite
def mutations(draw: st.DrawFn, payload: Any) -> Any:
    """Draw the payload with one to six values removed, duplicated, or replaced by junk or other parts of it."""
    tree = copy.deepcopy(payload)
    for _ in range(draw(st.integers(1, 6))):
        places = _places(tree)
        if not places:
            break
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        what = draw(st.sampled_from(["remove", "junk", "junk", "swap", "double"]))
        if what == "remove":
            del holder[key]
        elif what == "junk":
            holder[key] = copy.deepcopy(draw(JUNK))
        elif what == "swap":
            other, name = places[draw(st.integers(0, len(places) - 1))]
            holder[key] = copy.deepcopy(other[name]) if name in other or isinstance(other, list) else None
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
    return tree


@st.composite
def damaged_bodies(draw: st.DrawFn, payload: Any) -> bytes:
    """Draw the bytes of the payload, cut off or with a few of them changed."""
    body = bytearray(json.dumps(payload, ensure_ascii=False).encode())
    for _ in range(draw(st.integers(0, 4))):
        body[draw(st.integers(0, len(body) - 1))] = draw(st.integers(0, 255))
    return bytes(body[: draw(st.integers(0, len(body)))]) if draw(st.booleans()) else bytes(body)


def assert_answer_or_fault(connector: Connector, payload: Any, question: Question = QUESTION) -> None:
    """Assert that any payload becomes a valid answer, a follow-up request, or a fault."""
    try:
        found = connector.parse(build_reply(payload), question, connect(connector))
    except PlatformFault as fault:
        if not fault.message or SECRET in fault.message or not fault.message.isprintable():
            raise
        return
    if isinstance(found, FollowUp):
        assert found.request.url.startswith("https://api.test/")
        return
    assert isinstance(found, ProviderAnswer)
    assert (found.status == "ok") == (len(found.text.strip()) >= 20)
    assert "\0" not in found.text
    pages = (*found.cited, *found.retrieved)
    assert all(page.url.lower().startswith(("http://", "https://")) for page in pages)
    assert all(0 <= span.start < span.end <= len(found.text) for page in pages for span in page.spans)
    assert all(page.spans == () for page in found.retrieved)
    assert set(urls(found.cited)).isdisjoint(urls(found.retrieved))
    assert all(query.strip() == query and query for query in found.queries)
    counts = (found.usage.input_tokens, found.usage.output_tokens, found.usage.searches)
    assert all(count is None or 0 <= count < 2**31 for count in counts)
    names = (found.model, found.request_id, found.tool_version)
    assert all(name is None or (name.isprintable() and 0 < len(name) <= 200) for name in names)
    assert found.cost_usd is None or 0 <= found.cost_usd < 1_000_000
    assert (found.country_honoured is None) == (question.country is None)
