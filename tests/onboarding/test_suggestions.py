"""Suggested prompts at the set-up: saved, limited by plan and day, and asked at the gates that scans share."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.insights.editor.setup import ask_for_first_prompts
from sightline.onboarding import site_pages
from sightline.onboarding.site_pages import SitePages
from sightline.onboarding.suggestions.answer import answer_request
from sightline.onboarding.suggestions.queries import claim_request, has_worker
from sightline.onboarding.suggestions.request import build_request, suggest_prompts_at_setup
from sightline.plans.table import Plan
from sightline.scans.suggest import SuggestionInput
from sightline.scans.suggestions.site_words import SiteWords
from tests.competitors.local_sites import open_sites
from tests.fakes.editor import EditorModel, open_editor
from tests.installation import Installation
from tests.onboarding.test_site_profile import serve_from
from tests.running_worker import until, working
from tests.scans.running.provider import Provider
from tests.scans.running.test_prompts_at_start import QUESTIONS, no_names  # noqa: F401 - a fixture of every test here
from tests.web.page_browser import open_browser
from tests.web.test_domain_setup import read_form

USED_UP = "your plan includes 5 requests a day, and today's are used up. There are new ones after midnight UTC"


@asynccontextmanager
async def working_worker(installation):
    """Run a worker, and wait until it has registered."""
    async with working(installation):

        async def registered():
            return await has_worker(installation.db)

        await until(registered)
        yield


@pytest.fixture
async def provider():
    async with Provider() as opened:
        yield opened


@pytest.fixture
async def live_installation(database_url, tmp_path, provider):
    """ChatGPT is connected, and takes two calls at once."""
    settings = {"worker_timeout": 2, "analyzer_processes": 0, "ask_attempts": 1, "platform_concurrency": 2}
    async with Installation.open(database_url, tmp_path, **settings, **provider.settings) as opened:
        yield opened


class SetUp:
    """A domain that is being set up, in a workspace on the Free plan."""

    def __init__(self, installation, provider, tenant, domain) -> None:
        self.installation, self.provider, self.tenant, self.domain = installation, provider, tenant, domain

    async def press(self, name: str):
        """Ask for suggestions with this brand name."""
        context = self.installation.app_context
        domain = msgspec.structs.replace(self.domain, brand_name=name)
        job = build_request(self.tenant.workspace.id, domain, [], language="en", country=None)
        now = self.installation.clock()
        return await suggest_prompts_at_setup(context.db, context.settings, job, plans=context.plans, now=now)

    def let_platform_suggest(self, *names: str) -> None:
        for name in names:
            wanted = SuggestionInput(domain="acme.com", brand=Brand(name), competitors=(), language="en", country=None)
            request = ask_for_first_prompts(wanted, SiteWords())
            self.provider.says[request.text] = json.dumps({"items": [{"question": text} for text in QUESTIONS]})

    async def counted(self) -> int:
        query = "SELECT coalesce(sum(requests), 0) FROM suggestion_days WHERE workspace_id = $1 AND day = $2"
        today = self.installation.clock().date()
        return await self.installation.db.fetchval(query, self.tenant.workspace.id, today)


@pytest.fixture
async def setup(live_installation, provider):
    tenant = await live_installation.tenant(Plan.FREE)
    context = live_installation.app_context
    async with context.db.transaction() as tx:
        tracked = await track_domain(
            tx, tenant.workspace.id, TrackInput("acme.com"), plans=context.plans, now=live_installation.clock()
        )
    domain = await find_tracked_domain(context.db, tenant.workspace.id, tracked.id)
    return SetUp(live_installation, provider, tenant, domain)


async def test_the_same_input_asks_once_and_a_workspace_asks_so_often_a_day(live_installation, provider, setup):
    names = [f"Brand {letter}" for letter in "ABCDE"]
    setup.let_platform_suggest(*names)
    async with working_worker(live_installation):
        first = await setup.press(names[0])
        assert first.prompts == tuple(QUESTIONS) and first.note is None
        assert await setup.press(names[0]) == first
        assert (provider.asked.total(), await setup.counted()) == (1, 1)
        for name in names[1:]:
            await setup.press(name)
        beyond = await setup.press("Brand F")
        assert (provider.asked.total(), await setup.counted()) == (5, 5)
        assert len(beyond.prompts) == 10 and USED_UP in beyond.note
        assert (await setup.press(names[3])).prompts == tuple(QUESTIONS), "what is saved costs nothing"
        live_installation.clock.advance(days=1)
        await setup.press("Brand F")
        assert (provider.asked.total(), await setup.counted()) == (6, 1)
    (calls,) = await live_installation.db.fetch("SELECT sum(calls) FROM platform_costs")
    assert calls[0] == 6


async def test_presses_at_once_are_all_counted_and_share_the_gate_of_scans(live_installation, provider, setup):
    """A Free workspace made 120 calls in six seconds."""
    provider.latency = 0.05
    names = [f"Brand {letter}" for letter in "ABCDEFGHIJ"]
    setup.let_platform_suggest(*names)
    async with working_worker(live_installation):
        found = await asyncio.gather(*(setup.press(name) for name in (*names, *names)))
    assert provider.asked.total() == 5 == await setup.counted() and provider.most <= 2
    assert sum(each.prompts == tuple(QUESTIONS) for each in found) == 10, "two presses for each of five names"
    assert all(len(each.prompts) == 10 for each in found)


async def test_a_platform_that_fails_is_asked_again_and_that_counts(live_installation, provider, setup):
    provider.outage = "server_error"
    async with working_worker(live_installation):
        failed = await setup.press("Brand A")
        assert len(failed.prompts) == 10 and "No platform suggested prompts" in failed.note
        provider.outage = None
        setup.let_platform_suggest("Brand A")
        assert (await setup.press("Brand A")).prompts == tuple(QUESTIONS)
    assert (provider.asked.total(), await setup.counted()) == (2, 2)


async def test_without_a_worker_nothing_counts_and_there_are_ten_prompts(live_installation, provider, setup):
    found = await setup.press("Brand A")
    assert len(found.prompts) == 10 and "no worker is running" in found.note
    assert (provider.asked.total(), await setup.counted()) == (0, 0)
    assert await live_installation.db.fetchval("SELECT count(*) FROM setup_suggestions") == 0


async def test_the_page_says_that_the_requests_of_the_day_are_used_up(live_installation, provider, setup):
    day = live_installation.clock().date()
    await live_installation.db.execute("INSERT INTO suggestion_days VALUES ($1, $2, 5)", setup.tenant.workspace.id, day)
    async with working_worker(live_installation), open_browser(live_installation, setup.tenant.owner) as browser:
        page = await browser.get(f"/w/{setup.tenant.id}/new?domain={setup.domain.id}")
        action, fields = read_form(page.text)
        suggested = await browser.post(action, data=fields | {"go": "prompts"})
    assert suggested.status_code == 200 and "your plan includes 5 requests a day" in suggested.text
    assert len(read_form(suggested.text)[1]["accepted"]) == 10
    assert provider.asked.total() == 0


async def test_a_site_is_requested_once_a_minute_however_often_somebody_presses(monkeypatch):
    looked_up = []

    def refuse(host, *args, **kwargs):
        looked_up.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    # As on a machine without a network.
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    sites = SitePages()
    for _ in range(2):
        found = await asyncio.gather(*(sites.fetch("acme.com") for _ in range(5)), return_exceptions=True)
        assert {str(each) for each in found} == {"no connection"}
    assert len(looked_up) == 1


async def test_the_set_up_shows_what_the_site_says(live_installation, setup, tmp_path, monkeypatch):
    page = b"""<title>Globex</title><meta property="og:site_name" content="Globex Group">
        <meta name="description" content="Software f\xc3\xbcr Buchhaltung und Rechnungen, einfach und sicher
        f\xc3\xbcr alle Betriebe">"""
    async with open_sites(tmp_path) as sites, open_browser(live_installation, setup.tenant.owner) as browser:
        # Sites of this test have no public addresses.
        monkeypatch.setattr(site_pages, "SITES", serve_from(sites))
        sites.serve(body=page)
        instead = {"domain": "globex.com", "instead_of": str(setup.domain.id)}
        moved = await browser.post(f"/w/{setup.tenant.id}/new", data=instead)
        shown = (await browser.get(moved.headers["location"])).text
        action, fields = read_form(shown)
        assert (fields["brand_name"], fields["language"]) == (["Globex Group"], ["de"])
        assert "Software für Buchhaltung" in shown and "Partly by the list prices of" in shown
        sample = {"samples": "1", "suggestion": ["Which made-up anvil?", "Which anvil?"], "accepted": "Which anvil?"}
        again = await browser.post(action, data=fields | sample)
        assert "suggestion" not in read_form(again.text)[1], "samples of the sandbox, also those that are ticked"
    assert sites.asked == ["https://globex.com/"], "a form that is sent reads nothing"


