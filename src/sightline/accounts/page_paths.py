"""The paths of the app's pages, for e-mails, reports and other pages, and which of them a form may lead to. Pure.

A path begins with a slash; appended to the public URL of the installation it is a link.
"""

import re
import uuid

_SEGMENT = r"[A-Za-z0-9._~:@-]+"
_LOCAL_PATH = re.compile(rf"/(?:{_SEGMENT}(?:/{_SEGMENT})*)?(?:\?[!-\[\]-~]*)?")  # any visible ASCII but a backslash


def workspace_path(workspace_id: uuid.UUID, *rest: str) -> str:
    return "/".join((f"/w/{workspace_id}", *rest))


def domain_path(workspace_id: uuid.UUID, domain_id: uuid.UUID, *rest: str) -> str:
    """Return the path of a tracked domain's Overview, or of a page below it."""
    return workspace_path(workspace_id, "d", str(domain_id), *rest)


def answer_path(workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, answer_id: uuid.UUID) -> str:
    """Return the path of an answer, scrolled to the first sentence that names the brand."""
    return domain_path(workspace_id, domain_id, "answers", str(scan_id), f"{answer_id}#named")


def email_preferences_path(workspace_id: uuid.UUID, domain_id: uuid.UUID) -> str:
    """Return the path where members choose which e-mails they receive."""
    return domain_path(workspace_id, domain_id, "settings#emails")


def console_path(workspace_id: uuid.UUID, *rest: str, livemode: bool = True) -> str:
    return workspace_path(workspace_id, "console", *([] if livemode else ["test"]), *rest)


def mailed_report_path(token: str, report_id: uuid.UUID) -> str:
    """Return the path of a report in an e-mail to a recipient without an account."""
    return f"/shared/emails/{token}/{report_id}"


def unsubscribe_path(token: str) -> str:
    return f"/shared/emails/{token}/unsubscribe"


def latest_reports_path(token: str, *rest: str) -> str:
    """Return the path of the latest reports of a client, for people without an account."""
    return "/".join(("/shared/latest", token, *rest))


def shared_report_path(token: str) -> str:
    """Return the path of a shared report, which anyone with the token can read."""
    return f"/shared/reports/{token}"


def is_local_path(path: str) -> bool:
    """Return whether the text is a path of this app, so that signing in cannot redirect to another site.

    Our paths have nothing encoded, nothing empty and no dots between slashes. A browser would read a backslash as a
    slash, and leave out a tab or a line break; therefore only what our paths are made of is accepted.
    """
    return _LOCAL_PATH.fullmatch(path) is not None and not {".", ".."} & set(path.partition("?")[0].split("/"))
