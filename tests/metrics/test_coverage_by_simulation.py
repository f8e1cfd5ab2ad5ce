"""Simulations with fixed seeds: how often intervals contain the truth, and how often a quiet day raises an alert.

Worlds are drawn from Beta distributions over cells or prompts: Beta(.6, .9) is a market in which a cell names the brand
40 % of the time on average, and most cells far more or far less often. Cells of real panels differ like this, and some
bounds hold only then; each test says which world it simulates. The measured values are given next to each bound.
"""

import math
from statistics import fmean, stdev

import numpy as np
import pytest

from sightline.metrics.alerts import CellHistory, run_rule_a, run_rule_b
from sightline.metrics.compare import find_sign_flip_p
from sightline.metrics.intervals import (
    Interval,
    market_ratio_interval,
    ratio_interval,
    student_t_quantile,
    wilson_interval,
)

pytestmark = pytest.mark.slow

_RANKS = np.arange(1, 7)
_GAIN_BY_RANK = 1 / np.log2(_RANKS + 1)


def _holds(interval, truth):
    return interval is not None and interval.low <= truth <= interval.high


def _draw_scores(rng, shares, repeats):
    """Draw scores of answers that name the brand with these shares, at any of six ranks, and cite it less often."""
    shape = (repeats, *shares.shape)
    named = rng.random(shape) < shares
    cited = rng.random(shape) < 0.5 * shares
    return named * (0.5 + 0.3 * rng.choice(_GAIN_BY_RANK, shape)) + 0.2 * cited


def _expect_score(shares):
    return float((shares * (0.5 + 0.3 * _GAIN_BY_RANK.mean()) + 0.1 * shares).mean())


def simulate_fixed_panels(world, cells, *, panels=40, repeats=500, seed=1):
    """Return how often the intervals of mentions and of scores contain the truth, over all panels.

    Each panel is drawn once and stays fixed; its answers are drawn again for each repeat.
    """
    rng = np.random.default_rng([seed, cells])
    mentions, scores = [], []
    for _ in range(panels):
        shares = rng.beta(*world, cells)
        sums = (rng.random((repeats, cells)) < shares).sum(axis=1)
        mentions += [_holds(wilson_interval(int(total), cells), float(shares.mean())) for total in sums]
        totals = _draw_scores(rng, shares, repeats).sum(axis=1)
        scores += [_holds(wilson_interval(float(total), cells), _expect_score(shares)) for total in totals]
    return fmean(mentions), fmean(scores)


@pytest.mark.parametrize("cells", [20, 35, 70, 140])
@pytest.mark.parametrize("world", [(0.3, 0.7), (0.6, 0.9), (1, 1), (3, 7)])
def test_the_repeat_interval_covers_95_percent_where_cells_differ(world, cells):
    """The bound is for the average of 40 panels. Measured: mentions 95.7 to 99.4 %, scores above 99 %.

    The interval is conservative by design: answers of fixed cells vary less than coin throws with their mean.
    """
    mentions, scores = simulate_fixed_panels(world, cells)
    assert mentions >= 0.95
    assert scores >= 0.95


@pytest.mark.parametrize("cells", [20, 35, 70, 140])
def test_the_repeat_interval_keeps_93_percent_where_all_cells_are_alike(cells):
    """The worst world has each cell at 30 %: Wilson is then the plain binomial interval.

    Its coverage varies around 95 % with n. Measured at 20, 35, 70 and 140 cells: 97.7, 93.6, 95.1, 94.9 %; scores above
    99 %.
    """
    mentions, scores = simulate_fixed_panels((30_000, 70_000), cells, panels=20, repeats=1_000)
    assert mentions >= 0.93
    assert scores >= 0.95