async def test_the_page_waits_for_the_platform_and_shows_its_prompts_and_the_cost_of_a_week(
    live_installation, provider, setup
):
    """The page says what it waits for, and a script asks again: no more than one question is put to the platform."""
    setup.let_platform_suggest("Acme")
    provider.latency = 0.5
    spent = """INSERT INTO platform_costs (workspace_id, day, domain_id, platform, calls, failed_calls, priced_calls,
                                           cost_usd, answers, priced_answers)
               VALUES ($1, $2, $3, 'chatgpt', 4, 0, 4, 0.08, 4, 4)"""
    await live_installation.db.execute(
        spent, setup.tenant.workspace.id, live_installation.clock().date(), setup.domain.id
    )
    path = f"/w/{setup.tenant.id}/new?domain={setup.domain.id}"
    async with working_worker(live_installation), open_browser(live_installation, setup.tenant.owner) as browser:
        waiting = (await browser.get(path)).text
        assert "A platform is asked for ten prompts" in waiting and 'id="suggested" data-live' in waiting

        async def arrived():
            page = (await browser.get(path)).text
            return page if "data-live" not in page else None

        page = await until(arrived)
    assert read_form(page)[1]["accepted"] == QUESTIONS
    assert "0.20 USD" in page, "ten prompts on the one platform, once, for two cents each"
    assert (provider.asked.total(), await setup.counted()) == (1, 1)


