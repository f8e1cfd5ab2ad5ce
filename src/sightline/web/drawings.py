"""Charts of pages, drawn on the server: they are there without a script. Each is drawn once for the data it shows.

Beside the drawing stands its specification, from which `charts.js` makes the same chart live: a layer whose name begins
with "touch" is there for that one alone.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import msgspec
from markupsafe import Markup

from sightline.reports.charts import Spec
from sightline.reports.page import draw, list_swaps
from sightline.web.vega_bundle import BUNDLE_PATH

_MOST_KEPT = 512
# JSON inside of a page: nothing in it may end the element or begin another.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


class Drawings:
    """Drawing takes some hundredths of a second, and most people look at what somebody has looked at before."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Markup] = OrderedDict()
        self._lock = Lock()

    def draw(
        self, spec: Spec, name: str, title: str, description: str, *, sizes: Sequence[tuple[int, int]] = ()
    ) -> Markup:
        """`sizes` for a chart that fills its place: one, or a wide and a narrow one; a page shows what fits."""
        key = hashlib.sha256(msgspec.json.encode((spec, name, title, description, sizes))).digest()
        with self._lock:
            if (known := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return known
        drawn = _draw(spec, name, title, description, sizes)
        with self._lock:
            self._kept[key] = drawn
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return drawn


def _draw(spec: Spec, name: str, title: str, description: str, sizes: Sequence[tuple[int, int]]) -> Markup:
    still = {**spec, "layer": [layer for layer in spec["layer"] if not layer.get("name", "").startswith("touch")]}
    if not sizes:
        drawn = draw(still, name, title, description)
    else:
        places = ("wide-chart", "narrow-chart") if len(sizes) > 1 else ("any-chart",)
        drawn = Markup("").join(
            Markup('<div class="{}">{}</div>').format(
                place, draw(_fit(still, size), f"{name}-{place}", title, description)
            )
            for place, size in zip(places, sizes, strict=True)
        )
    box = Markup('<div class="chart-box" data-chart="{}" data-name="{}" data-finding="{}"{}>{}{}</div>')
    data = Markup('<script type="application/json">{}</script>').format(spell_json(spec))
    return box.format(BUNDLE_PATH, title, description, Markup(" data-fill") if sizes else "", drawn, data)


def _fit(spec: Spec, size: tuple[int, int]) -> Spec:
    return {**spec, "width": size[0], "height": size[1], "autosize": {"type": "fit", "contains": "padding"}}


def spell_json(spec: Spec) -> Markup:
    text = msgspec.json.encode(spec).decode()
    return Markup(text.translate(_ESCAPES))  # noqa: S704 - what could be read as markup is spelled otherwise above


DRAWINGS = Drawings()


def chart_styles() -> str:
    """Charts are drawn in the light colours. In the dark each of them gives way to its dark one."""
    rules = "\n".join(
        f'.chart [{part}="{light}"] {{ {part}: light-dark({light}, {dark}); }}'
        for light, dark in list_swaps()
        for part in ("fill", "stroke")
    )
    return f".chart {{ max-width: 100%; height: auto; }}\n{rules}\n"
