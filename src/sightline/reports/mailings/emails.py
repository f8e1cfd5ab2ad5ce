"""The e-mail with the reports of a client, to a recipient without an account. Pure."""

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sightline.accounts.page_paths import mailed_report_path, unsubscribe_path
from sightline.clients.look import Look
from sightline.kit.ids import new_id
from sightline.mail.emails import OutgoingEmail, join_paragraphs
from sightline.presentation.dates import in_time_zone
from sightline.presentation.direction_controls import show_direction_controls
from sightline.presentation.language import gettext, in_language, ngettext
from sightline.presentation.phrases import SANDBOX, to_one_line
from sightline.reports.mailings.models import EmailRow
from sightline.reports.weekly.emails import list_tasks, render_email_html
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.render import describe_maker, render_picture
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import View, build_view


class MailedReport(NamedTuple):
    row: ReportRow
    document: ReportDocument


class Mailing(NamedTuple):
    """What all e-mails of one time have in common."""

    client: str
    reports: Sequence[MailedReport]
    look: Look
    language: str
    zone: str
    base_url: str

    @property
    def is_sandbox(self) -> bool:
        return any(each.document.answers_source == "sandbox" for each in self.reports)


class PreparedMailing(NamedTuple):
    """A mailing with what takes long to make, and is the same for every recipient."""

    mailing: Mailing
    subject: str
    views: Sequence[View]
    picture: bytes


def prepare_mailing(mailing: Mailing) -> PreparedMailing:
    """Write and draw what every recipient gets. It takes up to a second of a core."""
    reports = mailing.reports
    with in_language(mailing.language), in_time_zone(mailing.zone):
        documents = [translate_document(each.document) for each in reports]
        views = [build_view(document, each.row) for document, each in zip(documents, reports, strict=True)]
        picture = render_picture(reports[0].document, reports[0].row, mailing.look) if len(reports) == 1 else b""
        title = documents[0].title
        if len(reports) > 1:
            title = ngettext(
                "%(client)s: %(num)s report", "%(client)s: %(num)s reports", len(reports), client=mailing.client
            )
        if mailing.is_sandbox:
            title = gettext("[Sandbox] %(title)s", title=title)
        return PreparedMailing(mailing, to_one_line(title), views, picture)


def render_preview(prepared: PreparedMailing, address: str, *, now: datetime) -> str:
    """Return the HTML of an e-mail as a page, with its pictures in it and with links that lead nowhere."""
    mailing = prepared.mailing
    row = EmailRow(mailing.reports[0].row.workspace_id, new_id(), new_id(), now, address, [], now)
    html = write_email(prepared, row, "preview").html
    picture = f"data:image/png;base64,{base64.b64encode(prepared.picture).decode()}"
    return html.replace("cid:report", picture).replace("cid:logo", mailing.look.logo_url)


def write_email(prepared: PreparedMailing, row: EmailRow, token: str) -> OutgoingEmail:
    """Write the e-mail to one recipient, with links that only they have."""
    mailing, is_test = prepared.mailing, row.due_at is None
    pages = [mailing.base_url + mailed_report_path(token, each.row.id) for each in mailing.reports]
    leave_url = mailing.base_url + unsubscribe_path(token)
    with in_language(mailing.language), in_time_zone(mailing.zone):
        intro = gettext("This is a test: only you received it.") if is_test else ""
        paragraphs = [intro] if is_test else []
        for view, page in zip(prepared.views, pages, strict=True):
            if view["sandbox"]:
                paragraphs.append(gettext(SANDBOX))
            paragraphs.append(to_one_line(" ".join(view["verdict"])))
            if view["tasks"]:
                paragraphs.append(list_tasks(view))
            paragraphs.append(gettext("Read the report:") + f"\n  {page}")
        paragraphs.append(gettext("To stop these e-mails:") + f"\n  {leave_url}")
        if maker := describe_maker(mailing.look):
            paragraphs.append(maker)
        subject = gettext("[Test] %(title)s", title=prepared.subject) if is_test else prepared.subject
        leave = (gettext("Stop these e-mails"), leave_url)
        html = render_email_html(
            list(zip(prepared.views, pages, strict=True)), leave=leave, look=mailing.look, intro=intro
        )
    return OutgoingEmail(
        to=row.address,
        subject=subject,
        text=show_direction_controls(join_paragraphs(*paragraphs)),
        id=row.id,
        html=html,
        picture=prepared.picture,
        logo=mailing.look.logo or b"",
        sender_name=mailing.look.sender_name or "",
        unsubscribe_url=leave_url,
        stays_here=mailing.is_sandbox,
    )
