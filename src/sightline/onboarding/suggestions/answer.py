"""Answering a request for suggested prompts: the handler of the job `setup.suggest`."""

from sightline.db.engine import Database
from sightline.onboarding.suggestions import queries
from sightline.onboarding.suggestions.models import SuggestionJob
from sightline.platforms.models import Question
from sightline.scans.platform_clients import PlatformClients
from sightline.scans.suggest import suggest_live


async def answer_request(db: Database, clients: PlatformClients, job: SuggestionJob) -> None:
    """Ask the platform and save what it suggests. A request that is answered already asks nobody."""
    wanted = job.input
    saved = await queries.find_suggestions(db, job.workspace_id, job.domain_id, wanted.digest)
    if saved is None or saved.prompts is not None:
        return

    async def ask(question: str) -> tuple[str, str | None]:
        outcome = await clients.ask(job.platform, Question(question, wanted.country, wanted.language))
        return outcome.answer.text, None if outcome.fault is None else outcome.fault.message

    suggested = await suggest_live(
        wanted.domain,
        wanted.brand,
        wanted.competitors,
        language=wanted.language,
        country=wanted.country,
        ask=ask,
        fetch_page=clients.fetch_page,
        category=wanted.category,
    )
    await queries.save_suggestions(db, job, suggested)
