"""`/docs` serves the documents of the repository: complete, linked, small, and searchable."""

import asyncio
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest

from sightline.api.app import OPERATIONS, create_app
from sightline.api.app_context import build_app_context
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.settings import Settings
from sightline.tables.catalog import TABLES
from sightline.web import render
from sightline.web.app import PAGES
from sightline.web.pages.docs.api_outline import COLUMNS_ADDRESS
from sightline.web.pages.docs.contents import MOVED, list_pages, list_pictures, read_contents
from sightline.web.pages.docs.search import SearchIndex, SearchPart

LARGEST_PAGE_BYTES = 150_000
STRUCTURE = ["Get started", "Guides", "How we measure", "Reference", "Operate", "Security", "Contribute"]


class Links(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id", ""))
        self.targets.update(given[name] for name in ("href", "src") if name in given and tag in {"a", "img"})


@pytest.fixture(scope="module")
def fetch(tmp_path_factory):
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), secret_key="x" * 32, base_url="https://s.example")
    context = build_app_context(settings, Database("postgresql://unused", pool_size=1), utc_now)
    transport = httpx.ASGITransport(app=create_app(context, PAGES))

    def fetch_all(*paths: str, accept: str = "*/*") -> list[httpx.Response]:
        async def call() -> list[httpx.Response]:
            async with httpx.AsyncClient(
                transport=transport, base_url="http://test", headers={"Accept": accept}
            ) as client:
                return [await client.get(path) for path in paths]

        return asyncio.run(call())

    return fetch_all


@pytest.fixture(scope="module")
def served(fetch) -> dict[str, httpx.Response]:
    """Return every page below /docs by its address."""
    (overview,) = fetch("/docs/api")
    resources = sorted(set(re.findall(r'href="(/docs/api/[\w-]+)"', overview.text)))
    paths = [*list_pages(), "/docs/api", *resources, COLUMNS_ADDRESS, "/docs/errors"]
    return dict(zip(paths, fetch(*paths), strict=True))


def test_every_page_is_served_and_small(served):
    for path, page in served.items():
        assert page.status_code == 200, path
        assert len(page.content) <= LARGEST_PAGE_BYTES, path


def test_every_link_between_pages_leads_to_its_anchor(served):
    links = {path: Links(page.text) for path, page in served.items()}
    others = {"/", "/api/openapi.json", *list_pictures()}
    for path, page in links.items():
        for target in page.targets:
            if target.startswith(("http://", "https://")):
                continue
            address, _, anchor = urljoin(path, target).partition("#")
            assert address in links or address in others, (path, target)
            assert not anchor or anchor in links[address].ids, (path, target)


def test_every_link_from_the_files_at_the_top_leads_to_its_anchor(served):
    for document in Path(__file__).parents[2].glob("*.md"):
        for page, anchor in re.findall(r"\]\(docs/([\w/-]+)\.md#([\w-]+)\)", document.read_text()):
            assert anchor in Links(served[f"/docs/{page}"].text).ids, (document.name, page, anchor)


def test_every_link_from_the_app_leads_to_its_anchor(served):
    templates = Path(render.__file__).parent / "templates" / "app"
    pages = "".join(file.read_text() for file in templates.rglob("*.html"))
    found = set(re.findall(r'href="(/docs[^"{]*)"', pages))
    assert "/docs/api" in found
    for target in found:
        address, _, anchor = target.partition("#")
        assert not anchor or anchor in Links(served[address].text).ids, target


def test_the_contents_list_every_page():
    """Decisions have a list of their own."""
    assert [section.title for section in read_contents()] == STRUCTURE
    listed = {page.address for section in read_contents() for page in section.pages}
    assert {path for path in list_pages() if "/adr/" not in path} == listed | {"/docs"}


def test_pictures_are_served(fetch):
    for path, picture in zip(list_pictures(), fetch(*list_pictures()), strict=True):
        assert picture.status_code == 200 and picture.headers["content-type"].startswith("image/"), path


def test_every_page_is_markdown_below_its_address_and_for_callers_that_prefer_it(fetch, served):
    files = [f"{path}.md" if path != "/docs" else "/docs/README.md" for path in served]
    for path, page in zip(files, fetch(*files), strict=True):
        assert page.status_code == 200 and page.headers["content-type"] == "text/markdown; charset=utf-8", path
        assert page.text.startswith("# "), path
    paths = ["/docs/guides/webhooks", "/docs/adr", "/docs/api", "/docs/api/console-domains", "/docs/errors"]
    chosen = fetch(*paths, accept="text/html;q=0.5, text/markdown")
    assert [page.text for page in chosen] == [page.text for page in fetch(*(f"{path}.md" for path in paths))]
    assert "`GET /api/v1/console/domains`" in chosen[3].text and "## invalid_domain" in chosen[4].text
    assert all(f"\n## {name}\n" in fetch(f"{COLUMNS_ADDRESS}.md")[0].text for name in TABLES)
    for page in chosen:
        at = urljoin("http://test", page.headers["content-location"])
        assert fetch(at)[0].text == page.text, at
    for page in (*chosen, *(served[path] for path in paths)):
        assert "Accept" in page.headers["vary"].split(", "), page.url
    assert fetch(*paths, accept="text/html, */*")[0].headers["content-type"].startswith("text/html")
    assert [page.status_code for page in fetch("/docs/nothing", "/docs/..%2fapp.py", "/docs/api/nothing.md")] == [
        404
    ] * 3


