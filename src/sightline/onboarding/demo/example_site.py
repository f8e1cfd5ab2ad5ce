"""The example site of the demonstration: served by this process on loopback, and read by the real site review.

Nothing outside this machine is contacted: every name leads to the server here.
"""

import socket
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from sightline.db.engine import Database
from sightline.http.egress import EgressGuard, open_guarded_session
from sightline.insights.reviewed_site import list_reviewed_themes, refresh_site_actions
from sightline.kit.clock import Clock
from sightline.scans.queries import list_tracked_scans
from sightline.scans.states import ScanStatus
from sightline.site_review import queries
from sightline.site_review.fetch import FetchLimits, SiteFetcher
from sightline.site_review.request import ReviewJob
from sightline.site_review.review import review_site

_GUARD = EgressGuard(ports=frozenset({80}), allow_loopback=True)
_RECENT_SCANS = 10
_ROBOTS = """\
User-agent: GPTBot
User-agent: Claude-User
Disallow: /

User-agent: *
Allow: /
"""
_TEXT = (
    "This page belongs to the example site of the demonstration. It speaks of quality and design, of support and "
    "service, of delivery, shipping and packaging, of ease of use and reliability, and of what you get for your money: "
    "price, value, plans and subscriptions. All of it is made up. "
)
_PRICE = (
    '{"@context": "https://schema.org", "@type": "Product", "name": "%s", '
    '"offers": {"price": "39", "priceCurrency": "USD"}}'
)


async def review_example_site(db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, clock: Clock) -> None:
    """Review the example site in the place of a domain's own, once. A review that was interrupted goes on."""
    known = await queries.list_reviews(db, workspace_id, domain_id, limit=1)
    if known and known[0].completed_at is not None:
        return
    scans = await list_tracked_scans(
        db, workspace_id, domain_id, after=None, limit=_RECENT_SCANS, scope="full_check", live_only=False
    )
    scan = next((scan for scan in scans if scan.status is ScanStatus.COMPLETED), None)
    if scan is None:
        return
    review_id = known[0].id if known else None
    if review_id is None:
        async with db.transaction() as tx:
            review_id = await queries.insert_review(tx, workspace_id, domain_id, scan.id, None, now=clock())
        assert review_id is not None
    async with _open_site() as port, open_guarded_session(_GUARD, resolver=_ToThisMachine(port)) as session:
        open_fetcher = partial(
            SiteFetcher,
            session,
            _GUARD,
            docs_url="https://localhost/docs/measure/site-review",
            limits=FetchLimits(delay=0.0),
            scheme="http",
        )
        await review_site(
            db,
            ReviewJob(workspace_id, review_id),
            open_fetcher=open_fetcher,
            read_themes=partial(list_reviewed_themes, db),
            act=refresh_site_actions,
            clock=clock,
        )


class _ToThisMachine(AbstractResolver):
    """Resolves every name to the server of this process."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        del port, family  # there is one server, on IPv4
        return [
            ResolveResult(hostname=host, host="127.0.0.1", port=self._port, family=socket.AF_INET, proto=0, flags=0)
        ]

    async def close(self) -> None:
        pass


@asynccontextmanager
async def _open_site() -> AsyncIterator[int]:
    """Serve the example site on a free port of loopback, and yield the port."""
    application = web.Application()
    application.router.add_get("/{path:.*}", _answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def _answer(request: web.Request) -> web.Response:
    """Answer with a page that has the fault of its kind, by its address; help pages have none."""
    path = request.path
    if path == "/robots.txt":
        return web.Response(text=f"{_ROBOTS}Sitemap: http://{request.host}/sitemap.xml\n")
    if path == "/sitemap.xml":
        pages = "".join(f"<url><loc>http://{request.host}{each}</loc></url>" for each in ("/", "/about", "/press/2019"))
        return web.Response(text=f"<urlset>{pages}</urlset>", content_type="application/xml")
    if any(kind in path for kind in ("features", "bestsellers", "overview", "press")):
        return web.Response(status=404, text="Not found")
    if "customers" in path or "reviews" in path:
        return web.Response(status=301, headers={"Location": "/"})
    title = path.rpartition("/")[2].replace("-", " ").capitalize() or "Home"
    if "compare" in path or "guide" in path or "blog" in path:
        return _build_page(title, '<div id="root"></div>')
    if "pricing" in path or "offers" in path:
        declared = f'<script type="application/ld+json">{_PRICE % title}</script>'
        return _build_page(title, f"<h1>{title}</h1><p>From $49 a month.</p><p>{_TEXT * 4}</p>", declared)
    return _build_page(title, f"<h1>{title}</h1><p>{_TEXT * 4}</p>")


def _build_page(title: str, body: str, head: str = "") -> web.Response:
    html = (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}<script src="/app.js"></script></head>'
        f"<body>{body}</body></html>"
    )
    return web.Response(text=html, content_type="text/html")
