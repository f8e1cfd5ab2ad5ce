"""The e-mail that announces a report: its summary in a few lines, and where to read it. Pure."""

from collections.abc import Iterable

from sightline.accounts.page_paths import domain_path, email_preferences_path
from sightline.mail.emails import OutgoingEmail, build_emails
from sightline.presentation.phrases import SANDBOX, to_one_line
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.view import build_view


def build_report_emails(
    readers: Iterable[str], report: ReportRow, document: ReportDocument, *, base_url: str
) -> list[OutgoingEmail]:
    """Build one e-mail for each reader."""
    text = "\n".join(_lines(report, document, base_url))
    subject = f"Sandbox: {report.title}" if document.answers_source == "sandbox" else report.title
    return build_emails(readers, subject, text)


def _lines(report: ReportRow, document: ReportDocument, base_url: str) -> Iterable[str]:
    view, place = build_view(document), (report.workspace_id, report.domain_id)
    page = base_url + domain_path(*place, "reports", str(report.id))
    yield report.title
    yield ""
    if document.answers_source == "sandbox":
        yield SANDBOX
        yield ""
    yield to_one_line(report.summary)
    yield ""
    for card in view["cards"]:
        parts = (card["value"], f"({card['range']})" * bool(card["range"]), card["verdict"])
        yield f"  {card['name'] + ':':<18} {' '.join(filter(None, parts))}"
    if view["tasks"]:
        yield ""
        yield "What to do:"
        for number, task in enumerate(view["short"]["tasks"], 1):
            yield f"  {number}. {to_one_line(task['action'])}"
            if task["effect"]:
                yield f"     {to_one_line(task['effect'])}"
        if view["short"]["tasks_note"]:
            yield f"  {view['short']['tasks_note']}"
    yield ""
    yield "The report, with every figure; its appendix has the answers behind it:"
    yield f"  {page}"
    yield f"  {page}.pdf"
    yield ""
    yield "They open for members of the workspace. For anybody else, the page of reports makes a link that expires."
    yield ""
    yield "You receive this e-mail as a member of the workspace. To stop it:"
    yield f"  {base_url}{email_preferences_path(*place)}"
