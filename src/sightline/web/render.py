"""How every page leaves the house: one template environment, one set of headers."""

import re
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Response
from litestar.enums import MediaType
from markupsafe import Markup, escape

from sightline import __version__
from sightline.kit.counting import count
from sightline.web.theme import current_theme

# Nothing inline and nothing from elsewhere: a page works offline, and text that slips through cannot become a script.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> Markup:
    """Our own plain sentences, with `code` in backticks as the only markup."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped on this very line


_environment = Environment(
    loader=PackageLoader("sightline.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters["prose"] = prose
_environment.filters["counted"] = count
_environment.globals["version"] = __version__
_environment.globals["current_theme"] = current_theme


def render(template: str, **context: Any) -> str:
    return _environment.get_template(template).render(context)


def render_part(template: str, **context: Any) -> Markup:
    """A part of a page, to be put into it as it is."""
    return Markup(render(template, **context))  # noqa: S704 - escaped by the environment


def page(html: str, *, status: int = 200, cache: str = "no-cache") -> Response[str]:
    return Response(html, status_code=status, media_type=MediaType.HTML, headers={**HEADERS, "Cache-Control": cache})


def app_page(html: str, *, status: int = 200) -> Response[str]:
    """A page with forms, of one person: kept by nobody.

    With no referrer at all a browser hides the origin of a form, too, and then it could not be told from a foreign one.
    """
    shown = page(html, status=status, cache="no-store")
    shown.headers["Referrer-Policy"] = "same-origin"
    return shown
