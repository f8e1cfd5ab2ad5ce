"""What the checks say of each prompt: 1.8, 1.9 and 1.10 over its own answers."""

from datetime import datetime, timedelta
from fractions import Fraction

from tests.scoreboard.oracle import oracle
from tests.scoreboard.oracle.history import OWN, History
from tests.scoreboard.oracle.numbers import sum_up_sentiment
from tests.scoreboard.oracle.oracle import Cell

SEARCH_ENGINES = {"google.com"}


def consecutive_uncited(history: History, prompt_id: str) -> int:
    run = 0
    for check in history.current.checks:
        cells = [cell for cell in oracle.cells_of(check) if cell.prompt.id == prompt_id and cell.valid]
        if any(cell.own.urls for cell in cells):
            run = 0
        elif cells:
            run += 1
    return run


def last_scanned_at(history: History, prompt_id: str) -> datetime | None:
    times = [check.completed_at for check in history.checks if prompt_id in {each.id for each in check.prompts}]
    return max(times, default=None)


def in_period(history: History, prompt_id: str, end: datetime, scopes=None) -> list[Cell]:
    return [
        cell
        for check in history.current.checks
        if end - timedelta(days=30) < check.completed_at <= end and (scopes is None or check.scope in scopes)
        for cell in oracle.cells_of(check)
        if cell.prompt.id == prompt_id and cell.valid
    ]


def prompt_sentiment(history: History, prompt_id: str, end: datetime) -> dict:
    """Only answers of Full Checks are ever scored."""
    cells = in_period(history, prompt_id, end, ("full_check",))
    scores = [cell.own.sentiment for cell in cells if cell.own.mentioned and cell.own.stance != "unknown"]
    return sum_up_sentiment([score for score in scores if score is not None])


def co_mentioned(history: History, prompt_id: str, end: datetime) -> list[str]:
    cells = in_period(history, prompt_id, end)
    beside = [cell for cell in cells if cell.own.mentioned] or [cell for cell in cells if cell.own.urls]
    domains = {domain for cell in beside for _, domain in cell.answer.pages} - {OWN.domain} - SEARCH_ENGINES

    def citing(among: list[Cell], domain: str) -> int:
        return sum(domain in {each for _, each in cell.answer.pages} for cell in among)

    def order(domain: str):
        lift = Fraction(citing(beside, domain), len(beside)) / Fraction(citing(cells, domain), len(cells))
        return (-citing(beside, domain), -lift, domain)

    return sorted(domains, key=order)[:5]


def named_share(history: History, prompt_id: str, end: datetime) -> float | None:
    cells = in_period(history, prompt_id, end)
    return sum(cell.own.mentioned for cell in cells) / len(cells) if cells else None
