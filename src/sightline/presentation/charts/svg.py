"""Charts rendered to SVG on the server, with a title and a description for screen readers."""

import json
import re
from functools import cache, lru_cache
from html import escape
from importlib.resources import as_file, files

import vl_convert
from markupsafe import Markup

from sightline.presentation.charts.spec import Spec, clean_text

_OPENING = re.compile(r"<svg [^>]*>")
# The picture has one accessible name. Marks with roles of their own would be read out one by one, without a name.
_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-(?:roledescription|label)="[^"]*")')
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def render_svg(spec: Spec, name: str, title: str, description: str) -> Markup:
    """Render a chart. `name` is the prefix of the ids inside it, and must be unique on its page."""
    title, description = clean_text(title), clean_text(description)
    svg = _draw(json.dumps(spec))
    width, height = (int(number) for number in _SIZE.search(svg).groups())  # type: ignore[union-attr]
    head = (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    )
    titled = _OPENING.sub(lambda _: head, _ROLES.sub("", svg), count=1)
    return Markup(titled)  # noqa: S704 - rendered here; the texts in it are escaped


@lru_cache(maxsize=64)  # 40 kB and 70 ms each: a report's page and its e-mails in one language have the same chart
def _draw(spec: str) -> str:
    _register_fonts()
    drawn: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return drawn


@cache
def _register_fonts() -> None:
    """Let the renderer measure text in the font of the pages."""
    with as_file(files("sightline.presentation") / "fonts") as folder:
        vl_convert.register_font_directory(str(folder))
