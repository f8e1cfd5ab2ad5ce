"""Second opinions in tests: a file as a request has it, and one that is measured."""

import uuid
from io import BytesIO

from sightline.accounts.models import build_operator_actor
from sightline.scans.second_opinions.form import form_opinion
from sightline.scans.second_opinions.models import OpinionJob
from sightline.scans.second_opinions.request import build_request, inspect_file, save_upload, start_opinion

CONTENT = """Question,Answer,Model,Date
best anvil,Acme is the best anvil for a forge.,ChatGPT,2025-11-03
best anvil,Globex is the best anvil for a forge.,ChatGPT,2025-11-10
"""


async def store_opinion(installation, workspace_id, domain="acme.com") -> uuid.UUID:
    """Store a file about Acme of two weeks, measure it, and return its id."""
    actor = build_operator_actor(workspace_id)
    head, packed = inspect_file(BytesIO(CONTENT.encode()), "export.csv")
    wanted, now = build_request("Acme", domain, [], ["Globex"]), installation.clock()
    async with installation.db.transaction() as tx:
        row = await save_upload(tx, actor, file_name="export.csv", head=head, content=packed, request=wanted, now=now)
        await start_opinion(tx, row, {})
    job = OpinionJob(row.workspace_id, row.id)
    await form_opinion(installation.db, job, processes=0, clock=installation.clock)
    return row.id
