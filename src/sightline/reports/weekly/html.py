"""A weekly report as one self-contained HTML page: no script, no form, no address that a browser would load."""

from collections.abc import Mapping

from markupsafe import Markup

from sightline.presentation.palette import TONES, list_color_pairs
from sightline.reports.environment import load_environment
from sightline.reports.weekly.view import View

# The Content-Security-Policy of the page: it forbids everything that the page does not use.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)


def render_html(view: View, charts: Mapping[str, Markup]) -> str:
    template = load_environment().get_template("weekly.html")
    return template.render(r=view, charts=charts, swaps=list_color_pairs(), tones=TONES)
