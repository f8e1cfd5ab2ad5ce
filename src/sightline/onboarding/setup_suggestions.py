"""Suggesting prompts and competitors for a domain that is being set up.

A connected platform is asked for prompts, outside any transaction.
"""

from collections.abc import Sequence
from datetime import date

from sightline.answers.models import Brand
from sightline.domains.models import TrackedDomainRow
from sightline.domains.schemas import CompetitorInput
from sightline.platforms.access import is_sandbox
from sightline.platforms.models import Question
from sightline.platforms.sandbox.market import build_market
from sightline.scans.brands import build_tracked_brands
from sightline.scans.platform_clients import build_subject, open_platform_clients
from sightline.scans.suggest import SuggestedPrompts, suggest_in_sandbox, suggest_live
from sightline.settings import Settings

_MAX_COMPETITORS = 5


def suggest_competitors_at_setup(settings: Settings, domain: TrackedDomainRow) -> list[CompetitorInput]:
    """Return the strongest competitors of the made-up market of a sandbox.

    With connected platforms it returns none: the first scan finds out whom answers name next to the brand.
    """
    if not is_sandbox(settings):
        return []
    market = build_market(build_subject(domain.domain, build_tracked_brands(domain, []).brand, []))
    strongest = sorted(market.rivals, key=lambda competitor: -competitor.base)[:_MAX_COMPETITORS]
    return [CompetitorInput(each.domain, each.name) for each in strongest]


async def suggest_prompts_at_setup(
    settings: Settings,
    domain: TrackedDomainRow,
    competitors: Sequence[Brand],
    *,
    language: str | None,
    country: str | None,
    day: date,
) -> SuggestedPrompts:
    """Suggest prompts; in a sandbox they come from its made-up market, and nothing is contacted."""
    brand = build_tracked_brands(domain, []).brand
    subject = build_subject(domain.domain, brand, competitors)
    async with open_platform_clients(settings, subject, day) as clients:
        if clients.source == "sandbox":
            return suggest_in_sandbox(subject, language=language, country=country)
        advisor = clients.find_advisor(domain.platforms)

        async def ask(question: str) -> tuple[str, str | None]:
            if advisor is None:
                return "", "no connected platform can suggest prompts"
            outcome = await clients.ask(advisor, Question(question, country, language))
            return outcome.answer.text, None if outcome.fault is None else outcome.fault.message

        return await suggest_live(
            domain.domain,
            brand,
            competitors,
            language=language,
            country=country,
            ask=ask,
            fetch_page=clients.fetch_page,
        )
