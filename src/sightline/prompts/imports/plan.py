"""What an import would do, before anything is stored: duplicates, and the limits of the plan."""

import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.db.engine import Reader
from sightline.kit.slow_work import run_slow_work
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number
from sightline.prompts import queries
from sightline.prompts.identity import PromptIdentity
from sightline.prompts.imports.models import ImportedPrompt, ImportFault, LineState, PlannedPrompt
from sightline.prompts.imports.near_duplicates import find_near_duplicates
from sightline.prompts.models import PromptRow
from sightline.prompts.read import PromptUsage, read_prompt_usage
from sightline.prompts.tags.names import MAX_TAGS


class ImportPlan(msgspec.Struct, frozen=True, kw_only=True):
    prompts: tuple[PlannedPrompt, ...]
    usage: PromptUsage
    """Before the import."""
    pins: int
    """How many prompts it would pin in addition."""
    faults: tuple[ImportFault, ...]

    def count(self, state: LineState) -> int:
        return sum(each.state == state for each in self.prompts)

    @property
    def exceeds_prompts(self) -> bool:
        """Return whether the new prompts do not fit within the plan. One that comes back takes no slot."""
        wanted = self.count("new")
        return wanted > 0 and self.usage.prompts + wanted > self.usage.max_prompts

    @property
    def exceeds_pins(self) -> bool:
        return self.pins > 0 and self.usage.pinned + self.pins > self.usage.max_pinned


async def plan_import(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    asked: Sequence[ImportedPrompt],
    *,
    max_prompts: int,
    finds_similar: bool = True,
) -> ImportPlan:
    """Return what saving would do now. Saving plans again under a lock, without looking for similar prompts."""
    texts = {each.identity.identity for each in asked}
    known = await queries.find_prompts_by_identity(db, workspace_id, domain_id, texts)
    similar: dict[str, str] = {}
    if finds_similar:
        tracked = await queries.list_active_texts(db, workspace_id, domain_id)
        similar = await run_slow_work(find_near_duplicates, [each.prompt.text for each in asked], tracked)
    usage = await read_prompt_usage(db, workspace_id, domain_id, max_prompts=max_prompts)
    planned = _plan_prompts(asked, known, similar)
    pins = sum(each.asked.pinned and each.state != "repeated" and not _is_pinned(each) for each in planned)
    made = ImportPlan(prompts=planned, usage=usage, pins=pins, faults=())
    return msgspec.structs.replace(made, faults=(*_find_limit_faults(made), *_find_tag_faults(made)))


def _plan_prompts(
    asked: Sequence[ImportedPrompt], known: Mapping[PromptIdentity, PromptRow], similar: Mapping[str, str]
) -> tuple[PlannedPrompt, ...]:
    lines: dict[PromptIdentity, int] = {}
    planned = []
    for each in asked:
        record = known.get(each.identity)
        state: LineState = "new"
        if each.identity in lines:
            state = "repeated"
        elif record is not None:
            state = "tracked" if record.status == "active" else "restored"
        planned.append(
            PlannedPrompt(
                asked=each,
                record=record,
                state=state,
                repeats_line=lines.get(each.identity),
                similar_to=similar.get(each.prompt.text) if state == "new" else None,
            )
        )
        lines.setdefault(each.identity, each.line)
    return tuple(planned)


def _is_pinned(planned: PlannedPrompt) -> bool:
    return planned.record is not None and planned.record.pinned_at is not None


def _find_limit_faults(plan: ImportPlan) -> list[ImportFault]:
    usage, faults = plan.usage, []
    if plan.exceeds_prompts:
        free = max(0, usage.max_prompts - usage.prompts)
        message = gettext(
            "The workspace uses %(used)s of the %(most)s prompts in its plan. %(free)s more can be added, and this "
            "import adds %(added)s.",
            used=format_number(usage.prompts),
            most=format_number(usage.max_prompts),
            free=format_number(free),
            added=format_number(plan.count("new")),
        )
        faults.append(ImportFault(None, message))
    if plan.exceeds_pins:
        message = gettext(
            "A domain can have at most %(most)s pinned prompts. %(pinned)s are pinned, and this import pins %(added)s "
            "more.",
            most=usage.max_pinned,
            pinned=usage.pinned,
            added=format_number(plan.pins),
        )
        faults.append(ImportFault(None, message))
    return faults


def _find_tag_faults(plan: ImportPlan) -> list[ImportFault]:
    """Find prompts that are tracked and would get more tags than a prompt can have."""
    message = gettext("with its present tags, this prompt would have more than %(most)s.", most=MAX_TAGS)
    return [
        ImportFault(each.asked.line, message)
        for each in plan.prompts
        if each.record is not None
        and each.state != "repeated"
        and len({*each.record.tags, *each.asked.tags}) > MAX_TAGS
    ]
