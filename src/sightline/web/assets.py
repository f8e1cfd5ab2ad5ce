"""Styles, scripts, fonts and the icon: read once from the package, and revalidated by their hash."""

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from starlette.responses import Response

from sightline.api.site_routes import SiteRequest, read
from sightline.web.chart_cache import build_chart_styles
from sightline.web.pages.not_found import not_found_response
from sightline.web.render import HEADERS

_MEDIA_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml; charset=utf-8",
    ".woff2": "font/woff2",
}


class Asset(NamedTuple):
    content: bytes
    media_type: str
    etag: str


def _read_assets() -> dict[str, Asset]:
    found = {}
    for folder in (files("sightline.web").joinpath("static"), files("sightline.presentation").joinpath("fonts")):
        for file in folder.iterdir():
            ending = Path(file.name).suffix
            if ending in _MEDIA_TYPES:
                found[file.name] = _make_asset(file.read_bytes(), ending)
    return found


def _make_asset(content: bytes, ending: str) -> Asset:
    return Asset(content, _MEDIA_TYPES[ending], f'"{hashlib.sha256(content).hexdigest()[:20]}"')


ASSETS = {**_read_assets(), "charts.css": _make_asset(build_chart_styles().encode(), ".css")}


@read("/static/{name}")
async def serve_asset(request: SiteRequest, name: str) -> Response:
    """Serve an asset by name; only names read at start are known, so no path can be traversed."""
    asset = ASSETS.get(name)
    if asset is None:
        return not_found_response(request.url.path)
    headers = {**HEADERS, "Cache-Control": "no-cache", "ETag": asset.etag}
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
