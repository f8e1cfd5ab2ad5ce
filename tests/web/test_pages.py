"""The pages: complete, self-contained, and strict about what a browser may run."""

import asyncio
import html
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import httpx
import pytest

from sightline.api.app import OPERATIONS, create_app
from sightline.api.app_context import build_app_context
from sightline.api.openapi.problems import possible_codes
from sightline.db.engine import Database
from sightline.errors import CATALOG
from sightline.events import EVENT_TYPES
from sightline.kit.clock import utc_now
from sightline.settings import Settings
from sightline.web.app import PAGES, handle_not_found
from sightline.web.assets import ASSETS
from sightline.web.layout import ICONS
from sightline.web.pages.docs.contents import list_pictures
from sightline.web.render import prose

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HTML_PAGES = [
    "/docs",
    "/docs/measure/metrics",
    "/docs/api",
    "/docs/api/console-domains",
    "/docs/api/webhook-events",
    "/docs/errors",
    "/docs/search?q=webhook",
    "/static/nothing.js",
]


class Page(HTMLParser):
    """What a test asks of a page: ids, headings, links, and everything that could be inline."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self.landmarks: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag in {"header", "main", "footer"}:
            self.landmarks.append(tag)
        if tag in {"script", "link", "img"}:
            self.loaded.append(given.get("src") or given.get("href") or "")
        if tag == "a":
            self.links.append(given["href"])
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("data"), secret_key="x" * 32, base_url="https://sightline.example"
    )
    return create_app(
        build_app_context(settings, Database("postgresql://unused", pool_size=1), utc_now), PAGES, handle_not_found
    )


def fetch(app, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    async def call() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(call())


@pytest.mark.parametrize("path", HTML_PAGES)
def test_pages_carry_the_strict_headers(app, path: str):
    response = fetch(app, path)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"] == POLICY
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert fetch(app, path, "HEAD").status_code == response.status_code


@pytest.mark.parametrize("path", HTML_PAGES)
def test_pages_have_nothing_inline_and_load_nothing_from_other_hosts(app, path: str):
    page = Page(fetch(app, path).text)
    assert not page.inline
    assert {address.removeprefix("/static/") for address in page.loaded} - set(list_pictures()) <= set(ASSETS)
    assert page.loaded


@pytest.mark.parametrize("path", HTML_PAGES)
def test_pages_have_landmarks_unique_ids_and_headings_in_order(app, path: str):
    page = Page(fetch(app, path).text)
    assert page.landmarks == ["header", "main", "footer"]
    assert len(page.ids) == len(set(page.ids))
    assert page.headings[0] == 1
    assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))


def test_the_reference_shows_every_operation(app):
    overview = fetch(app, "/docs/api").text
    pages = {path: fetch(app, path) for path in set(re.findall(r"/docs/api/[\w-]+", overview))}
    for operation in OPERATIONS:
        (page,) = [each for each in pages.values() if f'id="{operation.name}"' in each.text]
        assert operation.full_path in page.text
    assert "https://sightline.example/api/v1/console/domains" in pages["/docs/api/console-domains"].text
    events = set(Page(pages["/docs/api/webhook-events"].text).ids)
    assert {f"receive_{kind.replace('.', '_')}" for kind in EVENT_TYPES} <= events


def test_every_code_of_the_catalogue_has_its_anchor(app):
    page = Page(fetch(app, "/docs/errors").text)
    assert set(CATALOG) <= set(page.ids)


def test_every_code_is_shown_with_cause_fix_and_an_example(app):
    text = fetch(app, "/docs/errors").text
    without_example = set()
    for code in CATALOG:
        article = text.partition(f'id="{code}"')[2].partition("</article>")[0]
        assert "Cause:" in article and "Fix:" in article, code
        example = re.search(r"<pre[^>]*><code>(.*?)</code>", article, re.DOTALL)
        if example is None:
            assert "The APIs do not return this code." in article, code
            without_example.add(code)
            continue
        document = json.loads(html.unescape(example[1]))
        assert (document["code"], document["status"]) == (code, CATALOG[code].status)
        assert document["instance"].startswith("/api/v1/"), code
    in_apis = {code for operation in OPERATIONS for code in possible_codes(operation)} | {"method_not_allowed"}
    assert without_example == CATALOG.keys() - in_apis


@pytest.mark.parametrize("name", ASSETS)
def test_assets_declare_utf_8_and_are_revalidated(app, name: str):
    first = fetch(app, f"/static/{name}")
    assert first.status_code == 200
    media_type, _, charset = first.headers["content-type"].partition("; ")
    assert media_type in {"text/css", "text/javascript", "image/svg+xml", "font/woff2"}
    assert charset == ("" if name.endswith(".woff2") else "charset=utf-8")
    again = fetch(app, f"/static/{name}", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.css", "..%2Fapp.py", "..%2f..%2fsettings.py"])
def test_only_assets_are_served(app, name: str):
    assert fetch(app, f"/static/{name}").status_code == 404


def test_an_unknown_page_is_a_page_that_quotes_safely(app):
    response = fetch(app, "/<script>nowhere")
    assert response.status_code == 404
    assert response.headers["content-security-policy"] == POLICY
    assert "nowhere" in response.text and "<script>" not in response.text


def test_the_start_loads_every_icon_that_templates_name():
    templates = Path(str(files("sightline.web") / "templates"))
    named = {
        name for file in templates.rglob("*.html") for name in re.findall(r'\bicon\("([^"]+)"\)', file.read_text())
    }
    assert named and named <= ICONS


def test_prose_escapes_everything_but_its_own_markup():
    assert prose("a `b<c` & <i>") == "a <code>b&lt;c</code> &amp; &lt;i&gt;"
