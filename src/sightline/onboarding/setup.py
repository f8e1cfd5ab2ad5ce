"""Completing the setup of a tracked domain: brand, competitors, markets, prompts, and then the first scan."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

import msgspec

from sightline.accounts.queries import lock_workspace
from sightline.competitors.review import add_competitor
from sightline.db.engine import Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import Aliases, CompetitorInput, Name, OwnedDomains
from sightline.domains.tracking import queries
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.domains.tracking.read import lock_domain
from sightline.errors import FaultCollector, Problem, invalid_field
from sightline.insights.editor.overrides import store_category
from sightline.plans.table import PlanTable
from sightline.prompts.add import add_prompts_at_setup, add_unpinned
from sightline.prompts.identity import CleanPrompt, clean_prompt
from sightline.prompts.limits import lock_workspace_and_domain
from sightline.prompts.market_codes import clean_country, clean_language
from sightline.prompts.models import NewPrompt
from sightline.scans.scheduling.first_check import start_first_check
from sightline.scans.scheduling.models import CheckRules
from sightline.scans.scheduling.platform_choice import choose_platforms
from sightline.scans.stored import ScanRow
from sightline.scans.suggestions.templates import read_category

Texts = Annotated[list[str], msgspec.Meta(max_length=500)]


class SetupInput(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a setup. Each prompt is asked in each country, or without countries once for the Global market."""

    brand_name: Name | msgspec.UnsetType = msgspec.UNSET
    aliases: Aliases | msgspec.UnsetType = msgspec.UNSET
    owned_domains: OwnedDomains | msgspec.UnsetType = msgspec.UNSET
    competitors: Annotated[list[CompetitorInput], msgspec.Meta(max_length=20)] = []
    language_code: str
    countries: Annotated[list[str], msgspec.Meta(max_length=50)] = []
    prompts: Texts = []
    suggested: Texts = []
    """The accepted suggestions."""
    platforms: list[str] | None = None
    """None stands for all platforms of the plan."""
    category: str | None = None
    """What is sold. Later suggestions are about it."""


class CompletedSetup(msgspec.Struct, frozen=True):
    domain: TrackedDomainRow
    first_check: ScanRow | None
    """None if the workspace has already had its free audit."""


async def complete_setup(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID | None,
    payload: SetupInput,
    *,
    rules: CheckRules,
    now: datetime,
) -> CompletedSetup:
    """Activate the domain, anchor its weekly schedule now, and enqueue its first scan, all in one transaction.

    Refused: a domain that is already set up (409), invalid fields, such as a platform that the plan does not include
    (422), more prompts than the plan allows (409), and a setup while no chosen platform is available (422).
    """
    await lock_workspace(tx, workspace_id)  # before the domain, as everywhere, to avoid deadlocks
    record = await lock_domain(tx, workspace_id, domain_id)
    if record.status != "setup":
        raise Problem("domain_exists", domain_id=str(record.id))
    language, countries = _clean_markets(payload)
    brand = BrandChanges(payload.brand_name, payload.aliases, payload.owned_domains)
    await name_brands(tx, workspace_id, record.id, brand, payload.competitors, now=now)
    prompts = _choose_prompts(payload, language, countries)
    await _add_prompts(tx, workspace_id, record.id, prompts, rules.plans, now=now)
    if category := read_category(payload.category):
        await store_category(tx, workspace_id, record.id, category, language)
    market = Market(language, list(countries))
    return await start_checks(
        tx, workspace_id, record.id, payload.platforms, market, anchor_at=now, rules=rules, now=now
    )


class Market(NamedTuple):
    """The language and the countries that a domain is set up for."""

    language: str | None
    countries: list[str]


async def name_brands(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    brand: BrandChanges,
    competitors: Sequence[CompetitorInput],
    *,
    now: datetime,
) -> None:
    """Store the names of the brand and its competitors. A refusal names the place of the competitor in the list."""
    await change_tracked_domain(tx, workspace_id, domain_id, brand, now=now)
    for index, competitor in enumerate(competitors):
        await _add_competitor(tx, workspace_id, domain_id, competitor, index, now=now)


async def start_checks(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    platforms: Sequence[str] | None,
    market: Market,
    *,
    anchor_at: datetime,
    rules: CheckRules,
    now: datetime,
) -> CompletedSetup:
    """Activate a domain whose prompts are stored, and enqueue its first scan. Its weeks begin at `anchor_at`."""
    await choose_platforms(tx, workspace_id, domain_id, platforms, rules=rules)
    await queries.complete_setup(
        tx,
        workspace_id,
        domain_id,
        language_code=market.language,
        countries=market.countries,
        now=anchor_at,
    )
    first_check = await start_first_check(tx, workspace_id, domain_id, rules=rules, now=now)
    domain = await find_tracked_domain(tx, workspace_id, domain_id)
    assert domain is not None
    return CompletedSetup(domain, first_check)


def _clean_markets(payload: SetupInput) -> tuple[str, tuple[str, ...]]:
    """Return the language, and each country once."""
    language, countries, faults = "", [], FaultCollector()
    try:
        language = clean_language(payload.language_code)
    except ValueError as error:
        faults.add("language_code", str(error), "unknown")
    for index, country in enumerate(payload.countries):
        try:
            countries.append(clean_country(country))
        except ValueError as error:
            faults.add(f"countries[{index}]", str(error), "unknown")
    faults.raise_if_any()
    return language, tuple(dict.fromkeys(countries))


async def _add_competitor(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    competitor: CompetitorInput,
    index: int,
    *,
    now: datetime,
) -> None:
    """Add a competitor. A refusal names its place in the list."""
    names = [competitor.name] if competitor.name else []
    faults = FaultCollector()
    with faults.catch(at=f"competitors[{index}]."):
        await add_competitor(tx, workspace_id, domain_id, competitor.domain, names, now=now)
    faults.raise_if_any()


class _ChosenPrompts(NamedTuple):
    own: Sequence[NewPrompt]
    suggested: Sequence[CleanPrompt]


def _choose_prompts(payload: SetupInput, language: str, countries: Sequence[str]) -> _ChosenPrompts:
    """Return the customer's own prompts and the suggested ones, in each country. Refused: none at all (422)."""
    if not payload.prompts and not payload.suggested:
        raise invalid_field("prompts", "a domain needs at least one prompt", "required")
    markets: Sequence[str | None] = countries or (None,)
    own = [NewPrompt(text, language, country) for text in payload.prompts for country in markets]
    distinct: dict[object, CleanPrompt] = {}
    for index, text in enumerate(payload.suggested):
        for country in markets:
            clean = clean_prompt(text, country, language, at=f"suggested[{index}].")
            distinct.setdefault(clean.identity, clean)
    return _ChosenPrompts(own, list(distinct.values()))


async def _add_prompts(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    prompts: _ChosenPrompts,
    plans: PlanTable,
    *,
    now: datetime,
) -> None:
    """Add the customer's own prompts, then the suggested ones that are not among them."""
    await add_prompts_at_setup(tx, workspace_id, domain_id, prompts.own, plans, now=now)
    held = await lock_workspace_and_domain(tx, workspace_id, domain_id, plans)
    await add_unpinned(tx, held, prompts.suggested, "suggested", now=now)
