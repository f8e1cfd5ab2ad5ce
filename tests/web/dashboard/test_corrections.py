"""Correcting an answer on its page: "not us?", a missed name, the lists of corrections, and undoing them."""

import html
import re

import pytest

from sightline.accounts.models import Role
from tests.running_worker import until, working
from tests.web.dashboard.dashboard_history import FORGE, SCRIPT, DashboardHistory
from tests.web.page_browser import open_browser

TEXT = (
    f"The Acme Peak trail is steep. **Acme** sells anvils.\n\n| Maker | Note |\n|---|---|\n| Akme | {SCRIPT} |\n\nAkme."
)


@pytest.fixture
async def dashboard(installation):
    return await DashboardHistory.open(installation, lambda *_: TEXT, prompts=(FORGE,))


@pytest.fixture
async def browser(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner) as opened:
        yield opened


@pytest.fixture
async def path(dashboard):
    return (await dashboard.answers(dashboard.scans[0]))["chatgpt"]


def controls(page: str) -> list[str]:
    return re.findall(r'<a class="not-us" href="\?wrong=(\d+-\d+)#wrong"', page)


def as_text(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


async def stored(dashboard):
    return [
        (row["kind"], row["words"], row["phrase"], row["name"]) for row in await dashboard.history.rows("corrections")
    ]


async def test_each_mention_of_the_brand_leads_to_the_form_with_phrases_to_choose(browser, path):
    page = (await browser.get(path)).text
    assert controls(page) == ["4-8", "32-36"], "rivals have no such control"
    assert 'id="wrong"' not in page
    form = (await browser.get(f"{path}?wrong=4-8")).text.partition('id="wrong"')[2].partition("</form>")[0]
    assert re.findall(r'name="phrase" value="([^"]*)"', form) == ["", "Acme Peak", "The Acme", "The Acme Peak"]
    assert "“Acme” means something else here" in as_text(form)
    for nowhere in ("0-3", "4-9", "9-4", "x", "4-8-9", "99999999999-1"):
        assert 'id="wrong"' not in (await browser.get(f"{path}?wrong={nowhere}")).text


async def test_a_wrong_name_is_corrected_listed_and_undone(installation, browser, dashboard, path):
    form = {"start": "4", "end": "8", "phrase": "Acme Peak"}
    saved = await browser.post(f"{path}/corrections", data=form)
    assert (saved.status_code, saved.headers["location"]) == (303, f"{path}?done=corrected#corrections")
    again = await browser.post(f"{path}/corrections", data=form)
    assert again.status_code == 303 and await stored(dashboard) == [("not_this_brand", "Acme", "Acme Peak", None)]
    page = (await browser.get(f"{path}?done=corrected")).text
    assert controls(page) == ["32-36"], "what is corrected has no control"
    said = as_text(page)
    assert (
        "“Acme” means something else Everywhere in “Acme Peak”" in said
        and "Updating past results with the new names" in said
    )
    owner = await installation.db.fetchval("SELECT name FROM users WHERE id = $1", dashboard.tenant.owner.id)
    assert f"{owner}, 16 Nov, 09:30" in said
    settings = as_text((await browser.get(f"{dashboard.path}/settings")).text)
    assert "Corrections of answers “Acme” means something else Everywhere in “Acme Peak” · Answer" in settings
    (row,) = await dashboard.history.rows("corrections")
    undone = await browser.post(f"{dashboard.path}/corrections/{row['id']}/undo", data={"back": "answer"})
    assert undone.headers["location"] == f"{path}?done=undone" and await stored(dashboard) == []
    assert controls((await browser.get(path)).text) == ["4-8", "32-36"]
    assert (await browser.post(f"{dashboard.path}/corrections/{row['id']}/undo")).status_code == 404


async def test_the_marks_follow_when_the_worker_has_read_the_answers_again(installation, browser, path):
    await browser.post(f"{path}/corrections", data={"start": "4", "end": "8", "phrase": ""})
    await browser.post(f"{path}/corrections", data={"words": "akme", "add_name": "yes"})

    async def marks():
        page = (await browser.get(path)).text
        if "data-live" in page:
            return None
        return re.findall(r'<mark(?: id="named")? class="own"[^>]*>([^<]+)</mark>', page)

    async with working(installation, sandbox_latency_ms=0):
        assert await until(marks, seconds=60) == ["Acme", "Akme", "Akme"]


async def test_missed_words_are_found_in_the_line_where_they_were_selected(browser, dashboard, path):
    page = (await browser.get(path)).text
    line = re.findall(r'<p class="text" data-start="(\d+)">Akme\.', page)[0]
    await browser.post(f"{path}/corrections", data={"words": "Akme", "line": line})
    (row,) = await dashboard.history.rows("corrections")
    assert row["span_start"] == TEXT.rindex("Akme") and await stored(dashboard) == [("missing", "Akme", None, None)]
    await browser.post(f"{path}/corrections", data={"words": " AKME ", "line": "nonsense"})
    places = [row["span_start"] for row in await dashboard.history.rows("corrections")]
    assert sorted(places) == [TEXT.index("Akme"), TEXT.rindex("Akme")]


@pytest.mark.parametrize(
    ("form", "status", "sentence"),
    [
        ({"words": "Nobody"}, 422, "The answer does not contain “Nobody”."),
        ({"words": "Acme"}, 422, "These words are already marked as the brand."),
        ({"words": ""}, 422, "Enter the words as they appear in the answer."),
        ({}, 422, "Enter the words"),
        ({"start": "4", "end": "x"}, 422, "Reload the page and try again."),
        ({"start": "0", "end": "3"}, 422, "The brand is not marked at this position."),
        ({"start": "4", "end": "8", "phrase": "steep trail"}, 422, "Enter a phrase with the name"),
        ({"words": SCRIPT}, 422, "The answer does not contain"),
    ],
)
async def test_a_refused_correction_says_why_and_keeps_what_was_typed(browser, dashboard, path, form, status, sentence):
    page = await browser.post(f"{path}/corrections", data=form)
    assert page.status_code == status and sentence in as_text(page.text)
    assert SCRIPT not in page.text
    if form.get("words"):
        assert f'value="{html.escape(form["words"])}"' in page.text
    assert await stored(dashboard) == []


async def test_viewers_see_corrections_and_no_control(installation, browser, dashboard, path):
    await browser.post(f"{path}/corrections", data={"words": "Akme", "add_name": "yes"})
    viewer = await installation.member(dashboard.tenant, Role.VIEWER)
    async with open_browser(installation, viewer) as reader:
        page = (await reader.get(f"{path}?wrong=4-8")).text
        assert controls(page) == [] and 'id="wrong"' not in page and 'id="missing"' not in page
        assert "“Akme” means Acme In all answers, as another name" in as_text(page) and "Undo" not in page
        assert (await reader.post(f"{path}/corrections", data={"words": "Akme"})).status_code == 403
        settings = (await reader.get(f"{dashboard.path}/settings")).text
        assert "“Akme” means Acme" in as_text(settings) and "/undo" not in settings


async def test_settings_list_many_corrections_page_by_page(installation, browser, dashboard, path):
    await browser.post(f"{path}/corrections", data={"start": "4", "end": "8"})
    await installation.db.execute(
        """INSERT INTO corrections
           SELECT workspace_id, gen_random_uuid(), domain_id, scan_id, answer_id, kind, n * 100, n * 100 + 1, words,
                  phrase, name, created_by, api_key_id, created_at - n * interval '1 minute'
           FROM corrections, generate_series(1, 14) AS n"""
    )
    first = (await browser.get(f"{dashboard.path}/settings")).text
    assert first.count("means something else</h3>") == 10
    following = html.unescape(re.findall(r'href="(\?cursor=[^"]+)#corrections" rel="next"', first)[0])
    assert (await browser.get(f"{dashboard.path}/settings{following}")).text.count("means something else</h3>") == 5
