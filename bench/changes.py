"""`python -m bench.changes`: how often quiet domains show a change, and how soon real ones are found.

Domains are simulated like those of the sandbox's market: brands, prompts and platforms with levels of their own, and on
each platform good and bad days with a spread of .5 on the logit scale. `--real FILE` also tests real answers, three
runs of the same questions on one day: every difference is chance. The file has the format of `bench.real_answers`.
`--only alerts` reads quiet quarters day by day, with the alerts of the Daily Checks between the Full Checks.
"""

import argparse
import json
import random
import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.daily_alerts import AlertHistory
from sightline.answers.models import Brand
from sightline.insights.findings.find import is_told, list_findings
from sightline.kit.clock import to_iso
from sightline.metrics.period_change import Checks, TestedChange, find_period_changes
from sightline.scans.models import ScanPlan, ScanPrompt
from sightline.scoreboard.check_changes.schemas import CheckChanges, PeriodResult

QUARTER = 13  # weekly Full Checks
SPREAD = 0.5
RIVALS = 4
PLATFORMS = 4
_INVALID = 0.02
_DAILY_PROMPTS = 10
_START = datetime(2026, 8, 26, 9, tzinfo=UTC)
_FRESH_SEEDS = 10_000  # other than those with which the limits were chosen
_PROCESSES = 2


class Market(NamedTuple):
    """A simulated domain: the answers that name each brand, as an array of brands, cells and checks."""

    platforms: list[str]
    prompts: list[str]
    named: Any

    def find_changes(self, check: int, window: int = QUARTER) -> list[TestedChange]:
        """Return what a Full Check finds, with the checks of the twelve weeks before it."""
        first = max(0, check + 1 - window)
        days = [7.0 * place for place in range(first, check + 1)]
        brands = {
            f"brand {place}": Checks(days, self.platforms, named[:, first : check + 1])
            for place, named in enumerate(self.named)
        }
        return find_period_changes(brands, self.prompts)


def simulate_market(
    seed: int,
    *,
    prompts: int,
    checks: int,
    loss: float = 0.0,
    first: int = 0,
    slow: bool = False,
    spread: float = SPREAD,
) -> Market:
    """Simulate a domain. Its brand loses `loss` points from the check `first` on: at once, or slowly over a quarter."""
    random_numbers = np.random.default_rng(seed)
    cells = prompts * PLATFORMS
    platform, prompt = np.tile(np.arange(PLATFORMS), prompts), np.repeat(np.arange(prompts), PLATFORMS)
    size = RIVALS + 1
    odds = (
        random_numbers.normal(0, 0.6, (size, 1))
        + random_numbers.normal(0, 0.4, (size, PLATFORMS))[:, platform]
        + random_numbers.normal(0, 0.8, (size, prompts))[:, prompt]
        + random_numbers.normal(0, 0.8, (size, cells))
    )
    days = random_numbers.normal(0, spread, (size, PLATFORMS, checks))[:, platform]
    odds = odds[:, :, None] + days
    if loss:
        steps = np.arange(checks) - first + 1
        progress = np.clip(steps / QUARTER, 0, 1) if slow else (steps > 0).astype(float)
        odds[0] += _find_shift(odds[0], loss) * progress
    named = (random_numbers.random(odds.shape) < 1 / (1 + np.exp(-odds))).astype(float)
    named[:, random_numbers.random(named.shape[1:]) < _INVALID] = np.nan
    return Market([f"platform {each}" for each in platform], [str(uuid.UUID(int=each + 1)) for each in prompt], named)


def _find_shift(odds: Any, loss: float) -> float:
    """Return how far the odds move if the share falls by these points, or as near to that as it can."""
    share = float((1 / (1 + np.exp(-odds))).mean())
    low, high = -12.0, 0.0
    for _ in range(40):
        middle = (low + high) / 2
        is_too_far = share - float((1 / (1 + np.exp(-odds - middle))).mean()) > loss / 100
        low, high = (middle, high) if is_too_far else (low, middle)
    return low


class Quarter(NamedTuple):
    """What a quarter of weekly checks showed: whether anything was clear, and what was worth watching each week."""

    clear: bool
    watched: int
    """Different subjects worth watching, added up over the weeks."""
    found_clear: int | None
    """The first week that showed the planted loss clearly, and the first that showed it at all."""
    found: int | None
    watched_true: int


