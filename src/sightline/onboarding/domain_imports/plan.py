"""What an import of domains would create and cost, before anything is stored: rows cleaned, and limits of the plan."""

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

import msgspec

from sightline.accounts.models import Actor
from sightline.clients.manage import MAX_CLIENTS, list_clients_by_name
from sightline.db.engine import Reader
from sightline.domains.names import clean_domain, first_label
from sightline.domains.schemas import CompetitorInput
from sightline.domains.tracking.queries import list_tracked_names
from sightline.domains.tracking.read import read_tracked_domain
from sightline.errors import Problem
from sightline.insights.cost_forecast import PlannedAnswers, forecast_costs, plan_answers
from sightline.kit.ids import parse_id
from sightline.onboarding.domain_imports.models import (
    MAX_CLIENT_LENGTH,
    DomainImportPlan,
    PlannedDomain,
    Template,
    TypedRow,
)
from sightline.plans.entitlements import require_clients
from sightline.plans.table import PlanTable, runs_scheduled_checks
from sightline.platforms.pauses import read_enabled
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import format_number
from sightline.prompts.identity import clean_prompt
from sightline.prompts.imports.models import ImportedPrompt, ImportFault
from sightline.prompts.market_names import read_countries, read_language
from sightline.prompts.queries import count_active_prompts, list_prompts
from sightline.prompts.tags.names import clean_tags
from sightline.scans.scheduling.models import build_check_rules
from sightline.scans.scheduling.platform_choice import select_platforms
from sightline.settings import Settings

_TOO_MANY_DOMAINS = translatable("The plan tracks %(most)s domains. %(used)s are used, and this import adds %(added)s.")
_TOO_MANY_PROMPTS = translatable("The plan tracks %(most)s prompts. %(used)s are used, and this import adds %(added)s.")
_TOO_MANY_CLIENTS = translatable(
    "A workspace has at most %(most)s clients. It has %(used)s, and this import adds %(added)s."
)
_MAX_TEMPLATE_PROMPTS = 500
_MAX_COMPETITORS = 20
_MAX_ALIASES = 50
_MAX_NAME = 200
_MAX_FAULTS = 50

Read = TypeVar("Read")


async def find_template(db: Reader, actor: Actor, template_id: uuid.UUID | None) -> Template:
    """Return a domain as a template, with its active prompts. Refused: an unknown one (404)."""
    domain = await read_tracked_domain(db, actor, template_id)
    prompts = await list_prompts(db, actor.workspace_id, domain.id, after=None, limit=_MAX_TEMPLATE_PROMPTS)
    return Template(domain, tuple(prompts))


async def plan_domain_import(
    db: Reader,
    actor: Actor,
    rows: Sequence[TypedRow],
    template: Template | None,
    *,
    settings: Settings,
    plans: PlanTable,
    now: datetime,
) -> DomainImportPlan:
    """Return what creating the domains would do and cost now. Refused: a plan without clients (403)."""
    require_clients(actor.plan)
    grants, rules = plans[actor.plan], build_check_rules(settings)
    tracked = await list_tracked_names(db, actor.workspace_id)
    clients = await list_clients_by_name(db, actor)
    known = {each.name.casefold(): each.id for each in clients}
    named = {str(each.id): each.name for each in clients}
    faults: list[ImportFault] = []
    domains: list[PlannedDomain] = []
    lines: dict[str, int] = {}
    for row in rows:
        reader = _RowReader(row, template, named)
        planned = reader.read()
        if planned is not None:
            reader.refuse_known(planned.domain, lines, tracked)
            domains.append(planned)
        faults += reader.faults
        if len(faults) >= _MAX_FAULTS:
            break
    enabled = await read_enabled(db, rules.enabled)
    chosen = None if template is None else template.domain.chosen_platforms
    platforms = [key for key in select_platforms(grants, chosen) if key in enabled]
    each_asks = [
        plan_answers(actor.plan, grants, prompts=len(each.prompts), platforms=len(platforms)) for each in domains
    ]
    answers = PlannedAnswers(
        sum(each.prompts for each in each_asks),
        len(platforms),
        sum(each.daily_prompts for each in each_asks),
        not runs_scheduled_checks(actor.plan),
    )
    made = DomainImportPlan(
        template=template,
        domains=tuple(domains),
        known_clients=known,
        answers=answers,
        costs=await forecast_costs(db, settings, actor.workspace_id, answers, platforms, now=now),
        used_domains=len(tracked),
        max_domains=grants.tracked_domains,
        used_prompts=await count_active_prompts(db, actor.workspace_id),
        max_prompts=grants.tracked_prompts,
        faults=tuple(faults[:_MAX_FAULTS]),
    )
    return _add_limit_faults(made)


