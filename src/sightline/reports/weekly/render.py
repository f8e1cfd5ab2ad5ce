"""A weekly report in its forms: its pages are rendered in English when it is written, everything else on demand."""

from datetime import datetime
from functools import lru_cache

import msgspec

from sightline.presentation.dates import in_time_zone
from sightline.presentation.language import DEFAULT_LANGUAGE, in_language
from sightline.reports.weekly.charts import render_charts
from sightline.reports.weekly.html import render_html
from sightline.reports.weekly.models import NoticeFacts, ReportDocument
from sightline.reports.weekly.pdf import FONT, render_pdf
from sightline.reports.weekly.queries import Form
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import build_view

# Reports do not change, and each of their forms takes about a second to render.
_RENDERED_KEPT = 16


class _StoredFacts(msgspec.Struct):
    notice_facts: NoticeFacts | None = None


def has_facts(document: bytes) -> bool:
    """Return whether a stored document has the facts from which every form can be rendered, in any language."""
    return msgspec.json.decode(document, type=_StoredFacts).notice_facts is not None


def render_pages(document: ReportDocument) -> tuple[str, str]:
    """Return the page and the page with the appendix, in the chosen language and time zone."""
    charts = render_charts(document)
    return (
        render_html(document, build_view(document), charts),
        render_html(document, build_view(document, with_appendix=True), charts, with_appendix=True),
    )


@lru_cache(maxsize=_RENDERED_KEPT)
def render_form(stored: bytes, form: Form, language: str, zone: str) -> str | bytes:
    """Render one form of a stored document in a language and time zone."""
    with in_language(language), in_time_zone(zone):
        document = msgspec.json.decode(stored, type=ReportDocument)
        if language != DEFAULT_LANGUAGE:
            document = translate_document(document)
        with_appendix = form.startswith("appendix")
        view = build_view(document, with_appendix=with_appendix)
        if form.endswith("html"):
            return render_html(document, view, render_charts(document), with_appendix=with_appendix)
        made_at = datetime.fromisoformat(document.period_end)
        return render_pdf(view, render_charts(document, font=FONT), made_at=made_at, with_appendix=with_appendix)
