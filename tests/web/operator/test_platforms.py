"""Operator → Platforms: connecting, testing, pausing and limiting platforms in the browser."""

import uuid
from datetime import timedelta
from decimal import Decimal

import msgspec
import pytest
from structlog.testing import capture_logs

from sightline.insights.editor.models import EditionAccount, EditionRow
from sightline.insights.editor.queries import store_edition
from sightline.insights.editor.requests import UNREADABLE
from sightline.mail.emails import JOB, OutgoingEmail
from sightline.platforms.access import find_connections, is_sandbox
from sightline.platforms.connections.trial_question import explain_fault
from sightline.platforms.costs.call_log import CallLog
from sightline.platforms.costs.spend import enforce_limits, read_spend_any_workspace
from sightline.platforms.models import CUT_OFF, Fault, PlatformCall
from sightline.platforms.queries import read_pause_reasons
from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.dates import format_short_date
from tests.fakes.openai import OpenAI
from tests.fakes.server import FakeServer
from tests.insights.anvil_market import open_market
from tests.installation import Installation
from tests.web.operator.test_operator_area import list_operator_pages, make_operator
from tests.web.page_browser import open_browser
from tests.web.untranslated import find_untranslated_in_email

ONE = "/operator/platforms/chatgpt"
KEY = OpenAI.key


@pytest.fixture
async def server():
    async with FakeServer() as started:
        yield started


@pytest.fixture
async def reachable(database_url, tmp_path, server):
    """An installation whose ChatGPT is the fake server, once a key is entered."""
    async with Installation.open(database_url, tmp_path, openai_base_url=server.base_url("openai")) as opened:
        yield opened


async def dump_everything(installation) -> str:
    """Return the text of all tables and of all files in the data directory."""
    tables = await installation.db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    rows = [str(await installation.db.fetch(f"SELECT each::text FROM {name} AS each")) for (name,) in tables]
    files = [path.read_bytes() for path in installation.app_context.settings.data_dir.rglob("*") if path.is_file()]
    return "".join(rows) + b"".join(files).decode("latin-1")


async def test_a_key_is_tested_saved_and_never_readable_again(reachable):
    settings = reachable.app_context.settings
    tenant = await reachable.tenant()
    texts = []
    with capture_logs() as logs:
        async with open_browser(reachable, await make_operator(reachable)) as browser:
            wrong = await browser.post(f"{ONE}/connect", data={"key": "sk-wrong-key-of-somebody"})
            assert wrong.status_code == 422 and is_sandbox(settings)
            assert "The key was rejected." in wrong.text and "Nothing was saved" in wrong.text
            connected = await browser.post(f"{ONE}/connect", data={"key": KEY})
            assert connected.status_code == 200, connected.text
            assert "is connected.</strong> It answered" in connected.text and "The sandbox has ended" in connected.text
            assert find_connections(settings)["chatgpt"][1].secret == KEY and not is_sandbox(settings)
            tested = await browser.post(f"{ONE}/test")
            assert "answered</strong> in " in tested.text and "Cost: " in tested.text
            quoted = tested.text.partition("<blockquote")[2].partition("</blockquote>")[0]
            assert "Acme" in quoted and "**" not in quoted, "as people read it, without Markdown"
            texts += [wrong.text, connected.text, tested.text]
            texts += [(await browser.get(path)).text for path in list_operator_pages()]
            assert f"key …{KEY[-4:]}" in "".join(texts) and f"ending in {KEY[-4:]}" in "".join(texts)
        async with reachable.client(X_API_Key=tenant.live) as client:
            texts.append((await client.get("/api/v1/console/platforms")).text)
    everything = "".join(texts) + str(logs) + await dump_everything(reachable)
    for secret in (KEY, KEY.encode().hex(), "sk-wrong-key-of-somebody"):
        assert secret not in everything


async def test_pause_resume_prices_and_disconnect(reachable):
    settings = reachable.app_context.settings
    async with open_browser(reachable, await make_operator(reachable)) as browser:
        form = (await browser.get(ONE)).text
        assert form.index('name="monthly_limit"') < form.index('name="key"'), "the limit is asked first"
        wrong = await browser.post(f"{ONE}/connect", data={"key": KEY, "monthly_limit": "much"})
        assert wrong.status_code == 422 and not find_connections(settings)
        await browser.post(f"{ONE}/connect", data={"key": KEY, "monthly_limit": "30", "output": "4"})
        assert settings.platform_prices["chatgpt"]["output"] == 4
        assert "of 30.00 USD" in (await browser.get("/operator/platforms")).text
        await browser.post(f"{ONE}/pause")
        assert await read_pause_reasons(reachable.db) == {"chatgpt": "operator"}
        assert "Paused" in (await browser.get("/operator/platforms")).text
        await browser.post(f"{ONE}/resume")
        assert await read_pause_reasons(reachable.db) == {}
        bad = await browser.post(f"{ONE}/options", data={"monthly_limit": "-3"})
        assert bad.status_code == 422 and "Enter an amount in US dollars" in bad.text
        await browser.post(f"{ONE}/options", data={"input": "1", "output": "$5", "monthly_limit": "20"})
        assert settings.platform_prices["chatgpt"]["output"] == 5
        assert "of 20.00 USD" in (await browser.get("/operator/platforms")).text
        assert f'action="{ONE}/pause"' in (await browser.get(ONE)).text
        await browser.post(f"{ONE}/disconnect")
        assert f'action="{ONE}/pause"' not in (await browser.get(ONE)).text, "nothing asks it, so nothing can pause it"
        assert not find_connections(settings)
        page = await browser.get("/operator/platforms")
        assert "No platform is connected. Checks start as soon as one is connected." in page.text


