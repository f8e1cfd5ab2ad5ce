"""The page of prompts: "a table whose heart is a heat strip", search, filters, bulk pin and remove, add, accept."""

import html
import re

import pytest

from sightline.accounts.models import Role
from sightline.plans.table import Plan
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.prompts.suggestions.review import store_suggestions
from tests.installation import Installation
from tests.web.dashboard.dashboard_history import (
    FORGE,
    QUIET,
    SCRIPT,
    DashboardHistory,
    answer_by_platform,
    without_count_links,
)
from tests.web.page_browser import open_browser


def listed(page):
    return [html.unescape(each) for each in re.findall(r'prompts/[0-9a-f-]{36}(?:\?[^"]*)?">([^<]+)</a>', page.text)]


async def suggest(dashboard, text="which anvil lasts"):
    found = NewSuggestion(
        prompt=text,
        language_code="en",
        country_iso_2=None,
        priority=1.0,
        origin="question",
        origin_subjects=("gemini",),
        origin_answers=1,
    )
    async with dashboard.history.installation.db.transaction() as tx:
        at = (dashboard.history.workspace_id, dashboard.history.domain_id)
        await store_suggestions(tx, *at, [found], now=dashboard.history.installation.clock())
    return str((await dashboard.history.rows("prompt_suggestions"))[-1]["id"])


