"""What the texts say that a history amounts to, in the shape in which the Data API says it.

Slow and simple, over raw answers, from `metrics.md` and `spec.md` alone: it shares nothing with the code under test.
"""

from dataclasses import dataclass
from fractions import Fraction

from tests.scoreboard.oracle.history import NEVER_CITES, OWN, Answer, Asked, Check, Said
from tests.scoreboard.oracle.numbers import (
    add_up,
    label_of,
    minus,
    paired,
    shown,
    sum_up_sentiment,
    to_number,
    value_of,
    wilson,
    worth,
)


@dataclass(frozen=True)
class Cell:
    prompt: Asked
    platform: str
    answer: Answer

    @property
    def valid(self) -> bool:
        return self.answer.status == "ok"

    @property
    def own(self) -> Said:
        return self.answer.brands[0]

    def worth(self, brand: int) -> dict:
        return worth(self.answer.brands[brand], self.platform not in NEVER_CITES)


def cells_of(check: Check) -> list[Cell]:
    return [
        Cell(prompt, platform, check.answers[prompt.id, platform])
        for prompt in check.prompts
        for platform in check.platforms
    ]


def counted(cells: list[Cell]) -> list[Cell]:
    """Branded prompts stay out; only branded prompts: compute on them."""
    unbranded = [cell for cell in cells if not cell.prompt.branded]
    return unbranded or cells


def valid(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.valid]


def is_incomplete(cells: list[Cell]) -> bool:
    """Valid/planned below 80 % overall or on a platform. An overview that was not shown was measured, not lost."""
    cells = [cell for cell in cells if cell.answer.status != "no_surface"]
    groups = [cells, *([cell for cell in cells if cell.platform == name] for name in {c.platform for c in cells})]
    return any(5 * len(valid(group)) < 4 * len(group) for group in groups)


def is_early(cells: list[Cell]) -> bool:
    """Below 10 prompts; nothing that was measured is no reading at all."""
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


def rate(cells: list[Cell], x) -> dict:
    n = len(valid(cells))
    if not n:
        return figure(cells, None)
    low, high = wilson(x, n)
    return figure(
        cells,
        shown(100 * x / n),
        low=shown(100 * low),
        high=shown(100 * high),
        numerator=shown(x, 4),
        denominator=n,
    )


def count(cells: list[Cell], number: int) -> dict:
    n = len(valid(cells))
    return figure(cells, number if n else None, numerator=number, denominator=n)


def visibility(cells: list[Cell], brand: int = 0) -> dict:
    cells = counted(cells)
    return rate(cells, to_number(add_up(cell.worth(brand) for cell in valid(cells))))


def mentions(cells: list[Cell], brand: int = 0) -> int:
    return sum(cell.answer.brands[brand].mentioned for cell in valid(counted(cells)))


def standing(cells: list[Cell], brand: int, brands: int) -> tuple[int | None, int, int]:
    """1.7: position, and the range of positions that the answers allow."""
    here = valid(counted(cells))
    totals = [add_up(cell.worth(each) for cell in here) for each in range(brands)]
    others = [each for each in range(brands) if each != brand]
    above = sum(totals[each] != totals[brand] and to_number(totals[each]) > to_number(totals[brand]) for each in others)
    surely_above = surely_below = 0
    for each in others:
        differences = [value_of(minus(cell.worth(each), cell.worth(brand))) for cell in here]
        if sum(map(bool, differences)) >= 6:  # 3.3: fewer than six one-way flips are never significant
            _, low, high = paired(differences)
            surely_above += low > 1e-12
            surely_below += high < -1e-12
    seen = any(cell.answer.brands[brand].mentioned or cell.answer.brands[brand].urls for cell in here)
    return (1 + above if seen else None), 1 + surely_above, brands - surely_below


def market_position(cells: list[Cell], brands: int) -> dict:
    cells = counted(cells)
    if brands == 1:
        return {**figure([], None), "numerator": None, "denominator": None}
    if not valid(cells):
        return {**figure([], None), "numerator": None, "denominator": None}
    position, best, worst = standing(cells, 0, brands)
    if position is None:
        return figure(cells, None, numerator=None, denominator=brands)
    return figure(cells, position, low=best, high=worst, numerator=None, denominator=brands)


def share_of_voice(cells: list[Cell], brands: int) -> dict:
    own, everyone = mentions(cells), sum(mentions(cells, each) for each in range(brands))
    value = shown(Fraction(100 * own, everyone)) if everyone and brands > 1 else None
    found = figure(counted(cells), value, numerator=own, denominator=everyone)
    return {key: found[key] for key in found if key not in ("low", "high")}  # the texts define no interval for it


def movable(cells: list[Cell]) -> dict:
    """What a Daily Check moves. Branded prompts stay out of all but the citations."""
    return {
        "visibility_score": visibility(cells),
        "brand_coverage_pct": rate(counted(cells), Fraction(mentions(cells))),
        "ai_mentions": count(counted(cells), mentions(cells)),
        "citation_count": count(cells, sum(len(set(cell.own.urls)) for cell in valid(cells))),
    }


def settled(cells: list[Cell], brands: int) -> dict:
    """What only a Full Check sets."""
    return {
        "market_position": market_position(cells, brands),
        "share_of_voice_pct": share_of_voice(cells, brands),
    }


