"""Answering a request for suggested prompts: the handler of the job `setup.suggest`."""

from sightline.db.engine import Database
from sightline.insights.editor.setup import suggest_domain_prompts
from sightline.kit.clock import Clock
from sightline.onboarding.suggestions import queries
from sightline.onboarding.suggestions.models import SuggestionJob
from sightline.scans.editor_platform import EditorPlatform


async def answer_request(db: Database, editor: EditorPlatform | None, job: SuggestionJob, *, clock: Clock) -> None:
    """Ask the editor and save what it suggests. A request that is answered already asks nobody."""
    domain = (job.workspace_id, job.domain_id)
    saved = await queries.find_suggestions(db, *domain, job.input.digest)
    if saved is None or saved.prompts is not None:
        return
    fetch_page = editor.clients.fetch_page if editor else None
    suggested = await suggest_domain_prompts(
        db, editor, fetch_page, *domain, job.input, with_site=job.input.category is None, clock=clock
    )
    await queries.save_suggestions(db, job, suggested)
