"""Which addresses are the same page, and how names from headers are stored."""

import time
from urllib.parse import urlsplit, urlunsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.kit.addresses import strip_tracking
from sightline.platforms import anthropic, openai
from sightline.platforms.assemble import Sources, assemble_answer
from sightline.platforms.models import HttpReply, Question, Source, Span
from tests.platforms.parsing import build_reply, connect, urls
from tests.property_testing import prove

TEXT = "Acme and Globex are both fine choices."
PIECES = st.sampled_from(
    [
        *(
            "https://",
            "http://",
            "HTTPS://",
            "ftp://",
            "//",
            "a.test",
            "A.Test",
            "b.test:8080",
            "user@",
            "[::1]",
            "xn--",
        ),
        *("/", "//", "?", "#", "&", "=", "utm_source=x", "utm_", "q=1", "path", "p%20q", ";v", "ü", " ", "\t", "\n"),
        *("\0", "\\", "[", "]", "@", ":", ".", "-", "_", "~", "\x7f", "\u2100", "\x1f"),
    ]
)
addresses = st.one_of(
    st.lists(PIECES, max_size=10).map("".join),
    st.tuples(st.sampled_from(["https://a.test", "http://A.test"]), st.lists(PIECES, max_size=6)).map(
        lambda pair: pair[0] + "".join(pair[1])
    ),
)


def page_key(url: str) -> str | None:
    """Return what identifies a page, as a simple but slow implementation."""
    if len(url) > 8_192 or "\0" in url:
        return None
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    query = strip_tracking(parts.query)
    return urlunsplit(("", parts.netloc.lower(), parts.path.rstrip("/"), query, ""))


@prove
@given(st.lists(addresses, max_size=6))
@example(["https://a.test", "http://A.test/", "https://a.test/?", "https://a.test/?utm_x=1", "https://a.test#x"])
@example(["https://a.test/x?", "https://a.test//x", "https://a.test/x?a=1&&b=2", "https://a.test/x?a=1&b=2"])
def test_pages_match_those_of_a_simple_reference_implementation(given_urls):
    sources = Sources()
    expected = {}
    for url in given_urls:
        sources.retrieve(url)
        if (key := page_key(url)) is not None:
            expected.setdefault(key, url.strip())
    assert urls(sources.retrieved()) == list(expected.values())


def test_the_first_title_and_all_spans_of_a_page_are_kept():
    sources = Sources()
    sources.retrieve("https://a.test/", "Found")
    sources.retrieve("https://b.test/", " \0 ")
    sources.retrieve("https://b.test", "B\0")
    for span in (Span(5, 9), Span(0, 4), Span(5, 9), Span(30, 99), None):
        sources.cite("http://A.test", None, span)
    assert sources.cited(TEXT) == (Source("http://A.test", "Found", (Span(0, 4), Span(5, 9))),)
    assert sources.retrieved() == (Source("https://b.test/", "B"),)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("req_1", "req_1"),
        ("", None),
        ("a\0b\udcff", "ab"),
        ("\0", None),
        ("x" * 5_000, "x" * 200),
        ("modèle", "modèle"),
    ],
)
def test_names_are_cleaned_and_cut_for_storage(name, kept):
    answer = assemble_answer(
        TEXT, Sources(), Question("q"), carries_country=False, model=name, request_id=name, tool_version=name
    )
    assert (answer.model, answer.request_id, answer.tool_version) == (kept, kept, kept)


def test_invalid_bytes_in_a_header_are_left_out():
    """The HTTP client decodes bytes that are not UTF-8 to lone surrogates."""
    message = {"type": "message", "id": "msg_1", "content": [{"type": "text", "text": TEXT}]}
    reply = build_reply(message)
    for value, kept in (("\udce9req", "req"), ("\udce9", "msg_1")):
        broken = HttpReply(200, {"request-id": value}, reply.body)
        found = anthropic.CONNECTOR.parse(broken, Question("q"), connect(anthropic.CONNECTOR))
        assert found.request_id == kept


def test_ten_thousand_sources_are_read_quickly():
    pages = [{"type": "url", "url": f"https://site{number}.com/page?utm_source=x"} for number in range(10_000)]
    search = {"type": "web_search_call", "action": {"type": "search", "query": "q", "sources": pages}}
    part = {"type": "output_text", "text": TEXT, "annotations": []}
    reply = build_reply({"status": "completed", "output": [search, {"type": "message", "content": [part]}]})
    began = time.process_time()
    found = openai.CONNECTOR.parse(reply, Question("q"), connect(openai.CONNECTOR))
    assert len(found.retrieved) == 10_000 and time.process_time() - began < 1
