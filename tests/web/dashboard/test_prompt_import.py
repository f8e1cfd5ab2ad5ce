"""The import of prompts: upload or paste, a preview that stores nothing, then all or nothing."""

import re

from sightline.plans.table import Plan
from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory
from tests.web.page_browser import open_browser

ROWS = [f"which anvil of kind {number} is best for a workshop number {number * 7}" for number in range(30)]
CSV = ("text,tags\r\n" + "".join(f'"{text}, please",spreadsheet\r\n' for text in ROWS)).encode("utf-8-sig")


def read_form(page):
    """Return the fields of the preview as a browser would send them again."""
    text = re.search(r'name="text"[^>]*>\n(.*?)</textarea>', page.text, re.DOTALL)[1]
    return {
        "text": text.replace("&#34;", '"').replace("&#39;", "'"),
        "countries": re.search(r'name="countries"[^>]*value="([^"]*)"', page.text)[1],
        "language": "en",
        "tags": "",
        "previewed": re.search(r'name="previewed" value="(\w+)"', page.text)[1],
        "go": "save",
    }


async def test_thirty_prompts_in_five_countries_from_a_spreadsheet(installation):
    dashboard = await DashboardHistory.open(installation, prompts=(FORGE,))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        path = f"{dashboard.path}/prompts/import"
        assert (await browser.get(path)).status_code == 200
        countries = {"countries": "United States, Germany, FR, uk, Japan", "language": "en", "go": "preview"}
        preview = await browser.post(path, data=countries, files={"file": ("prompts.csv", CSV, "text/csv")})
        assert preview.status_code == 200 and "<strong>150 new prompts.</strong>" in preview.text
        assert "151 of the 500 prompts in its plan" in preview.text and "answers per week" in preview.text
        assert len(await dashboard.prompt_ids()) == 1, "nothing is stored before the last step"
        changed = {**read_form(preview), "text": "another text than the preview shows"}
        assert "<strong>5 new prompts.</strong>" in (await browser.post(path, data=changed)).text
        assert len(await dashboard.prompt_ids()) == 1
        saved = await browser.post(path, data=read_form(preview))
        assert saved.status_code == 303
        assert "Imported 150 prompts in 5 countries." in (await browser.get(saved.headers["location"])).text
        rows = await dashboard.history.rows("prompts")
        assert len(rows) == 151
        imported = [row for row in rows if row["prompt"] != FORGE]
        assert {row["country_iso_2"] for row in imported} == {"US", "DE", "FR", "GB", "JP"}
        assert {tuple(row["tags"]) for row in imported} == {("spreadsheet",)} and imported[0]["prompt"].endswith(
            ", please"
        )


async def test_duplicates_and_faults_are_shown_with_their_lines_and_nothing_is_stored(installation):
    dashboard = await DashboardHistory.open(installation, prompts=(FORGE,))
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def send(text="", **fields):
            return await browser.post(
                f"{dashboard.path}/prompts/import", data={"text": text, "language": "en", "go": "preview", **fields}
            )

        page = await send(f"{FORGE.upper()}\nquiet anvil\nQuiet  anvil\n{FORGE}s")
        assert "Already tracked" in page.text and "Left out: same as line 2" in page.text
        assert f"Almost the same as “{FORGE}”" in page.text
        wrong = await send("text,country\nbest anvil,Atlantis\nx,DE\n")
        assert wrong.status_code == 422 and "Nothing was changed." in wrong.text
        assert (
            "Line 2: “Atlantis” is not a country" in wrong.text and "Line 3: a prompt must have 2 to 500" in wrong.text
        )
        once = await send("best anvil", countries="Unitd States, Germany")
        assert once.status_code == 422 and once.text.count("is not a country") == 1
        assert 'id="countries-fault">“Unitd States” is not a country' in once.text, "at its field"
        assert 'id="text-fault">Line 2:' in wrong.text
        file = {"file": ("prompts.csv", b"text,country\nbest anvil,Atlantis\n", "text/csv")}
        read = await browser.post(
            f"{dashboard.path}/prompts/import", data={"text": "", "language": "en", "go": "preview"}, files=file
        )
        assert read.status_code == 422 and "best anvil,Atlantis" in read.text, "to be corrected in place"
        assert await dashboard.prompt_ids() == {FORGE: (await dashboard.prompt_ids())[FORGE]}


async def test_hostile_files_are_refused_with_a_message_and_nothing_is_stored(installation):
    dashboard = await DashboardHistory.open(installation, prompts=(FORGE,))
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def send(content):
            file = {"file": ("prompts.csv", content, "text/csv")}
            return await browser.post(
                f"{dashboard.path}/prompts/import", data={"language": "en", "go": "save"}, files=file
            )

        for content, status, words in (
            (b"x" * 10_000_000, 413, "too large"),
            (bytes(range(256)) * 100, 422, "not a text file"),
            (b"PK\x03\x04" + b"\0" * 99, 422, "a workbook"),
            (b"best anvil\n" * 90_000, 422, "at most 2,000 prompts"),
            (b'text\n"never closed', 422, "Line 2: a quotation mark is not closed"),
        ):
            refused = await send(content)
            assert refused.status_code == status and words in refused.text, (content[:20], refused.text[:2000])
            assert refused.headers["content-type"].startswith("text/html")
        assert list(await dashboard.prompt_ids()) == [FORGE]


async def test_several_lines_in_the_field_of_one_prompt_lead_to_the_import(installation):
    dashboard = await DashboardHistory.open(installation, prompts=(FORGE,))
    lines = "\r\n".join(ROWS)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        form = {"prompt": lines, "language_code": "en", "country_iso_2": "DE"}
        offered = await browser.post(f"{dashboard.path}/prompts/add", data=form)
        assert offered.status_code == 200 and "You entered 30 lines" in offered.text
        wrong = await browser.post(f"{dashboard.path}/prompts/add", data={**form, "prompt": "a good one\nx"})
        assert wrong.status_code == 422 and 'id="text-fault">Line 2:' in wrong.text and "autofocus" in wrong.text
        assert "<strong>30 new prompts.</strong>" in offered.text and len(await dashboard.prompt_ids()) == 1
        await browser.post(f"{dashboard.path}/prompts/import", data=read_form(offered))
        assert len(await dashboard.prompt_ids()) == 31
        invisible = await browser.post(f"{dashboard.path}/prompts/add", data={**form, "prompt": "\u200b\u200b\u200b"})
        assert invisible.status_code == 422 and "at least 2 visible characters" in invisible.text


async def test_the_plans_limit_refuses_the_whole_import(installation):
    dashboard = await DashboardHistory.open(installation, prompts=(FORGE,), plan=Plan.FREE)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        form = {"text": "\n".join(ROWS), "language": "en", "go": "preview"}
        refused = await browser.post(f"{dashboard.path}/prompts/import", data=form)
        assert refused.status_code == 422 and "9 more can be added, and this import adds 30" in refused.text
        assert 'value="save"' not in refused.text and len(await dashboard.prompt_ids()) == 1
