"""Bodies of forms that are larger, deeper or stranger than any form of ours: a clear refusal, and bounded work."""

import gc
import tracemalloc

import pytest

from sightline.web.form_parsing import MAX_FIELDS
from tests.installation import PASSWORD
from tests.web.page_browser import open_browser

MULTIPART = {"Content-Type": "multipart/form-data; boundary=b"}
URL_ENCODED = {"Content-Type": "application/x-www-form-urlencoded"}


def part(headers: str = 'Content-Disposition: form-data; name="email"', content: bytes = b"a@b.com") -> bytes:
    return b"--b\r\n" + headers.encode() + b"\r\n\r\n" + content + b"\r\n"


def whole(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--b--\r\n"


NAMED = 'Content-Disposition: form-data; name="'
PUNYCODE = f'{NAMED}email"\r\nContent-Type: text/plain; charset=punycode'
BODIES = {
    "many fields": (URL_ENCODED, b"a=b&" * MAX_FIELDS, 413),
    "many empty fields": (URL_ENCODED, b"&" * 60_000, 413),
    "a body of a hundred thousand fields": (URL_ENCODED, b"a=b&" * 100_000, 413),
    "many parts": (MULTIPART, whole(*[part(f'{NAMED}a"', b"")] * (MAX_FIELDS + 1)), 413),
    "a long header": (MULTIPART, whole(part("X-Long: " + "x" * 9_000)), 413),
    "many headers": (MULTIPART, whole(part("\r\n".join([f'{NAMED}a"', *["X: y"] * 9]))), 413),
    "a long name": (MULTIPART, whole(part(f'{NAMED}{"x" * 9_000}"')), 413),
    "no name": (MULTIPART, whole(part("Content-Disposition: form-data")), 422),
    "no end": (MULTIPART, part(), 422),
    "no boundary": ({"Content-Type": "multipart/form-data"}, whole(part()), 422),
    "an odd boundary": ({"Content-Type": 'multipart/form-data; boundary="a\u00e9 \t"'.encode()}, whole(part()), 422),
    "no part": (MULTIPART, b"", 422),
    "no UTF-8": (MULTIPART, whole(part(content=b"\xff")), 422),
    "a codec that takes its time": (MULTIPART, whole(part(PUNYCODE, b"a" * 30_000 + b"-\xff" + b"b" * 30_000)), 422),
    "NUL": (MULTIPART, whole(part(content=b"a\0b")), 422),
    "NUL in a name": (MULTIPART, whole(part(f'{NAMED}a\0b"')), 422),
}  # fmt: skip


@pytest.mark.parametrize("path", ["/sign-in", "/account/name", "/w/x/d/y/prompts/import"])
@pytest.mark.parametrize(("headers", "body", "status"), BODIES.values(), ids=BODIES)
async def test_a_strange_body_is_refused_on_a_page(installation, path, headers, body, status):
    async with open_browser(installation) as stranger:
        refused = await stranger.post(path, content=body, headers=headers)
    assert refused.status_code == status and refused.headers["content-type"].startswith("text/html"), refused.text
    assert 'role="alert"' in refused.text or "<h1>" in refused.text


async def test_an_address_with_hundreds_of_fields_is_refused(installation):
    async with open_browser(installation) as stranger:
        assert (await stranger.get("/sign-in?" + "a=b&" * 400)).status_code == 200
        assert (await stranger.get("/sign-in?" + "a=b&" * 501)).status_code == 413
        assert (await stranger.post("/sign-in?" + "a=b&" * 501)).status_code == 413


async def test_nested_parts_unknown_codecs_and_unexpected_files_are_no_fields(installation):
    tenant = await installation.tenant()
    nested = part(
        'Content-Type: multipart/mixed; boundary=c\r\nContent-Disposition: form-data; name="name"', b"--c\r\n" * 2_000
    )
    file = part(f'{NAMED}name"; filename="x.txt"', b"Mallory")
    codec = part(f'{NAMED}name"\r\nContent-Type: text/plain; charset=klingon', b"Grace")
    async with open_browser(installation, tenant.owner) as browser:
        for body, status in ((nested, 422), (file, 422), (codec, 303)):
            sent = await browser.post("/account/name", content=whole(body), headers=MULTIPART)
            assert sent.status_code == status, sent.text
    name = await installation.db.fetchval("SELECT name FROM users WHERE id = $1", tenant.owner.id)
    assert name == "Grace", "the only one of these fields that is text"


async def test_no_body_stays_in_memory(installation):
    """The parser of the framework remembers the last thousand bodies, and so their passwords."""
    tenant = await installation.tenant()
    async with open_browser(installation) as browser:
        form = {"email": tenant.owner.email, "password": PASSWORD}
        assert (await browser.post("/sign-in", data=form)).status_code == 303
        await browser.post("/sign-in", content=b"a=b", headers=URL_ENCODED)
        tracemalloc.start()
        try:
            for number in range(20):
                body = "&".join(f"{number}-{field}=y" for field in range(1_500)).encode()
                assert (await browser.post("/sign-in", content=body, headers=URL_ENCODED)).status_code in {
                    401,
                    422,
                    429,
                }
            gc.collect()
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert kept < 2_000_000