def simulate_market(spread, mean_logit, prompts, platforms, *, repeats=3_000, seed=2):
    """Return how often three intervals contain the market's value: the market interval, t alone, and the repeat one.

    Each prompt of a market has its own chance to name the brand, normal on the logit scale with this mean and spread.
    A check asks some of the prompts on every platform; the truth is the mean over all prompts of the market.
    """
    rng = np.random.default_rng([seed, prompts, platforms])
    truth = float(_to_share(mean_logit + spread * np.random.default_rng(1).normal(size=1_000_000)).mean())
    shares = _to_share(mean_logit + spread * rng.normal(size=(repeats, prompts, 1)))
    sums = (rng.random((repeats, prompts, platforms)) < shares).sum(axis=2).tolist()
    cells = prompts * platforms
    wholes = [platforms] * prompts
    market = fmean(_holds(market_ratio_interval(row, wholes, trials=cells), truth) for row in sums)
    student = fmean(_holds(_student_interval([part / platforms for part in row]), truth) for row in sums)
    repeat = fmean(_holds(wilson_interval(sum(row), cells), truth) for row in sums)
    return market, student, repeat


def _to_share(logit):
    return 1 / (1 + np.exp(-logit))


def _student_interval(means):
    """Return the market interval of version 1 of the formulas: Student's t over prompts alone."""
    half = student_t_quantile(0.975, len(means) - 1) * stdev(means) / math.sqrt(len(means))
    return Interval(max(0.0, fmean(means) - half), min(1.0, fmean(means) + half)) if half else None


@pytest.mark.parametrize("platforms", [3, 7])
@pytest.mark.parametrize("prompts", [10, 20, 50])
@pytest.mark.parametrize("spread", [1.0, 1.5, 2.0])
def test_the_repeat_interval_covers_the_value_of_the_market_in_72_to_93_percent_of_cases(spread, prompts, platforms):
    """The brand is named in about a third of the answers, and the prompts differ by 1 to 2 on the logit scale.

    Measured: 72.2 to 91.4 %, and 95.6 to 97.3 % for the market interval. Student's t alone: 93.3 to 95.4 %.
    """
    market, _, repeat = simulate_market(spread, -0.85, prompts, platforms)
    assert 0.70 <= repeat <= 0.93
    assert 0.945 <= market <= 0.985


@pytest.mark.parametrize("prompts", [5, 8, 12, 20, 30])
@pytest.mark.parametrize(("mean_logit", "spread"), [(0.0, 2.0), (-1.0, 1.5), (-2.0, 2.0), (-3.0, 1.5), (-4.0, 2.0)])
def test_the_market_interval_covers_at_least_94_percent_even_of_rare_brands(mean_logit, spread, prompts):
    """The brand is named in 50, 33, 23, 10 and 6 % of the answers on four platforms.

    Measured: 95.6 to 99.9 %. Student's t alone, the formula of version 1: 62.7 to 95.4 %. It is low for a rare brand
    and few prompts, which do not show how far the prompts of the market differ.
    """
    market, student, _ = simulate_market(spread, mean_logit, prompts, 4)
    assert market >= 0.94
    assert market >= student


def test_students_t_alone_covers_less_than_70_percent_of_a_rare_brand_in_five_prompts():
    assert simulate_market(2.0, -4.0, 5, 4)[1] < 0.70


def simulate_share_of_voice(cells, *, exclusive, panels=40, repeats=250, seed=3):
    """Return how often the interval contains the share of voice of a brand with two competitors.

    Three in ten answers name no brand. If `exclusive`, an answer names at most one brand; otherwise it names each brand
    with the cell's own share for it.
    """
    rng = np.random.default_rng([seed, cells])
    held = []
    for _ in range(panels):
        shares = rng.dirichlet([1, 1, 1], cells) if exclusive else rng.beta(0.6, 0.9, (cells, 3))
        if exclusive:
            chosen = (rng.random((repeats, cells, 1)) > shares.cumsum(axis=1)).sum(axis=2)
            named = chosen[:, :, None] == np.arange(3)
        else:
            named = rng.random((repeats, cells, 3)) < shares
        named &= rng.random((repeats, cells, 1)) < 0.7
        truth = float(shares[:, 0].sum() / shares.sum())
        held += [_holds(ratio_interval(row[:, 0].tolist(), row.sum(axis=1).tolist()), truth) for row in named]
    return fmean(held)


@pytest.mark.parametrize("cells", [20, 70, 140])
@pytest.mark.parametrize("exclusive", [True, False], ids=["one brand per answer", "several"])
def test_the_interval_of_share_of_voice_covers_95_percent(cells, exclusive):
    """The [prop] bound is for the average of 40 fixed panels.

    Measured: 96.9 to 97.1 % where an answer names one brand, and above 99.9 % where it names several: the brand's part
    of an answer then varies far less than yes and no.
    """
    assert simulate_share_of_voice(cells, exclusive=exclusive) >= 0.95


