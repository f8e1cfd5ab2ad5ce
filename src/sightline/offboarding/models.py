"""Exports and deletions of workspaces, and the jobs that carry them out."""

import uuid
from datetime import datetime, timedelta

import msgspec

EXPORT_JOB = "workspace.export"
ERASE_JOB = "workspace.erase"
EXPORT_LIFETIME = timedelta(days=1)
GRACE = timedelta(days=7)


class ExportJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    export_id: uuid.UUID


class EraseJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID


class WorkspaceExport(msgspec.Struct, frozen=True):
    """An export that a person asked for. It can be downloaded once it is complete, for a day."""

    id: uuid.UUID
    requested_by: uuid.UUID
    requested_at: datetime
    completed_at: datetime | None
    size: int | None
    expires_at: datetime | None


class WorkspaceDeletion(msgspec.Struct, frozen=True):
    """A deletion that an owner asked for. It can be canceled until it is due."""

    workspace_id: uuid.UUID
    requested_by: uuid.UUID
    requested_at: datetime
    due_at: datetime
