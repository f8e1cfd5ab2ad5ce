"""The letter about confirmed alerts: one to each person, whatever number of alerts a day has. Pure."""

import uuid
from collections.abc import Iterable, Sequence

from sightline.insights.alerts.shapes import Alert
from sightline.mail.letters import Letter

_TEXT = """\
Hello,

two Daily Checks in a row found fewer answers that name the brand behind {domain} than before:

{alerts}

The answers that prove it are with each alert:

  GET {base_url}/api/v1/ext/domains/{domain_id}/alerts

We write once: for seven days nothing more is sent about the same part, and the alert resolves by itself when the
answers are back where they were.
"""


def write_letters(
    people: Iterable[str], domain: str, domain_id: uuid.UUID, alerts: Sequence[Alert], *, base_url: str
) -> list[Letter]:
    lines = "\n".join(f"  - {alert.summary}" for alert in alerts)
    text = _TEXT.format(domain=domain, domain_id=domain_id, alerts=lines, base_url=base_url.rstrip("/"))
    return [Letter(person, f"Fewer AI answers name {domain}", text) for person in people]
