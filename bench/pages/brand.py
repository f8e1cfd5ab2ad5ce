"""The domain whose pages are measured: 150 prompts, scanned for a week by the product's own functions.

Earlier checks, and other domains next to it, are added until enough answers are stored.

A person is signed in to it.
"""

import uuid
from collections.abc import Mapping
from datetime import timedelta
from functools import partial

import msgspec

from bench.comparison import Aborted, Question
from bench.environment import BenchEnvironment
from bench.tracking.brand import DOMAIN, Brand, describe_brand, read_brand, set_up_domain
from bench.tracking.databases import opened, read_settings
from bench.tracking.fill import YEAR, Filler
from sightline.accounts.sign_in.models import Browser
from sightline.accounts.sign_in.sessions import open_session
from sightline.api.edge.browsers import format_session_cookie
from sightline.kit.clock import utc_now
from sightline.onboarding.demo.replay import DemoReplay, begin_replay, replay_history
from sightline.plans.table import build_plan_table
from sightline.worker.follow_up import follow_up_in_process

PROMPTS = 150
_DAYS = 7
_OTHER_DOMAINS = 8


class Visited(msgspec.Struct, frozen=True):
    base: str
    """The address of the domain's pages."""
    cookie: str
    key: str
    pairs: Mapping[str, tuple[str, str]]
    """A page and the endpoint that gives the same facts, by name."""

    def ask(self, path: str) -> Question:
        """Request a page with the cookie, or an endpoint with the key."""
        headers = {"X-API-Key": self.key} if path.startswith("/api/") else {"Cookie": self.cookie}
        return Question(path, [headers])


async def build(environment: BenchEnvironment, *, prompts: int, answers: int) -> Visited:
    settings, now = read_settings(environment), utc_now()
    anchor = now - timedelta(days=_DAYS, hours=1)
    async with opened(environment) as db:
        async with db.transaction() as tx:
            owned = await set_up_domain(tx, DOMAIN, build_plan_table(settings.plans), now=anchor)
            owner = await tx.fetchval("SELECT user_id FROM members WHERE workspace_id = $1", owned.workspace_id)
            token = (await open_session(tx, settings, owner, browser=Browser("127.0.0.1"), now=now)).token
        replay = DemoReplay.from_settings(settings, partial(follow_up_in_process, db, settings), now=now)
        await begin_replay(db, replay, owned.workspace_id, owned.domain_id, describe_brand(prompts), anchor=anchor)
        if await replay_history(db, replay, owned.workspace_id, owned.domain_id, advance=lambda: None) != _DAYS:
            raise Aborted("the week of the measured domain has not as many checks as it should")
        brand = await read_brand(db, owned, begun=anchor)
        scan_id, answer_id = await db.fetchrow(
            """SELECT s.id, a.id FROM scans s JOIN answers a ON (a.workspace_id, a.scan_id) = (s.workspace_id, s.id)
               WHERE s.workspace_id = $1 AND s.measurement_scope = 'full_check' AND a.text LIKE '%Acme%'
               ORDER BY s.id DESC, length(a.text) DESC LIMIT 1""",
            owned.workspace_id,
        )
    await _fill(environment, brand, answers)
    base = f"/w/{owned.workspace_id}/d/{owned.domain_id}"
    cookie = format_session_cookie(token, 86_400, https=False).partition(";")[0]
    return Visited(base, cookie, owned.key, _pair(base, owned.domain_id, scan_id, answer_id))


async def _fill(environment: BenchEnvironment, brand: Brand, answers: int) -> None:
    """Add two years of checks, and other domains of the workspace, until so many answers are stored."""
    filler = await Filler.open(environment, brand)
    await filler.prepare()
    await filler.add_checks(2 * YEAR)
    await filler.copy_domain(_OTHER_DOMAINS)
    await filler.add_checks(YEAR, first=1, last=_OTHER_DOMAINS)
    if await filler.add_answers(answers) < answers - _DAYS * 1_000:
        raise Aborted("the checks have too few answers: add more domains")
    await filler.close()


def _pair(base: str, domain_id: uuid.UUID, scan_id: uuid.UUID, answer_id: uuid.UUID) -> Mapping[str, tuple[str, str]]:
    api = "/api/v1/ext"
    return {
        "Overview": (base, f"{api}/domains/{domain_id}/analytics"),
        "Prompts": (f"{base}/prompts", f"{api}/domains/{domain_id}/prompts?page_size=50"),
        "Answer": (f"{base}/answers/{scan_id}/{answer_id}", f"{api}/scans/{scan_id}/answers/{answer_id}"),
        **{
            name: (f"{base}/{page}", f"{api}/domains/{domain_id}/{endpoint}")
            for name, page, endpoint in (
                ("Answers", "answers", "answers"),
                ("Searches", "searches", "searches"),
                ("Competitors", "competitors", "competitors"),
                ("Themes", "sentiment", "themes"),
                ("Opportunities", "opportunities", "opportunities"),
                ("Tasks", "recommendations", "recommendations"),
                ("Alerts", "alerts", "alerts"),
                ("Checks", "checks", "scans"),
                ("Reports", "reports", "reports"),
            )
        },
    }
