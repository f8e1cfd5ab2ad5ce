"""Answering a request for suggested prompts: the handler of the job `setup.suggest`."""

import asyncio

from sightline.db.engine import Database
from sightline.domains.home_page import FetchPage, SiteUnreadable
from sightline.insights.editor.caller import PlatformEditor
from sightline.insights.editor.queries import DomainReplies
from sightline.insights.editor.setup import ask_for_first_prompts, read_first_prompts
from sightline.kit.clock import Clock
from sightline.onboarding.suggestions import queries
from sightline.onboarding.suggestions.models import SuggestionJob
from sightline.scans.editor_platform import EditorPlatform
from sightline.scans.suggest import suggest_live
from sightline.scans.suggestions.site_words import SiteWords, parse_site_words


async def answer_request(db: Database, editor: EditorPlatform | None, job: SuggestionJob, *, clock: Clock) -> None:
    """Ask the editor and save what it suggests. A request that is answered already asks nobody."""
    wanted = job.input
    saved = await queries.find_suggestions(db, job.workspace_id, job.domain_id, wanted.digest)
    if saved is None or saved.prompts is not None:
        return
    fetch_page = editor.clients.fetch_page if editor else None

    async def ask(_: str) -> tuple[str, str | None]:
        if editor is None:
            return "", "the editor is no longer connected"
        site = await _read_site(wanted.domain, fetch_page)
        replies = DomainReplies(db, job.workspace_id, job.domain_id, editor.name, scan_id=None, clock=clock)
        request = ask_for_first_prompts(
            wanted.domain, wanted.brand, site, language=wanted.language, country=wanted.country
        )
        caller = PlatformEditor(editor, replies)
        (reply,) = await caller.ask([request])
        prompts = read_first_prompts(reply)
        return "\n".join(f"- {each}" for each in prompts), caller.fault

    suggested = await suggest_live(wanted, ask=ask, fetch_page=fetch_page)
    await queries.save_suggestions(db, job, suggested)


async def _read_site(domain: str, fetch_page: FetchPage | None) -> SiteWords | None:
    """Return what the home page says, or None if it cannot be read."""
    if fetch_page is None:
        return None
    try:
        html = await fetch_page(domain)
    except SiteUnreadable:
        return None
    return await asyncio.to_thread(parse_site_words, html) if html else None