async def test_what_operators_do_to_platforms_is_in_the_security_log(reachable):
    operator = await make_operator(reachable)
    async with open_browser(reachable, operator) as browser:
        with capture_logs() as logs:
            for key in ("two words", "sk-wrong-key-of-somebody", KEY):
                await browser.post(f"{ONE}/connect", data={"key": key})
            for action in ("pause", "pause", "resume", "resume", "options", "disconnect", "disconnect"):
                await browser.post(f"{ONE}/{action}", data={"monthly_limit": "20"})
    events = [line for line in logs if line.get("category") == "security"]
    assert [(line["event"], line.get("platform") or line["vendor"], line.get("reason")) for line in events] == [
        ("platform_connection_refused", "openai", "invalid"),
        ("platform_connection_refused", "openai", "unauthorised"),
        ("platform_connected", "openai", None),
        ("platform_paused", "chatgpt", None),
        ("platform_resumed", "chatgpt", None),
        ("platform_options_changed", "chatgpt", None),
        ("platform_disconnected", "openai", None),
    ]
    assert {line["by_user_id"] for line in events} == {str(operator.id)}
    assert KEY not in repr(events)


async def test_a_platform_whose_calls_all_fail_says_since_when_and_why(reachable):
    begun = reachable.clock()
    calls = CallLog(reachable.db, clock=reachable.clock)
    tenant = await reachable.tenant()
    domain_id = uuid.UUID(await reachable.tracked_domain(tenant))

    async def count(*faults: str | None, failed: bool = True) -> str:
        for fault in faults:
            call = PlatformCall(platform="chatgpt", requests=1, failed=failed, fault=fault)
            calls.count(tenant.workspace.id, domain_id, call)
            reachable.clock.advance(minutes=1)
        await calls.flush()
        return (await browser.get("/operator/platforms")).text

    async with open_browser(reachable, await make_operator(reachable)) as browser:
        await browser.post(f"{ONE}/connect", data={"key": KEY})
        assert "Failing" not in await count("timeout", "timeout"), "two may be chance"
        assert "Failing" not in await count(None, None, None), "cancelled calls say nothing"
        page = await count("unauthorised")
        assert f"Failing since {format_short_date(begun)}, {begun:%H:%M}" in page and "The key was rejected." in page
        assert "The last 3 calls failed." in (await browser.get(ONE)).text
        assert "Failing" not in await count(None, failed=False), "one that succeeds ends it"
        assert "Failing since" in await count("timeout", "timeout", "timeout")
        await browser.post(f"{ONE}/test")
        assert "Failing" not in (await browser.get("/operator/platforms")).text, "and so does a test"


async def test_an_environment_variable_wins_and_is_shown_as_such(database_url, tmp_path):
    async with (
        Installation.open(database_url, tmp_path, openai_api_key="sk-environment-key-0001") as installation,
        open_browser(installation, await make_operator(installation)) as browser,
    ):
        page = await browser.get(ONE)
        assert "SIGHTLINE_OPENAI_API_KEY" in page.text and 'name="key"' not in page.text and "0001" not in page.text
        refused = await browser.post(f"{ONE}/connect", data={"key": "sk-another-key-of-mine"})
        assert refused.status_code == 422 and "This key is set by an environment variable." in refused.text


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault("unauthorised", "HTTP 401: the credentials are refused"), "The key was rejected."),
        (Fault("unauthorised", "HTTP 403: the credentials are refused"), "This account has no access to the model m"),
        (Fault("rejected", "HTTP 404: model_not_found"), "There is no model m"),
        (Fault("no_money", "HTTP 429: insufficient_quota"), "no credit left"),
        (Fault("unavailable", "no connection: Connection refused"), "cannot be reached"),
        (Fault("malformed", CUT_OFF), "reaches the token limit before the end"),
        (Fault("malformed", "the response is no JSON"), "cannot be parsed"),
    ],
)
def test_errors_are_said_in_words(fault, words):
    assert words in explain_fault(fault, "m")


async def test_what_could_not_be_used_of_the_editor_is_shown_with_its_reason(installation):
    history = await open_market(installation)
    account = EditionAccount(dropped={f"names{UNREADABLE}": 2, "wording": 3}, failed={"prompts": 1}, fault="HTTP 529")
    async with installation.db.transaction() as tx:
        await store_edition(tx, history.workspace_id, history.domain_id, EditionRow(account=account))
    async with open_browser(installation, await make_operator(installation)) as browser:
        text = (await browser.get("/operator/platforms")).text
    table = text[text.index("What could not be used") :]
    assert table.index("Wording of recommendations") < table.index("The reply is not the requested JSON")
    assert "Suggested prompts" in table and "The platform did not reply" in table and "HTTP 529" in table


