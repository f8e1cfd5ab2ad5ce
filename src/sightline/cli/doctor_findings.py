"""One line of the doctor's report."""

from typing import Any

Finding = dict[str, Any]


def build_finding(state: str, what: str, text: str, remedy: str | None = None) -> Finding:
    """Build a finding. `state` is `fine`, `note` or `wrong`; something wrong makes the command exit with 1."""
    return {"state": state, "what": what, "text": text, "remedy": remedy}
