"""What people do on the dashboard, click by click."""

import re
import uuid

import pytest
from playwright.async_api import expect

from tests.browser.windows import PHONE, check_themes_and_widths, save_screenshot, sign_in
from tests.databases import run_sql

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]
_REFRESH_MS = 3_000  # of `live.js`
ANALYZED_MS = 90_000  # until all answers of the demo are analyzed again, on a busy machine


async def open_account_menu(page):
    await page.locator(".side-foot details.switch summary").click()


async def test_signing_in_leads_to_the_domains_and_signing_out_to_the_sign_in_page(windows, site):
    page = await windows.open(path=site.dashboard)
    await expect(page).to_have_url(re.compile(r"/sign-in\?next="))
    await page.goto("/")
    await sign_in(page, site.users["editor"].email, site.users["editor"].password)
    await page.get_by_role("link", name="acme.com").click()
    await expect(page.locator(".page-bar summary").first).to_have_text("Acme")
    await open_account_menu(page)
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    await page.goto(site.dashboard)
    await expect(page).to_have_url(re.compile(r"/sign-in\?next="))


async def test_setup_leads_to_live_progress_and_the_first_results(windows, site):
    page = await windows.open("owner", f"/w/{site.starter}")
    await page.get_by_role("link", name="initech.com").click()
    await expect(page.get_by_label("Brand name")).to_have_value("Initech")
    await page.get_by_role("link", name="Another website").click()
    await page.get_by_label("Your website").fill("initrode.com")
    await page.get_by_role("button", name="Continue").click()
    await expect(page.get_by_label("Brand name")).to_have_value("Initrode")
    await expect(page.get_by_text("does not read your home page")).to_be_visible()
    await expect(page.get_by_role("button", name="Start the first check")).to_be_in_viewport()
    await expect(page.locator(".tally-figure")).to_have_text("280 answers a week")
    suggested = page.get_by_role("group", name="Suggested prompts")
    await suggested.get_by_role("checkbox").first.uncheck()
    await expect(page.locator(".tally-figure")).to_have_text("252 answers a week")
    await expect(page.get_by_text("fewer than 10 prompts")).to_be_visible()
    await suggested.get_by_role("checkbox").first.check()
    await page.get_by_role("group", name="Platforms to ask").get_by_label("Perplexity").uncheck()
    await expect(page.locator(".tally-figure")).to_have_text("210 answers a week")
    await check_themes_and_widths(page, "set-up-prompts")
    await page.get_by_role("button", name="Start the first check").click()
    await expect(page.locator(".map .q.unasked").first).to_be_visible()
    await expect(page.locator(".map a.q").first).to_be_visible()  # without a reload
    await expect(page.locator("#quote mark").first).to_be_visible()
    await save_screenshot(page, "first-check-running")
    await expect(page.get_by_role("heading", name="These brands came up. Track them?")).to_be_visible()
    likely = await page.locator(".offered :checked").count()
    assert 1 <= likely <= 5
    await check_themes_and_widths(page, "first-check")
    await page.get_by_role("button", name="Track").click()
    await expect(page.locator(".league tbody tr")).to_have_count(min(5, 1 + likely))


async def test_thirty_prompts_in_five_countries_come_from_a_spreadsheet_in_five_clicks(windows, site, tmp_path):
    file = tmp_path / "prompts.csv"
    rows = [f"Which product number {n} suits a team of {n * 3 + 2}?;imported" for n in range(30)]
    file.write_text("text;tags\n" + "\n".join(rows), "utf-8-sig")
    page = await windows.open("editor", f"{site.dashboard}/prompts")
    await page.get_by_text("Add prompts", exact=True).click()
    await page.get_by_role("link", name="Import prompts").click()
    async with page.expect_file_chooser() as chooser:
        await page.get_by_label("Or a CSV file").click()
    await (await chooser.value).set_files(file)
    await page.get_by_label("Countries", exact=True).click()
    await page.keyboard.type("United States, Germany, France, Japan, Brazil")
    await page.get_by_role("button", name="Preview").click()
    await expect(page.get_by_text("150 new prompts")).to_be_visible()
    await expect(page.get_by_text("answers per week")).to_be_visible()
    await check_themes_and_widths(page, "prompt-import-preview")
    await page.get_by_role("button", name="Add 150 prompts").click()
    await expect(page.get_by_role("status").filter(has_text="Imported")).to_be_visible()
    await expect(page.get_by_role("link", name="imported", exact=True).first).to_be_visible()


