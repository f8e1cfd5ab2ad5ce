"""Suggesting competitors for a domain that is being set up."""

from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import CompetitorInput
from sightline.platforms.access import is_sandbox
from sightline.platforms.sandbox.market import build_market
from sightline.scans.brands import build_tracked_brands
from sightline.scans.platform_clients import build_subject
from sightline.settings import Settings

_MAX_COMPETITORS = 5


def suggest_competitors_at_setup(settings: Settings, domain: TrackedDomainRow) -> list[CompetitorInput]:
    """Return the strongest competitors of the made-up market of a sandbox.

    With connected platforms it returns none: the first scan shows which competitors the answers name.
    """
    if not is_sandbox(settings):
        return []
    market = build_market(build_subject(domain.domain, build_tracked_brands(domain, []).brand, []))
    strongest = sorted(market.rivals, key=lambda competitor: -competitor.base)[:_MAX_COMPETITORS]
    return [CompetitorInput(each.domain, each.name) for each in strongest]
