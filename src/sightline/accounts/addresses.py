"""Where the pages of the app are: the one place that knows it. Letters, reports and pages all lead there. Pure.

A path begins with a slash; behind the public address of the installation it is a link.
"""

import uuid


def workspace_path(workspace_id: uuid.UUID, *rest: str) -> str:
    return "/".join((f"/w/{workspace_id}", *rest))


def domain_path(workspace_id: uuid.UUID, domain_id: uuid.UUID, *rest: str) -> str:
    """Of a tracked domain: its Overview, or a page below it."""
    return workspace_path(workspace_id, "d", str(domain_id), *rest)


def answer_path(workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, answer_id: uuid.UUID) -> str:
    """At the sentence that names the brand first; at its top where none does."""
    return domain_path(workspace_id, domain_id, "answers", str(scan_id), f"{answer_id}#named")


def letters_path(workspace_id: uuid.UUID, domain_id: uuid.UUID) -> str:
    """Where people choose which letters they get."""
    return domain_path(workspace_id, domain_id, "settings#letters")


def console_path(workspace_id: uuid.UUID, *rest: str, livemode: bool = True) -> str:
    return workspace_path(workspace_id, "console", *([] if livemode else ["test"]), *rest)


def shared_report_path(token: str) -> str:
    """Open to whoever holds the token."""
    return f"/shared/reports/{token}"