def run_quarter(seed: int, *, prompts: int, loss: float, slow: bool, new: bool) -> Quarter:
    """Simulate a quarter. A `new` domain begins with it; others have a quarter of checks before it."""
    first = 0 if new else QUARTER
    market = simulate_market(seed, prompts=prompts, checks=first + QUARTER, loss=loss, first=first, slow=slow)
    clear, watched, true, found_clear, found = False, 0, 0, None, None
    for week in range(QUARTER):
        changes = [each for each in market.find_changes(first + week) if each.tier != "rest"]
        falls = [each for each in changes if loss and is_own_fall(each)]
        clear = clear or any(each.tier == "clear" for each in changes)
        strong = {(each.subject, each.name) for each in changes if each.tier == "clear"}
        weak = {(each.subject, each.name) for each in changes} - strong
        watched += len(weak)
        true += len(weak & {(each.subject, each.name) for each in falls})
        if falls and found is None:
            found = week + 1
        if found_clear is None and any(each.tier == "clear" for each in falls):
            found_clear = week + 1
    return Quarter(clear, watched, found_clear, found, true)


def is_own_fall(each: TestedChange) -> bool:
    return each.change.points < 0 and (each.subject != "brand" or each.name == "brand 0")


def run_quarters(pool: Any, domains: int, **what: Any) -> list[Quarter]:
    done: list[Quarter] = pool.map(partial(run_quarter, **what), range(domains), chunksize=4)
    return done


