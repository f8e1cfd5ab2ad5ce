"""Tracking a search of a platform as a prompt of its own."""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.errors import invalid_field
from sightline.plans.table import PlanTable
from sightline.prompts.identity import clean_prompt
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.imports.save import save_import
from sightline.prompts.models import PromptRow


async def track_search(
    tx: Transaction, workspace_id: uuid.UUID, answered: PromptRow, search: str, plans: PlanTable, *, now: datetime
) -> None:
    """Pin a prompt with the text of a search, in the country and language of the prompt that was answered.

    A text that is tracked there is pinned, and one that was removed comes back with its history. Doing it again changes
    nothing. Refused: a text that no prompt can have or a prompt without a language (422), one prompt or pin too many
    (409).
    """
    if answered.language_code is None:
        raise invalid_field("language_code", "is not recorded for this prompt: add the search on the page Prompts")
    clean = clean_prompt(search, answered.country_iso_2, answered.language_code)
    asked = ImportedPrompt(line=1, prompt=clean, identity=clean.identity, pinned=True)
    await save_import(tx, workspace_id, answered.domain_id, [asked], plans, now=now)