def simulate_rule_b(world, cells, *, days, factor=1.0, seed=4):
    """Return the share of days on which rule B raises an alert.

    Each day has a new panel with seven earlier Daily Checks; today its shares are multiplied by `factor`.
    """
    rng = np.random.default_rng([seed, cells, round(10 * factor)])
    raised = 0
    for _ in range(days):
        shares = rng.beta(*world, cells)
        history = rng.binomial(7, shares).tolist()
        today = (rng.random(cells) < factor * shares).tolist()
        rows = [CellHistory(named, 7, now) for named, now in zip(history, today, strict=True)]
        raised += run_rule_b(rows, earlier_dailies=7).holds
    return raised / days


@pytest.mark.parametrize("cells", [35, 70])
@pytest.mark.parametrize("world", [(0.3, 0.7), (0.6, 0.9), (0.8, 1.2)])
def test_3_5_rule_b_raises_on_less_than_1_percent_of_quiet_days(world, cells):
    """Cells differ in these worlds. Measured over 20,000 days: .33 to .71 %."""
    assert simulate_rule_b(world, cells, days=8_000) < 0.01


@pytest.mark.parametrize("cells", [35, 70])
def test_3_5_rule_b_stays_below_2_percent_where_all_cells_are_alike(cells):
    """The worst world has each cell at 40 %: shares of seven days are mostly noise.

    Measured over 10,000 days: 1.1 and 1.3 %.
    """
    assert simulate_rule_b((40_000, 60_000), cells, days=5_000) < 0.02


def test_3_5_rule_b_catches_a_halving_at_70_cells_about_94_percent_of_the_time():
    """At a mean share of 40 %. Measured over 5,000 days: 94.8 %; at 30 % it is 79 to 84 %, at 50 % above 98 %."""
    assert 0.925 <= simulate_rule_b((0.6, 0.9), 70, days=2_500, factor=0.5) <= 0.965


def count_false_alarms(world, *, cells=35, days=30_000, seed=5):
    """Return the false alarms in 30 quiet days, each compared with the day before.

    One number for each rule: any cell lost, a move of ten points, McNemar below .05, and rule A.
    """
    rng = np.random.default_rng(seed)
    shares = rng.beta(*world, (days, cells))
    before, now = rng.random((days, cells)) < shares, rng.random((days, cells)) < shares
    lost, gained = (before & ~now).sum(axis=1).tolist(), (~before & now).sum(axis=1).tolist()
    pairs = list(zip(lost, gained, strict=True))
    findings = [run_rule_a(down, up, cells) for down, up in pairs]
    return (
        30 * fmean(down > 0 for down, _ in pairs),
        30 * fmean(10 * abs(down - up) >= cells for down, up in pairs),
        30 * fmean(finding.p < 0.05 for finding in findings),
        30 * fmean(finding.holds for finding in findings),
    )


def test_3_5_false_alarms_in_30_quiet_days_at_35_cells():
    """The table of 3.5 says 29.8, 7.2 and .6. Measured here: 29.8, 7.5, .68 (and .68 for the whole of rule A)."""
    any_lost, moved, mcnemar, rule_a = count_false_alarms((0.5, 0.75))
    assert any_lost == pytest.approx(29.8, abs=0.1)
    assert moved == pytest.approx(7.2, abs=0.6)
    assert mcnemar == pytest.approx(0.6, abs=0.1)
    assert rule_a <= mcnemar


def test_3_3_a_quiet_score_is_called_changed_5_percent_of_the_time():
    """The answers of both days are drawn from the same panel of 70 cells. Measured: 5.2 % of 1,000."""
    rng = np.random.default_rng(6)
    wrong = 0
    for _ in range(1_000):
        shares = rng.beta(0.6, 0.9, 70)
        before, now = _draw_scores(rng, shares, 2)
        wrong += find_sign_flip_p((now - before).tolist()) < 0.05
    assert 0.02 <= wrong / 1_000 <= 0.065
