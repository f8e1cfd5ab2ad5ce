"""The e-mail about confirmed alerts: one to each person, however many alerts a day has. Pure."""

from collections.abc import Iterable, Sequence

from sightline.accounts.page_paths import domain_path, email_preferences_path
from sightline.insights.alerts.schemas import Alert
from sightline.mail.emails import OutgoingEmail, build_emails
from sightline.scans.stored import ScanRow

_TEXT = """\
Hello,

two Daily Checks in a row found fewer answers that name the brand behind {domain} than before:

{alerts}

The answers that prove it are with each alert:

  {base_url}{alerts_path}

We write once: for seven days nothing more is sent about the same part, and the alert resolves by itself when the
answers are back where they were. You can mute a part on that page.

You receive these e-mails as a member of the workspace. To stop them:

  {base_url}{settings_path}
"""


def build_alert_emails(
    people: Iterable[str], scan: ScanRow, alerts: Sequence[Alert], *, base_url: str
) -> list[OutgoingEmail]:
    place = (scan.workspace_id, scan.domain_id)
    lines = "\n".join(f"  - {alert.summary}" for alert in alerts)
    text = _TEXT.format(
        domain=scan.domain,
        alerts=lines,
        base_url=base_url.rstrip("/"),
        alerts_path=domain_path(*place, "alerts"),
        settings_path=email_preferences_path(*place),
    )
    return build_emails(people, f"Fewer AI answers name {scan.domain}", text)