def print_quiet(pool: Any, domains: int) -> None:
    print("Quiet quarters: domains with a clear change, and changes worth watching a week")
    for prompts in (10, 30, 100):
        for new in (True, False):
            done = run_quarters(pool, max(20, domains * 10 // prompts), prompts=prompts, loss=0, slow=False, new=new)
            clear = sum(each.clear for each in done)
            watched = sum(each.watched for each in done) / len(done) / QUARTER
            age = "first quarter" if new else "later quarter"
            print(
                f"  {prompts:3} prompts, {age}: {clear} of {len(done)} clear, {watched:.2f} watched a week", flush=True
            )


def read_daily(seed: int, *, prompts: int) -> tuple[bool, bool]:
    """Return whether a quiet first quarter has a clear change: from Full Checks, and with alerts, read every day.

    Daily Checks ask the first ten prompts.
    """
    market = simulate_market(seed, prompts=prompts, checks=7 * QUARTER)
    full = Market(market.platforms, market.prompts, market.named[:, :, ::7])
    names = [f"brand {place}" for place in range(RIVALS + 1)]
    own, *rivals = names
    history = AlertHistory(
        ScanPlan(
            domain="acme.com",
            brand=Brand(own),
            competitors=tuple(map(Brand, rivals)),
            prompts=tuple(ScanPrompt(id=each, text=each) for each in dict.fromkeys(market.prompts)),
            platforms=tuple(dict.fromkeys(market.platforms)),
        )
    )
    cells = list(zip(market.prompts, market.platforms, strict=True))[: _DAILY_PROMPTS * PLATFORMS]
    changes, is_clear_in_full, is_clear = None, False, False
    for day in range(7 * QUARTER):
        now = _START + timedelta(days=day)
        if day % 7 == 0:
            changes = _build_changes(full.find_changes(day // 7), now)
            is_clear_in_full = is_clear_in_full or any(each.tier == "clear" for each in changes.periods)
        else:
            asked = [(key, market.named[:, place, day]) for place, key in enumerate(cells)]
            valid = [(key, named) for key, named in asked if not np.isnan(named[0])]
            named_now = {
                name: frozenset(key for key, named in valid if named[place]) for place, name in enumerate(names)
            }
            history.add_day(now, {key: key in named_now[own] for key, _ in valid}, named_now)
        alerts = [each for each in history.open.values() if is_told(each, None)]
        findings = list_findings(changes, brand=own, alerts=alerts)
        is_clear = is_clear or any(each.tier == "clear" for each in findings)
    return is_clear_in_full, is_clear


def _build_changes(found: Sequence[TestedChange], until: datetime) -> CheckChanges:
    since = to_iso(until - timedelta(days=7))
    return CheckChanges(
        scan_id=uuid.UUID(int=2),
        against_scan_id=uuid.UUID(int=1),
        since=since,
        until=to_iso(until),
        reasons=(),
        established=(),
        winners=(),
        sources=(),
        periods=tuple(
            PeriodResult(
                subject=each.subject,
                name=each.name,
                period=each.period,
                since=since,
                checks=each.change.checks,
                before=each.change.before,
                before_answers=each.change.before_answers,
                now=each.change.now,
                now_answers=each.change.now_answers,
                p=each.change.p,
                tier=each.tier,
            )
            for each in found
        ),
    )


def print_alerts(pool: Any, domains: int) -> None:
    print("Quiet first quarters read every day: domains with a clear change")
    for prompts in (10, 30):
        seeds = range(_FRESH_SEEDS, _FRESH_SEEDS + max(20, domains * 10 // prompts))
        done = pool.map(partial(read_daily, prompts=prompts), seeds, chunksize=2)
        in_full, in_all = (sum(each) for each in zip(*done, strict=True))
        print(f"  {prompts} prompts: {in_full} of {len(done)} from Full Checks, {in_all} with alerts", flush=True)


def print_power(pool: Any, domains: int) -> None:
    print("Losses: quarters that find them, and the median week of those")
    for slow in (False, True):
        for loss in (5, 10, 20):
            for prompts in (10, 30, 100):
                many = max(12, domains * 10 // (prompts * 2))
                done = run_quarters(pool, many, prompts=prompts, loss=loss, slow=slow, new=False)
                clear, any_tier = ([each.found_clear for each in done], [each.found for each in done])
                shape = "slow" if slow else "sudden"
                print(
                    f"  {shape} loss of {loss:2} points, {prompts:3} prompts: clear {_describe(clear)}, "
                    f"clear or worth watching {_describe(any_tier)}",
                    flush=True,
                )


def print_odds(pool: Any, domains: int) -> None:
    """Print how many of the changes worth watching are chance if one domain in two changes in a quarter."""
    quiet = run_quarters(pool, domains // 4, prompts=30, loss=0, slow=False, new=False)
    moved = [
        each
        for loss in (5, 10, 20)
        for each in run_quarters(pool, domains // 12, prompts=30, loss=loss, slow=loss == 10, new=False)
    ]
    total, true = sum(each.watched for each in (*quiet, *moved)), sum(each.watched_true for each in moved)
    print(f"Worth watching, one domain in two changes: {total - true} of {total} are chance")


def _describe(weeks: Sequence[int | None]) -> str:
    found = sorted(week for week in weeks if week is not None)
    return f"{100 * len(found) / len(weeks):.0f}%" + (f" (week {found[len(found) // 2]})" if found else "")


def read_real_runs(lines: Iterable[str]) -> list[tuple[str, str, list[list[bool]]]]:
    """Return each cell of real answers with its runs: whether each of the five brands of its market is named."""
    answers = [json.loads(line) for line in lines]
    markets: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        markets[answer["market"]].update({label["brand"] for label in answer["labels"] if label.get("brand")})
    cells: dict[tuple[str, str, str], list[list[bool]]] = defaultdict(list)
    for answer in answers:
        brands = [name for name, _ in markets[answer["market"]].most_common(RIVALS + 1)]
        named = [bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", answer["text"], re.IGNORECASE)) for name in brands]
        cells[answer["market"], answer["prompt"], answer["platform"]].append(named)
    return [
        (prompt, platform, runs)
        for (_, prompt, platform), runs in cells.items()
        if len(runs) == 3 and len(runs[0]) > RIVALS
    ]


def print_real(path: Path, domains: int) -> None:
    """Test the runs as they are, and quarters of 30 prompts whose checks repeat the runs in a random order."""
    with path.open() as lines:
        cells = read_real_runs(lines)
    pairs = [_build_real_market(cells, [[first, second]] * len(cells)) for first, second in ((0, 1), (0, 2), (1, 2))]
    changed = sum(each.tier != "rest" for market in pairs for each in market.find_changes(1))
    print(f"Real answers of {len(cells)} cells, run against run: {changed} changes in {len(pairs)} comparisons")
    draw = random.Random(1)
    prompts = sorted({prompt for prompt, _, _ in cells})
    clear = watched = 0
    for _ in range(domains):
        chosen = set(draw.sample(prompts, min(30, len(prompts))))
        own = [cell for cell in cells if cell[0] in chosen]
        market = _build_real_market(own, [[draw.randrange(3) for _ in range(QUARTER)] for _ in own])
        tiers = [each.tier for week in range(1, QUARTER) for each in market.find_changes(week)]
        clear += "clear" in tiers
        watched += tiers.count("watch")
    print(
        f"  quarters: {clear} of {domains} clear, {watched / domains / (QUARTER - 1):.2f} tests a week worth watching"
    )


def _build_real_market(cells: Sequence[tuple[str, str, list[list[bool]]]], orders: Sequence[Sequence[int]]) -> Market:
    named = [
        [[float(runs[run][brand]) for run in order] for (_, _, runs), order in zip(cells, orders, strict=True)]
        for brand in range(RIVALS + 1)
    ]
    return Market([cell[1] for cell in cells], [cell[0] for cell in cells], np.array(named))


_REPORTS = {"quiet": print_quiet, "alerts": print_alerts, "odds": print_odds, "power": print_power}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domains", type=int, default=200)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--only", choices=(*_REPORTS, "real"))
    chosen = parser.parse_args()
    if chosen.real and chosen.only in (None, "real"):
        print_real(chosen.real, chosen.domains)
    with Pool(_PROCESSES) as pool:
        for name, report in _REPORTS.items():
            if chosen.only in (None, name):
                report(pool, chosen.domains)


if __name__ == "__main__":
    main()
