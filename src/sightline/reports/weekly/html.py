"""A report as one page that needs nothing else: no script, no form, no address that a browser would load."""

from collections.abc import Mapping

from markupsafe import Markup

from sightline.reports.page import environment, list_swaps
from sightline.reports.palette import TONES
from sightline.reports.weekly.view import View

# What a browser may do with the page, whatever should get into it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def render_html(view: View, charts: Mapping[str, Markup]) -> str:
    return environment().get_template("weekly.html").render(r=view, charts=charts, swaps=list_swaps(), tones=TONES)
