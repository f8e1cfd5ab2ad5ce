"""Schemas of imports in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.errors import FaultCollector
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.prompts.identity import CleanPrompt, clean_prompt
from sightline.prompts.imports.models import ImportedPrompt
from sightline.prompts.imports.plan import ImportPlan
from sightline.prompts.tags.names import MAX_TAGS, clean_tags

MAX_PROMPTS_OF_A_REQUEST = 500
Fault = tuple[str, str, str]


class ImportedPromptInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """One prompt of an import."""

    prompt: Annotated[str, Meta(description="Text of 2 to 500 characters after trimming.")]
    language_code: Annotated[str, Meta(description="ISO 639-1 code.")]
    country_iso_2: Annotated[str | None, Meta(description="ISO 3166-1 alpha-2 code. Null or omitted means Global.")] = (
        None
    )
    tags: Annotated[list[str], Meta(description="Tags to add. No tag is removed.", max_length=MAX_TAGS)] = []
    pinned: Annotated[bool, Meta(description="Whether to pin the prompt. False, the default, unpins nothing.")] = False


class PromptImportInput(msgspec.Struct, frozen=True):
    """The prompts to import: all of them are saved, or none."""

    prompts: Annotated[
        list[ImportedPromptInput],
        Meta(description="Prompts in any order.", min_length=1, max_length=MAX_PROMPTS_OF_A_REQUEST),
    ]


class PromptImport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an import, in numbers of prompts."""

    domain_id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    added: Annotated[int, Meta(description="New prompts. Each counts toward the prompt limit of the workspace.")]
    restored: Annotated[int, Meta(description="Prompts that were tracked before. They come back with their history.")]
    already_tracked: Annotated[int, Meta(description="Prompts that were already tracked. They only get tags and pins.")]
    repeated: Annotated[int, Meta(description="Repeated prompts within the import. They are ignored.")]


def to_imported_prompts(payload: PromptImportInput) -> list[ImportedPrompt]:
    """Return the cleaned prompts. Refused: invalid fields, with every one of them named (422)."""
    faults = FaultCollector()
    made = [_clean(place, each, faults) for place, each in enumerate(payload.prompts)]
    faults.raise_if_any()
    return made


def _clean(place: int, each: ImportedPromptInput, faults: FaultCollector) -> ImportedPrompt:
    at = f"prompts[{place}]."
    tags: tuple[str, ...] = ()
    prompt = CleanPrompt("", None, None)
    with faults.catch():
        prompt = clean_prompt(each.prompt, each.country_iso_2, each.language_code, at=at)
    try:
        tags = clean_tags(each.tags)
    except ValueError as error:
        faults.add(f"{at}tags", str(error))
    return ImportedPrompt(line=place + 1, prompt=prompt, identity=prompt.identity, tags=tags, pinned=each.pinned)


def to_prompt_import(domain_id: uuid.UUID, done: ImportPlan) -> PromptImport:
    return PromptImport(
        domain_id=domain_id,
        added=done.count("new"),
        restored=done.count("restored"),
        already_tracked=done.count("tracked"),
        repeated=done.count("repeated"),
    )


# Examples

EXAMPLES = {
    "import_prompts": Example(
        PromptImport(domain_id=TRACKED_DOMAIN_ID, added=1, restored=0, already_tracked=0, repeated=0),
        {
            "prompts": [
                {
                    "prompt": "Which anvil is quietest?",
                    "language_code": "en",
                    "country_iso_2": "US",
                    "tags": ["forge"],
                    "pinned": False,
                }
            ]
        },
    ),
}