async def spend(installation, dollars: str) -> None:
    tenant = await installation.tenant()
    domain = await installation.tracked_domain(tenant)
    await installation.db.execute(
        """INSERT INTO platform_costs
               (workspace_id, day, domain_id, platform, calls, failed_calls, priced_calls, cost_usd)
           VALUES ($1, $2, $3, 'chatgpt', 10, 0, 9, $4)""",
        tenant.workspace.id,
        installation.clock().date(),
        domain,
        Decimal(dollars),
    )


async def test_a_monthly_limit_pauses_mails_operators_once_and_ends_with_the_month(installation):
    settings, db = installation.app_context.settings, installation.db
    operator = await make_operator(installation)
    async with open_browser(installation, operator) as browser:
        await browser.post(f"{ONE}/options", data={"monthly_limit": "20"})
        await spend(installation, "12.5")
        assert await enforce_limits(db, settings, now=installation.clock()) == []
        await spend(installation, "7.5")  # in another workspace: the limit is for the installation
        found = (await read_spend_any_workspace(db, now=installation.clock()))["chatgpt"]
        assert (found.today, found.month, found.unpriced_calls) == (Decimal(20), Decimal(20), 2)
        assert await enforce_limits(db, settings, now=installation.clock()) == ["chatgpt"]
        assert await enforce_limits(db, settings, now=installation.clock()) == []
        assert await read_pause_reasons(db) == {"chatgpt": "monthly_limit"}
        mails = [row[0] for row in await db.fetch("SELECT payload FROM jobs WHERE kind = $1", JOB)]
        assert len(mails) == 1 and operator.email.encode() in mails[0] and b"monthly limit reached" in mails[0]
        assert "monthly limit is reached" in (await browser.get(ONE)).text
        refused = await browser.post(f"{ONE}/resume")
        assert refused.status_code == 422 and "The monthly limit is reached." in refused.text
        assert "Raise or remove it first." in refused.text
        assert await read_pause_reasons(db) == {"chatgpt": "monthly_limit"}, "the next pass would pause it again"
        await browser.post(f"{ONE}/options", data={"monthly_limit": "25"})
        assert await read_pause_reasons(db) == {}, "a raised limit resumes it"
        await browser.post(f"{ONE}/options", data={"monthly_limit": "20"})
        assert await read_pause_reasons(db) == {"chatgpt": "monthly_limit"}
    next_month = installation.clock() + timedelta(days=20)
    await enforce_limits(db, settings, now=next_month)
    assert await read_pause_reasons(db) == {}


async def test_an_operator_reads_of_a_reached_limit_in_their_language(installation):
    settings, db = installation.app_context.settings, installation.db
    operator = await make_operator(installation)
    async with open_browser(installation, operator) as browser:
        await browser.post(f"{ONE}/options", data={"monthly_limit": "20"})
    await db.execute("UPDATE users SET language = $1 WHERE id = $2", PSEUDO, operator.id)
    await spend(installation, "20")
    assert await enforce_limits(db, settings, now=installation.clock()) == ["chatgpt"]
    (payload,) = [row[0] for row in await db.fetch("SELECT payload FROM jobs WHERE kind = $1", JOB)]
    email = msgspec.json.decode(payload, type=OutgoingEmail)
    assert email.to == operator.email and f"{settings.public_url}{ONE}" in email.text
    assert find_untranslated_in_email(email.subject, email.text) == []


async def test_the_surface_of_a_platform_that_is_connected_twice(database_url, tmp_path, server):
    keys = {name.removeprefix("SIGHTLINE_").lower(): value for name, value in server.settings().items()}
    keys = {name: value for name, value in keys.items() if name.startswith(("openai_", "dataforseo_"))}
    async with Installation.open(database_url, tmp_path, **keys) as installation:
        settings = installation.app_context.settings
        async with open_browser(installation, await make_operator(installation)) as browser:
            assert 'name="surface"' in (await browser.get(ONE)).text
            assert 'name="surface"' not in (await browser.get("/operator/platforms/claude")).text
            refused = await browser.post(f"{ONE}/surface", data={"surface": "serp"})
            assert refused.status_code == 422 and "must be one of the connected ones: api, app" in refused.text
            assert find_connections(settings)["chatgpt"][0].surface == "api"
            saved = await browser.post(f"{ONE}/surface", data={"surface": "app"})
            assert saved.status_code == 303 and find_connections(settings)["chatgpt"][0].surface == "app"
            await browser.post(f"{ONE}/options", data={"monthly_limit": "20"})
            assert find_connections(settings)["chatgpt"][0].surface == "app", "prices and limit leave it alone"
            assert '<option value="app" selected>' in (await browser.get(ONE)).text
            answered = await browser.post(f"{ONE}/test")
            assert "answered</strong> in " in answered.text
            await browser.post(f"{ONE}/surface", data={"surface": ""})
            assert find_connections(settings)["chatgpt"][0].surface == "api"
