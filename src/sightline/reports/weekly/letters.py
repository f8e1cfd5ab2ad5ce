"""The letter that comes with a report: what is in it, in a few lines, and where it is. Pure."""

from collections.abc import Iterable

from sightline.mail.letters import Letter
from sightline.reports.notices import SANDBOX
from sightline.reports.weekly.models import Report, ReportDocument
from sightline.reports.weekly.sayings import one_line
from sightline.reports.weekly.view import make_view

_MOST_TASKS = 3


def write_letters(readers: Iterable[str], report: Report, document: ReportDocument) -> list[Letter]:
    """One to each reader."""
    text = "\n".join(_lines(report, document))
    subject = f"Sandbox: {report.title}" if document.answers_source == "sandbox" else report.title
    return [Letter(reader, subject, text) for reader in readers]


def _lines(report: Report, document: ReportDocument) -> Iterable[str]:
    view = make_view(document)
    yield report.title
    yield ""
    if document.answers_source == "sandbox":
        yield SANDBOX
        yield ""
    yield one_line(report.summary)
    yield ""
    for card in view["cards"]:
        parts = (card["value"], f"({card['range']})" * bool(card["range"]), card["verdict"])
        yield f"  {card['name'] + ':':<18} {' '.join(filter(None, parts))}"
    if view["tasks"]:
        yield ""
        yield "What to do:"
        for place, task in enumerate(view["tasks"][:_MOST_TASKS], 1):
            yield f"  {place}. {one_line(task['action'])}"
    yield ""
    yield "The whole report, with every figure and the answers behind it:"
    yield f"  {report.html_url}"
    yield f"  {report.pdf_url}"
    yield ""
    yield "These addresses open with a Data API key of your workspace."
