"""The addresses below `/docs`."""

from collections.abc import Callable
from functools import cache
from typing import Any

from starlette.responses import Response

from sightline.api.edge.negotiation import read_accept
from sightline.api.site_routes import SiteRequest, read
from sightline.errors import CATALOG
from sightline.tables.catalog import TABLES
from sightline.web.pages.docs.api_outline import COLUMNS_ADDRESS, EVENTS_ADDRESS
from sightline.web.pages.docs.api_reference import (
    list_columns,
    list_former_anchors,
    list_problems,
    read_events,
    read_groups,
    read_headers,
)
from sightline.web.pages.docs.contents import find_successor, list_pages, list_pictures, read_contents
from sightline.web.pages.docs.document import read_document
from sightline.web.pages.docs.markdown import write_markdown, write_page_list
from sightline.web.pages.docs.search import SearchIndex, SearchPart
from sightline.web.pages.not_found import not_found_response
from sightline.web.render import HEADERS, html_response, render
from sightline.web.theme import current_theme, load_theme

_EVIDENCE = ("/docs/adr", "/docs/contribute", "/docs/measure/accuracy", "/docs/operate/benchmarks", "/docs/security")
_LATER = 0.3
_PICTURE_TYPES = {".svg": "image/svg+xml; charset=utf-8", ".webp": "image/webp"}


@read(["/docs", "/docs/{path:path}"])
async def show_document(request: SiteRequest) -> Response:
    """Show a page of `docs/`, or send one of its pictures. Every page with `.md` after its address is Markdown."""
    base_url, address = _base_url(request), request.url.path.rstrip("/")
    if address in list_pages():
        return await _respond(request, address, lambda theme: _render_document(base_url, address, theme))
    if address in list_pictures():
        file = list_pictures()[address]
        headers = {**HEADERS, "Cache-Control": "no-cache"}
        return Response(file.read_bytes(), media_type=_PICTURE_TYPES[file.suffix], headers=headers)
    page = address.removesuffix(".md")
    text = write_markdown(base_url, page.removesuffix("/README")) if page != address else None
    return _redirect_or_refuse(request, find_successor(address)) if text is None else _markdown_response(address, text)


@read("/docs/api")
async def show_api(request: SiteRequest) -> Response:
    """Show what both APIs offer, with a link to the page of each resource."""
    base_url = _base_url(request)
    return await _respond(request, "/docs/api", lambda theme: _render_api(base_url, theme))


@read("/docs/api/{name}")
async def show_api_resource(request: SiteRequest, name: str) -> Response:
    base_url, address = _base_url(request), f"/docs/api/{name}"
    if address not in {EVENTS_ADDRESS, COLUMNS_ADDRESS, *read_groups(base_url)}:
        return await show_document.serve(request)
    return await _respond(request, address, lambda theme: _render_resource(base_url, address, theme))


@read("/docs/errors")
async def show_errors(request: SiteRequest) -> Response:
    """Show every problem code under its own anchor, to which the `type` of a problem document links."""
    base_url = _base_url(request)
    return await _respond(request, "/docs/errors", lambda theme: _render_errors(base_url, theme))


@read("/docs/llms.txt")
async def show_page_list(request: SiteRequest) -> Response:
    return _markdown_response("/docs/llms.txt", write_page_list(_base_url(request)))


@read("/docs/search")
async def show_search(request: SiteRequest, q: str = "") -> Response:
    await load_theme(request)
    found = build_index(_base_url(request)).find(q)
    return html_response(_render(_base_url(request), "search", "/docs/search", query=q, found=found))


@read("/docs/anchors/{name}")
async def redirect_anchor(request: SiteRequest, name: str) -> Response:
    """Redirect from an anchor of the former single-page API reference to its present place."""
    return _redirect_or_refuse(request, list_former_anchors(_base_url(request)).get(name))


def _redirect_or_refuse(request: SiteRequest, address: str | None) -> Response:
    """Redirect to the present address of something that was moved, or respond that there is nothing."""
    found = Response(status_code=301, headers={"Location": address}, media_type="text/plain") if address else None
    return found or not_found_response(request.url.path)


