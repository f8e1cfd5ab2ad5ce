"""Scans on the pages: choose, preview, submit, follow, cancel, read."""

import asyncio
import uuid

import pytest

from sightline.accounts.models import Role
from sightline.credits.ledger import CreditAccount, build_credit_rules, read_balance
from tests.web.console.console_browser import build_scan_form, create_customer, open_console_browser
from tests.web.page_browser import open_browser

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
async def customer(installation, client):
    return await create_customer(installation, client)


async def count_scans(installation) -> int:
    return await installation.db.fetchval("SELECT count(*) FROM scans")


async def test_a_preview_says_the_cost_and_charges_nothing(installation, customer):
    async with open_console_browser(installation, customer.tenant) as console:
        page = await console.post("/scans/preview", **build_scan_form(customer))
        assert page.status_code == 200
        price = installation.app_context.settings.credits_per_platform * 2
        assert f"Start scan for {price} credits" in page.text
        assert f'name="max_credits" value="{price}"' in page.text
    assert await customer.balance() == 100
    assert await count_scans(installation) == 0


async def test_a_form_sent_twice_submits_one_scan_and_leads_to_it_both_times(installation, customer):
    form = build_scan_form(customer)
    async with open_console_browser(installation, customer.tenant) as console:
        first, second = await console.post("/scans", **form), await console.post("/scans", **form)
        assert first.status_code == second.status_code == 303
        assert first.headers["location"] == second.headers["location"]
        page = await console.browser.get(first.headers["location"])
        assert page.status_code == 200 and "best crm for teams" in page.text
    assert await count_scans(installation) == 1
    assert await customer.balance() == 100 - 2 * installation.app_context.settings.credits_per_platform


async def test_a_form_sent_several_times_at_once_submits_one_scan(installation, customer):
    form = build_scan_form(customer)
    async with open_console_browser(installation, customer.tenant) as console:
        answers = await asyncio.gather(*(console.post("/scans", **form) for _ in range(4)))
    assert {answer.status_code for answer in answers} <= {303, 409}
    assert len({answer.headers["location"] for answer in answers if answer.status_code == 303}) == 1
    assert await count_scans(installation) == 1


async def test_sending_the_form_again_after_the_scan_ended_submits_nothing(installation, customer):
    form = build_scan_form(customer)
    async with open_console_browser(installation, customer.tenant) as console:
        first = await console.post("/scans", **form)
        await customer.move(first.headers["location"].split("/")[-1].split("?")[0], "running", "cancelled")
        assert (await console.post("/scans", **form)).headers["location"] == first.headers["location"]
        changed = await console.post("/scans", **{**form, "keywords": "another prompt"})
        assert changed.headers["location"] != first.headers["location"]
    assert await count_scans(installation) == 2


async def test_a_second_scan_of_the_domain_is_refused_with_the_way_to_the_first(installation, customer):
    active = await customer.accepted()
    async with open_console_browser(installation, customer.tenant) as console:
        refused = await console.post("/scans", **build_scan_form(customer))
        assert refused.status_code == 409
        assert f"{console.base}/scans/{active}" in refused.text
        assert "best crm for teams" in refused.text  # what was typed is not lost
        preview = await console.post("/scans/preview", **build_scan_form(customer))
        assert preview.status_code == 200 and f"{console.base}/scans/{active}" in preview.text
        assert "Start scan for" not in preview.text
    assert await count_scans(installation) == 1


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"platforms": []}, 422, "Choose at least one platform."),
        ({"platforms": ["oracle"]}, 422, "Choose platforms from the list."),
        ({"keywords": "x"}, 422, "Enter a prompt of 2 to 500 characters."),
        ({"keywords": "\n".join(f"prompt {n}" for n in range(51))}, 422, "Enter at most 50 prompts"),
        ({"domain_id": "nonsense"}, 404, "Domain not found"),
        ({"max_credits": "1"}, 409, "The price has changed"),
        ({"token": ""}, 400, "The form could not be read"),
    ],
)
async def test_what_is_wrong_is_said_on_the_form_and_nothing_is_charged(installation, customer, changes, status, said):
    async with open_console_browser(installation, customer.tenant) as console:
        page = await console.post("/scans", **build_scan_form(customer, **changes))
        assert (page.status_code, said in page.text) == (status, True), page.text
        assert '<form class="panel form"' in page.text
    assert await customer.balance() == 100


