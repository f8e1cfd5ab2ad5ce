"""A report as a PDF. Texts reach the template as data, so nothing in them is ever read as markup.

Letters come from the fonts that the typesetter brings along, which cover Latin, Greek and Cyrillic, and from those of
this machine for everything else. A script that none of them has is named in the PDF itself.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import typst

from sightline.reports.weekly.view import View

FONT = "Libertinus Serif"
# Draws each text by itself. As PDF/A it refuses what it has no letter for; a plain PDF would draw empty boxes.
_PROBE = f'#set text(font: "{FONT}")\n#sys.inputs.text'.encode()


def render_pdf(view: View, charts: Mapping[str, str], *, made_at: datetime) -> bytes:
    """`charts` are SVG, drawn in `FONT`."""
    missing = list_missing_scripts(view)
    given = {"view": view, "charts": {name: str(svg) for name, svg in charts.items()}, "missing": missing, "font": FONT}
    inputs = {"report": msgspec.json.encode(given).decode()}
    pdf: bytes = typst.compile(_template(), format="pdf", sys_inputs=inputs, timestamp=int(made_at.timestamp()))
    return pdf


def list_missing_scripts(view: View) -> list[str]:
    """Names of the scripts that the report uses and no font of this machine can draw."""
    by_script: dict[str, set[str]] = {}
    for char in {char for text in _texts(view) for char in text if ord(char) > 0x24F and not char.isspace()}:
        by_script.setdefault(_script_of(char), set()).add(char)
    return sorted(script for script, chars in by_script.items() if not _can_draw("".join(sorted(chars))))


def _can_draw(chars: str) -> bool:
    try:
        typst.compile(_PROBE, format="pdf", pdf_standards=["a-2b"], sys_inputs={"text": chars})
    except typst.TypstError:
        return False
    return True


def _script_of(char: str) -> str:
    """The first word of its name is the script for letters; for signs, emoji among them, it says no more than that."""
    if unicodedata.category(char)[0] not in "LMN":
        return "symbols"
    word = unicodedata.name(char, "").partition(" ")[0].partition("-")[0]
    return {"CJK": "Chinese characters", "": "unnamed letters"}.get(word, word.capitalize())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


@cache
def _template() -> bytes:
    return files("sightline.reports").joinpath("templates", "weekly.typ").read_bytes()
