"""Search volumes and their states, fetched over real HTTP from a fake of the vendor."""

import uuid
from datetime import timedelta

import pytest

from sightline.http.session import open_session
from sightline.prompts.volumes.dataforseo import open_volume_source, to_phrase
from sightline.prompts.volumes.lookup import VolumesJob, refresh_volumes
from sightline.settings import Settings
from tests.fakes.dataforseo import VOLUMES
from tests.fakes.volumes import LOGIN, PASSWORD, SEARCHES, VolumeServer
from tests.prompts.prompts_client import PromptsClient


@pytest.fixture
async def prompts(installation, client):
    return await PromptsClient.open(installation, client)


@pytest.fixture
async def vendor():
    async with VolumeServer() as server:
        yield server


async def estimate_volumes(prompts, vendor, **settings):
    configured = {"dataforseo_login": LOGIN, "dataforseo_password": PASSWORD, **settings}
    job = VolumesJob(prompts.workspace_id, uuid.UUID(prompts.domain_id))
    async with open_session() as session:
        source = open_volume_source(Settings(dataforseo_base_url=vendor.url, **configured), session)
        await refresh_volumes(prompts.installation.db, source, job, clock=prompts.installation.clock)


async def states(prompts):
    return {row["prompt"]: (row["ai_search_volume_state"], row["ai_search_volume"]) for row in await prompts.listed()}


async def figures(prompts):
    return {row["prompt"]: (row["search_volume"], row["cpc_usd"]) for row in await prompts.listed()}


async def test_estimated_zero_included_and_no_estimate(prompts, vendor):
    vendor.questions = {"best crm?": 420, "crm for zero": 0, "crm without": None}
    vendor.searches = {"best crm": (1_300, 1.855), "crm for zero": (0, None)}
    for prompt in ("Best CRM?", "crm for zero", "crm without", "crm unknown"):
        await prompts.added(prompt, country_iso_2="GB")
    await estimate_volumes(prompts, vendor)
    assert await states(prompts) == {
        "Best CRM?": ("estimated", 420),
        "crm for zero": ("estimated", 0),
        "crm without": ("no_estimate", None),
        "crm unknown": ("no_estimate", None),
    }
    assert await figures(prompts) == {
        "Best CRM?": (1_300, 1.86),
        "crm for zero": (0, None),
        "crm without": (None, None),
        "crm unknown": (None, None),
    }
    (first, sent), (second, _) = vendor.requests
    assert (first, second) == (VOLUMES, SEARCHES), "one request of each for a market"
    assert (sent["location_code"], sent["language_code"], len(sent["keywords"])) == (2826, "en", 4)


async def test_pending_while_no_source_is_configured(prompts, vendor):
    await prompts.added()
    await estimate_volumes(prompts, vendor, dataforseo_login=None)
    await estimate_volumes(prompts, vendor, dataforseo_password=None)
    assert (await states(prompts), vendor.requests) == ({"best crm": ("pending", None)}, [])


async def test_global_and_unclassified_prompts_are_unsupported_but_have_search_data(prompts, vendor):
    """AI volumes need an exact country and language; search data exists for the world."""
    vendor.searches = {"best crm": (900, 2.0), "old crm": (5, 0.1)}
    await prompts.added("best crm")
    old = await prompts.added("old crm", country_iso_2="GB")
    await prompts.change(old["id"], language_code=None)
    await estimate_volumes(prompts, vendor)
    assert set((await states(prompts)).values()) == {("unsupported", None)}
    assert await figures(prompts) == {"best crm": (900, 2.0), "old crm": (5, 0.1)}
    assert vendor.paths() == [SEARCHES, SEARCHES]
    world = next(sent for _, sent in vendor.requests if "best crm" in sent["keywords"])
    assert "location_code" not in world


async def test_a_prompt_longer_than_the_vendor_takes_is_unsupported_and_holds_nobody_up(prompts, vendor):
    vendor.questions, vendor.searches = {"best crm": 7}, {"best crm": (9, 1.0)}
    long = "a very long question " * 20
    await prompts.added(long, country_iso_2="US")
    await prompts.added("best crm", country_iso_2="US")
    await estimate_volumes(prompts, vendor)
    assert await states(prompts) == {long.strip(): ("unsupported", None), "best crm": ("estimated", 7)}
    assert (await figures(prompts))[long.strip()] == (None, None)


