"""Charts of pages, rendered on the server so that they need no script, and cached by the data that they show.

Each chart is followed by its specification, from which `charts.js` builds the interactive version. Layers whose names
begin with `touch` exist for that version only.
"""

import hashlib
from collections.abc import Sequence
from threading import Lock

import msgspec
from cachetools import LRUCache
from markupsafe import Markup

from sightline.presentation.charts.spec import Spec, drop_touch_layers
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.palette import list_color_pairs
from sightline.web.vega_bundle import BUNDLE_PATH

_MAX_CHARTS = 512
# JSON inside a page: nothing in it may end the element or begin another.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}

Sizes = Sequence[tuple[int, int]]


class ChartCache:
    """Renders charts, and returns the stored markup for data that was rendered before.

    Rendering takes some hundredths of a second, and most visitors look at what another one has seen.
    """

    def __init__(self) -> None:
        self._charts: LRUCache[bytes, Markup] = LRUCache(_MAX_CHARTS)
        self._lock = Lock()

    def render(self, spec: Spec, name: str, title: str, description: str, *, sizes: Sizes = ()) -> Markup:
        """Render a chart and its specification.

        `sizes` is for a chart that fills its place: one size, or a wide and a narrow one. The page
        shows the one that fits.
        """
        key = hashlib.sha256(msgspec.json.encode((spec, name, title, description, sizes))).digest()
        with self._lock:
            if (cached := self._charts.get(key)) is not None:
                return cached
        rendered = _render(spec, name, title, description, sizes)
        with self._lock:
            self._charts[key] = rendered
        return rendered


def _render(spec: Spec, name: str, title: str, description: str, sizes: Sizes) -> Markup:
    static = drop_touch_layers(spec)
    if not sizes:
        svg = render_svg(static, name, title, description)
    else:
        places = ("wide-chart", "narrow-chart") if len(sizes) > 1 else ("any-chart",)
        svg = Markup("").join(
            Markup('<div class="{}">{}</div>').format(
                place, render_svg(_fit(static, size), f"{name}-{place}", title, description)
            )
            for place, size in zip(places, sizes, strict=True)
        )
    box = Markup('<div class="chart-box" data-chart="{}" data-name="{}" data-finding="{}"{}>{}{}</div>')
    data = Markup('<script type="application/json">{}</script>').format(escape_json(spec))
    return box.format(BUNDLE_PATH, title, description, Markup(" data-fill") if sizes else "", svg, data)


def _fit(spec: Spec, size: tuple[int, int]) -> Spec:
    return {**spec, "width": size[0], "height": size[1], "autosize": {"type": "fit", "contains": "padding"}}


def escape_json(spec: Spec) -> Markup:
    """Return the spec as JSON in which nothing can be read as markup."""
    text = msgspec.json.encode(spec).decode()
    return Markup(text.translate(_ESCAPES))  # noqa: S704 - what could be read as markup is escaped above


CHARTS = ChartCache()


def build_chart_styles() -> str:
    """Return the rules that replace each light color of a rendered chart in the dark theme."""
    rules = "\n".join(
        f'.chart [{part}="{light}"] {{ {part}: light-dark({light}, {dark}); }}'
        for light, dark in list_color_pairs()
        for part in ("fill", "stroke")
    )
    return f".chart {{ max-width: 100%; height: auto; }}\n{rules}\n"