async def test_each_prompt_has_one_square_per_platform_that_opens_its_answer(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = await browser.get(f"{dashboard.path}/prompts")
        assert page.status_code == 200
        assert page.text.count('title="ChatGPT: named first"') == 2
        assert page.text.count('title="Gemini: cited only"') == 2
        assert page.text.count('title="Perplexity: not mentioned"') == 2
        (square, *_) = re.findall(r'<a class="q first" href="(cells/[^"]+)"', page.text)
        assert (await browser.get(f"{dashboard.path}/{square}")).status_code == 200
        assert len(page.content) < 150_000


async def test_what_was_never_measured_is_never_shown_as_zero(installation):
    dashboard = await DashboardHistory.open(installation)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = await browser.get(f"{dashboard.path}/prompts")
        assert "not measured" in page.text and "not checked" in page.text
        assert "Demand" not in page.text and "looked up" not in page.text
        empty = await DashboardHistory.open(installation, prompts=())
    async with open_browser(installation, empty.tenant.owner) as browser:
        assert "No prompts are tracked yet" in (await browser.get(f"{empty.path}/prompts")).text


async def test_a_prompt_without_a_readable_answer_is_neither_cited_nor_uncited(installation):
    dashboard = await DashboardHistory.open(installation, lambda prompt, platform: None, prompts=(FORGE,))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for path in ("prompts", f"prompts/{(await dashboard.prompt_ids())[FORGE]}"):
            page = (await browser.get(f"{dashboard.path}/{path}")).text
            assert ": failed" in page and ">cited" not in page and "in the latest check" not in page


async def test_search_filter_and_order_are_in_the_address(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    await dashboard.history.add_prompt("anvil for beginners")
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def look(query):
            return listed(await browser.get(f"{dashboard.path}/prompts?{query}"))

        assert await look("q=QUIET") == [QUIET]
        assert await look("sort=prompt") == ["anvil for beginners", FORGE, QUIET]
        assert await look("show=unchecked") == ["anvil for beginners"]
        assert set(await look("show=named")) == {FORGE, QUIET}
        assert await look("show=absent") == []
        assert len(await look("show=nonsense&sort=nonsense&page=99999999")) == 3
        assert "No matching prompts" in (await browser.get(f"{dashboard.path}/prompts?q=zebra")).text


async def test_a_page_of_prompts_has_at_most_150_kb_in_every_language(installation):
    prompts = [f"Which anvil of {number} is the best one for a forge like mine?" for number in range(55)]
    dashboard = await DashboardHistory.open(installation, prompts=prompts)
    dashboard.history.platforms = (
        "chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot", "grok", "mistral", "deepseek",
        "google_ai_mode", "local",
    )  # fmt: skip
    scan = await dashboard.history.run_full_check(lambda prompt, platform: "Acme is good.")
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for path, size in (("prompts", 30), (f"checks/{scan}", 50)):
            page = await browser.get(f"{dashboard.path}/{path}")
            german = await browser.get(f"{dashboard.path}/{path}", headers={"Accept-Language": "de"})
            assert 'lang="de"' in german.text and max(len(page.content), len(german.content)) < 150_000
            assert len(listed(page)) == size and "Page 1 of 2" in page.text
            assert len(listed(await browser.get(f"{dashboard.path}/{path}?page=2"))) == 55 - size


async def test_marked_prompts_are_pinned_unpinned_and_removed_together(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    ids = list((await dashboard.prompt_ids()).values())
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def act(query="", **form):
            return await browser.post(f"{dashboard.path}/prompts/act{query}", data=form)

        done = await act("?q=anvil&sort=prompt", action="pin", prompt_id=ids)
        assert (done.status_code, done.headers["location"]) == (
            303,
            f"{dashboard.path}/prompts?q=anvil&sort=prompt&done=pinned&number=2",
        )
        page = (await browser.get(done.headers["location"])).text
        assert "2 of 10 pins used" in page and "2 prompts pinned. Every Daily Check asks them now." in page
        await act(unpin=ids[0], prompt_id=ids)  # the star of a row acts on that row alone
        assert "1 of 10 pins used" in (await browser.get(f"{dashboard.path}/prompts")).text
        removed = await act(action="remove", prompt_id=ids[:1])
        assert "1 prompt removed. Its results are kept" in (await browser.get(removed.headers["location"])).text
        await act(action="remove", prompt_id=ids[1:])
        assert await dashboard.prompt_ids() == {}
        assert set((await dashboard.prompt_ids("removed")).values()) == set(ids)


async def test_a_refusal_changes_nothing_and_is_told_on_the_page(installation):
    dashboard = await DashboardHistory.open(installation, prompts=[f"anvil {number}" for number in range(12)])
    ids = list((await dashboard.prompt_ids()).values())
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        refused = await browser.post(f"{dashboard.path}/prompts/act", data={"action": "pin", "prompt_id": ids})
        assert refused.status_code == 409
        assert "Nothing was changed" in refused.text and "0 of 10 pins used" in refused.text
        assert f'href="../prompts/{ids[0]}"' in refused.text
        unmarked = await browser.post(f"{dashboard.path}/prompts/act", data={"action": "remove"})
        assert unmarked.status_code == 422 and "Select at least one prompt" in unmarked.text


async def test_the_plans_limit_is_shown_before_it_bites(installation):
    dashboard = await DashboardHistory.open(
        installation, prompts=[f"anvil {number}" for number in range(9)], plan=Plan.FREE
    )
    form = {"prompt": "a tenth", "language_code": "en", "country_iso_2": "de"}
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert "uses 9 of the 10 prompts in its plan" in (await browser.get(f"{dashboard.path}/prompts")).text
        added = await browser.post(f"{dashboard.path}/prompts/add", data=form)
        assert added.headers["location"] == f"{dashboard.path}/prompts?done=added"
        page = await browser.get(added.headers["location"])
        assert "uses all 10 prompts in its plan" in page.text and "Germany · English" in page.text
        over = await browser.post(f"{dashboard.path}/prompts/add", data={**form, "prompt": SCRIPT})
        assert over.status_code == 409 and SCRIPT not in over.text and html.escape(SCRIPT) in over.text
        wrong = await browser.post(f"{dashboard.path}/prompts/add", data={**form, "language_code": "xx"})
        assert wrong.status_code == 422 and 'id="language_code-fault">“xx” is not a language' in wrong.text
        named = await browser.post(f"{dashboard.path}/prompts/add", data={**form, "country_iso_2": "Germany"})
        assert named.headers["location"].endswith("done=added"), "the same prompt again, chosen by name"


@pytest.mark.parametrize(("pin", "pinned"), [({}, False), ({"pin": "yes"}, True)])
async def test_a_prompt_is_pinned_where_that_is_asked_for(installation, pin, pinned):
    dashboard = await DashboardHistory.open(installation)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        await browser.post(f"{dashboard.path}/prompts/add", data={"prompt": "new one", "language_code": "en", **pin})
    (row,) = [row for row in await dashboard.history.rows("prompts") if row["prompt"] == "new one"]
    assert ((row["pinned_at"] is not None), row["country_iso_2"], row["source"]) == (pinned, None, "added_by_you")


async def test_a_suggestion_is_accepted_or_dismissed_once(installation):
    dashboard = await DashboardHistory.open(installation)
    first, second = await suggest(dashboard), await suggest(dashboard, "which anvil is cheap")
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert "Gemini raised this question in 1 answer" in (await browser.get(f"{dashboard.path}/prompts")).text
        path = f"{dashboard.path}/prompts/suggestions"
        assert (await browser.post(path, data={"accept": first})).headers["location"].endswith("?done=accepted")
        assert (await browser.post(path, data={"dismiss": second})).headers["location"].endswith("?done=dismissed")
        assert (
            "which anvil lasts" in await dashboard.prompt_ids()
            and "which anvil is cheap" not in await dashboard.prompt_ids()
        )
        again = await browser.post(path, data={"accept": first})
        assert again.status_code == 404 and "Page not found" in again.text


async def test_a_viewer_sees_no_actions_and_cannot_perform_them(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    suggestion, prompt_id = await suggest(dashboard), (await dashboard.prompt_ids())[FORGE]
    viewer = await installation.member(dashboard.tenant, Role.VIEWER)
    forms = {
        "act": {"action": "remove", "prompt_id": prompt_id},
        "add": {"prompt": "new one", "language_code": "en"},
        "suggestions": {"accept": suggestion},
    }
    async with open_browser(installation, viewer) as browser:
        for path in ("prompts", f"prompts/{prompt_id}"):
            page = await browser.get(f"{dashboard.path}/{path}")
            assert page.status_code == 200
            assert page.text.count('<form method="post"') == 1, "signing out is all there is"
        for name, form in forms.items():
            assert (await browser.post(f"{dashboard.path}/prompts/{name}", data=form)).status_code == 403
    async with open_browser(installation, await installation.member(dashboard.tenant, Role.EDITOR)) as editor:
        for name, form in forms.items():
            crossed = await editor.post(
                f"{dashboard.path}/prompts/{name}", data=form, headers={"Sec-Fetch-Site": "cross-site"}
            )
            assert crossed.status_code == 403
            assert FORGE in await dashboard.prompt_ids() and len(await dashboard.prompt_ids()) == 2
        for name, form in forms.items():
            assert (await editor.post(f"{dashboard.path}/prompts/{name}", data=form)).status_code == 303


async def test_prompts_and_suggestions_of_others_are_not_there(installation):
    mine, theirs = await DashboardHistory.open(installation), await DashboardHistory.open(installation)
    foreign = {
        "act": {"action": "remove", "prompt_id": (await theirs.prompt_ids())[FORGE]},
        "suggestions": {"dismiss": await suggest(theirs)},
    }
    async with open_browser(installation, mine.tenant.owner) as browser:
        for name, form in foreign.items():
            assert (await browser.post(f"{mine.path}/prompts/{name}", data=form)).status_code == 404
            assert (await browser.post(f"{theirs.path}/prompts/{name}", data=form)).status_code == 404
        assert (await browser.get(f"{mine.path}/prompts/{foreign['act']['prompt_id']}")).status_code == 404
    assert len(await theirs.prompt_ids()) == 2


async def test_a_stored_script_is_inert_and_the_address_is_never_echoed(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, prompts=(f"anvil {SCRIPT}",))
    await suggest(dashboard, f'"><img src=x onerror=alert(1)> {SCRIPT}')
    prompt_id = next(iter((await dashboard.prompt_ids()).values()))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for path in ("prompts", f"prompts/{prompt_id}", f"checks/{dashboard.scans[0]}"):
            page = await browser.get(f"{dashboard.path}/{path}?q={SCRIPT}&done={SCRIPT}")
            assert "<script>alert" not in page.text and "<img" not in page.text
            assert " style=" not in page.text


async def test_the_page_of_a_prompt_says_what_one_look_finds(installation):
    dashboard = await DashboardHistory.open(installation, *[answer_by_platform] * 5, prompts=(FORGE,))
    path = f"{dashboard.path}/prompts/{(await dashboard.prompt_ids())[FORGE]}"
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = html.unescape(without_count_links((await browser.get(path)).text))
        assert "If someone asks once, the chance of seeing Acme is 100% (57% to 100%)." in page
        assert "If someone asks once, the chance of seeing Acme is 0% (0% to 43%)." in page
        assert "<strong>100%</strong>" in page and "5 of 5" in page


async def test_with_few_checks_the_page_of_a_prompt_says_that_it_cannot_tell(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, prompts=(FORGE, QUIET))
    path = f"{dashboard.path}/prompts/{(await dashboard.prompt_ids())[FORGE]}"
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(path)).text
        assert "Too few answers to estimate the chance: 1 so far, 5 needed." in page
        assert "If someone asks once" not in page


def answer_less(prompt, platform):
    """Name Acme first on Gemini and no longer on ChatGPT."""
    return "## Best\n1. **Acme** is best.\n2. Globex" if platform == "gemini" else "Globex is good."


async def test_columns_say_named_in_and_change_and_sort_by_the_address(installation):
    dashboard = await DashboardHistory.open(
        installation, answer_by_platform, answer_less, prompts=(FORGE, "is Acme good")
    )
    await dashboard.history.add_prompt(QUIET)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = without_count_links((await browser.get(f"{dashboard.path}/prompts")).text)
        row = re.search(rf"<tr>(?:(?!</tr>).)*{FORGE}.*?</tr>", page, re.DOTALL)[0]
        assert 'data-name="Named in" class="number">1 of 3<' in row and "+1 \u22121" in row
        assert "Newly named on Gemini. No longer named on ChatGPT. Full Check of" in row
        assert 'title="Gemini: named first, newly named"' in row and "absent lost" in row
        assert "Branded" not in row
        assert "Branded" in re.search(r"<tr>(?:(?!</tr>).)*is Acme good.*?</tr>", page, re.DOTALL)[0]
        for key in ("named", "change", "position", "sentiment", "checked"):
            assert f'href="{dashboard.path}/prompts?sort={key}"' in page
            found = listed(await browser.get(f"{dashboard.path}/prompts?sort={key}"))
            assert found[-1] == QUIET or key == "sentiment", key  # what was not measured comes last
        ids = await dashboard.prompt_ids()
        branded = (await browser.get(f"{dashboard.path}/prompts/{ids['is Acme good']}")).text
        assert "does not count towards Visibility Score, Brand Coverage" in branded and "Demand" not in branded
        mark = 'title="This prompt names Acme. It does not count towards Visibility Score'
        answers = await dashboard.answers(dashboard.scans[-1], 1)
        pages = [answers["chatgpt"], f"{dashboard.path}/checks/{dashboard.scans[-1]}", f"{dashboard.path}/answers"]
        texts = [(await browser.get(path)).text for path in pages]
        form = {"text": "is Acme bad\nbest anvil", "language": "en", "go": "preview"}
        texts.append((await browser.post(f"{dashboard.path}/prompts/import", data=form)).text)
        assert [text.count(mark) for text in texts] == [1, 1, 1, 1]


async def test_demand_is_a_column_only_where_a_source_is_configured(database_url, tmp_path):
    settings = {"dataforseo_login": "me", "dataforseo_password": "secret"}
    async with Installation.open(database_url, tmp_path, **settings) as installation:
        dashboard = await DashboardHistory.open(installation, prompts=(FORGE,))
        async with open_browser(installation, dashboard.tenant.owner) as browser:
            page = (await browser.get(f"{dashboard.path}/prompts")).text
            assert ">Demand</a>" in page and "not looked up yet" in page


async def test_tags_are_given_to_many_filtered_and_measured(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    ids = await dashboard.prompt_ids()
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def act(**form):
            return await browser.post(f"{dashboard.path}/prompts/act", data=form)

        done = await act(action="tag", prompt_id=list(ids.values()), tags="Forge, EU")
        assert "Tags added to 2 prompts." in (await browser.get(done.headers["location"])).text
        done = await act(action="untag", prompt_id=[ids[QUIET]], tags="forge")
        assert "Tags removed from 1 prompt." in (await browser.get(done.headers["location"])).text
        assert (await act(action="tag", prompt_id=list(ids.values()), tags=" ")).status_code == 422
        page = await browser.get(f"{dashboard.path}/prompts?tag=forge")
        assert listed(page) == [FORGE] and re.search(r'tag=forge" aria-current="true">forge<', page.text)
        whole = await browser.get(f"{dashboard.path}/prompts")
        for shown, expected in ((page, ["1 of 3"]), (whole, ["2 of 6", "1 of 3"])):
            figures = re.search(r'id="by-tag".*?</section>', without_count_links(shown.text), re.DOTALL)[0]
            found = re.findall(r'data-name="Named in \(answers\)" class="number">([^<]+)<', figures)
            assert found == expected  # eu, forge


async def test_another_text_starts_another_history_and_both_pages_say_so(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    old = (await dashboard.prompt_ids())[FORGE]
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def edit(**form):
            return await browser.post(f"{dashboard.path}/prompts/{old}/edit", data=form)

        refused = await edit(prompt=QUIET, tags="a")
        assert (
            refused.status_code == 422
            and "is already tracked" in refused.text
            and f">{QUIET}</textarea>" in refused.text
        )
        done = await edit(prompt="best anvil for a large forge", tags="Size")
        new = await browser.get(done.headers["location"])
        assert "best anvil for a large forge" in new.text and "Not checked yet" in new.text and ">size</a>" in new.text
        assert f'Changed from <a href="{dashboard.path}/prompts/{old}">{FORGE}</a>' in new.text
        kept = (await browser.get(f"{dashboard.path}/prompts/{old}")).text
        assert "no longer tracked" in kept and "It was changed to" in kept and "Check by check" in kept


async def test_the_csv_file_runs_no_formula_and_can_be_imported_again(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, prompts=("=1+1 anvils", FORGE))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        file = await browser.get(f"{dashboard.path}/prompts/export.csv")
        assert (
            file.headers["content-type"] == "text/csv; charset=utf-8"
            and "attachment" in file.headers["content-disposition"]
        )
        assert "'=1+1 anvils,,en,,no,no,1,3,1," in file.content.decode("utf-8-sig")
        form = {"language": "en", "go": "preview"}
        again = await browser.post(
            f"{dashboard.path}/prompts/import", data=form, files={"file": ("p.csv", file.content)}
        )
        assert "No new prompts.</strong>" in again.text