def test_the_list_for_assistants_has_every_page(fetch, served):
    (page,) = fetch("/docs/llms.txt")
    listed = set(re.findall(r"\(https://s\.example(/docs/[\w/-]+)\.md\)", page.text))
    assert listed | {"/docs", "/docs/api"} == {path for path in served if not path.startswith("/docs/adr/")}
    assert page.text.startswith("# Sightline\n\n> ")


def test_anchors_of_the_former_single_page_lead_to_their_pages(fetch, served):
    names = ["start", "authentication", "limits", "events", "console-domains", "receive_scan_completed"]
    names += [operation.name for operation in OPERATIONS]
    for name, answer in zip(names, fetch(*(f"/docs/anchors/{name}" for name in names)), strict=True):
        assert answer.status_code == 301, name
        address, _, anchor = answer.headers["location"].partition("#")
        assert not anchor or f'id="{anchor}"' in served[address].text, name
    (unknown,) = fetch("/docs/anchors/nothing")
    assert unknown.status_code == 404


def test_addresses_of_removed_pages_lead_to_where_their_content_is(fetch, served):
    removed = [*MOVED, "/docs/adr/0019-outbox-and-webhooks", *(f"{path}.md" for path in MOVED)]
    for path, answer in zip(removed, fetch(*removed), strict=True):
        assert answer.status_code == 301, path
        address, _, anchor = answer.headers["location"].partition("#")
        assert address.endswith(".md") == path.endswith(".md"), path
        found = served[address.removesuffix(".md")]
        assert path not in served and (not anchor or f'id="{anchor}"' in found.text), path


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("verify webhook signature", "/docs/guides/webhooks#verify-the-signature"),
        ("restore backup", "/docs/operate/backups#restore"),
        ("idempotency", "/docs/reference/api#idempotency"),
        ("Share of Voice", "/docs/measure/metrics#share-of-voice"),
        ("insufficient_credits", "/docs/errors#insufficient_credits"),
        ("list domains", "/docs/api/console-domains#list_domains"),
        ("prompt_metrics columns", "/docs/api/table-columns#prompt_metrics"),
        ("pgbouncer", "#pgbouncer"),
    ],
)
def test_a_search_finds_the_page_that_people_look_for(fetch, query, address):
    (page,) = fetch(f"/docs/search?q={query}")
    found = re.findall(r'<li><a href="([^"]+)">[^<]*</a> <span', page.text)
    assert any(each.endswith(address) for each in found[:3]), found


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("backup", "/docs/operate/backups"),
        ("export CSV", "/docs/guides/tables"),
        ("invite", "/docs/guides/web-app"),
        ("cancel a check", "/docs/guides/console-api"),
        ("webhook signature", "/docs/guides/webhooks"),
        ("connect OpenAI", "/docs/operate/platforms"),
        ("German", "/docs/guides/web-app"),
        ("sentiment", "/docs/measure/metrics"),
        ("rate limit", "/docs/reference/api"),
        ("delete", "/docs/guides/tracking"),
    ],
)
def test_a_search_finds_its_page_first(fetch, query, page):
    (found,) = fetch(f"/docs/search?q={query}")
    assert re.findall(r'<li><a href="([^"#]+)[^"]*">[^<]*</a> ', found.text)[0] == page


def test_a_part_of_low_rank_comes_after_others():
    parts = [SearchPart("A", "Back up", "/a", "", 0.3), SearchPart("B", "Back up", "/b", "")]
    assert [part.address for part in SearchIndex(parts).find("back up")] == ["/b", "/a"]


def test_a_search_that_finds_a_decision_says_what_was_decided(fetch):
    (page,) = fetch("/docs/search?q=ADR 26 MiniLM")
    assert page.text.count("<p>A trained encoder of four layers") == 1


def test_excerpts_have_no_backticks(fetch):
    (page,) = fetch("/docs/search?q=webhook")
    assert "<p>Register a webhook. The secret that signs" in page.text and "`" not in page.text


def test_a_search_for_nothing_known_says_so_and_escapes(fetch):
    (page,) = fetch("/docs/search?q=<script>xyzzy")
    assert "No results for" in page.text and "<script>xyzzy" not in page.text


def test_every_word_of_a_query_counts():
    parts = [SearchPart("A", "Back up", "/a", "one file"), SearchPart("B", "Restore", "/b", "a backup file")]
    index = SearchIndex(parts)
    assert [part.address for part in index.find("file")] == ["/a", "/b"]
    assert [part.address for part in index.find("files restor")] == ["/b"]
    assert index.find("") == index.find("file nowhere") == []
