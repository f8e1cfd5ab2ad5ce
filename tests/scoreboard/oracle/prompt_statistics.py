"""The expected statistics of each prompt: 1.8, 1.9 and 1.10 over its own answers."""

from datetime import datetime, timedelta
from fractions import Fraction

from tests.scoreboard.oracle import oracle
from tests.scoreboard.oracle.formulas import summarize_sentiment
from tests.scoreboard.oracle.oracle import Cell
from tests.scoreboard.oracle.raw_history import OWN, RawHistory

SEARCH_ENGINES = {"google.com"}


def consecutive_uncited(history: RawHistory, prompt_id: str) -> int:
    run = 0
    for scan in history.current.scans:
        cells = [cell for cell in oracle.list_cells(scan) if cell.prompt.id == prompt_id and cell.valid]
        if any(cell.own.urls for cell in cells):
            run = 0
        elif cells:
            run += 1
    return run


def last_scanned_at(history: RawHistory, prompt_id: str) -> datetime | None:
    times = [scan.completed_at for scan in history.scans if prompt_id in {each.id for each in scan.prompts}]
    return max(times, default=None)


def in_period(history: RawHistory, prompt_id: str, end: datetime, scopes=None) -> list[Cell]:
    return [
        cell
        for scan in history.current.scans
        if end - timedelta(days=30) < scan.completed_at <= end and (scopes is None or scan.scope in scopes)
        for cell in oracle.list_cells(scan)
        if cell.prompt.id == prompt_id and cell.valid
    ]


def prompt_sentiment(history: RawHistory, prompt_id: str, end: datetime) -> dict:
    """Return the sentiment of a prompt; only answers of Full Checks have scores."""
    cells = in_period(history, prompt_id, end, ("full_check",))
    scores = [cell.own.sentiment for cell in cells if cell.own.mentioned and cell.own.stance != "unknown"]
    return summarize_sentiment([score for score in scores if score is not None])


def co_mentioned(history: RawHistory, prompt_id: str, end: datetime) -> list[str]:
    cells = in_period(history, prompt_id, end)
    with_brand = [cell for cell in cells if cell.own.mentioned] or [cell for cell in cells if cell.own.urls]
    domains = {domain for cell in with_brand for _, domain in cell.answer.pages} - {OWN.domain} - SEARCH_ENGINES

    def citing(among: list[Cell], domain: str) -> int:
        return sum(domain in {each for _, each in cell.answer.pages} for cell in among)

    def order(domain: str):
        lift = Fraction(citing(with_brand, domain), len(with_brand)) / Fraction(citing(cells, domain), len(cells))
        return (-citing(with_brand, domain), -lift, domain)

    return sorted(domains, key=order)[:5]


def named_share(history: RawHistory, prompt_id: str, end: datetime) -> float | None:
    cells = in_period(history, prompt_id, end)
    return sum(cell.own.mentioned for cell in cells) / len(cells) if cells else None
