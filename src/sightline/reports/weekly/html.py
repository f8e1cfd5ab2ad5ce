"""A weekly report as one self-contained HTML page: no script, no form, no address that a browser would load."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from sightline.presentation.palette import TONES, list_color_pairs
from sightline.reports.environment import load_environment
from sightline.reports.weekly.answer_links import AnswerLinks
from sightline.reports.weekly.labels import build_labels
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.view import View

# The Content-Security-Policy of the page: it forbids everything that the page does not use.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)


def render_html(
    document: ReportDocument, view: View, charts: Mapping[str, Markup], *, with_appendix: bool = False
) -> str:
    """Render the page. Its counts link to answers, relative to the page of the report in the app."""
    template = load_environment().get_template("weekly.html")
    return template.render(
        r=view,
        labels=build_labels(document.brand),
        document=document,
        charts=charts,
        swaps=list_color_pairs(),
        tones=TONES,
        answers=AnswerLinks(document),
        with_appendix=with_appendix,
    )


def add_toolbar(html: str, links: Sequence[tuple[str, str]]) -> str:
    """Return the page with a bar of links at its top, which is not printed. `links` are labels and paths."""
    toolbar = load_environment().get_template("toolbar.html").render(links=links)
    return html.replace("<body>", f"<body>{toolbar}", 1)
