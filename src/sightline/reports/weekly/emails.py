"""The e-mail that announces a report: its summary in a few lines, and where to read it. Pure."""

from collections.abc import Iterable, Iterator

from sightline.accounts.page_paths import domain_path, email_preferences_path
from sightline.mail.emails import EmailText, OutgoingEmail, Recipient, build_emails, join_paragraphs
from sightline.presentation.language import gettext, translatable
from sightline.presentation.phrases import SANDBOX, to_one_line
from sightline.reports.weekly.models import ReportDocument, ReportRow
from sightline.reports.weekly.translate import translate_document
from sightline.reports.weekly.view import View, build_view

_RANGES = translatable(
    "The ranges “for these prompts” show where the figures would settle if the same prompts were run again and "
    "again. The report also has the ranges for all similar questions."
)


def build_report_emails(
    readers: Iterable[Recipient], report: ReportRow, document: ReportDocument, *, base_url: str
) -> list[OutgoingEmail]:
    """Build one e-mail for each reader."""
    return build_emails(readers, lambda: _write_report(report, translate_document(document), base_url))


def _write_report(report: ReportRow, document: ReportDocument, base_url: str) -> EmailText:
    view, place = build_view(document), (report.workspace_id, report.domain_id)
    page = base_url + domain_path(*place, "reports", str(report.id))
    is_sandbox = document.answers_source == "sandbox"
    text = join_paragraphs(
        document.title,
        *([gettext(SANDBOX)] if is_sandbox else []),
        to_one_line(document.summary),
        "\n".join(_list_figures(view)),
        *([gettext(_RANGES)] if any(card["range"] for card in view["cards"]) else []),
        *(["\n".join(_list_tasks(view))] if view["tasks"] else []),
        gettext("Read the report:") + f"\n  {page}",
        gettext("Download the report as a PDF:") + f"\n  {page}.pdf",
        gettext(
            "Only members of the workspace can open these links. To share the report with others, create a link on "
            "the Reports page."
        ),
        gettext("You receive this e-mail as a member of the workspace. To stop it:")
        + f"\n  {base_url}{email_preferences_path(*place)}",
    )
    subject = gettext("[Sandbox] %(title)s", title=document.title) if is_sandbox else document.title
    return EmailText(subject, text)


def _list_figures(view: View) -> Iterator[str]:
    width = max(len(card["name"]) for card in view["cards"]) + 1
    for card in view["cards"]:
        scale = gettext("of 100") if card["key"] == "visibility_score" and card["range"] else ""
        value = " ".join(filter(None, (card["value"], scale, f"({card['range']})" * bool(card["range"]))))
        yield f"  {card['name'] + ':':<{width}} {' · '.join(filter(None, (value, card['verdict'])))}"


def _list_tasks(view: View) -> Iterator[str]:
    yield gettext("What to do:")
    for number, task in enumerate(view["short"]["tasks"], 1):
        yield f"  {number}. {to_one_line(task['action'])}"
        if task["effect"]:
            yield f"     {to_one_line(task['effect'])}"
    if view["short"]["tasks_note"]:
        yield f"  {view['short']['tasks_note']}"
