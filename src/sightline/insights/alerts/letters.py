"""The letter about confirmed alerts: one to each person, whatever number of alerts a day has. Pure."""

from collections.abc import Iterable, Sequence

from sightline.accounts.addresses import domain_path, letters_path
from sightline.insights.alerts.schemas import Alert
from sightline.mail.letters import Letter
from sightline.scans.stored import ScanRow

_TEXT = """\
Hello,

two Daily Checks in a row found fewer answers that name the brand behind {domain} than before:

{alerts}

The answers that prove it are with each alert:

  {base_url}{alerts_path}

We write once: for seven days nothing more is sent about the same part, and the alert resolves by itself when the
answers are back where they were. A part that you do not want to hear of can be muted on that page.

These letters go to you as a member of the workspace. To get no more of them:

  {base_url}{letters_path}
"""


def write_letters(people: Iterable[str], scan: ScanRow, alerts: Sequence[Alert], *, base_url: str) -> list[Letter]:
    place = (scan.workspace_id, scan.domain_id)
    lines = "\n".join(f"  - {alert.summary}" for alert in alerts)
    text = _TEXT.format(
        domain=scan.domain,
        alerts=lines,
        base_url=base_url.rstrip("/"),
        alerts_path=domain_path(*place, "alerts"),
        letters_path=letters_path(*place),
    )
    return [Letter(person, f"Fewer AI answers name {scan.domain}", text) for person in people]