async def test_a_prompt_is_pinned_and_unpinned_with_its_star(windows, site):
    page = await windows.open("editor", f"{site.dashboard}/prompts")
    pinned = page.get_by_title("Pinned. Click to unpin")
    before = await pinned.count()
    row = page.get_by_role("row").filter(has=page.get_by_title("Pin", exact=True)).first
    text = await row.get_by_role("rowheader").inner_text()
    await row.get_by_title("Pin", exact=True).click()
    await expect(pinned).to_have_count(before + 1)
    await expect(page.get_by_role("status").filter(has_text="pinned")).to_be_visible()
    await page.get_by_role("row").filter(has_text=text).get_by_title("Pinned. Click to unpin").click()
    await expect(pinned).to_have_count(before)


async def test_a_suggested_competitor_is_confirmed(windows, site):
    page = await windows.open("editor", f"{site.dashboard}/competitors")
    suggestion = page.locator("#suggestions .row").first
    name = (await suggestion.get_by_role("heading").inner_text()).split()[0]
    if await suggestion.get_by_label("Its domain").count():
        await suggestion.get_by_label("Its domain").fill("found-by-name.com")
    await expect(suggestion.locator("mark").first).to_have_text(re.compile(re.escape(name)))
    await suggestion.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("Competitor confirmed. It is included in comparisons from now on.")).to_be_visible()
    await expect(page.locator("#confirmed")).to_contain_text(name)


async def test_a_lower_score_leads_through_its_alert_to_the_sentence_that_caused_it(windows, site):
    page = await windows.open("owner", site.fallen)
    await expect(page.get_by_role("heading", level=1)).to_contain_text(
        "On ChatGPT, Acme is named in 1 of 12 answers, down from 12 on"
    )
    await page.get_by_text(re.compile("^All \\d+ findings$")).click()
    change = page.locator("#changed li", has_text="down from 12 on").first
    await change.get_by_role("link", name="alert").click()
    await page.locator(".changed-cells li").first.get_by_role("link").first.click()  # as it is now
    await expect(page.locator(".said")).to_contain_text("Smiths like Globex")


async def test_an_alert_links_to_the_lost_mention_of_a_prompt(windows, site):
    page = await windows.open("owner", site.alerts)
    await page.get_by_role("link", name=re.compile("^On ChatGPT, Acme was named in 1 of 12")).first.click()
    await expect(page).to_have_url(re.compile(f"/alerts/{site.alert}$"))
    cell = page.locator(".changed-cells li").first
    await expect(cell).to_contain_text("Which anvil is right for forge number")
    await cell.get_by_role("link").last.click()  # as it was before; the first is as it is now
    await expect(page.locator(".page-head .stamp")).to_contain_text("ChatGPT")
    await expect(page.locator(".said mark", has_text="Acme").first).to_be_visible()


async def test_a_report_opens_its_answers_its_share_page_and_its_pdf(windows, site):
    page = await windows.open("owner", f"{site.dashboard}/reports/{site.report}")
    answers = page.get_by_role("link", name="See the answers")
    await expect(answers).to_have_attribute("href", re.compile(r"/answers\?check="))
    await page.get_by_role("link", name="Share", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Share a report")
    await page.go_back()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="PDF", exact=True).click()
    assert (await download.value).suggested_filename.endswith(".pdf")
    await page.get_by_role("link", name="Back to reports").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Reports")


async def test_switching_the_workspace_changes_the_url(windows, site):
    page = await windows.open("owner", site.dashboard)
    menu = page.locator("details.switch").first
    await menu.locator("summary").click()
    await menu.locator("a").first.focus()
    await page.keyboard.press("Escape")
    assert not await menu.locator("a").first.is_visible()
    assert await menu.locator("summary").evaluate("each => each === document.activeElement")
    await menu.locator("summary").click()
    await page.get_by_role("link", name=re.compile("^Forge")).click()
    await expect(page).to_have_url(re.compile(site.forge))
    await page.go_back()
    await expect(page).to_have_url(re.compile(site.agency))


async def test_the_theme_is_switched_and_stays(windows, site):
    page = await windows.open("owner", site.dashboard)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = await page.evaluate(ground)
    await open_account_menu(page)
    async with page.expect_response("**/theme"):
        await page.get_by_role("button", name="Dark", exact=True).click()
        await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = await page.evaluate(ground)
    assert dark != light
    await page.goto(f"{site.dashboard}/prompts")
    assert await page.evaluate(ground) == dark
    await open_account_menu(page)
    await page.get_by_role("button", name="System", exact=True).click()
    await expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")


