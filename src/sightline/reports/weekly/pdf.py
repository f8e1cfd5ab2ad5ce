"""A weekly report as a PDF. Texts reach the template as data, so nothing in them is ever read as markup.

Glyphs come from the fonts that the typesetter ships, which cover Latin, Greek and Cyrillic, and from the fonts of this
machine for everything else. The PDF itself names each script that no font covers.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import typst

from sightline.presentation.direction_controls import show_direction_controls
from sightline.presentation.language import current_locale
from sightline.reports.weekly.labels import build_labels
from sightline.reports.weekly.view import View

FONT = "Libertinus Serif"
# Sets a text alone. PDF/A refuses a character without a glyph, where a plain PDF would show an empty box.
_PROBE = f'#set text(font: "{FONT}")\n#sys.inputs.text'.encode()


def render_pdf(view: View, charts: Mapping[str, str], *, made_at: datetime, with_appendix: bool = False) -> bytes:
    """Typeset the report. `charts` are SVG that use `FONT`."""
    data = {
        "view": view,
        "labels": build_labels(view["brand"]),
        "language": current_locale(),
        "charts": {name: str(svg) for name, svg in charts.items()},
        "missing": list_missing_scripts(view),
        "font": FONT,
        "with_appendix": with_appendix,
    }
    inputs = {"report": show_direction_controls(msgspec.json.encode(data).decode())}
    pdf: bytes = typst.compile(_read_template(), format="pdf", sys_inputs=inputs, timestamp=int(made_at.timestamp()))
    return pdf


def list_missing_scripts(view: View) -> list[str]:
    """Return the names of the scripts that the report uses and no font of this machine covers."""
    by_script: dict[str, set[str]] = {}
    for char in {char for text in _iterate_texts(view) for char in text if ord(char) > 0x24F and not char.isspace()}:
        by_script.setdefault(_find_script(char), set()).add(char)
    return sorted(script for script, chars in by_script.items() if not _has_glyphs("".join(sorted(chars))))


def _has_glyphs(chars: str) -> bool:
    try:
        typst.compile(_PROBE, format="pdf", pdf_standards=["a-2b"], sys_inputs={"text": chars})
    except typst.TypstError:
        return False
    return True


def _find_script(char: str) -> str:
    """Return the script of a character: the first word of the name of a letter, or `symbols` for anything else."""
    if unicodedata.category(char)[0] not in "LMN":
        return "symbols"
    word = unicodedata.name(char, "").partition(" ")[0].partition("-")[0]
    return {"CJK": "Chinese characters", "": "unnamed letters"}.get(word, word.capitalize())


def _iterate_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield show_direction_controls(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _iterate_texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _iterate_texts(each)


@cache
def _read_template() -> bytes:
    return files("sightline.reports").joinpath("templates", "weekly.typ").read_bytes()
