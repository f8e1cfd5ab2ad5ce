"""The inputs of insights: the answers of a Full Check or of a file, the rivals that they name, and what came before."""

import asyncio
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sightline.answers.candidates import merge_key
from sightline.answers.characters import fold
from sightline.answers.citations import SiteOwners
from sightline.answers.models import Brand, Citation
from sightline.answers.name_words import is_ordinary
from sightline.answers.ordinary_words import commonness
from sightline.db.engine import Database
from sightline.metrics.discovery import CompetitorSuggestion
from sightline.metrics.observation import Observation
from sightline.platforms.catalog import PLATFORMS
from sightline.scans.models import ScanAnswer, ScanPlan
from sightline.scans.observations import ObservedCell, find_branded, observe
from sightline.scans.rivals import find_rivals, map_makers
from sightline.scans.running.queries import read_answers
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import AnswerRow, ScanRow, to_answer
from sightline.scoreboard.models import PromptScanRow, UncitedPlatforms
from sightline.scoreboard.prompt_statistics import period_start
from sightline.scoreboard.queries import list_prompt_scans_between

# "MacBook Air", but not "X1" and not "11".
_STANDS_ALONE = re.compile(r"[^\W\d_]{4}")
_PLATFORM_COMPANIES = frozenset(platform.company for platform in PLATFORMS)
OWN_BRAND = 0
"""The index of the measured brand among the tracked ones."""


class Rival(msgspec.Struct, frozen=True, kw_only=True):
    """A brand that answers name and that is not the measured one: a tracked competitor, or a discovered brand."""

    name: str
    domains: tuple[str, ...]
    products: tuple[str, ...] = ()
    """Names of products that stand for it where an answer leaves its name out: "MacBook Air" for Apple."""
    tracked: bool
    found_as: str | None = None
    """The part of a discovered name that answers present in lists."""


class InsightInputs(msgspec.Struct, frozen=True, kw_only=True):
    plan: ScanPlan
    answers: Sequence[ScanAnswer]
    """The valid answers, in the order of the plan. In a file, a cell may have several."""
    observations: tuple[tuple[Observation, ...], ...]
    """One tuple per brand of `plan.tracked`, the measured brand first. Each has one observation per valid answer, in
    the order of `answers`."""
    branded: frozenset[str]
    """The ids of the prompts that name the brand."""
    rivals: tuple[Rival, ...]
    """Tracked competitors in the order of the plan, then discovered brands, strongest first."""
    named: Mapping[str, frozenset[str]]
    """The names of the rivals that an answer names, by the id of the answer."""
    prompt_scans: Sequence[PromptScanRow] = ()
    """The prompt scans of the last thirty days, oldest first, including this scan. A file has none."""

    @property
    def brand(self) -> Brand:
        return self.plan.brand

    @property
    def brand_names(self) -> tuple[str, ...]:
        """Return the names and domains of the brand."""
        return (self.brand.name, *self.brand.aliases, *self.brand.domains)

    def group_answers_by_prompt(self) -> Mapping[str, list[ScanAnswer]]:
        found: dict[str, list[ScanAnswer]] = {}
        for answer in self.answers:
            found.setdefault(answer.prompt.id, []).append(answer)
        return found

    def find_gap_answers(self) -> frozenset[str]:
        """Return the ids of the valid answers that name a rival and not the brand."""
        return frozenset(
            answer.id
            for answer, own in zip(self.answers, self.observations[OWN_BRAND], strict=True)
            if not own.mentioned and self.named[answer.id]
        )


class Ownership:
    """Finds the tracked brands that own a cited page, with a cache, because the same few sites are cited everywhere."""

    def __init__(self, plan: ScanPlan) -> None:
        self._owners = SiteOwners([brand.domains for brand in plan.tracked])
        self._known: dict[tuple[str, str], frozenset[int]] = {}

    def find_owners(self, citation: Citation) -> frozenset[int]:
        site = (citation.host, citation.domain)
        found = self._known.get(site)
        if found is None:
            found = self._known[site] = frozenset(self._owners.of(citation))
        return found


async def read_insight_inputs(db: Database, scan: ScanRow, *, uncited: UncitedPlatforms) -> InsightInputs:
    assert scan.completed_at is not None
    rows = await read_answers(db, scan.workspace_id, scan.id)
    prompt_scans = await list_prompt_scans_between(
        db, scan, since=period_start(scan.completed_at), until=scan.completed_at
    )
    plan = build_plan(scan, uncited[scan.answers_source])
    return await asyncio.to_thread(_build_from_rows, plan, rows, prompt_scans)


