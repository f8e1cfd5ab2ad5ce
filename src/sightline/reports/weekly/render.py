"""A weekly report in its forms: a page, a PDF, and the picture of an e-mail. All are made of one stored document."""

import base64
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import typst

from sightline.clients.look import SIGHTLINE, Look
from sightline.presentation.dates import in_time_zone
from sightline.presentation.direction_controls import show_direction_controls, show_direction_controls_in_html
from sightline.presentation.language import current_locale, gettext, in_language
from sightline.presentation.palette import LIGHT, TONES, list_color_pairs
from sightline.reports.environment import load_environment
from sightline.reports.weekly.appendix import build_appendix
from sightline.reports.weekly.charts import render_trend
from sightline.reports.weekly.models import NoticeFacts, ReportDocument, ReportRow
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import build_view

# The Content-Security-Policy of the page: it forbids everything that the page does not use.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
)
_RENDERED_KEPT = 32  # a form takes up to a second of a core


class Form(msgspec.Struct, frozen=True):
    """Which form of a report is wanted, and by whom."""

    kind: Literal["html", "pdf"]
    language: str
    with_appendix: bool = False
    for_members: bool = False
    """With links to answers, which only members of the workspace can open."""


class _StoredFacts(msgspec.Struct):
    notice_facts: NoticeFacts | None = None


def has_facts(document: bytes) -> bool:
    """Return whether a stored document has the facts from which every form can be rendered, in any language."""
    return msgspec.json.decode(document, type=_StoredFacts).notice_facts is not None


@lru_cache(maxsize=_RENDERED_KEPT)
def _render_stored(stored: bytes, row: bytes, form: Form, zone: str, look: Look) -> str | bytes:
    with in_language(form.language), in_time_zone(zone):
        document = msgspec.json.decode(stored, type=ReportDocument)
        written_on = msgspec.json.decode(row, type=ReportRow)
        render = render_page if form.kind == "html" else render_pdf
        return render(document, written_on, look, with_appendix=form.with_appendix, for_members=form.for_members)


def render_form(stored: bytes, row: ReportRow, form: Form, zone: str, look: Look) -> str | bytes:
    """Render one form of a stored document in a language, time zone and look. The latest forms are kept in memory."""
    return _render_stored(stored, msgspec.json.encode(row), form, zone, look)


def render_page(
    document: ReportDocument,
    row: ReportRow,
    look: Look = SIGHTLINE,
    *,
    with_appendix: bool = False,
    for_members: bool = False,
) -> str:
    """Return the report as one self-contained page: no script, no form, no address that a browser would load."""
    document = translate_document(document)
    page = (
        load_environment()
        .get_template("weekly.html")
        .render(
            r=build_view(document, row),
            look=look,
            maker=describe_maker(look),
            appendix=build_appendix(document, names_maker=look.shows_maker) if with_appendix else None,
            charts=render_trend(document, "wide", "narrow"),
            swaps=[*list_color_pairs(), *TONES.values()],
            own=LIGHT.own,
            tones=TONES,
            font=_read_page_font(),
            for_members=for_members,
            policy=CONTENT_SECURITY_POLICY,
        )
    )
    return show_direction_controls_in_html(page)


def add_toolbar(html: str, links: Sequence[tuple[str, str]]) -> str:
    """Return the page with a bar of links at its top, which is not printed. `links` are labels and paths."""
    toolbar = load_environment().get_template("toolbar.html").render(links=links)
    return html.replace("<body>", f"<body>{toolbar}", 1)


def render_pdf(
    document: ReportDocument,
    row: ReportRow,
    look: Look = SIGHTLINE,
    *,
    with_appendix: bool = False,
    for_members: bool = False,
) -> bytes:
    """Typeset the report on one A4 page, and its appendix on further ones."""
    made_at = int(datetime.fromisoformat(document.period_end).timestamp())
    given = _gather(document, row, look, with_appendix=with_appendix, for_members=for_members)
    return _typeset(given, format="pdf", timestamp=made_at)


def render_picture(document: ReportDocument, row: ReportRow, look: Look = SIGHTLINE) -> bytes:
    """Draw the league and the chart as a PNG."""
    given = _gather(document, row, look, with_appendix=False, for_members=False) | {"only_picture": True}
    return _typeset(given, format="png", ppi=144.0)


def _gather(
    document: ReportDocument, row: ReportRow, look: Look, *, with_appendix: bool, for_members: bool
) -> dict[str, Any]:
    document = translate_document(document)
    view = build_view(document, row)
    appendix = build_appendix(document, names_maker=look.shows_maker) if with_appendix else None
    return {
        "view": view,
        "look": {
            "name": look.name,
            "logo": list(look.logo or b""),
            "color": look.color or LIGHT.own,
            "maker": describe_maker(look),
        },
        "appendix": appendix,
        "language": current_locale(),
        "chart": render_trend(document, "wide").get("wide", ""),
        "missing": _describe_missing([view, appendix, look.name]),
        "for_members": for_members,
        "only_picture": False,
    }


def describe_maker(look: Look) -> str:
    """Say who made the report, below one in the look of a client; empty if that is switched off or said above."""
    return gettext("Made with Sightline") if look.is_own and look.shows_maker else ""


def _describe_missing(texts: Any) -> list[str]:
    """Return the title and the explanation of a notice about scripts without a font; empty if there is none."""
    scripts = list_missing_scripts(texts)
    if not scripts:
        return []
    title = gettext("Some characters are missing in this PDF.")
    why = gettext(
        "The server has no font for these scripts, so boxes appear instead. The web page of this report shows all "
        "characters. Install a font on the server, such as Noto Sans, to complete later reports."
    )
    return [title, f"({', '.join(scripts)}) {why}"]


def _typeset(given: dict[str, Any], **options: Any) -> bytes:
    # Charts have the color of the brand in their drawings.
    texts = msgspec.json.encode(given, enc_hook=str).decode().replace(LIGHT.own, given["look"]["color"])
    inputs = {"report": show_direction_controls(texts)}
    made: bytes = typst.compile(read_template(), font_paths=load_fonts(), sys_inputs=inputs, **options)
    return made


_FONTS = files("sightline.presentation") / "fonts"


@cache
def load_fonts() -> typst.Fonts:
    """Return our font and those of this machine, which have the scripts that ours has not."""
    return typst.Fonts(font_paths=[str(_FONTS)])


# Sets a text alone. PDF/A refuses a character without a glyph, where a plain PDF would show an empty box.
_PROBE = b'#set text(font: "Inter")\n#sys.inputs.text'


def list_missing_scripts(texts: Any) -> list[str]:
    """Return the names of the scripts that texts use and no font of this machine covers."""
    by_script: dict[str, set[str]] = {}
    for char in {char for text in _iterate_texts(texts) for char in text if ord(char) > 0x24F and not char.isspace()}:
        by_script.setdefault(_find_script(char), set()).add(char)
    return sorted(script for script, chars in by_script.items() if not has_glyphs("".join(sorted(chars))))


@lru_cache(maxsize=256)
def has_glyphs(chars: str) -> bool:
    """Return whether the fonts of this machine have all of these characters."""
    try:
        typst.compile(_PROBE, format="pdf", font_paths=load_fonts(), pdf_standards=["a-2b"], sys_inputs={"text": chars})
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
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _iterate_texts(each)


@cache
def read_template() -> bytes:
    return files("sightline.reports").joinpath("templates", "weekly.typ").read_bytes()


@cache
def _read_page_font() -> str:
    return base64.b64encode((_FONTS / "inter-latin.woff2").read_bytes()).decode()