def headline(cells: list[Cell], brands: int) -> dict:
    return {**movable(cells), **settled(cells, brands)}


def ranking(cells: list[Cell], check: Check) -> list[dict]:
    """The brand among its competitors, or nothing without any."""
    names = (OWN, *check.rivals)
    if len(names) == 1 or not valid(counted(cells)):
        return []
    everyone = sum(mentions(cells, each) for each in range(len(names)))
    scores = [visibility(cells, each) for each in range(len(names))]
    rows = []
    for each, rival in enumerate(names):
        position, best, worst = standing(cells, each, len(names))
        said = mentions(cells, each)
        rows.append(
            {
                "name": rival.name,
                "domains": [rival.domain],
                "is_own": each == 0,
                "score": scores[each],
                "position": position,
                "position_low": best,
                "position_high": worst,
                "tied": sum(scores[each]["value"] == other["value"] for other in scores) > 1,
                "mentions": said if scores[each]["n"] else None,
                "share_of_voice_pct": shown(Fraction(100 * said, everyone)) if everyone else None,
            }
        )
    return rows


def platforms(cells: list[Cell], full: list[Cell], brands: int) -> dict[str, dict]:
    found = {}
    for name in {cell.platform for cell in cells}:
        here = [cell for cell in cells if cell.platform == name]
        statuses = [cell.answer.status for cell in here]
        ok, hidden = statuses.count("ok"), statuses.count("no_surface")
        found[name] = {
            **movable(here),
            **settled([cell for cell in full if cell.platform == name], brands),
            "platform": name,
            "planned": len(here),
            "valid": ok,
            "no_surface": hidden,
            "failed": statuses.count("failed"),
            "unanswered": 0,
            "incomplete": is_incomplete(here),
            "surface_rate": shown(Fraction(100 * ok, ok + hidden)) if hidden else None,
            "faults": [],
        }
    return found


def countries(cells: list[Cell], full: list[Cell], brands: int) -> dict[str | None, dict]:
    found = {}
    for name in {cell.prompt.country for cell in cells}:
        here = [cell for cell in cells if cell.prompt.country == name]
        found[name] = {
            **movable(here),
            **settled([cell for cell in full if cell.prompt.country == name], brands),
            "country": name,
            "planned": len(here),
            "valid": len(valid(here)),
        }
    return found


def branded(cells: list[Cell], full: list[Cell], brands: int) -> dict | None:
    here = [cell for cell in cells if cell.prompt.branded]
    if not here:
        return None
    return {**movable(here), **settled([cell for cell in full if cell.prompt.branded], brands)}


def sources(answers: list[Answer], check: Check) -> dict[str, dict]:
    pages: dict[str, set[str]] = {}
    citing: dict[str, set[str]] = {}
    for answer in answers:
        for url, domain in answer.pages:
            pages.setdefault(domain, set()).add(url)
            citing.setdefault(domain, set()).add(answer.id)
    rivals = {rival.domain for rival in check.rivals}
    return {
        domain: {
            "domain": domain,
            "urls": len(urls),
            "answers": len(citing[domain]),
            "is_own": domain == OWN.domain,
            "is_competitor": domain in rivals,
        }
        for domain, urls in pages.items()
    }


def sentiment(cells: list[Cell]) -> dict:
    """1.8; branded prompts count. `net` is that of each prompt, averaged over prompts."""
    named = [cell for cell in valid(cells) if cell.own.mentioned and cell.own.stance != "unknown"]
    scored = [cell for cell in named if cell.own.sentiment is not None]
    labels = [label_of(cell.own.sentiment) for cell in scored]
    by_prompt: dict[str, list[int]] = {}
    for cell in scored:
        sign = {"positive": 1, "neutral": 0, "negative": -1}[label_of(cell.own.sentiment)]
        by_prompt.setdefault(cell.prompt.id, []).append(sign)
    nets = [Fraction(100 * sum(signs), len(signs)) for signs in by_prompt.values()]
    return {
        **sum_up_sentiment([cell.own.sentiment for cell in scored]),
        "net": shown(sum(nets) / len(nets)) if len(nets) >= 3 else None,
        "unscored": len(named) - len(scored),
        "positive": labels.count("positive"),
        "neutral": labels.count("neutral"),
        "negative": labels.count("negative"),
    }


def one_check(check: Check) -> dict:
    """Everything that one check says by itself."""
    cells, brands = cells_of(check), 1 + len(check.rivals)
    return {
        "planned": len(cells),
        "valid": len(valid(cells)),
        "incomplete": is_incomplete(cells),
        "early_reading": is_early(counted(cells)),
        "only_branded": all(cell.prompt.branded for cell in cells),
        "headline": headline(cells, brands),
        "platforms": platforms(cells, cells, brands),
        "countries": countries(cells, cells, brands),
        "branded": branded(cells, cells, brands),
        "sources": sources([cell.answer for cell in cells], check),
        "competitors": {row["name"]: row for row in ranking(cells, check)},
        "sentiment": sentiment(cells) if check.scope == "full_check" else None,
    }


def trend(checks: list[Check]) -> list[dict]:
    points = []
    for check in checks:
        cells = cells_of(check)
        about = {"scan_id": check.id, "scope": check.scope, "incomplete": is_incomplete(cells)}
        points.append({**about, **headline(cells, 1 + len(check.rivals))})
    return points