async def test_without_credits_the_preview_says_so_and_submitting_is_refused(installation, client):
    customer = await create_customer(installation, client, balance=0)
    async with open_console_browser(installation, customer.tenant) as console:
        preview = await console.post("/scans/preview", **build_scan_form(customer))
        assert "Buy credits" in preview.text and "Start scan for" not in preview.text
        assert (await console.post("/scans", **build_scan_form(customer))).status_code == 402


async def test_fifty_long_prompts_fit_into_the_form(installation, customer):
    prompts = "\n".join(f"{n} {'ä€' * 240}" for n in range(50))
    async with open_console_browser(installation, customer.tenant) as console:
        assert (await console.post("/scans", **build_scan_form(customer, keywords=prompts))).status_code == 303


async def test_viewers_foreigners_and_other_sites_submit_and_cancel_nothing(installation, customer):
    scan = await customer.accepted()
    viewer, other = await installation.member(customer.tenant, Role.VIEWER), await installation.tenant()
    form = build_scan_form(customer)
    async with open_console_browser(installation, customer.tenant, viewer) as console:
        for path in ("/scans", "/scans/preview", f"/scans/{scan}/cancel"):
            assert (await console.post(path, **form)).status_code == 403
    async with open_console_browser(installation, other) as console:
        assert (await console.post("/scans", **form)).status_code == 404
        assert (await console.post(f"/scans/{scan}/cancel")).status_code == 404
    async with open_console_browser(installation, customer.tenant) as console:
        for path in ("/scans", "/scans/preview", f"/scans/{scan}/cancel"):
            answer = await console.post(path, headers={"Sec-Fetch-Site": "cross-site"}, **form)
            assert answer.status_code == 403
    async with open_console_browser(installation, customer.tenant, livemode=False) as console:
        assert (await console.post(f"/scans/{scan}/cancel")).status_code == 404
    assert await installation.db.fetchval("SELECT status FROM scans") == "pending"


async def test_cancelling_says_the_refund_rule_before_and_gives_back_what_was_pending(installation, customer):
    scan = await customer.accepted()
    editor = await installation.member(customer.tenant, Role.EDITOR)
    async with open_console_browser(installation, customer.tenant, editor) as console:
        page = (await console.get(f"/scans/{scan}")).text
        assert "If the scan has not started, you get" in page and "Once it runs, you get no refund" in page
        done = await console.post(f"/scans/{scan}/cancel")
        told = (await console.browser.get(done.headers["location"])).text
        assert "Scan canceled before it started. Its credits were refunded." in told
        assert await customer.balance() == 100
        again = await console.post(f"/scans/{scan}/cancel")
        assert again.status_code == 409 and "The scan has ended" in again.text


async def test_cancelling_a_running_scan_says_that_nothing_is_refunded(installation, customer):
    scan = await customer.accepted()
    await installation.db.execute("UPDATE scans SET status = 'running', started_at = now()")
    async with open_console_browser(installation, customer.tenant) as console:
        page = (await console.get(f"/scans/{scan}")).text
        assert 'data-cancel="Go back"' in page and ">Cancel the scan</button>" in page, "two different words"
        done = await console.post(f"/scans/{scan}/cancel")
        told = (await console.browser.get(done.headers["location"])).text
    assert "Scan canceled while it ran. Its answers are kept, and nothing was refunded." in told


