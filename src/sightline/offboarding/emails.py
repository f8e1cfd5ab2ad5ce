"""E-mails about exports and deletions. They are sent only where a mail server is configured."""

import uuid
from collections.abc import Callable
from datetime import datetime

from sightline.accounts.models import Role
from sightline.accounts.queries import find_member, find_workspace, list_members
from sightline.db.engine import Transaction
from sightline.mail.emails import EmailText, Recipient, build_emails, enqueue_emails, join_paragraphs
from sightline.offboarding.models import EXPORT_LIFETIME, WorkspaceDeletion, WorkspaceExport
from sightline.presentation.dates import DEFAULT_ZONE, format_datetime, in_time_zone
from sightline.presentation.language import gettext
from sightline.presentation.phrases import to_one_line
from sightline.settings import Settings


async def enqueue_export_ready(
    tx: Transaction, settings: Settings, workspace_id: uuid.UUID, export: WorkspaceExport, *, now: datetime
) -> None:
    """Send the link to the person who asked for the export. It works only for owners who are signed in."""
    member = await find_member(tx, workspace_id, export.requested_by)
    workspace = await find_workspace(tx, workspace_id)
    if member is None or workspace is None or settings.smtp_url is None:
        return

    def write() -> EmailText:
        text = join_paragraphs(
            gettext("Hello,"),
            gettext(
                "The export of the workspace “%(workspace)s” is ready. Sign in and download it before %(expiry)s:",
                workspace=to_one_line(workspace.name),
                expiry=format_datetime(now + EXPORT_LIFETIME),
            ),
            f"  {settings.public_url}/w/{workspace_id}/data",
        )
        return EmailText(gettext("Your export is ready"), text)

    with in_time_zone(workspace.timezone):
        emails = build_emails([Recipient(member.email, None)], write)
    await enqueue_emails(tx, *emails)


async def enqueue_deletion_requested(
    tx: Transaction, settings: Settings, deletion: WorkspaceDeletion, *, by: str
) -> None:
    def write(workspace: str) -> EmailText:
        text = join_paragraphs(
            gettext("Hello,"),
            gettext(
                "%(name)s asked to delete the workspace “%(workspace)s” with everything in it. It is deleted after "
                "%(due)s. Scheduled checks have stopped. Until then, members can still open it, and owners can export "
                "it.",
                name=to_one_line(by),
                workspace=workspace,
                due=format_datetime(deletion.due_at),
            ),
            gettext("An owner can cancel the deletion here:"),
            f"  {settings.public_url}/w/{deletion.workspace_id}/data",
        )
        return EmailText(gettext("A workspace will be deleted"), text)

    await _enqueue_to_admins(tx, settings, deletion.workspace_id, write)


async def enqueue_deletion_canceled(tx: Transaction, settings: Settings, workspace_id: uuid.UUID) -> None:
    def write(workspace: str) -> EmailText:
        text = gettext(
            "The deletion of the workspace “%(workspace)s” was canceled. Nothing was deleted, and scheduled checks "
            "start again.",
            workspace=workspace,
        )
        return EmailText(gettext("The deletion of a workspace was canceled"), join_paragraphs(gettext("Hello,"), text))

    await _enqueue_to_admins(tx, settings, workspace_id, write)


async def enqueue_deleted(tx: Transaction, settings: Settings, workspace_id: uuid.UUID) -> None:
    def write(workspace: str) -> EmailText:
        text = gettext(
            "The workspace “%(workspace)s” is being deleted now, as requested. Nobody can open it any more, and its "
            "keys no longer work. Backups that contain it end with their age.",
            workspace=workspace,
        )
        return EmailText(gettext("A workspace was deleted"), join_paragraphs(gettext("Hello,"), text))

    await _enqueue_to_admins(tx, settings, workspace_id, write)


async def _enqueue_to_admins(
    tx: Transaction, settings: Settings, workspace_id: uuid.UUID, write: Callable[[str], EmailText]
) -> None:
    workspace = await find_workspace(tx, workspace_id)
    if workspace is None or settings.smtp_url is None:
        return
    members = await list_members(tx, workspace_id)
    recipients = [Recipient(each.email, None) for each in members if each.role.covers(Role.ADMIN)]
    with in_time_zone(workspace.timezone or DEFAULT_ZONE):
        emails = build_emails(recipients, lambda: write(to_one_line(workspace.name)))
    await enqueue_emails(tx, *emails)
