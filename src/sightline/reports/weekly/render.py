"""A weekly report in its forms: rendered once in English when it is written, and on demand in other languages."""

from datetime import datetime
from functools import lru_cache

import msgspec

from sightline.presentation.dates import in_time_zone
from sightline.presentation.language import in_language
from sightline.reports.weekly.charts import render_charts
from sightline.reports.weekly.html import render_html
from sightline.reports.weekly.models import NoticeFacts, RenderedReport, ReportDocument
from sightline.reports.weekly.pdf import FONT, render_pdf
from sightline.reports.weekly.queries import Form
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import build_view

# Reports do not change, and each of their forms takes about a second to render.
_RENDERED_KEPT = 16


class _StoredFacts(msgspec.Struct):
    notice_facts: NoticeFacts | None = None


def is_translatable(document: bytes) -> bool:
    """Return whether a stored document has the facts from which its texts can be written in another language."""
    return msgspec.json.decode(document, type=_StoredFacts).notice_facts is not None


def render_all_forms(document: ReportDocument) -> RenderedReport:
    """Render a report in the chosen language and time zone."""
    view, appendix_view = build_view(document), build_view(document, with_appendix=True)
    charts, printed = render_charts(document), render_charts(document, font=FONT)
    made_at = datetime.fromisoformat(document.period_end)
    return RenderedReport(
        html=render_html(document, view, charts),
        pdf=render_pdf(view, printed, made_at=made_at),
        appendix_html=render_html(document, appendix_view, charts, with_appendix=True),
        appendix_pdf=render_pdf(appendix_view, printed, made_at=made_at, with_appendix=True),
    )


@lru_cache(maxsize=_RENDERED_KEPT)
def render_form(stored: bytes, form: Form, language: str, zone: str) -> str | bytes:
    """Render one form of a stored document in a language and time zone."""
    with in_language(language), in_time_zone(zone):
        document = translate_document(msgspec.json.decode(stored, type=ReportDocument))
        with_appendix = form.startswith("appendix")
        view = build_view(document, with_appendix=with_appendix)
        if form.endswith("html"):
            return render_html(document, view, render_charts(document), with_appendix=with_appendix)
        made_at = datetime.fromisoformat(document.period_end)
        return render_pdf(view, render_charts(document, font=FONT), made_at=made_at, with_appendix=with_appendix)
