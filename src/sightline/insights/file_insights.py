"""The insights of a file of answers: what a Full Check with the same answers would show, without a database.

Nothing is known of earlier checks, so whatever compares with them is left out.
"""

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from sightline.facts.contradictions import build_accuracy
from sightline.facts.models import Fact
from sightline.insights.editor.edition import Edition, EditionMemory
from sightline.insights.editor.requests import Editor
from sightline.insights.editor.sorting import CodebookTheme
from sightline.insights.found import find_insights
from sightline.insights.inputs import InsightInputs, build_insight_inputs
from sightline.insights.models import OpportunityRow, RankedRow
from sightline.insights.opportunities import find_opportunities
from sightline.insights.prompt_suggestions import propose_prompts
from sightline.insights.recommendations.schemas import to_recommendation
from sightline.insights.recommendations.tasks import build_task
from sightline.insights.schemas.opportunities import to_opportunity
from sightline.insights.schemas.themes import to_theme
from sightline.prompts.suggestions.origins import describe_origin
from sightline.scans.models import ScanAnswer, ScanPlan

MAX_ANSWERS = 5_000
"""Insights are based on this many answers at most; of more, every second one is left out until they fit."""
_SCAN = uuid.UUID(int=0)
_NEVER = datetime.fromtimestamp(0, UTC)
_ONLY_IN_A_DATABASE = frozenset(
    {"id", "scan_id", "prompt_id", "updated_at", "domain_id", "fact_id", "since", "checked_at"}
)


class AnswerSample:
    """An even sample of answers that come one by one, without holding more than `MAX_ANSWERS` of them."""

    def __init__(self) -> None:
        self.answers: list[ScanAnswer] = []
        self._seen = 0
        self._every = 1

    def add(self, answer: ScanAnswer) -> None:
        if self._seen % self._every == 0:
            self.answers.append(answer)
            if len(self.answers) > MAX_ANSWERS:
                self.answers = self.answers[::2]
                self._every *= 2
        self._seen += 1


class FileInsights(msgspec.Struct, frozen=True, kw_only=True):
    """Themes, recommendations, opportunities and prompt suggestions in the shapes of the Data API.

    Answers have the ids of the file. `answers` is the number of answers that the insights are based on.
    """

    themes: list[dict[str, Any]]
    recommendations: list[dict[str, Any]]
    opportunities: list[dict[str, Any]]
    prompt_suggestions: list[dict[str, Any]]
    facts: dict[str, Any] | None = None
    """What the answers state about the facts. None without facts, or if the editor did not reply to all questions."""
    answers: int
    unread_answers: int = 0
    """Answers that name the brand in a language in which rules find no themes."""
    category: str | None = None
    edition: Edition | None = None
    """What the editor said; None without one."""
    edited_by: str | None = None
    """The platform and model that were asked; None for files."""


async def find_file_insights(
    plan: ScanPlan,
    answers: Sequence[ScanAnswer],
    editor: Editor | None = None,
    codebook: Sequence[CodebookTheme] = (),
    category: str | None = None,
    facts: Sequence[Fact] = (),
) -> FileInsights:
    """Return the insights of the answers of a file, which may hold several answers to a cell.

    An editor finds what they claim about the facts. Without one, prompts are suggested around `category`, what the
    brand sells.
    """
    inputs, ids = _build_inputs(plan, answers)
    found = await find_insights(
        inputs, _SCAN, editor, EditionMemory(codebook=tuple(codebook), facts=tuple(facts)), category=category
    )
    inputs = found.inputs
    volumes = dict.fromkeys([prompt.id for prompt in inputs.plan.prompts])
    opportunities = find_opportunities(inputs, volumes, repeats={})
    suggestions = propose_prompts(inputs, found.candidates, [prompt.text for prompt in plan.prompts], scan_id=None)
    return FileInsights(
        themes=[_to_document(to_theme(_to_row(place, each)), ids) for place, each in enumerate(found.themes)],
        recommendations=[
            _to_document(to_recommendation(task, plan.brand.name), ids)
            for place, each in enumerate(found.recommendations)
            if (task := build_task(_to_row(place, each), marks={})) is not None
        ],
        opportunities=[
            _to_document(
                to_opportunity(
                    OpportunityRow(
                        uuid.UUID(int=place),
                        uuid.UUID(int=0),
                        each.score,
                        msgspec.json.encode(each),
                        _NEVER,
                    )
                ),
                ids,
            )
            for place, each in enumerate(opportunities)
        ],
        prompt_suggestions=[
            _to_document(each, ids)
            | {"origin_summary": describe_origin(each.origin, each.origin_subjects, each.origin_answers)}
            for each in suggestions
        ],
        facts=None
        if found.edition is None or found.edition.claims is None
        else _to_document(
            build_accuracy(_SCAN, (_SCAN, _NEVER), found.edition.claims, facts, [(_SCAN, _NEVER)], []), ids
        ),
        answers=len(inputs.answers),
        unread_answers=sum(found.counts.unread.values()),
        category=category,
        edition=found.edition,
    )


def _build_inputs(plan: ScanPlan, answers: Sequence[ScanAnswer]) -> tuple[InsightInputs, dict[str, str]]:
    """Return the inputs with UUIDs in the place of the file's ids, and the id of the file for each answer."""
    prompts = {
        prompt.id: msgspec.structs.replace(prompt, id=str(uuid.UUID(int=number)))
        for number, prompt in enumerate(plan.prompts)
    }
    numbered = [
        msgspec.structs.replace(answer, id=str(uuid.UUID(int=len(prompts) + number)), prompt=prompts[answer.prompt.id])
        for number, answer in enumerate(answers)
    ]
    plan = msgspec.structs.replace(plan, prompts=tuple(prompts.values()))
    ids = [answer.id for answer in answers]
    return build_insight_inputs(plan, numbered), dict(zip((each.id for each in numbered), ids, strict=True))


def _to_row(place: int, found: msgspec.Struct) -> RankedRow:
    return RankedRow(uuid.UUID(int=place), _SCAN, place, msgspec.json.encode(found))


def _to_document(found: Any, ids: Mapping[str, str]) -> Any:
    """Return the members of an insight that mean something without a database, with the ids of the file."""
    if isinstance(found, msgspec.Struct):
        found = msgspec.to_builtins(found)
    if isinstance(found, dict):
        return {name: _to_document(each, ids) for name, each in found.items() if name not in _ONLY_IN_A_DATABASE}
    if isinstance(found, list | tuple):
        return [_to_document(each, ids) for each in found]
    return ids.get(found, found) if isinstance(found, str) else found
