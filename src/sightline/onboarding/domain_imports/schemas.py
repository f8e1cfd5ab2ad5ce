"""Schemas of imports of domains in the Data API."""

import uuid
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import MAX_ALIASES
from sightline.errors import Problem, invalid_fields
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.kit.rounding import round_half_away
from sightline.onboarding.domain_imports.models import MAX_ROWS, DomainImportPlan, TypedRow
from sightline.prompts.imports.models import ImportFault

_DECIMALS = 6  # of US dollars, as in the list of costs
_FIELDS = {"brand": "brand_name", "language": "language_code"}
"""The members of a row whose names differ from those of a file's columns."""
Text = Annotated[str, Meta(max_length=500)]
Usd = Annotated[
    float | None,
    Meta(description="Expected cost for the operator in US dollars. Null if no price is known."),
]


class ImportedDomainInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A domain to set up."""

    domain: Annotated[str, Meta(min_length=1, max_length=2_048, description="Host name or URL.")]
    brand_name: Annotated[Text, Meta(description="Name of the brand. Without it, the first part of the domain.")] = ""
    aliases: Annotated[list[Text], Meta(max_length=MAX_ALIASES, description="Other names of the brand.")] = []
    client: Annotated[
        Text, Meta(description="Name or id of its client. A client with a new name is added. Empty for none.")
    ] = ""
    competitors: Annotated[list[Text], Meta(max_length=20, description="Domains of competitors.")] = []
    countries: Annotated[
        list[Text], Meta(max_length=50, description="Countries of all prompts, instead of the template's.")
    ] = []
    language_code: Annotated[
        Text, Meta(description="Language: only prompts of the template in this language are used.")
    ] = ""
    prompts: Annotated[list[Text], Meta(max_length=500, description="Prompts in addition to the template's.")] = []
    tags: Annotated[list[Text], Meta(max_length=10, description="Tags of all prompts, besides the template's.")] = []


class DomainImportInput(msgspec.Struct, frozen=True, kw_only=True):
    """Domains to set up: all of them are created, or none."""

    rows: Annotated[
        list[ImportedDomainInput], Meta(min_length=1, max_length=MAX_ROWS, description="The domains, in any order.")
    ]
    template_domain_id: Annotated[
        str | None,
        Meta(
            description="Id of a tracked domain: the new ones get its prompts with their tags, pins and countries, its "
            "platforms, and its day and time of checks. Where a prompt names its brand, the new brand is named."
        ),
    ] = None


class PlannedDomainView(msgspec.Struct, frozen=True):
    """A domain that an import would create."""

    domain: Annotated[str, Meta(description="The domain.")]
    client: Annotated[str | None, Meta(description="Name of its client. Null for none.")]
    prompts: Annotated[int, Meta(description="Number of its prompts, each country counted.")]


class DomainImportPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would create, and what its checks would ask and cost."""

    domains: Annotated[list[PlannedDomainView], Meta(description="The domains, in the order of the rows.")]
    new_clients: Annotated[list[str], Meta(description="Names of the clients that would be added.")]
    prompts: Annotated[int, Meta(description="Number of prompts of all domains.")]
    answers_first_check: Annotated[int, Meta(description="Answers that the first checks ask for. They start at once.")]
    answers_per_week: Annotated[int, Meta(description="Answers that all checks of a week ask for.")]
    check_usd: Usd
    week_usd: Usd
    month_usd: Usd
    unpriced_platforms: Annotated[list[str], Meta(description="Platforms whose price is not known.")]


class CreatedDomain(msgspec.Struct, frozen=True):
    """A domain that an import created."""

    id: Annotated[uuid.UUID, Meta(description="Id of the tracked domain.")]
    domain: Annotated[str, Meta(description="The domain.")]


class DomainImport(msgspec.Struct, frozen=True):
    """The domains that an import created."""

    domains: Annotated[list[CreatedDomain], Meta(description="The domains, in the order of the rows.")]


def to_typed_rows(payload: DomainImportInput) -> list[TypedRow]:
    return [
        TypedRow(
            line=place,
            domain=each.domain.strip(),
            brand=" ".join(each.brand_name.split()),
            aliases=tuple(each.aliases),
            client=" ".join(each.client.split()),
            competitors=tuple(each.competitors),
            countries=tuple(each.countries),
            language=each.language_code.strip(),
            prompts=tuple(each.prompts),
            tags=tuple(each.tags),
        )
        for place, each in enumerate(payload.rows, start=1)
    ]


def refuse_rows(faults: Sequence[ImportFault]) -> Problem:
    """Return the refusal of an import (422), with the row and the member of each fault."""
    return invalid_fields(*((_name_place(each), each.message, "row_refused") for each in faults))


def _name_place(fault: ImportFault) -> str:
    if fault.line is None:
        return "rows"
    field = fault.field or "domain"
    return f"rows[{fault.line - 1}].{_FIELDS.get(field, field)}"


def to_preview(plan: DomainImportPlan) -> DomainImportPreview:
    costs = plan.costs
    return DomainImportPreview(
        domains=[PlannedDomainView(each.domain, each.client or None, len(each.prompts)) for each in plan.domains],
        new_clients=plan.new_clients,
        prompts=plan.added_prompts,
        answers_first_check=plan.answers.full,
        answers_per_week=plan.answers.total,
        check_usd=_round(costs.check_usd),
        week_usd=_round(costs.week_usd),
        month_usd=_round(costs.month_usd),
        unpriced_platforms=costs.unpriced,
    )


def to_domain_import(made: Sequence[TrackedDomainRow]) -> DomainImport:
    return DomainImport([CreatedDomain(each.id, each.domain) for each in made])


def _round(amount: float | None) -> float | None:
    return None if amount is None else round_half_away(amount, _DECIMALS)


# Examples

_INPUT = {
    "template_domain_id": str(TRACKED_DOMAIN_ID),
    "rows": [{"domain": "globex.com", "brand_name": "Globex", "client": "Globex Group", "competitors": ["hooli.com"]}],
}

EXAMPLES = {
    "preview_domain_import": Example(
        DomainImportPreview(
            domains=[PlannedDomainView("globex.com", "Globex Group", 10)],
            new_clients=["Globex Group"],
            prompts=10,
            answers_first_check=30,
            answers_per_week=210,
            check_usd=0.42,
            week_usd=2.94,
            month_usd=12.783594,
            unpriced_platforms=[],
        ),
        _INPUT,
    ),
    "import_domains": Example(
        DomainImport([CreatedDomain(uuid.UUID("0197a7c0-4a1e-7d33-9b58-c2f07e61d894"), "globex.com")]), _INPUT
    ),
}
