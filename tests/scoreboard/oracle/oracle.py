"""The expected results of a raw history, in the form of the Data API.

Slow and simple, over raw answers, from `metrics.md` and `spec.md` alone: it shares nothing with the code under test.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tests.scoreboard.oracle.formulas import (
    add_worths,
    evaluate,
    label_score,
    paired_interval,
    round_figure,
    subtract,
    summarize_sentiment,
    to_number,
    wilson,
    worth,
)
from tests.scoreboard.oracle.raw_history import NEVER_CITES, OWN, AskedPrompt, BrandMention, RawAnswer, RawScan

# The 97.5% quantiles of Student's t, from a printed table: of 4 to 14 degrees of freedom.
STUDENT_T_975 = {
    4: 2.7764451, 5: 2.5705818, 6: 2.4469119, 7: 2.3646243, 8: 2.3060041, 9: 2.2621572, 10: 2.2281389, 11: 2.2009852,
    12: 2.1788128, 13: 2.1603687, 14: 2.1447867,
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    prompt: AskedPrompt
    platform: str
    answer: RawAnswer

    @property
    def valid(self) -> bool:
        return self.answer.status == "ok"

    @property
    def own(self) -> BrandMention:
        return self.answer.brands[0]

    def worth(self, brand: int) -> dict:
        return worth(self.answer.brands[brand], self.platform not in NEVER_CITES)


def list_cells(scan: RawScan) -> list[Cell]:
    return [
        Cell(prompt, platform, scan.answers[prompt.id, platform])
        for prompt in scan.prompts
        for platform in scan.platforms
    ]


def counted(cells: list[Cell]) -> list[Cell]:
    """Leave out branded prompts, unless there are no others."""
    unbranded = [cell for cell in cells if not cell.prompt.branded]
    return unbranded or cells


def valid(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.valid]


def is_incomplete(cells: list[Cell]) -> bool:
    """Return whether valid/planned is below 80% overall or on a platform. An overview not shown counts as measured."""
    cells = [cell for cell in cells if cell.answer.status != "no_surface"]
    groups = [cells, *([cell for cell in cells if cell.platform == name] for name in {c.platform for c in cells})]
    return any(5 * len(valid(group)) < 4 * len(group) for group in groups)


def is_early(cells: list[Cell]) -> bool:
    """Return whether fewer than 10 prompts, but at least one, have a valid answer."""
    return 0 < len({cell.prompt.id for cell in valid(cells)}) < 10


def figure(cells: list[Cell], value, *, low=None, high=None, numerator=0, denominator=0) -> dict:
    return {
        "value": value,
        "low": low,
        "high": high,
        "n": len(valid(cells)),
        "numerator": numerator,
        "denominator": denominator,
        "early_reading": is_early(cells),
        "incomplete": is_incomplete(cells),
    }


def market_range(cells: list[Cell], worth_of) -> dict | None:
    """Return the range for questions like these, as docs/measure/metrics.md defines it; None below five prompts."""
    worths: dict[str, list[float]] = {}
    for cell in valid(cells):
        worths.setdefault(cell.prompt.id, []).append(float(worth_of(cell)))
    if len(worths) < 5:
        return None
    m, n = len(worths), sum(map(len, worths.values()))
    p = sum(map(sum, worths.values())) / n
    e = math.sqrt(m / (m - 1) * sum((sum(each) - p * len(each)) ** 2 for each in worths.values())) / n
    t = STUDENT_T_975[m - 1]
    effective = m if e < 1e-9 else min(n, p * (1 - p) / e**2)
    low, high = wilson(p * effective * (1.959964 / t) ** 2, effective * (1.959964 / t) ** 2)
    low, high = max(0.0, min(low, p - t * e)), min(1.0, max(high, p + t * e))
    return {"low": round_figure(100 * low), "high": round_figure(100 * high)}


def rate(cells: list[Cell], x) -> dict:
    n = len(valid(cells))
    if not n:
        return figure(cells, None)
    low, high = wilson(x, n)
    return figure(
        cells,
        round_figure(100 * x / n),
        low=round_figure(100 * low),
        high=round_figure(100 * high),
        numerator=round_figure(x, 4),
        denominator=n,
    )


def count(cells: list[Cell], number: int) -> dict:
    n = len(valid(cells))
    return figure(cells, number if n else None, numerator=number, denominator=n)


def visibility(cells: list[Cell], brand: int = 0) -> dict:
    cells = counted(cells)
    found = rate(cells, to_number(add_worths(cell.worth(brand) for cell in valid(cells))))
    return {**found, **market_of(cells, lambda cell: evaluate(cell.worth(brand)))}


def coverage(cells: list[Cell]) -> dict:
    found = rate(counted(cells), Fraction(mentions(cells)))
    return {**found, **market_of(counted(cells), lambda cell: cell.own.mentioned)}


def market_ranges(cells: list[Cell]) -> dict:
    return {
        "visibility_score_market": visibility(cells)["market"],
        "brand_coverage_pct_market": coverage(cells)["market"],
    }


def market_of(cells: list[Cell], worth_of) -> dict:
    prompts = len({cell.prompt.id for cell in valid(cells)})
    return {"prompts": prompts, "market": market_range(cells, worth_of)}


def mentions(cells: list[Cell], brand: int = 0) -> int:
    return sum(cell.answer.brands[brand].mentioned for cell in valid(counted(cells)))


def rank_brand(cells: list[Cell], brand: int, brands: int) -> tuple[int | None, int, int]:
    """Return the position (1.7) and the range of positions that the answers allow."""
    group = valid(counted(cells))
    totals = [add_worths(cell.worth(each) for cell in group) for each in range(brands)]
    others = [each for each in range(brands) if each != brand]
    above = sum(totals[each] != totals[brand] and to_number(totals[each]) > to_number(totals[brand]) for each in others)
    surely_above = surely_below = 0
    for each in others:
        differences = [evaluate(subtract(cell.worth(each), cell.worth(brand))) for cell in group]
        if sum(map(bool, differences)) >= 6:  # 3.3: fewer than six one-way flips are never significant
            _, low, high = paired_interval(differences)
            surely_above += low > 1e-12
            surely_below += high < -1e-12
    seen = any(cell.answer.brands[brand].mentioned or cell.answer.brands[brand].urls for cell in group)
    return (1 + above if seen else None), 1 + surely_above, brands - surely_below


def market_position(cells: list[Cell], brands: int) -> dict:
    cells = counted(cells)
    if brands == 1:
        return {**figure([], None), "numerator": None, "denominator": None}
    if not valid(cells):
        return {**figure([], None), "numerator": None, "denominator": None}
    position, best, worst = rank_brand(cells, 0, brands)
    if position is None:
        return figure(cells, None, numerator=None, denominator=brands)
    return figure(cells, position, low=best, high=worst, numerator=None, denominator=brands)


def share_of_voice(cells: list[Cell], brands: int) -> dict:
    own, everyone = mentions(cells), sum(mentions(cells, each) for each in range(brands))
    value = round_figure(Fraction(100 * own, everyone)) if everyone and brands > 1 else None
    found = figure(counted(cells), value, numerator=own, denominator=everyone)
    return {key: found[key] for key in found if key not in ("low", "high")}  # the texts define no interval for it


def daily_figures(cells: list[Cell]) -> dict:
    """Return the figures that a Daily Check changes. Branded prompts count only in citations."""
    return {
        "visibility_score": visibility(cells),
        "brand_coverage_pct": coverage(cells),
        "ai_mentions": count(counted(cells), mentions(cells)),
        "citation_count": count(cells, sum(len(set(cell.own.urls)) for cell in valid(cells))),
    }


def full_check_figures(cells: list[Cell], brands: int) -> dict:
    """Return the figures that only a Full Check changes."""
    return {
        "market_position": market_position(cells, brands),
        "share_of_voice_pct": share_of_voice(cells, brands),
    }


UNMEASURED = {**figure([], None), "numerator": None, "denominator": None}


def headline(cells: list[Cell], full: list[Cell] | None, brands: int) -> dict:
    """Return the figures of cells. Those that only a Full Check changes are of `full`, and of none without it."""
    if full is None:
        return {**daily_figures(cells), "market_position": UNMEASURED, "share_of_voice_pct": UNMEASURED}
    return {**daily_figures(cells), **full_check_figures(full, brands)}


def ranking(cells: list[Cell], scan: RawScan) -> list[dict]:
    """Rank the brand among its competitors; return nothing without competitors."""
    names = (OWN, *scan.competitors)
    if len(names) == 1 or not valid(counted(cells)):
        return []
    everyone = sum(mentions(cells, each) for each in range(len(names)))
    scores = [visibility(cells, each) for each in range(len(names))]
    rows = []
    for each, competitor in enumerate(names):
        position, best, worst = rank_brand(cells, each, len(names))
        named = mentions(cells, each)
        rows.append(
            {
                "name": competitor.name,
                "domains": [competitor.domain],
                "is_own": each == 0,
                "score": scores[each],
                "position": position,
                "position_low": best,
                "position_high": worst,
                "tied": sum(scores[each]["value"] == other["value"] for other in scores) > 1,
                "mentions": named if scores[each]["n"] else None,
                "share_of_voice_pct": round_figure(Fraction(100 * named, everyone)) if everyone else None,
            }
        )
    return rows


def select(cells: list[Cell] | None, condition) -> list[Cell] | None:
    return None if cells is None else [cell for cell in cells if condition(cell)]


def platforms(cells: list[Cell], full: list[Cell] | None, brands: int) -> dict[str, dict]:
    found = {}
    for name in {cell.platform for cell in cells}:
        group = [cell for cell in cells if cell.platform == name]
        statuses = [cell.answer.status for cell in group]
        ok, hidden = statuses.count("ok"), statuses.count("no_surface")
        found[name] = {
            **headline(group, select(full, lambda cell, name=name: cell.platform == name), brands),
            "platform": name,
            "planned": len(group),
            "valid": ok,
            "no_surface": hidden,
            "failed": statuses.count("failed"),
            "unanswered": 0,
            "incomplete": is_incomplete(group),
            "surface_rate": round_figure(Fraction(100 * ok, ok + hidden)) if hidden else None,
            "faults": [],
        }
    return found


def countries(cells: list[Cell], full: list[Cell] | None, brands: int) -> dict[str | None, dict]:
    found = {}
    for name in {cell.prompt.country for cell in cells}:
        group = [cell for cell in cells if cell.prompt.country == name]
        found[name] = {
            **headline(group, select(full, lambda cell, name=name: cell.prompt.country == name), brands),
            "country": name,
            "planned": len(group),
            "valid": len(valid(group)),
        }
    return found


def branded(cells: list[Cell], full: list[Cell] | None, brands: int) -> dict | None:
    group = [cell for cell in cells if cell.prompt.branded]
    if not group:
        return None
    return headline(group, select(full, lambda cell: cell.prompt.branded), brands)


def sources(answers: list[RawAnswer], scan: RawScan) -> dict[str, dict]:
    pages: dict[str, set[str]] = {}
    citing: dict[str, set[str]] = {}
    for answer in answers:
        for url, domain in answer.pages:
            pages.setdefault(domain, set()).add(url)
            citing.setdefault(domain, set()).add(answer.id)
    competitors = {competitor.domain for competitor in scan.competitors}
    return {
        domain: {
            "domain": domain,
            "urls": len(urls),
            "answers": len(citing[domain]),
            "is_own": domain == OWN.domain,
            "is_competitor": domain in competitors,
        }
        for domain, urls in pages.items()
    }


def sentiment(cells: list[Cell]) -> dict:
    """Return the sentiment (1.8), including branded prompts; `net` is averaged over prompts."""
    named = [cell for cell in valid(cells) if cell.own.mentioned and cell.own.stance != "unknown"]
    scored = [cell for cell in named if cell.own.sentiment is not None]
    labels = [label_score(cell.own.sentiment) for cell in scored]
    by_prompt: dict[str, list[int]] = {}
    for cell in scored:
        sign = {"positive": 1, "neutral": 0, "negative": -1}[label_score(cell.own.sentiment)]
        by_prompt.setdefault(cell.prompt.id, []).append(sign)
    nets = [Fraction(100 * sum(signs), len(signs)) for signs in by_prompt.values()]
    return {
        **summarize_sentiment([cell.own.sentiment for cell in scored]),
        "net": round_figure(sum(nets) / len(nets)) if len(nets) >= 3 else None,
        "unscored": len(named) - len(scored),
        "positive": labels.count("positive"),
        "neutral": labels.count("neutral"),
        "negative": labels.count("negative"),
    }


def expect_scan(scan: RawScan) -> dict:
    """Return the expected board of one scan."""
    cells, brands = list_cells(scan), 1 + len(scan.competitors)
    full = None if scan.scope == "daily_check" else cells
    return {
        "planned": len(cells),
        "valid": len(valid(cells)),
        "incomplete": is_incomplete(cells),
        "early_reading": is_early(counted(cells)),
        "only_branded": all(cell.prompt.branded for cell in cells),
        "headline": headline(cells, full, brands),
        "details": market_ranges(cells),
        "platforms": platforms(cells, full, brands),
        "countries": countries(cells, full, brands),
        "branded": branded(cells, full, brands),
        "sources": sources([cell.answer for cell in cells], scan),
        "competitors": {} if full is None else {row["name"]: row for row in ranking(full, scan)},
        "sentiment": sentiment(cells) if scan.scope == "full_check" else None,
    }


def trend(scans: list[RawScan]) -> list[dict]:
    points = []
    for scan in scans:
        cells = list_cells(scan)
        about = {"scan_id": scan.id, "scope": scan.scope, "incomplete": is_incomplete(cells)}
        full = None if scan.scope == "daily_check" else cells
        points.append({**about, **headline(cells, full, 1 + len(scan.competitors))})
    return points