def _add_limit_faults(plan: DomainImportPlan) -> DomainImportPlan:
    limits = (
        (_TOO_MANY_DOMAINS, len(plan.domains), plan.used_domains, plan.max_domains),
        (_TOO_MANY_PROMPTS, plan.added_prompts, plan.used_prompts, plan.max_prompts),
        (_TOO_MANY_CLIENTS, len(plan.new_clients), len(plan.known_clients), MAX_CLIENTS),
    )
    found = [
        ImportFault(None, gettext(text, most=format_number(most), used=format_number(used), added=format_number(added)))
        for text, added, used, most in limits
        if added and used + added > most
    ]
    return msgspec.structs.replace(plan, faults=(*plan.faults, *found))


class _RowReader:
    """Cleans one row, and collects what is wrong with it."""

    def __init__(self, row: TypedRow, template: Template | None, clients: Mapping[str, str]) -> None:
        self._row, self._template, self._clients = row, template, clients
        self.faults: list[ImportFault] = []

    def read(self) -> PlannedDomain | None:
        row = self._row
        domain = self._try("domain", lambda: clean_domain(row.domain, livemode=True), "")
        language = self._try("language", lambda: read_language(row.language) if row.language else None, None)
        countries: list[str] = self._try("countries", lambda: read_countries(",".join(row.countries)), list[str]())
        tags = self._try("tags", lambda: clean_tags(row.tags), tuple[str, ...]())
        for field, names in (("brand", (row.brand,)), ("aliases", row.aliases)):
            if any(len(name) > _MAX_NAME or not name.isprintable() for name in names):
                self._refuse(field, gettext("a name has 1 to %(most)s visible characters.", most=_MAX_NAME))
        if len(row.aliases) > _MAX_ALIASES:
            self._refuse("aliases", gettext("a brand has at most %(most)s other names.", most=_MAX_ALIASES))
        client = self._read_client()
        competitors = self._read_competitors(domain)
        if self.faults:
            return None
        brand = row.brand or first_label(domain)
        prompts = self._list_prompts(brand, language, countries, tags)
        if self.faults:
            return None
        return PlannedDomain(
            line=row.line,
            domain=domain,
            brand_name=row.brand or None,
            aliases=list(row.aliases),
            client=client,
            competitors=competitors,
            language=language or prompts[0].prompt.language_code,
            countries=list(dict.fromkeys(each.prompt.country_iso_2 for each in prompts if each.prompt.country_iso_2)),
            prompts=prompts,
        )

    def refuse_known(self, domain: str, lines: dict[str, int], tracked: frozenset[str]) -> None:
        """Refuse a domain that the workspace tracks, or that an earlier line names."""
        if domain in tracked:
            self._refuse("domain", gettext("%(domain)s is tracked already.", domain=domain))
        elif domain in lines:
            self._refuse("domain", gettext("%(domain)s is on line %(line)s, too.", domain=domain, line=lines[domain]))
        lines.setdefault(domain, self._row.line)

    def _try(self, field: str, read: Callable[[], Read], fallback: Read) -> Read:
        try:
            return read()
        except ValueError as error:
            self._refuse(field, str(error))
            return fallback

    def _refuse(self, field: str, message: str) -> None:
        self.faults.append(ImportFault(self._row.line, message.rstrip(".") + ".", field))

    def _read_client(self) -> str:
        """Return the name of the client. One that is given by its id must exist; a new name adds a client."""
        name = self._row.client
        if parse_id(name) is not None:
            if name.lower() not in self._clients:
                self._refuse("client", gettext("the workspace has no client with this id."))
            return self._clients.get(name.lower(), "")
        if len(name) > MAX_CLIENT_LENGTH or not name.isprintable():
            self._refuse("client", gettext("a client's name has 1 to %(most)s visible characters.", most=100))
        return name

    def _read_competitors(self, domain: str) -> list[CompetitorInput]:
        found: dict[str, CompetitorInput] = {}
        for typed in self._row.competitors:
            rival = self._try("competitors", partial(clean_domain, typed, livemode=True), "")
            if rival and (rival == domain or rival.endswith(f".{domain}")):
                self._refuse("competitors", gettext("%(domain)s is the brand's own domain.", domain=rival))
            elif rival:
                found.setdefault(rival, CompetitorInput(rival))
        if len(found) > _MAX_COMPETITORS:
            self._refuse("competitors", gettext("a domain has at most %(most)s competitors.", most=_MAX_COMPETITORS))
        return list(found.values())

    def _list_prompts(
        self, brand: str, language: str | None, countries: Sequence[str], tags: tuple[str, ...]
    ) -> tuple[ImportedPrompt, ...]:
        """Return the prompts of the template, with the new brand's name for its own, and those of the row."""
        row, template = self._row, self._template
        found: dict[object, ImportedPrompt] = {}
        for each in () if template is None else template.prompts:
            if language is None or each.language_code == language:
                text = _replace_brand(each.prompt, template, brand)
                markets: Sequence[str | None] = countries or [each.country_iso_2]
                all_tags = self._try("tags", partial(clean_tags, (*each.tags, *tags)), tuple[str, ...]())
                for country in markets:
                    self._add(found, text, country, each.language_code, all_tags, pinned=each.pinned_at is not None)
        own_language = language or _find_language(template)
        own_countries: Sequence[str | None] = countries or _list_countries(template) or [None]
        if row.prompts and own_language is None:
            self._refuse("language", gettext("the prompts of this line need a language."))
        for text in row.prompts:
            for country in own_countries:
                self._add(found, text, country, own_language, tags, pinned=False)
        if not found and not self.faults:
            self._refuse_without_prompts(language)
        return tuple(found.values())

    def _refuse_without_prompts(self, language: str | None) -> None:
        if self._template is not None and language is not None and self._template.prompts:
            self._refuse("language", gettext("the template has no prompts in this language."))
        else:
            self._refuse("prompts", gettext("a domain needs prompts: choose a template, or fill the column “prompts”."))

    def _add(
        self,
        found: dict[object, ImportedPrompt],
        text: str,
        country: str | None,
        language: str | None,
        tags: tuple[str, ...],
        *,
        pinned: bool,
    ) -> None:
        try:
            prompt = clean_prompt(text, country, language)
        except Problem:
            self._refuse("prompts", gettext("“%(text)s” cannot be a prompt.", text=text[:60]))
            return
        identity = prompt.identity
        asked = ImportedPrompt(line=self._row.line, prompt=prompt, identity=identity, tags=tags, pinned=pinned)
        found.setdefault(identity, asked)


def _find_language(template: Template | None) -> str | None:
    return next((each.language_code for each in template.prompts if each.language_code), None) if template else None


def _list_countries(template: Template | None) -> list[str | None]:
    return list(dict.fromkeys(each.country_iso_2 for each in template.prompts)) if template else []


def _replace_brand(text: str, template: Template | None, brand: str) -> str:
    """Return the prompt with the new brand's name in the place of the template's: nobody asks for the template."""
    if template is None:
        return text
    names = sorted((template.domain.brand_name, *template.domain.aliases), key=len, reverse=True)
    own = "|".join(re.escape(name) for name in names if name)
    return re.sub(rf"(?<!\w)(?:{own})(?!\w)", lambda _: brand, text, flags=re.IGNORECASE) if own else text
