"""What the filter of a domain's pages can be set to. Any other value in an address is refused with a sentence."""

import uuid
from collections.abc import Sequence

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.kit.ids import parse_id
from sightline.platforms.catalog import PLATFORMS
from sightline.presentation.language import gettext
from sightline.scoreboard.models import CheckRow
from sightline.scoreboard.queries import find_latest_source
from sightline.scoreboard.subsets import queries
from sightline.scoreboard.subsets.filter import PREVIOUS_PERIOD, MeasurementFilter

_MAX_CHECKS = 60


class FilterChoices(msgspec.Struct, frozen=True, kw_only=True):
    """The values of one domain, each list in the order in which people choose from it."""

    platforms: Sequence[str] = ()
    countries: Sequence[str] = ()
    languages: Sequence[str] = ()
    tags: Sequence[str] = ()
    checks: Sequence[CheckRow] = ()

    def refuse_unknown(self, wanted: MeasurementFilter) -> tuple[MeasurementFilter, tuple[str, ...]]:
        """Return the filter without values that the domain does not have, and a sentence about each of them."""
        known = {
            "platform": (
                self.platforms,
                gettext("This domain has no answers from “%(value)s”.", value=wanted.platform),
            ),
            "country": (
                self.countries,
                gettext("This domain has no prompts for the country “%(value)s”.", value=wanted.country),
            ),
            "language": (
                self.languages,
                gettext("This domain has no prompts in the language “%(value)s”.", value=wanted.language),
            ),
            "tag": (self.tags, gettext("This domain has no prompts tagged “%(value)s”.", value=wanted.tag)),
            "against": (
                [PREVIOUS_PERIOD, *(str(check.id) for check in self.checks)],
                gettext("The check to compare with is not a check of this domain."),
            ),
        }
        wrong = {
            name: fault for name, (values, fault) in known.items() if wanted.values.get(name, "") not in ("", *values)
        }
        return msgspec.structs.replace(wanted, **dict.fromkeys(wrong, "")), tuple(wrong.values())


async def read_choices(
    db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow, wanted: MeasurementFilter
) -> FilterChoices:
    """Return what the filter can be set to, with the latest checks and the chosen one if it is older."""
    values = await queries.read_values(db, workspace_id, domain.id)
    source = await find_latest_source(db, workspace_id, domain.id) or "live"
    platforms = values.platforms or domain.platforms  # before the first check, what it will ask
    return FilterChoices(
        platforms=[each.key for each in PLATFORMS if each.key in platforms],
        countries=sorted(values.countries, key=lambda code: (code != "global", code)),
        languages=values.languages,
        tags=values.tags,
        checks=await queries.list_checks(
            db, workspace_id, domain.id, source, limit=_MAX_CHECKS, chosen=parse_id(wanted.against)
        ),
    )
