"""Compression: what is compressed, for whom, and that nothing else of a response changes."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.api.edge import compression
from sightline.api.edge.compression import MIN_LENGTH, choose_encoding, compress_responses, is_compressible
from tests.property_testing import prove

LONG = b'{"data": [' + b'"Acme is named first.", ' * 200 + b'""]}'


class Exchanged:
    def __init__(self, messages):
        self.start = messages[0]
        self.headers = dict(self.start["headers"])
        self.chunks = [message["body"] for message in messages[1:]]

    @property
    def body(self):
        return b"".join(self.chunks)

    @property
    def decoded(self):
        match self.headers.get(b"content-encoding"):
            case b"zstd":
                return compression.zstd.ZstdDecompressor().decompress(self.body)
            case b"gzip":
                return gzip.decompress(self.body)
        return self.body


async def exchange(*chunks, path="/", method="GET", status=200, headers=(), media_type=b"application/json", **request):
    """Send a response through the layer: one chunk with its length, or several without."""
    sent = []

    async def send(message):
        sent.append(message)

    asked = [(name.replace("_", "-").encode(), value.encode()) for name, value in request.items()]
    layer = compress_responses({"headers": asked, "method": method, "path": path}, send)
    length = [(b"content-length", b"%d" % len(chunks[0]))] if len(chunks) == 1 else []
    start = [(b"content-type", media_type), *length, *headers]
    await layer({"type": "http.response.start", "status": status, "headers": start})
    if method == "HEAD":
        chunks = (b"",)
    for place, chunk in enumerate(chunks):
        await layer({"type": "http.response.body", "body": chunk, "more_body": place < len(chunks) - 1})
    return Exchanged(sent)


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip, deflate", "gzip"),
        ("GZIP", "gzip"),
        ("zstd;q=0.5, gzip;q=0.8", "gzip"),
        ("zstd;q=0.5, gzip; q=0.5", "zstd"),
        ("zstd;q=0, gzip", "gzip"),
        ("*", "zstd"),
        ("zstd;q=0, *", "gzip"),
        ("*;q=0", None),
        ("identity", None),
        ("identity;q=0.2, gzip;q=0.1", None),
        ("identity;q=0.1, gzip;q=0.2", "gzip"),
        ("br, deflate", None),
        ("gzip;q=x", None),
        ("", None),
    ],
)
def test_the_client_chooses_and_zstd_wins_a_tie(accepted, chosen):
    assert choose_encoding({b"accept-encoding": accepted.encode()}) == chosen


@pytest.mark.parametrize(
    ("site", "chosen"),
    [(None, None), ("cross-site", None), ("same-site", None), ("same-origin", "gzip"), ("none", "gzip")],
)
def test_responses_to_cross_site_requests_with_a_cookie_are_not_compressed(site, chosen):
    """BREACH: another site makes a browser ask, and learns secrets of the page from the length of the response."""
    headers = {b"accept-encoding": b"gzip", b"cookie": b"session=x"}
    headers |= {} if site is None else {b"sec-fetch-site": site.encode()}
    assert choose_encoding(headers) == chosen


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        (b"application/json", True),
        (b"application/problem+json", True),
        (b"text/html; charset=utf-8", True),
        (b"Text/CSV; charset=utf-8", True),
        (b"text/css", True),
        (b"text/javascript", True),
        (b"image/svg+xml; charset=utf-8", True),
        (b"application/jsonl", True),
        (b"text/event-stream; charset=utf-8", False),
        (b"application/pdf", False),
        (b"image/png", False),
        (b"application/vnd.apache.parquet", False),
        (b"application/octet-stream", False),
        (b"", False),
    ],
)
def test_only_json_and_text_are_compressed(media_type, expected):
    assert is_compressible(media_type) is expected


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
async def test_a_long_response_is_compressed_and_says_so(encoding):
    sent = await exchange(LONG, headers=[(b"vary", b"Origin"), (b"etag", b'"tag"')], accept_encoding=encoding)
    assert sent.decoded == LONG and len(sent.body) < len(LONG) / 5
    assert sent.headers[b"content-encoding"] == encoding.encode()
    assert int(sent.headers[b"content-length"]) == len(sent.body)
    assert sent.headers[b"vary"] == b"Origin, Accept-Encoding"
    assert sent.headers[b"etag"] == b'W/"tag"', "the bytes are others"


@pytest.mark.parametrize(
    ("case", "body"),
    [
        ({"accept_encoding": "br"}, LONG),
        ({}, LONG),
        ({"accept_encoding": "gzip"}, LONG[: MIN_LENGTH - 1]),
        ({"accept_encoding": "gzip", "status": 304}, b""),
        ({"accept_encoding": "gzip", "media_type": b"application/pdf"}, LONG),
        ({"accept_encoding": "gzip", "headers": [(b"content-encoding", b"br")]}, LONG),
    ],
)
async def test_other_responses_stay_as_they_are(case, body):
    sent = await exchange(body, **case)
    assert sent.body == body and sent.headers.get(b"content-encoding") in {None, b"br"}
    assert sent.headers[b"content-length"] == b"%d" % len(body)
    varies = case.get("media_type") is None and "headers" not in case
    assert sent.headers.get(b"vary") == (b"Accept-Encoding" if varies else None)


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
async def test_a_stream_is_compressed_chunk_by_chunk_and_each_can_be_read_at_once(encoding):
    rows = [b"2026-11-16,Acme,1\n" * 40, b"2026-11-17,Acme,2\n", b"", b"2026-11-18,Acme,3\n"]
    sent = await exchange(*rows, b"", media_type=b"text/csv", accept_encoding=encoding)
    assert b"content-length" not in sent.headers and sent.decoded == b"".join(rows)
    reader = compression.zstd.ZstdDecompressor() if encoding == "zstd" else zlib.decompressobj(31)
    assert [reader.decompress(chunk) for chunk in sent.chunks[:4]] == rows, "no row waits for the next"


async def test_an_event_stream_is_not_touched():
    events = [b"retry: 1000\n\n", b"data: {}\n\n" * 500]
    sent = await exchange(*events, media_type=b"text/event-stream", accept_encoding="gzip")
    assert sent.chunks == events and b"content-encoding" not in sent.headers and b"vary" not in sent.headers


async def test_head_has_the_headers_of_get_without_a_length_that_would_be_wrong():
    sent = await exchange(LONG, method="HEAD", accept_encoding="gzip")
    assert sent.headers[b"content-encoding"] == b"gzip" and b"content-length" not in sent.headers and sent.body == b""
    short = await exchange(b"{}", method="HEAD", accept_encoding="gzip")
    assert short.headers[b"content-length"] == b"2" and b"content-encoding" not in short.headers


async def test_an_asset_is_compressed_once(monkeypatch):
    asset = {"path": "/static/app.css", "headers": [(b"etag", b'"asset"')], "accept_encoding": "gzip"}
    first = await exchange(LONG, **asset)
    other = await exchange(LONG + b" ", **asset | {"path": "/w/1/overview"})
    assert other.decoded == LONG + b" ", "the tag of an asset says nothing about a page"
    # A second call would fail.
    monkeypatch.setattr(compression, "compress_body", None)
    assert (await exchange(LONG, **asset)).body == first.body


async def test_a_large_response_is_compressed_next_to_other_requests():
    large = LONG * 100
    assert (await exchange(large, accept_encoding="zstd")).decoded == large


@prove
@given(st.text(st.characters(max_codepoint=255), max_size=40))
def test_any_header_leads_to_a_choice(accepted):
    assert choose_encoding({b"accept-encoding": accepted.encode("latin-1")}) in {None, "gzip", "zstd"}