async def test_a_language_that_the_vendor_refuses_is_unsupported(prompts, vendor):
    vendor.questions = {"best crm": 7}
    await prompts.added("kreski crm", country_iso_2="PL", language_code="pl")
    await prompts.added("best crm", country_iso_2="US")
    await estimate_volumes(prompts, vendor)
    assert await states(prompts) == {"kreski crm": ("unsupported", None), "best crm": ("estimated", 7)}


@pytest.mark.parametrize(("code", "status"), [(40202, 200), (40210, 200), (50000, 500), (40100, 401)])
async def test_failed_and_looked_up_again_after_a_day(prompts, vendor, code, status):
    vendor.questions, vendor.searches = {"best crm": 7}, {"best crm": (9, 1.0)}
    await prompts.added(country_iso_2="US")
    vendor.fail_next(VOLUMES, code, status=status)
    await estimate_volumes(prompts, vendor)
    assert await states(prompts) == {"best crm": ("failed", None)}
    assert await figures(prompts) == {"best crm": (9, 1.0)}, "what the other endpoint said is kept"
    await estimate_volumes(prompts, vendor)
    assert len(vendor.requests) == 2, "not by every job that comes along"
    prompts.installation.clock.advance(days=1)
    await estimate_volumes(prompts, vendor)
    assert await states(prompts) == {"best crm": ("estimated", 7)}


async def test_search_data_that_could_not_be_had_leaves_what_was_known(prompts, vendor):
    vendor.questions, vendor.searches = {"best crm": 7}, {"best crm": (9, 1.0)}
    await prompts.added(country_iso_2="US")
    await estimate_volumes(prompts, vendor)
    prompts.installation.clock.advance(days=30)
    vendor.questions, vendor.searches = {"best crm": 8}, {"best crm": (10, 1.5)}
    vendor.fail_next(SEARCHES, 40202)
    await estimate_volumes(prompts, vendor)
    assert (await states(prompts), await figures(prompts)) == ({"best crm": ("estimated", 8)}, {"best crm": (9, 1.0)})
    prompts.installation.clock.advance(days=1)
    await estimate_volumes(prompts, vendor)
    assert await figures(prompts) == {"best crm": (10, 1.5)}


async def test_a_vendor_that_is_not_there_is_a_failed_lookup(prompts, vendor):
    await prompts.added(country_iso_2="US")
    vendor.url = "http://127.0.0.1:1"
    await estimate_volumes(prompts, vendor)
    assert await states(prompts) == {"best crm": ("failed", None)}


async def test_looked_up_once_in_30_days_and_only_what_is_active(prompts, vendor):
    gone = await prompts.added("gone crm", country_iso_2="US")
    await prompts.added(country_iso_2="US")
    await prompts.removed(gone["id"])
    await estimate_volumes(prompts, vendor)
    assert [sent["keywords"] for _, sent in vendor.requests] == [["best crm"]] * 2
    prompts.installation.clock.advance(days=29, hours=23)
    await estimate_volumes(prompts, vendor)
    assert len(vendor.requests) == 2
    added = await prompts.added("new crm", country_iso_2="US")
    await estimate_volumes(prompts, vendor)
    assert vendor.requests[2][1]["keywords"] == ["new crm"], "one that was never looked up, alone"
    prompts.installation.clock.advance(hours=1)
    await estimate_volumes(prompts, vendor)
    assert vendor.requests[4][1]["keywords"] == ["best crm"]
    assert await prompts.value(added["id"], "volumes_due_at") == prompts.installation.clock() + timedelta(
        days=30, hours=-1
    )


@pytest.mark.parametrize(
    ("prompt", "phrase"),
    [
        ("What's the best CRM, really?", "what's the best crm really"),
        ("C++ or C#?", "c++ or c#"),
        ("R&D tools (cheap!)", "r&d tools cheap"),
        ("日本語 CRM 🚀", "日本語 crm"),
        ("हिन्दी सीखें", "हिन्दी सीखें"),
        ("?!", None),
        ("one two three four five six seven eight nine ten", "one two three four five six seven eight nine ten"),
        ("one two three four five six seven eight nine ten eleven", None),
        ("x" * 81, None),
    ],
)
def test_the_phrase_that_a_searcher_would_type(prompt, phrase):
    assert to_phrase(prompt) == phrase
