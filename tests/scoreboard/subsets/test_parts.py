"""Figures of a part: "from the stored cells with their own n and ranges", by the formulas of the whole."""

from datetime import timedelta

import msgspec
import pytest

from sightline.domains.tracking.read import read_tracked_domain
from sightline.prompts.tags.change import set_tags
from sightline.scans.queries import find_scan
from sightline.scans.schemas.results import Headline
from sightline.scoreboard.compare import Comparisons
from sightline.scoreboard.completed_scans import read_completed_scan
from sightline.scoreboard.history.trend import read_trend
from sightline.scoreboard.queries import find_board, find_scan_board
from sightline.scoreboard.refresh import read_board_sources
from sightline.scoreboard.schemas import Board
from sightline.scoreboard.subsets.choices import read_choices
from sightline.scoreboard.subsets.filter import DatedFilter, MeasurementFilter
from sightline.scoreboard.subsets.part import CellPart, build_check_part, build_scoreboard_part
from sightline.scoreboard.subsets.read import read_filtered_board
from sightline.scoreboard.subsets.trend import read_part_trend
from tests.scan_history import PLATFORMS, UNCITED, ScanHistory, ScriptedAnswer

_decode = msgspec.json.Decoder(Board).decode


def _say(named):
    def say(prompt, platform):
        if platform == "perplexity" and prompt.text.endswith("4"):
            return None
        if int(prompt.text[-1]) < named[platform]:
            return ScriptedAnswer("Acme is excellent and quiet. Globex is next.", cited=("https://acme.com/a",))
        return ScriptedAnswer("Globex is what smiths use, then Initech.", cited=("https://wiki.org/x",))

    return say


@pytest.fixture
async def history(installation):
    history = await ScanHistory.open(installation)
    for number in range(6):
        prompt_id = await history.add_prompt(
            f"{'which anvil is good' if number % 2 else 'welcher Amboss taugt'} {number}",
            language="en" if number % 2 else "de",
            country=None if number % 2 else "DE",
        )
        if number < 2:
            async with installation.db.transaction() as tx:
                await set_tags(tx, history.workspace_id, history.domain_id, prompt_id, ["early"])
    await history.add_prompt("is Acme good 0")
    history.first = await history.run_full_check(_say({"chatgpt": 1, "gemini": 2, "perplexity": 3}))
    history.second = await history.run_full_check(_say({"chatgpt": 5, "gemini": 4, "perplexity": 0}))
    history.daily = await history.run_daily_check(_say({"chatgpt": 2, "gemini": 4, "perplexity": 1}))
    await history.add_prompt("added later 1")
    history.last = await history.run_daily_check(_say({"chatgpt": 3, "gemini": 4, "perplexity": 1}))
    return history


async def _read(history, **values):
    db, clock = history.installation.db, history.installation.clock
    wanted = MeasurementFilter(**values)
    dated = DatedFilter(wanted, wanted.find_period(clock()))
    return await read_filtered_board(db, history.workspace_id, await _domain(history), dated, uncited=UNCITED)


async def _domain(history):
    class Known(msgspec.Struct):
        workspace_id: object
        clients: None = None

    return await read_tracked_domain(history.installation.db, Known(history.workspace_id), history.domain_id)


async def test_the_part_with_every_cell_equals_what_is_stored(installation, history):
    """The stored boards were built by the worker; building the part of all cells gives the same, to the last digit."""
    db, workspace_id = installation.db, history.workspace_id
    row = await find_board(db, workspace_id, history.domain_id)
    stored = _decode(row.board)
    sources = await read_board_sources(db, workspace_id, history.domain_id, row, UNCITED)
    base = await read_completed_scan(db, await find_scan(db, workspace_id, row.base_scan_id), uncited=UNCITED)
    comparisons = Comparisons(
        **{name: getattr(stored.headline, name).comparison for name in Comparisons.__struct_fields__}
    )
    assert build_scoreboard_part(CellPart(), sources, base, comparisons) == stored
    for scan_id in (history.first, history.second, history.daily):
        check = _decode(await find_scan_board(db, workspace_id, scan_id))
        completed = await read_completed_scan(db, await find_scan(db, workspace_id, scan_id), uncited=UNCITED)
        compared = Comparisons(
            **{name: getattr(check.headline, name).comparison for name in Comparisons.__struct_fields__}
        )
        assert build_check_part(CellPart(), completed, compared) == check


async def test_a_platform_and_a_country_have_the_figures_that_the_whole_board_gives_them(history):
    whole = (await _read(history)).board
    for row in whole.platforms:
        part = (await _read(history, platform=row.platform)).board
        assert _plain(part.headline) == _plain(row) and [each.platform for each in part.platforms] == [row.platform]
    for row in whole.countries:
        part = (await _read(history, country=row.country or "global")).board
        assert _plain(part.headline) == _plain(row)
        assert {each.country_iso_2 for each in part.prompts} == {row.country}
    both = (await _read(history, country="DE", platform="chatgpt", language="de")).board
    assert both.headline.brand_coverage_pct.n == 3 and len(both.prompts) == 3
    tagged = (await _read(history, tag="early")).board
    assert tagged.headline.brand_coverage_pct.n == 6 and tagged.headline.brand_coverage_pct.prompts == 2


