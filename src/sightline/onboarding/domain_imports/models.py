"""What an import of domains consists of, from its rows to what will be created."""

import uuid
from collections.abc import Mapping

import msgspec

from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import CompetitorInput
from sightline.insights.cost_forecast import CostForecast, PlannedAnswers
from sightline.prompts.imports.models import ImportedPrompt, ImportFault
from sightline.prompts.models import PromptRow

MAX_ROWS = 100
MAX_CLIENT_LENGTH = 100


class TypedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row as it was typed. Lists are separated already."""

    line: int
    """The line of the file, or the place in the request, counted from 1."""
    domain: str
    brand: str = ""
    aliases: tuple[str, ...] = ()
    client: str = ""
    competitors: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    language: str = ""
    prompts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class TypedRows(msgspec.Struct, frozen=True, kw_only=True):
    """The rows of a file, or what is wrong with it."""

    rows: tuple[TypedRow, ...] = ()
    faults: tuple[ImportFault, ...] = ()
    unused_columns: tuple[str, ...] = ()


class Template(msgspec.Struct, frozen=True):
    """The domain whose prompts, platforms, countries, tags and schedule new domains get."""

    domain: TrackedDomainRow
    prompts: tuple[PromptRow, ...]


class PlannedDomain(msgspec.Struct, frozen=True, kw_only=True):
    """A domain that will be created."""

    line: int
    domain: str
    brand_name: str | None
    """None lets Sightline take the name from the domain."""
    aliases: list[str]
    client: str
    competitors: list[CompetitorInput]
    language: str | None
    countries: list[str]
    prompts: tuple[ImportedPrompt, ...]


class DomainImportPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What an import would create, what its checks ask and cost, and what is wrong with it."""

    template: Template | None
    domains: tuple[PlannedDomain, ...]
    known_clients: Mapping[str, uuid.UUID]
    """The clients of the workspace, by their name in lower case."""
    answers: PlannedAnswers
    """What the checks of all new domains ask for together."""
    costs: CostForecast
    used_domains: int
    max_domains: int
    used_prompts: int
    max_prompts: int
    faults: tuple[ImportFault, ...] = ()

    @property
    def added_prompts(self) -> int:
        return sum(len(each.prompts) for each in self.domains)

    @property
    def new_clients(self) -> list[str]:
        """Return the clients that would be added, each once."""
        named = {each.client.casefold(): each.client for each in self.domains if each.client}
        return [name for key, name in named.items() if key not in self.known_clients]
