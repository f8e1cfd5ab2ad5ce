"""Small histories for bugs that random histories have found, each with the sentence that was violated."""

from datetime import timedelta

import pytest

from tests.installation import START
from tests.scoreboard.oracle import prompt_statistics, scoreboard
from tests.scoreboard.oracle.raw_history import AskedPrompt, BrandMention, RawAnswer, RawBrand, RawHistory, RawScan
from tests.scoreboard.oracle.stored_history import StoredHistory

ONE = AskedPrompt("00000000-0000-0001-0000-000000000001", "which quiet anvil is best", None, branded=False)
BRANDED = AskedPrompt("00000000-0000-0001-0000-000000000003", "is Acme a small anvil", None, branded=True)
GLOBEX = RawBrand("Globex", "globex.com")
NAMED = BrandMention(mentioned=True, rank=1, stance="neutral")
SECOND = BrandMention(mentioned=True, rank=2, stance="neutral")


def scan(
    day: int, scope: str, *prompts: AskedPrompt, platforms=("chatgpt",), competitors=(), source="sandbox", mention=NAMED
):
    answers = {
        (prompt.id, platform): RawAnswer(
            f"00000000-0000-00{day + 10:02d}-0000-0000000000{place}{number}",
            "ok",
            f"{platform}-1",
            (mention, *[SECOND] * len(competitors)),
        )
        for place, prompt in enumerate(prompts)
        for number, platform in enumerate(platforms)
    }
    made = f"00000000-0000-0002-0000-0000000000{day + 10:02d}"
    at = START - timedelta(days=9 - day)
    return RawScan(made, scope, at, prompts, platforms, competitors, answers, source)


def history(*scans: RawScan, removed=()) -> RawHistory:
    nothing = frozenset()
    gone = frozenset(prompt.id for prompt in removed)
    return RawHistory(scans, (*[nothing] * (len(scans) - 1), gone))


async def read_board(installation, given: RawHistory):
    stored = await StoredHistory.open(installation, given)
    try:
        await stored.process_in_order()
        return await stored.read("/analytics"), await stored.read_prompts()
    finally:
        await stored.close()


async def test_a_platform_that_only_a_daily_check_asks_is_shown_outside_the_headline(installation):
    """1.0: cells outside the Full Check's plan are shown with their latest answer, outside the headline."""
    given = history(scan(0, "full_check", ONE), scan(1, "daily_check", ONE, platforms=("chatgpt", "gemini")))
    board, _ = await read_board(installation, given)
    assert board["headline"]["visibility_score"]["n"] == 1
    (prompt,) = board["prompts"]
    assert {cell["platform"]: cell["state"] for cell in prompt["cells"]} == {"chatgpt": "named", "gemini": "named"}


async def test_the_branded_segment_has_the_position_and_share_of_voice_of_the_latest_full_check(installation):
    """1.0: branded prompts get a segment of their own; decisions 4: "the same headline for branded prompts"."""
    given = history(scan(0, "full_check", ONE, BRANDED, competitors=(GLOBEX,)))
    board, _ = await read_board(installation, given)
    expected = scoreboard.scoreboard(given)["branded"]
    assert board["branded"]["market_position"]["value"] == expected["market_position"]["value"] == 1
    assert board["branded"]["share_of_voice_pct"]["value"] == expected["share_of_voice_pct"]["value"] == 50.0


async def test_made_up_answers_do_not_count_in_the_uncited_streak(installation):
    """Decisions 6: sandbox answers never mix with live ones in a metric."""
    given = history(scan(0, "full_check", ONE), scan(1, "daily_check", ONE), scan(2, "full_check", ONE, source="live"))
    _, rows = await read_board(installation, given)
    assert rows[ONE.id]["consecutive_uncited"] == prompt_statistics.consecutive_uncited(given, ONE.id) == 1


@pytest.mark.parametrize("scope", ["full_check", "daily_check"])
async def test_a_board_whose_prompts_are_all_removed_is_empty(installation, scope):
    """Decisions 5: removing a prompt removes its cells from the scoreboard."""
    board, _ = await read_board(installation, history(scan(0, scope, ONE), removed=(ONE,)))
    assert board["prompts"] == []
    assert board["headline"]["visibility_score"]["value"] is None
