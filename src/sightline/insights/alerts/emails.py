"""The e-mail about confirmed alerts: one to each person, however many alerts a day has. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sightline.accounts.page_paths import domain_path, email_preferences_path
from sightline.insights.alerts.models import AlertRow, AlertType
from sightline.insights.alerts.schemas import Alert, to_alert
from sightline.mail.emails import EmailText, OutgoingEmail, Recipient, build_emails, join_paragraphs
from sightline.presentation.dates import format_date
from sightline.presentation.language import gettext, translatable
from sightline.presentation.phrases import to_one_line
from sightline.scans.stored import ScanRow


class _Group(NamedTuple):
    types: frozenset[AlertType]
    heading: str
    subject: str


_GROUPS = (
    _Group(
        frozenset({"coverage_drop", "cell_lost"}),
        translatable("Fewer answers name %(brand)s:"),
        translatable("Fewer AI answers name %(brand)s"),
    ),
    _Group(
        frozenset({"coverage_gain", "cell_gained"}),
        translatable("More answers name %(brand)s:"),
        translatable("More AI answers name %(brand)s"),
    ),
    _Group(
        frozenset({"competitor_rise"}),
        translatable("More answers name a competitor:"),
        translatable("More AI answers name %(competitor)s"),
    ),
)


def build_alert_emails(
    people: Iterable[Recipient],
    scan: ScanRow,
    rows: Sequence[AlertRow],
    *,
    brand: str,
    prompts: Mapping[str, str],
    base_url: str,
) -> list[OutgoingEmail]:
    """Build one e-mail for each person, with drops first, then gains, then competitors' rises.

    `prompts` are the texts of the prompts of the check, by id.
    """
    url, name = base_url.rstrip("/"), to_one_line(brand)
    return build_emails(people, lambda: _write_alerts(scan, [to_alert(row, name) for row in rows], name, prompts, url))


def _write_alerts(
    scan: ScanRow, alerts: Sequence[Alert], brand: str, prompts: Mapping[str, str], base_url: str
) -> EmailText:
    place = (scan.workspace_id, scan.domain_id)
    text = join_paragraphs(
        gettext("Hello,"),
        gettext(
            "The Daily Check of %(date)s for %(domain)s confirmed a change in the answers that is unlikely to be "
            "chance. The figures compare the Daily Check that first showed the change with earlier ones.",
            domain=scan.domain,
            date=format_date(scan.created_at),
        ),
        *_list_alerts(scan, alerts, brand, prompts, base_url),
        gettext("Each link shows the answers behind the alert. All alerts:"),
        f"  {base_url}{domain_path(*place, 'alerts')}",
        gettext(
            "Each change is e-mailed only once. If the same change happens again within seven days, you get no new "
            "e-mail. An alert ends when the answers return to their earlier level. You can mute an alert on the "
            "Alerts page."
        ),
        gettext("You receive these e-mails as a member of the workspace. To stop them:"),
        f"  {base_url}{email_preferences_path(*place)}",
    )
    return EmailText(_choose_subject(brand, alerts), text)


def _choose_subject(brand: str, alerts: Sequence[Alert]) -> str:
    """Name the first group that has an alert: a drop is the most urgent."""
    for group in _GROUPS:
        for alert in alerts:
            if alert.type in group.types:
                return gettext(group.subject, brand=brand, competitor=alert.competitor)
    raise ValueError("an e-mail about alerts needs an alert")


def _list_alerts(
    scan: ScanRow, alerts: Sequence[Alert], brand: str, prompts: Mapping[str, str], base_url: str
) -> Iterator[str]:
    for group in _GROUPS:
        found = [alert for alert in alerts if alert.type in group.types]
        if found:
            yield gettext(group.heading, brand=brand)
        for alert in found:
            path = domain_path(scan.workspace_id, scan.domain_id, "alerts", str(alert.id))
            lines = [f"  - {to_one_line(alert.summary)}", f"    {base_url}{path}"]
            if prompt := prompts.get(str(alert.prompt_id)):
                lines.insert(1, "    " + gettext("Prompt: “%(prompt)s”", prompt=to_one_line(prompt)))
            yield "\n".join(lines)
