"""The e-mail that announces a report: its verdict, one picture, the next actions and a link. Pure."""

from collections.abc import Iterable, Sequence

from sightline.accounts.page_paths import domain_path, email_preferences_path
from sightline.clients.look import SIGHTLINE, Look
from sightline.mail.emails import EmailText, OutgoingEmail, Recipient, build_emails, join_paragraphs
from sightline.presentation.direction_controls import show_direction_controls_in_html
from sightline.presentation.language import gettext
from sightline.presentation.phrases import SANDBOX, to_one_line
from sightline.reports.environment import load_environment
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.render import describe_maker, render_picture
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import View, build_view


def build_report_emails(
    readers: Iterable[Recipient], report: ReportRow, document: ReportDocument, *, base_url: str
) -> list[OutgoingEmail]:
    """Build one e-mail for each reader."""
    return build_emails(readers, lambda: _write_report(report, translate_document(document), base_url))


def _write_report(report: ReportRow, document: ReportDocument, base_url: str) -> EmailText:
    view, place = build_view(document, report), (report.workspace_id, report.domain_id)
    page = base_url + domain_path(*place, "reports", str(report.id))
    preferences = base_url + email_preferences_path(*place)
    text = join_paragraphs(
        *([gettext(SANDBOX)] if view["sandbox"] else []),
        to_one_line(" ".join(view["verdict"])),
        *([list_tasks(view)] if view["tasks"] else []),
        gettext("Read the report:") + f"\n  {page}",
        gettext("You receive this e-mail as a member of the workspace. To stop it:") + f"\n  {preferences}",
    )
    html = render_email_html([(view, page)], leave=(gettext("Choose which e-mails you receive"), preferences))
    is_sandbox = view["sandbox"] is not None
    subject = gettext("[Sandbox] %(title)s", title=document.title) if is_sandbox else document.title
    return EmailText(subject, text, html, render_picture(document, report))


def render_email_html(
    reports: Sequence[tuple[View, str]], *, leave: tuple[str, str], look: Look = SIGHTLINE, intro: str = ""
) -> str:
    """Return the HTML of an e-mail about reports, each with its address. One report alone has a picture.

    `leave` is the link with which its reader receives no more of them.
    """
    html = (
        load_environment()
        .get_template("email.html")
        .render(reports=reports, leave=leave, look=look, maker=describe_maker(look), intro=intro)
    )
    return show_direction_controls_in_html(html)


def list_tasks(view: View) -> str:
    lines = [f"  {number}. {to_one_line(task['action'])}" for number, task in enumerate(view["tasks"], 1)]
    return "\n".join([gettext("Next:"), *lines])