async def test_a_site_has_the_same_type_on_a_part_as_on_the_whole_board(installation):
    """Otherwise a filter could show more shops than there are."""

    def say(prompt, platform):
        path = "products/anvil" if platform == "chatgpt" else "about"
        return ScriptedAnswer("Globex is what smiths use.", cited=(f"https://hooli.com/{path}",))

    history = await ScanHistory.open(installation, "best anvil")
    await history.run_full_check(say)
    day = f"{installation.clock():%Y-%m-%d}"
    await history.run_full_check(say)
    for values in ({}, {"platform": "chatgpt"}, {"platform": "chatgpt", "until": day}):
        shown = await _read(history, **values)
        (site,) = shown.board.sources
        assert (shown.is_past, site.domain, site.type) == ("until" in values, "hooli.com", "other")


def _plain(headline):
    """Return the figures without comparisons and what they are good for, which only a headline says."""
    found = {}
    for name in Headline.__struct_fields__:
        figure = msgspec.structs.asdict(getattr(headline, name))
        figure.pop("comparison", None)
        figure.pop("good_for", None)
        found[name] = figure
    return found


async def test_a_part_is_compared_with_the_same_part_of_the_chosen_check(history):
    german = (await _read(history, country="DE")).board.headline.ai_mentions.comparison
    assert german.against_scan_id == str(history.daily) and german.matched_cells == 8
    chosen = await _read(history, against=str(history.first), country="DE")
    change = chosen.board.headline.ai_mentions.comparison
    assert change.against_scan_id == str(history.first)
    assert change.reasons == ("incomplete_before", "incomplete_now")  # of this part: one of its platforms failed
    assert chosen.compared_scan_id == history.second and change.matched_cells == 8
    crossed = await _read(history, against=str(history.second))
    assert crossed.board.headline.ai_mentions.comparison.reasons[0] == "scope"
    same = await _read(history, against=str(history.last))
    assert same.faults == ("To compare, choose a check before the one shown.",)
    assert same.board.headline.ai_mentions.comparison is None


async def test_an_earlier_period_shows_its_last_full_check_alone(installation, history):
    day = installation.clock().date()
    first = str(day.replace(day=day.day - 3))
    past = await _read(history, until=first)
    assert past.is_past and past.scan.id == history.first
    assert past.board == _decode(await find_scan_board(installation.db, history.workspace_id, history.first))
    assert past.answers_query(brand="named") == f"?check={history.first}&brand=named"
    nothing = await _read(history, until="2020-01-01")
    assert nothing.faults and nothing.board.headline.ai_mentions.value is None
    none = await _read(history, since=first, against="previous")
    assert none.faults == ("The previous period has no Full Check to compare with.",)


async def test_what_the_domain_does_not_have_is_refused_in_words(installation, history):
    other = await ScanHistory.open(installation, "best anvil")
    foreign = await other.run_full_check(lambda *_: "Globex.")
    wanted = MeasurementFilter(platform="grok", country="XX", language="fr", tag="theirs", against=str(foreign))
    domain = await _domain(history)
    choices = await read_choices(installation.db, history.workspace_id, domain, wanted)
    assert foreign not in {check.id for check in choices.checks} and len(choices.checks) == 4
    assert (choices.countries, choices.languages, choices.tags) == (["global", "DE"], ["de", "en"], ["early"])
    kept, faults = choices.refuse_unknown(wanted)
    assert kept == MeasurementFilter() and len(faults) == 5
    assert choices.refuse_unknown(MeasurementFilter(tag="early", against=str(history.first)))[1] == ()


async def test_the_trend_of_a_part_has_the_figures_that_the_boards_store(history):
    db, now = history.installation.db, history.installation.clock()
    whole = await read_trend(db, history.workspace_id, history.domain_id, "sandbox", since=now - timedelta(weeks=4))
    last = await find_scan(db, history.workspace_id, history.last)
    parts = [({}, lambda board: board.headline)]
    parts += [({"platform": key}, lambda board, key=key: _find(board.platforms, "platform", key)) for key in PLATFORMS]
    parts += [({"country": "DE"}, lambda board: _find(board.countries, "country", "DE"))]
    for values, find in parts:
        wanted = MeasurementFilter(period="4w", **values)
        trend = await read_part_trend(db, last, wanted, wanted.find_period(now + timedelta(seconds=1)), uncited=UNCITED)
        assert [point.completed_at for point in trend] == [check.completed_at for check in whole] and len(whole) == 2
        for point, check in zip(trend, whole, strict=True):
            stored = _plain(find(check.board))
            for name in ("visibility_score", "brand_coverage_pct", "ai_mentions"):
                assert msgspec.structs.asdict(getattr(point, name)) == stored[name], (values, name)


def _find(rows, name, value):
    return next(row for row in rows if getattr(row, name) == value)
