"""The e-mail about confirmed alerts: one to each person, however many alerts a day has. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from sightline.accounts.page_paths import domain_path, email_preferences_path
from sightline.insights.alerts.models import AlertType
from sightline.insights.alerts.schemas import Alert
from sightline.mail.emails import OutgoingEmail, build_emails
from sightline.scans.stored import ScanRow

_GROUPS: tuple[tuple[frozenset[AlertType], str, str], ...] = (
    (frozenset({"coverage_drop", "cell_lost"}), "Fewer answers name {brand}:", "Fewer AI answers name {brand}"),
    (frozenset({"coverage_gain", "cell_gained"}), "More answers name {brand}:", "More AI answers name {brand}"),
    (frozenset({"competitor_rise"}), "More answers name a competitor:", "More AI answers name {competitor}"),
)


def build_alert_emails(
    people: Iterable[str], scan: ScanRow, alerts: Sequence[Alert], *, base_url: str
) -> list[OutgoingEmail]:
    """Build one e-mail for each person, with drops first, then gains, then competitors' rises."""
    text = "\n".join(_lines(scan, alerts, base_url.rstrip("/")))
    return build_emails(people, _build_subject(scan, alerts), text)


def _build_subject(scan: ScanRow, alerts: Sequence[Alert]) -> str:
    """Name the first group that has an alert: a drop is the most urgent."""
    for types, _, subject in _GROUPS:
        for alert in alerts:
            if alert.type in types:
                return subject.format(brand=scan.domain, competitor=alert.competitor)
    raise ValueError("an e-mail about alerts needs an alert")


def _lines(scan: ScanRow, alerts: Sequence[Alert], base_url: str) -> Iterator[str]:
    place = (scan.workspace_id, scan.domain_id)
    yield "Hello,"
    yield ""
    yield f"two Daily Checks in a row found a change in the answers about {scan.domain} that chance does not explain."
    for types, heading, _ in _GROUPS:
        found = [alert for alert in alerts if alert.type in types]
        if found:
            yield ""
            yield heading.format(brand=scan.domain)
        for alert in found:
            yield ""
            yield f"  - {alert.summary}"
            yield f"    {base_url}{domain_path(*place, 'alerts', str(alert.id))}"
    yield ""
    yield "Each link shows the answers that prove it. All alerts:"
    yield ""
    yield f"  {base_url}{domain_path(*place, 'alerts')}"
    yield ""
    yield "We write once: for seven days nothing more is sent about the same part. The alert ends when the"
    yield "answers are back where they were. You can mute a part on that page."
    yield ""
    yield "You receive these e-mails as a member of the workspace. To stop them:"
    yield ""
    yield f"  {base_url}{email_preferences_path(*place)}"