async def test_a_phone_has_a_bottom_bar_and_a_menu_for_the_other_pages(windows, site):
    page = await windows.open("viewer", site.dashboard, size=PHONE)
    await page.get_by_role("navigation", name="Most used pages").get_by_role("link", name="Prompts").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("measured prompts")
    await page.get_by_role("button", name="More").click()
    await page.locator("#side").get_by_role("link", name="Sources", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("sites are cited")


async def test_an_admin_invites_somebody_who_joins_by_the_link_and_sees_what_a_viewer_sees(windows, site):
    page = await windows.open("admin", f"/w/{site.agency}/members")
    await page.get_by_role("radio", name=re.compile("^Viewer")).check()
    await page.get_by_role("button", name="Create invitation").click()
    link = await page.locator("pre[data-copy]").inner_text()
    guest = await windows.open(path=link[link.index("/join") :])
    await guest.get_by_label("Your name").fill("Guest")
    await guest.get_by_label("E-mail").fill("guest@demo.example")
    await guest.get_by_label("Password").fill("correct horse battery")
    await guest.get_by_role("button", name="Create account and join").click()
    await guest.get_by_role("link", name="acme.com").click()
    await guest.locator("#side").get_by_role("link", name="Prompts", exact=True).click()
    await expect(guest.get_by_role("heading", level=1)).to_contain_text("measured prompts")
    assert await guest.locator("main form[method=post]").count() == 0


async def test_a_wrong_and_a_missed_name_are_corrected_and_undone(windows, site):
    page = await windows.open("editor", f"{site.dashboard}/answers/{site.scan}/{site.answer}")
    own = page.locator(".said mark.own")
    before = await own.count()
    assert before, "the answer of the demo names the brand"
    control = page.get_by_role("link", name=re.compile("^Not us"))
    await expect(control).to_have_count(before)
    await control.first.focus()
    await page.keyboard.press("Enter")
    form = page.locator("form#wrong")
    await expect(form.get_by_role("heading")).to_have_text("“Acme” means something else here")
    await check_themes_and_widths(page, "correction")
    await form.get_by_role("button", name="Save").click()
    listed = page.locator("#corrections .row")
    await expect(listed).to_have_count(1)
    await expect(own).to_have_count(before - 1, timeout=ANALYZED_MS)  # without a reload
    await save_screenshot(page, "correction-listed")

    words = await page.evaluate(
        """() => {
          const line = document.querySelector(".said p:not(:empty)");
          const node = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
          const range = document.createRange();
          range.setStart(node, 0);
          range.setEnd(node, node.data.search(/\\s|$/));
          document.getSelection().removeAllRanges();
          document.getSelection().addRange(range);
          return range.toString();
        }"""
    )
    await page.get_by_text("Is a mention of Acme missing?").click()
    await expect(page.get_by_label("Words that name Acme")).to_have_value(words)
    await page.get_by_label("Treat these words as another name for Acme in all answers").uncheck()
    await page.get_by_role("button", name="Mark as Acme").click()
    await expect(listed).to_have_count(2)
    await expect(own).to_have_count(before, timeout=ANALYZED_MS)
    for left in (1, 0):
        await listed.first.get_by_role("button", name=re.compile("^Undo")).click()
        await expect(listed).to_have_count(left)
    await expect(own).to_have_count(before, timeout=ANALYZED_MS)


async def test_a_filter_is_set_on_a_phone_goes_along_and_is_cleared(windows, site):
    page = await windows.open("owner", site.dashboard, size=PHONE)
    await page.get_by_text("All platforms", exact=True).first.click()
    await page.locator(".filter-chips").get_by_role("link", name="ChatGPT", exact=True).click()
    await expect(page.get_by_text("On ChatGPT, Acme is named in")).to_be_visible()
    await page.get_by_role("link", name="Prompts", exact=True).last.click()
    await page.wait_for_url("**/prompts?platform=chatgpt")
    await page.get_by_role("link", name="Clear").click()
    await page.wait_for_url("**/prompts")


async def test_a_page_follows_stored_answers_being_read_again_and_keeps_what_is_typed(windows, site, site_database):
    row, path = uuid.uuid4(), f"/w/{site.professional}/d/{site.globex}/settings"  # it has no answers for the worker
    await run_sql(
        site_database,
        f"""INSERT INTO recomputations
                (workspace_id, id, domain_id, reason, status, scans_total, created_at, updated_at)
            VALUES ('{site.professional}', '{row}', '{site.globex}', 'brand_changed', 'running', 9, now(), now())""",
    )
    page = await windows.open("owner", path)
    await page.clock.install()
    await page.reload()
    banner = page.locator("#rereading")
    await expect(banner).to_contain_text("0 of 9 checks")
    await run_sql(site_database, f"UPDATE recomputations SET scans_done = 4 WHERE id = '{row}'")
    await page.clock.fast_forward(_REFRESH_MS)
    await expect(banner).to_contain_text("4 of 9 checks")
    without_scripts = await windows.open("owner", path, java_script_enabled=False)
    await expect(without_scripts.locator("#rereading")).to_contain_text("4 of 9 checks")
    await page.get_by_label("Other names").fill("Forge of Acme")
    await run_sql(site_database, f"UPDATE recomputations SET status = 'done' WHERE id = '{row}'")
    await page.clock.fast_forward(_REFRESH_MS)
    await expect(banner).to_contain_text("Past results are updated. Reload the page")
    await expect(page.get_by_label("Other names")).to_have_value("Forge of Acme")
    await page.reload()
    await expect(banner).to_be_empty()


async def test_a_page_that_waits_for_results_shows_them_without_a_click(windows, site):
    page = await windows.open("owner", f"{site.dashboard}/checks/{site.scan}")
    await page.clock.install()
    await page.reload()
    await page.evaluate(
        """() => {
             document.querySelector("main").insertAdjacentHTML("afterbegin", '<p id="preparing" data-live>Wait</p>');
             return import("/static/live.js");
           }"""
    )
    await expect(page.locator("#preparing")).to_be_visible()
    await page.clock.fast_forward(_REFRESH_MS)
    await expect(page.locator("#preparing")).to_have_count(0)


async def test_a_week_is_reviewed_from_the_verdict_to_three_numbers(windows, site):
    page = await windows.open("owner", site.fallen)
    await page.locator(".verdict-head .sub a.count").first.click()
    await expect(page.locator(".answer-list li").first).to_be_visible()
    await page.go_back()
    await page.locator(".map a.q.lost").first.click()
    panel = page.get_by_role("dialog")
    await expect(panel.get_by_role("heading", name="Before")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    assert await page.evaluate("document.activeElement.matches('.map a.q.lost')")
    await page.locator("#trend summary").click()
    await page.locator("#trend a.count").first.click()
    await expect(page.locator(".answer-list li").first).to_be_visible()


async def test_a_rival_is_compared_in_two_clicks(windows, site):
    page = await windows.open("viewer", site.dashboard)
    rival = page.locator(".league .brand-name a").first
    name = await rival.inner_text()
    await rival.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(f"{name} is named in")
    await page.locator("#head-to-head a.count").first.click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text(f"{name} named")
    await expect(page.locator(".answer-list mark").first).to_be_visible()


async def test_a_report_is_shared_with_a_link_that_needs_no_account(windows, site):
    page = await windows.open("editor", f"{site.dashboard}/reports")
    await page.get_by_role("link", name=re.compile("^Share:")).first.click()
    await page.get_by_role("button", name="Create link").click()
    link = await page.locator(".secret code").first.inner_text()
    reader = await windows.open(path=link)
    await expect(reader.get_by_role("heading", level=1)).to_contain_text("Acme")
    await reader.get_by_role("link", name="See the answers").click()  # opens the folded quotations of the appendix
    await expect(reader.locator("#proofs")).to_be_visible()


async def test_the_keyboard_jumps_to_a_prompt(windows, site):
    page = await windows.open("owner", site.dashboard)
    await page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog")
    await palette.get_by_role("searchbox").fill("sources")
    await expect(palette.get_by_role("link")).to_have_count(1)
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/sources")


async def test_a_wrong_price_leads_to_where_it_is_corrected_in_three_clicks(windows, site, site_database):
    """Why does ChatGPT say that we cost twice as much, and where do I correct it?"""
    fact_id = uuid.uuid4()
    key = f"'{site.agency}', '{site.acme}'"
    passage = "The **Acme Pro** plan costs $40 per month."
    await run_sql(
        site_database,
        f"""INSERT INTO brand_facts (workspace_id, domain_id, id, kind, subject, value, currency, unit, status,
                                     created_at, updated_at)
            VALUES ({key}, '{fact_id}', 'price', 'Acme Pro', '20', 'USD', 'month', 'confirmed', now(), now());
            INSERT INTO fact_checks VALUES ({key}, '{site.scan}', now());
            INSERT INTO fact_claims VALUES ({key}, '{site.scan}', '{fact_id}', '{site.answer}', '{site.prompt}',
                'chatgpt', 'contradicts', 'USD 40 month', '{passage}', '$40 per month', ARRAY['{site.site}/plans']);""",
    )
    page = await windows.open("owner", site.dashboard)
    await page.get_by_role("link", name="Facts", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("1 of 1 statement about Acme is wrong.")
    wrong = page.locator("#wrong li")
    await expect(wrong).to_contain_text("Acme Pro: 40 USD per month instead of 20 USD per month")
    await expect(wrong.locator("mark")).to_have_text("$40 per month")
    await check_themes_and_widths(page, "facts-wrong")
    await wrong.get_by_role("link", name=f"{site.site}/plans").click()
    await expect(page).to_have_url(re.compile(re.escape(f"/sources/{site.site}")))
    await page.go_back()
    await wrong.get_by_role("link", name="Answer").click()
    await expect(page).to_have_url(re.compile(re.escape(f"/answers/{site.scan}/{site.answer}")))