def _build_from_rows(plan: ScanPlan, rows: Sequence[AnswerRow], prompt_scans: Sequence[PromptScanRow]) -> InsightInputs:
    order = {platform: index for index, platform in enumerate(plan.platforms)}
    ordered = sorted(rows, key=lambda row: (row.prompt_index, order[row.platform]))
    return build_insight_inputs(plan, [to_answer(row, plan.prompts[row.prompt_index]) for row in ordered], prompt_scans)


def build_insight_inputs(
    plan: ScanPlan,
    answers: Sequence[ScanAnswer],
    prompt_scans: Sequence[PromptScanRow] = (),
    *,
    discovered: Sequence[CompetitorSuggestion] | None = None,
) -> InsightInputs:
    """Build the inputs from the answers of a scan or a file. Answers that are not valid are left out.

    `discovered` are the untracked rivals, where the editor has chosen them.
    """
    valid = [answer for answer in answers if answer.analysis is not None]
    branded = find_branded(plan)
    # The dictionary of ordinary words is English: elsewhere, "Dairy" in "Globex Dairy" would look like a product.
    is_english = all(prompt.language in {None, "en"} for prompt in plan.prompts)
    discovered = find_rivals(plan, valid) if discovered is None else discovered
    rivals = (
        *(Rival(name=brand.name, domains=brand.domains, tracked=True) for brand in plan.competitors),
        *(
            Rival(
                name=found.name,
                domains=(found.domain,) if found.domain else (),
                products=_list_products(found.name, found.products) if is_english else (),
                tracked=False,
                found_as=found.found_as,
            )
            for found in (suggestion.candidate for suggestion in discovered)
        ),
    )
    return InsightInputs(
        plan=plan,
        answers=valid,
        observations=tuple(
            tuple(
                observe(plan, index, ObservedCell(answer.prompt, answer.platform, answer, answer.prompt.id in branded))
                for answer in valid
            )
            for index in range(1 + len(plan.competitors))
        ),
        branded=branded,
        rivals=rivals,
        named=_find_named_rivals(valid, rivals),
        prompt_scans=prompt_scans,
    )


def _list_products(maker: str, products: Iterable[str]) -> tuple[str, ...]:
    """Return the products without their maker's name, if they begin with a word that is a name on its own."""
    found = dict.fromkeys(
        name.removeprefix(maker).strip() for name in products if fold(name).startswith(f"{fold(maker)} ")
    )
    return tuple(name for name in found if _STANDS_ALONE.match(name) and not is_ordinary(name.split()[0]))


def _find_named_rivals(answers: Sequence[ScanAnswer], rivals: Sequence[Rival]) -> dict[str, frozenset[str]]:
    makers = map_makers(answers)
    discovered = {merge_key(rival.found_as or rival.name): rival.name for rival in rivals if not rival.tracked}
    found: dict[str, frozenset[str]] = {}
    written = _compile_names(discovered.values())
    products = {product: rival.name for rival in rivals for product in rival.products}
    made = _compile_names(products)
    for answer in answers:
        assert answer.analysis is not None
        tracked = {brand.name for brand in answer.analysis.brands[1:] if brand.mentioned}
        presented = {merge_key(makers[each.name]) for each in answer.candidates if each.name in makers}
        in_passing = written.findall(answer.text) if written else ()
        by_product = {products[each] for each in made.findall(answer.text)} if made else set[str]()
        found[answer.id] = frozenset(
            tracked | {discovered[key] for key in presented & discovered.keys()} | set(in_passing) | by_product
        )
    return found


def _compile_names(names: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds discovered names where an answer names them in passing, as they are written.

    A name that is a common word, such as "Instant", counts only where an answer presents it as a brand. The same
    holds for the company behind a platform, which signs its answers. "BMW", in capitals, is not a common word.
    """
    distinct = [name for name in names if commonness(name) < 2 or (len(name) > 2 and name.isupper())]
    distinct = [name for name in distinct if name not in _PLATFORM_COMPANIES]
    distinct.sort(key=lambda name: (-len(name), name))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, distinct))})(?!\w)") if distinct else None


def to_uuids(answer_ids: Sequence[str | None]) -> tuple[uuid.UUID, ...]:
    return tuple(uuid.UUID(answer_id) for answer_id in answer_ids if answer_id)
