"""Requests for suggested prompts, and what is saved of them."""

import uuid

import msgspec

from sightline.scans.suggest import SuggestedPrompts, SuggestionInput

JOB = "setup.suggest"


class SuggestionJob(msgspec.Struct, frozen=True, kw_only=True):
    """Payload of the job that asks a platform for prompts."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    input: SuggestionInput

    @property
    def key(self) -> str:
        return f"setup-suggest:{self.domain_id}:{self.input.digest.hex()}"


class SavedSuggestions(msgspec.Struct, frozen=True):
    """One row of `setup_suggestions`. The prompts are None until the worker has answered."""

    prompts: list[str] | None
    language: str | None
    note: str | None
    from_templates: int

    def to_suggested(self) -> SuggestedPrompts | None:
        if self.prompts is None:
            return None
        return SuggestedPrompts(tuple(self.prompts), self.language, self.note, self.from_templates)
