"""What insights and the review of the brand's own site tell each other."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.answers.language import detect_language
from sightline.db.engine import Reader, Transaction
from sightline.domains.tracking.read import lock_domain
from sightline.insights import queries
from sightline.insights.models import AskedPrompt, ProvingAnswer, RecommendedPage, StoredRecommendation
from sightline.insights.read import read_themes
from sightline.insights.recommendations.actions import SITE_KINDS
from sightline.metrics.recommendations import Kind
from sightline.site_review import manage
from sightline.site_review.agents import read_agents
from sightline.site_review.context import find_content_words
from sightline.site_review.models import GROUP_OF, FindingRow, Found, Question, decode_found
from sightline.site_review.queries import list_findings

_MAX_ROWS = 1_000
_MAX_ACTIONS = 5  # of each kind
_decode = msgspec.json.Decoder(StoredRecommendation).decode


async def list_reviewed_themes(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> Sequence[Question]:
    """Return the themes of the codebook with the answers that have them, for the review to look for on the site.

    There are none if the language of their labels is not clear.
    """
    themes = [theme for theme in await read_themes(db, workspace_id, domain_id) if theme.theme_key is not None]
    language = detect_language(". ".join(theme.descriptor for theme in themes))
    if language is None:
        return ()
    return [
        Question(
            id=theme.theme_key or "",
            text=theme.descriptor,
            words=find_content_words(theme.descriptor, language, ()),
            language=language,
            is_theme=True,
            rival_pages=tuple(map(str, theme.answer_ids)),
        )
        for theme in themes
    ]


async def refresh_site_actions(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Bring the recommendations of a domain up to date with the open findings of its site, under the domain lock.

    Actions for the site come first: what answers cite already is worth most. Without recommendations of a Full Check,
    nothing changes; the next Full Check brings them.
    """
    rows = await queries.list_ranked(tx, workspace_id, domain_id, "recommendation", after=None, limit=_MAX_ROWS)
    if not rows:
        return
    stored = [_decode(row.found) for row in rows]
    latest = await manage.read_latest_review(tx, workspace_id, domain_id)
    wanted: list[StoredRecommendation] = []
    if latest.review is not None:
        findings = [decode_found(row) for row in await list_findings(tx, workspace_id, domain_id, states=("open",))]
        wanted = build_site_actions(findings, latest.review.scan_id)
    if wanted != [each for each in stored if each.kind in SITE_KINDS]:
        others = [each for each in stored if each.kind not in SITE_KINDS]
        await queries.replace_ranked(tx, workspace_id, domain_id, "recommendation", rows[0].scan_id, [*wanted, *others])


async def ignore_site_finding(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, finding_id: uuid.UUID | None, reason: str, *, now: datetime
) -> FindingRow:
    """Ignore a finding and drop its action. Refused: unknown ones (404)."""
    await lock_domain(tx, actor.workspace_id, domain_id)
    row = await manage.ignore_finding(tx, actor, domain_id, finding_id, reason, now=now)
    await refresh_site_actions(tx, actor.workspace_id, domain_id)
    return row


async def reopen_site_finding(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, finding_id: uuid.UUID | None
) -> FindingRow:
    """Open an ignored finding again, with its action. Refused: unknown ones (404)."""
    await lock_domain(tx, actor.workspace_id, domain_id)
    row = await manage.reopen_finding(tx, actor, domain_id, finding_id)
    await refresh_site_actions(tx, actor.workspace_id, domain_id)
    return row


def build_site_actions(findings: Sequence[Found], scan_id: uuid.UUID) -> list[StoredRecommendation]:
    """Return an action for each broken page that answers cite, and for each agent that is kept out of answers.

    A search index is left to the page of the review: being out of it may be a choice.
    """
    pages: dict[str, Found] = {}
    for found in findings:
        if GROUP_OF[found.kind] == "broken" and found.url is not None:
            pages.setdefault(found.url, found)
    known = {agent.name for agent in read_agents().agents if agent.purpose == "live"}
    agents = [found for found in findings if found.kind == "agent_blocked" and found.subject in known]
    return [
        *(_build_action("mend_page", url, found, scan_id) for url, found in list(pages.items())[:_MAX_ACTIONS]),
        *(_build_action("admit_agent", found.subject, found, scan_id) for found in agents[:_MAX_ACTIONS]),
    ]


def _build_action(kind: Kind, subject: str, found: Found, scan_id: uuid.UUID) -> StoredRecommendation:
    urls = (found.url,) if found.url else found.pages
    return StoredRecommendation(
        kind=kind,
        subject=subject,
        site=subject.partition("/")[0] if kind == "mend_page" else None,
        pages=tuple(RecommendedPage(url=url, answers=found.answers) for url in urls),
        page_count=len(urls),
        prompts=tuple(AskedPrompt(prompt.id, prompt.text) for prompt in found.prompts),
        platforms=found.platforms,
        fault=found,
        proofs=tuple(ProvingAnswer(scan_id, uuid.UUID(each)) for each in found.answer_ids),
    )