async def test_a_running_scan_is_followed_as_server_sent_events(installation, customer):
    scan = await customer.accepted()
    async with open_console_browser(installation, customer.tenant) as console:
        assert f'data-follow="{console.base}/scans/{scan}/events"' in (await console.get(f"/scans/{scan}")).text
        await customer.move(scan, "running", "cancelled")
        events = await console.get(f"/scans/{scan}/events")
        assert events.headers["content-type"].startswith("text/event-stream")
        assert [line for line in events.text.splitlines() if line.startswith("event")] == [
            "event: platforms",
            "event: progress",
            "event: end",
        ]
        assert "data-follow" not in (await console.get(f"/scans/{scan}")).text
    async with open_browser(installation) as stranger:
        assert (await stranger.get(f"{console.base}/scans/{scan}/events")).status_code == 303


async def test_results_lead_down_to_the_sentence(installation, customer):
    scan, check = await customer.completed()
    async with open_console_browser(installation, customer.tenant) as console:
        page = (await console.get(f"/scans/{scan}")).text
        assert "Visibility Score" in page and "Early reading" in page
        assert "for these prompts" in page
        domain = (await console.get(f"/domains/{customer.domain}")).text
        assert "From the latest completed scan." in domain and "for these prompts" in domain
        answer = check.answers[0]
        assert f"{scan}/answers/{answer.id}" in page
        listed = await console.get(f"/scans/{scan}/answers")
        assert answer.prompt.text in listed.text
        shown = await console.get(f"/scans/{scan}/answers/{answer.id}")
        assert shown.status_code == 200 and "How it was measured" in shown.text
        assert 'mark id="named" class="own"' in shown.text
        assert (await console.get(f"/scans/{scan}/answers/{uuid.uuid4()}")).status_code == 404


async def test_a_stored_script_is_inert_and_a_link_of_another_kind_is_no_link(installation, customer):
    scan, check = await customer.completed()
    await installation.db.execute(
        """UPDATE answers SET text = $1, record = convert_to(replace(convert_from(record, 'UTF8'),
           'https://', 'javascript://'), 'UTF8')""",
        f"## Tools\n\n{SCRIPT} and **more**",
    )
    await installation.db.execute("UPDATE scans SET domain = $1", SCRIPT)
    async with open_console_browser(installation, customer.tenant) as console:
        for path in ("", f"/{scan}", f"/{scan}/answers", *(f"/{scan}/answers/{a.id}" for a in check.answers)):
            page = await console.get(f"/scans{path}")
            assert page.status_code == 200
            assert SCRIPT not in page.text and 'href="javascript' not in page.text
            assert "**" not in page.text and "## " not in page.text, "Markdown is read, not shown"
        assert "<b>" in page.text and '<p class="heading" data-start="0">' in page.text


async def test_the_list_is_narrowed_by_domain_and_paged(installation, customer):
    scans = []
    for _ in range(51):
        scans.append(await customer.accepted())
        await customer.move(scans[-1], "cancelled")
    async with open_console_browser(installation, customer.tenant) as console:
        page = (await console.get("/scans", domain=customer.domain)).text
        assert scans[50] in page and scans[0] not in page
        older = page.split('" rel="next"')[0].rsplit('href="', 1)[1].replace("&amp;", "&")
        assert scans[0] in (await console.browser.get(f"{console.base}/scans{older}")).text
        assert "No scans of this domain yet" in (await console.get("/scans", domain=str(uuid.uuid4()))).text
        assert (await console.get("/scans", cursor="nonsense")).status_code == 400


async def test_test_mode_spends_test_credits_only(installation, client):
    customer = await create_customer(installation, client, balance=0, livemode=False)
    async with open_console_browser(installation, customer.tenant, livemode=False) as console:
        assert (await console.post("/scans", **build_scan_form(customer))).status_code == 303
    balance = await read_balance(
        installation.db,
        CreditAccount(
            customer.workspace_id, livemode=True, rules=build_credit_rules(installation.app_context.settings)
        ),
        now=installation.clock(),
    )
    assert balance == 0
    assert await installation.db.fetchval("SELECT bool_and(NOT livemode) FROM scans")