async def _respond(request: SiteRequest, address: str, render_page: Callable[[str], str]) -> Response:
    """Return a page as HTML, or as Markdown to callers that prefer it."""
    weights = read_accept(request.headers.get("accept", ""))
    if weights.get("text/markdown", 0.0) > weights.get("text/html", 0.0):
        return _markdown_response(address, write_markdown(_base_url(request), address) or "")
    await load_theme(request)
    page = html_response(render_page(current_theme()))
    page.headers.add_vary_header("Accept")
    return page


def _markdown_response(address: str, text: str) -> Response:
    # Relative links of a page lead to the Markdown of others from the address of its file.
    at = address if address.endswith((".md", ".txt")) else f"{address}{'/README' if _is_folder(address) else ''}.md"
    headers = {**HEADERS, "Content-Location": at, "Vary": "Accept"}
    return Response(text, media_type="text/markdown; charset=utf-8", headers=headers)


def _is_folder(address: str) -> bool:
    return address in list_pages() and list_pages()[address].name == "README.md"


def _base_url(request: SiteRequest) -> str:
    base_url: str = request.app.state.app_context.settings.public_url
    return base_url


@cache
def _render_document(base_url: str, address: str, _theme: str) -> str:
    document = read_document(address)
    places = [(part.id, part.title) for part in document.parts if part.level == 2]
    return _render(base_url, "document", address, document=document, places=places)


@cache
def _render_api(base_url: str, _theme: str) -> str:
    common_headers, response_headers = read_headers(base_url)
    groups = read_groups(base_url).values()
    return _render(
        base_url,
        "api",
        "/docs/api",
        apis=[
            (name, f"{base_url}{path}", [group for group in groups if group.api == name])
            for name, path in (("Console", "/api/v1/console"), ("Data", "/api/v1/ext"))
        ],
        common_headers=common_headers,
        response_headers=response_headers,
    )


@cache
def _render_resource(base_url: str, address: str, _theme: str) -> str:
    if address == EVENTS_ADDRESS:
        events = read_events(base_url)
        places = [(event.id, event.type) for event in events]
        return _render(base_url, "api_events", address, events=events, places=places)
    if address == COLUMNS_ADDRESS:
        places = [(name, name) for name in TABLES]
        return _render(base_url, "api_columns", address, tables=TABLES, columns=list_columns(), places=places)
    group = read_groups(base_url)[address]
    places = [(operation.id, operation.summary) for operation in group.operations]
    return _render(base_url, "api_resource", address, group=group, places=places)


@cache
def _render_errors(base_url: str, _theme: str) -> str:
    shown = list_problems(base_url)
    places = [(f"status-{status.value}", f"{status.value} {status.phrase}") for status, _ in shown["statuses"]]
    return _render(base_url, "errors", "/docs/errors", places=places, **shown)


def _render(
    base_url: str, template: str, address: str, *, places: list[tuple[str, str]] | None = None, **context: Any
) -> str:
    """Render a page with the contents next to it; `places` are the anchors of this page that the contents list."""
    return render(
        f"docs/{template}.html",
        places=places or [],
        contents=read_contents(),
        resources=[*read_groups(base_url).values()],
        events_address=EVENTS_ADDRESS,
        columns_address=COLUMNS_ADDRESS,
        address=address,
        **context,
    )


def _rank(address: str) -> float:
    """Return how much a find counts: evidence and decisions come after guides and the reference."""
    is_later = address == "/docs" or address.startswith(_EVIDENCE)
    return _LATER if is_later else 1.0


@cache
def build_index(base_url: str) -> SearchIndex:
    """Return the index over all pages, operations, events and problem codes. The first search builds it."""
    documents = [(address, read_document(address)) for address in list_pages()]
    return SearchIndex(
        [
            SearchPart(document.title, part.title, f"{address}#{part.id}", part.text, _rank(address))
            for address, document in documents
            for part in document.parts
        ]
        + [
            SearchPart(group.name, each.summary, f"{group.address}#{each.id}", f"{each.description} {each.path}")
            for group in read_groups(base_url).values()
            for each in group.operations
        ]
        + [
            SearchPart("Webhook events", event.type, f"{EVENTS_ADDRESS}#{event.id}", event.description)
            for event in read_events(base_url)
        ]
        + [
            SearchPart("Columns of the export tables", name, f"{COLUMNS_ADDRESS}#{name}", table.meaning)
            for name, table in TABLES.items()
        ]
        + [
            SearchPart("Errors", code, f"/docs/errors#{code}", f"{kind.title}. {kind.explain({})}")
            for code, kind in CATALOG.items()
        ]
    )