async def test_the_editor_says_what_the_website_sells_and_the_page_is_filled_in(
    live_installation, provider, setup, tmp_path, monkeypatch
):
    db, model, now = live_installation.db, EditorModel(), live_installation.clock()
    named = msgspec.structs.replace(setup.domain, brand_name="Acme")
    job = build_request(setup.tenant.workspace.id, named, language="en", country=None)
    async with open_sites(tmp_path) as sites, open_browser(live_installation, setup.tenant.owner) as browser:
        # Sites of this test have no public addresses.
        monkeypatch.setattr(site_pages, "SITES", serve_from(sites))
        sites.serve("https://acme.com/", body=b"<html lang=en><title>Acme Forge - made by smiths</title></html>")
        editor = open_editor(model)(None)
        clients = msgspec.structs.replace(editor.clients, fetch_page=site_pages.SITES.fetch)
        async with db.transaction() as tx:
            assert await claim_request(tx, job, stale_before=now, now=now)
        for _ in range(2):
            await answer_request(
                db, msgspec.structs.replace(editor, clients=clients), job, clock=live_installation.clock
            )
        page = (await browser.get(f"/w/{setup.tenant.id}/new?domain={setup.domain.id}")).text
    _, fields = read_form(page)
    assert len(fields["accepted"]) == 10 and model.asked == {"first_prompts": 1, "site": 1}
    assert (fields["brand_name"], fields["category"]) == (["Acme Forge"], ["anvils"])
    assert fields["competitors"] == ["hooli.com"]
    assert provider.asked.total() == 0, "what is saved costs nothing"
