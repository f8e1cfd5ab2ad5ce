"""The cursor to the second page, as the product signs it; both other servers have to make the same one."""

import uuid

import msgspec

from sightline.api.edge.cursors import sign_cursor


def next_cursor(
    created_at: str, last_id: uuid.UUID, workspace_id: uuid.UUID, livemode: bool, signing_key: bytes
) -> str:
    context = msgspec.json.encode(["console.domains", str(workspace_id), livemode, {}])
    return sign_cursor((created_at, str(last_id)), context, signing_key)
