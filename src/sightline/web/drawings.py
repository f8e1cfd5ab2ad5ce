"""Charts of pages, drawn on the server: they are there without a script. Each is drawn once for the data it shows."""

import hashlib
from collections import OrderedDict
from threading import Lock

import msgspec
from markupsafe import Markup

from sightline.reports.charts import Spec
from sightline.reports.page import draw, list_swaps

_MOST_KEPT = 512


class Drawings:
    """Drawing takes some hundredths of a second, and most people look at what somebody has looked at before."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, Markup] = OrderedDict()
        self._lock = Lock()

    def draw(self, spec: Spec, name: str, title: str, description: str) -> Markup:
        key = hashlib.sha256(msgspec.json.encode((spec, name, title, description))).digest()
        with self._lock:
            if (known := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return known
        drawn = draw(spec, name, title, description)
        with self._lock:
            self._kept[key] = drawn
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return drawn


DRAWINGS = Drawings()


def chart_styles() -> str:
    """Charts are drawn in the light colours. In the dark each of them gives way to its dark one."""
    rules = "\n".join(
        f'.chart [{part}="{light}"] {{ {part}: {dark}; }}'
        for light, dark in list_swaps()
        for part in ("fill", "stroke")
    )
    return f".chart {{ max-width: 100%; height: auto; }}\n@media (prefers-color-scheme: dark) {{\n{rules}\n}}\n"
