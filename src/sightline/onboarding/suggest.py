"""Prompts for a domain that is being set up. A connected platform is asked for them, outside of any transaction."""

from collections.abc import Sequence
from datetime import date

from sightline.answers.models import Brand
from sightline.domains.models import TrackedDomain
from sightline.platforms.models import Question
from sightline.scans.brands import measure_tracked
from sightline.scans.here import open_desk, subject_of
from sightline.scans.suggest import Suggested, suggest_in_sandbox, suggest_live
from sightline.settings import Settings


async def suggest_at_setup(
    settings: Settings,
    domain: TrackedDomain,
    competitors: Sequence[Brand],
    *,
    language: str | None,
    country: str | None,
    day: date,
) -> Suggested:
    """In a sandbox they come from its made-up market, and nothing is contacted."""
    brand = measure_tracked(domain, []).brand
    subject = subject_of(domain.domain, brand, competitors)
    async with open_desk(settings, subject, day) as desk:
        if desk.source == "sandbox":
            return suggest_in_sandbox(subject, language=language, country=country)
        advisor = desk.find_advisor(domain.platforms)

        async def ask(question: str) -> tuple[str, str | None]:
            if advisor is None:
                return "", "no connected platform can be asked for them"
            outcome = await desk.ask(advisor, Question(question, country, language))
            return outcome.answer.text, None if outcome.fault is None else outcome.fault.message

        return await suggest_live(domain.domain, brand, competitors, language=language, country=country, ask=ask)
