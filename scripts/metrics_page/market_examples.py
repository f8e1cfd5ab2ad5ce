"""Worked examples of the metrics that compare brands, judge answers, or say what to do."""

import uuid

import numpy as np

from scripts.metrics_page.example import Example, answer, show, write_range
from scripts.metrics_page.pictures import Bar, Tile, draw_bars, draw_tiles
from sightline.kit.rounding import round_half_away
from sightline.metrics.discovery import score_competitor
from sightline.metrics.effect import WatchedChecks, measure_effect
from sightline.metrics.observation import Observation
from sightline.metrics.opportunity import demand_factor, score_opportunity, winnability_factor
from sightline.metrics.period_change import CLEAR_RATE, USUAL_SPREAD, Checks, measure_change
from sightline.metrics.position import measure_position
from sightline.metrics.recommendations import Rate, expect_change, shrink_rate
from sightline.metrics.sentiment import measure_net_sentiment, summarize_sentiment
from sightline.metrics.share_of_voice import measure_share_of_voice, measure_weighted_share_of_voice
from sightline.metrics.spot_check import measure_spot_check
from sightline.metrics.stability import measure_stability
from sightline.metrics.suggestions import prioritize_prompt
from sightline.metrics.themes import find_log_odds
from sightline.metrics.visibility import discount_rank, measure_visibility

# The rank of each brand in four answers; None where the answer does not name it.
_RANKS = {"Acme (the brand)": (1, 2, None, None), "Globex": (2, 1, 1, None), "Initech": (None, None, 2, None)}


def _observe_market() -> list[list[Observation]]:
    return [
        [answer(rank is not None, rank, prompt_id=f"prompt {place}") for place, rank in enumerate(ranks)]
        for ranks in _RANKS.values()
    ]


def explain_share_of_voice() -> Example:
    brand, *competitors = _observe_market()
    figure = show(measure_share_of_voice(brand, competitors))
    mentions = {name: sum(rank is not None for rank in ranks) for name, ranks in _RANKS.items()}
    return Example(
        f"Of four answers, two name Acme, three name Globex and one names Initech. Acme's Share of Voice is "
        f"{figure.numerator} / {figure.denominator} = {figure.value}%.",
        draw_bars(
            [Bar(name, number, str(number)) for name, number in mentions.items()], f"Share of Voice {figure.value}%"
        ),
        "Three bars with the mentions of the brand and two competitors",
    )


def explain_weighted_share_of_voice() -> Example:
    brand, *competitors = _observe_market()
    figure = show(measure_weighted_share_of_voice(brand, competitors))
    weights = {name: sum(discount_rank(rank) for rank in ranks) for name, ranks in _RANKS.items()}
    return Example(
        "Acme is first in one answer and second in another. Globex is first in two answers and second in one. Initech "
        "is second in one answer. Their weighted mentions are "
        + ", ".join(f"{name.partition(' ')[0]} {weight:.2f}" for name, weight in weights.items())
        + f". Acme's weighted Share of Voice is {figure.numerator:.2f} / {figure.denominator:.2f} = {figure.value}%.",
        draw_bars(
            [Bar(name, weight, f"{weight:.2f}") for name, weight in weights.items()],
            f"Weighted Share of Voice {figure.value}%",
        ),
        "Three bars with the mentions of each brand, weighted by position",
    )


def explain_position() -> Example:
    brand, *competitors = _observe_market()
    standing = measure_position(brand, dict(zip(("Globex", "Initech"), competitors, strict=True)))
    assert standing is not None
    scores = {name: measure_visibility(each).value or 0 for name, each in zip(_RANKS, _observe_market(), strict=True)}
    shown = ", ".join(f"{name.partition(' ')[0]} {score:.1f}" for name, score in scores.items())
    return Example(
        f"In four answers, the Visibility Scores are {shown}. One competitor has a higher score than Acme, so Acme's "
        f"position is {standing.position} of {standing.of}. Four answers are too few to show a clear difference, so the range is "
        f"{standing.best} to {standing.worst}.",
        draw_bars(
            [Bar(name, score, f"{score:.1f}") for name, score in scores.items()],
            f"Market Position {standing.position} of {standing.of}",
        ),
        "Three bars with the Visibility Score of each brand",
    )


def _score(*scores: float, prompt: str = "prompt") -> list[Observation]:
    return [answer(True, 1, sentiment=score, prompt_id=prompt) for score in scores]


def explain_sentiment() -> Example:
    scores = (80, 70, 65, 50, 30)
    summary = summarize_sentiment(_score(*scores))
    kinds = ["yes" if score >= 60 else "failed" if score <= 40 else "no" for score in scores]
    return Example(
        f"Sightline [scores each answer](how-we-measure.md#sentiment) that names the brand, from 0 to 100. "
        f"Five answers have the scores {', '.join(map(str, scores))}. The median is {summary.score}. Three answers are "
        f"positive, one is neutral and one is negative, so the overall rating is {summary.label}.",
        draw_bars(
            [
                Bar(f"answer {place}", score, str(score), kind)
                for place, (score, kind) in enumerate(zip(scores, kinds, strict=True), 1)
            ],
            f"Sentiment {summary.score}, {summary.label}",
            highest=100,
        ),
        "Five bars with the score of each answer: three positive, one neutral, one negative",
    )


def explain_net_sentiment() -> Example:
    answers = _score(80, 70, prompt="first") + _score(80, 30, prompt="second") + _score(50, 30, prompt="third")
    figure = show(measure_net_sentiment(answers))
    positive, negative, neutral = Tile("positive", "yes"), Tile("negative", "failed"), Tile("neutral", "no")
    return Example(
        f"Three prompts have two answers each. Both answers to the first prompt are positive: +100 points. The second "
        f"prompt has a positive and a negative answer: 0 points. The third has a neutral and a negative answer: -50 "
        f"points. Net sentiment is the average, {figure.value} points.",
        draw_tiles(
            [
                ("First prompt", [positive, positive]),
                ("Second prompt", [positive, negative]),
                ("Third prompt", [neutral, negative]),
            ],
            f"Net sentiment {figure.value}",
        ),
        "Three prompts with two answers each, labeled positive, neutral or negative",
    )


def explain_stability() -> Example:
    days = [True, True, False, True, True]
    figure = show(measure_stability([answer(named, prompt_id="prompt") for named in days]))
    return Example(
        f"A platform answers a prompt on five days, and four of the answers name the brand. Five answers form ten "
        f"pairs, and {figure.numerator} pairs agree. Stability is 100 · {figure.numerator} / {figure.denominator} = "
        f"{figure.value}%.",
        draw_tiles(
            [("", [Tile("named" if named else "not named", "yes" if named else "no") for named in days])],
            f"Stability {figure.value}%",
        ),
        "Answers from five days; four of the answers name the brand",
    )


def explain_spot_check() -> Example:
    figure = show(measure_spot_check(11, 25))
    return Example(
        f"In the last 90 days, 25 checks asked a prompt on one platform, and 11 of the answers name the brand. The "
        f"chance is 11 / 25 = {write_range(figure)}.",
        draw_bars([Bar("named", 11, "11"), Bar("not named", 14, "14", "no")], f"Chance {figure.value}%"),
        "Two bars: 11 answers that name the brand and 14 that do not",
    )


def explain_opportunity() -> Example:
    demand, gap, winnable = demand_factor(900, 5000), 0.75, winnability_factor(0.5, 0.6, 0.4)
    score = score_opportunity(demand, gap, winnable)
    return Example(
        f"People ask a prompt 900 times a month and the most popular prompt 5,000 times a month, so the demand D is "
        f"{demand:.2f}. Three of four answers name another brand but not this one, so the gap G is {gap}. Half of the citations lead to sites "
        f"where a brand can get mentioned (E = 0.5). The variety of cited sites is F = 0.6, and the variability of answers is "
        f"V = 0.4, so the openness W is {winnable:.2f}. The score is {score:.1f}.",
        draw_bars(
            [
                Bar("demand D", demand, f"{demand:.2f}"),
                Bar("gap G", gap, f"{gap:.2f}"),
                Bar("openness W", winnable, f"{winnable:.2f}"),
            ],
            f"Opportunity {score:.1f}",
            highest=1,
        ),
        "Three bars for demand, gap and openness, each from 0 to 1",
    )


def explain_expected_answers() -> Example:
    rate = shrink_rate(Rate(2 / 3 + 2 / 3 + 1 / 2, 3), 0.5)
    expected = expect_change(9, rate)
    return Example(
        f"Nine answers cite a page and name competitors but not the brand. How many of them would name the brand if the "
        f"page named it? Sightline estimates the rate from other cited pages, as [Expected "
        f"effect](alerts-themes-effects.md#expected-effect) explains. Here it is {100 * rate.share:.1f}%. So getting the "
        f"brand named on the page could change "
        f"9 · {rate.share:.3f} = {expected.answers:.1f} answers ({expected.low:.1f} to {expected.high:.1f}).",
        draw_bars(
            [
                Bar("affected answers", 9, "9", "no"),
                Bar("could change", expected.answers, f"{expected.answers:.1f}"),
            ],
            f"{expected.answers:.1f} answers ({expected.low:.1f} to {expected.high:.1f})",
        ),
        "Two bars: nine affected answers and the number that could change",
    )


def explain_competitor_score() -> Example:
    weight = 2 * discount_rank(1) + discount_rank(2)
    score = score_competitor(weight, 3, 2)
    return Example(
        f"A competitor is named first in two answers and second in one more. The answers belong to three prompts and come from "
        f"two platforms. The score is {weight:.2f} · log2(1 + 3) · (1 + 2)/2 = {score:.1f}.",
        draw_bars(
            [
                Bar("first position", 1, "1"),
                Bar("first position", 1, "1"),
                Bar("second position", discount_rank(2), f"{discount_rank(2):.2f}", "part"),
            ],
            f"Competitor score {score:.1f}",
        ),
        "Three bars with the weight of each mention",
    )


def explain_themes() -> Example:
    odds, z = find_log_odds(12, 300, 5, 900)
    _, shared = find_log_odds(3, 300, 8, 900)
    return Example(
        f"Of 300 answers about the brand, 12 mention its support. Of 900 answers about competitors, 5 mention theirs. The "
        f"log odds ratio is {odds:.2f}. Divided by its standard error, it gives z = {z:.2f}. This difference is significant, so "
        f"this theme sets the brand apart. If 3 of 300 and 8 of 900 answers mention a theme, z is only {shared:.2f}. This is "
        f"less than the required 1.96, so the brand shares the theme with competitors.",
        draw_bars(
            [Bar("the brand", 4, "4.0%"), Bar("competitors", 5 / 9, "0.6%", "no")], f"z {z:.2f}: sets the brand apart"
        ),
        "Two bars with the share of answers that mention support, for the brand and for its competitors",
    )


def explain_prompt_priority() -> Example:
    priority = prioritize_prompt(0.5, 0.8, 0.6)
    return Example(
        f"The same question occurs in five answers, so Sightline suggests it as a prompt. Of all questions that Sightline "
        f"suggests from answers, the most frequent one occurs in 35 answers, so the demand is ln(1 + 5) / ln(1 + 35) = 0.5. The similarity to the closest earlier prompt is 0.2, so the "
        f"novelty is 1 - 0.2 = 0.8. Three of the five answers name a competitor but not the brand, so the gap is "
        f"3 / 5 = 0.6. The priority is "
        f"100 · (0.4 · 0.5 + 0.3 · 0.8 + 0.3 · 0.6) = {priority:.1f}.",
        draw_bars(
            [Bar("demand", 0.5, "0.5"), Bar("novelty", 0.8, "0.8"), Bar("gap", 0.6, "0.6")],
            f"Suggestion priority {priority:.1f}",
            highest=1,
        ),
        "Three bars for demand, novelty and gap, each from 0 to 1",
    )


# Platforms of four that name the brand, in two checks before an action and two after it: three prompts that it affects
# and six others.
_CONCERNED = [(0, 1, 2, 3), (1, 0, 2, 2), (0, 0, 1, 2)]
_OTHERS = [(2, 3, 2, 3), (1, 2, 2, 1), (4, 4, 4, 4), (0, 1, 1, 0), (3, 2, 3, 3), (2, 2, 2, 2)]


def explain_effect() -> Example:
    checks = tuple(uuid.UUID(int=number) for number in range(4))
    observed = {
        check: [
            answer(platform < row[place], prompt_id=f"prompt {prompt}", platform=f"platform {platform}")
            for prompt, row in enumerate([*_CONCERNED, *_OTHERS])
            for platform in range(4)
        ]
        for place, check in enumerate(checks)
    }
    effect = measure_effect(
        WatchedChecks(checks[:2], None, checks[2:]), observed, [f"prompt {number}" for number in range(len(_CONCERNED))]
    )
    assert effect.status == "up" and effect.treated and effect.others and effect.interval and effect.points is not None
    rows = {
        "affected, before": round_half_away(effect.treated.before),
        "affected, after": round_half_away(effect.treated.after),
        "others, before": round_half_away(effect.others.before),
        "others, after": round_half_away(effect.others.after),
    }
    before, after, others_before, others_after = rows.values()
    return Example(
        f"The share of answers that name the brand rose from {before}% to {after}% for three affected prompts. "
        f"For six other prompts, it rose from {others_before}% to {others_after}%. The effect is {effect.points:.1f} points ({effect.interval.low:.1f} to "
        f"{effect.interval.high:.1f}), so the action worked.",
        draw_bars(
            [Bar(name, share, f"{share}%", "yes" if "after" in name else "part") for name, share in rows.items()],
            f"Effect {effect.points:.1f} points",
            highest=100,
        ),
        "Four bars with the share of answers that name the brand, before and after, for affected and for other prompts",
    )


# Five weekly checks of ten prompts on one platform: whether the answers name the brand.
_FALLING = [(1, 1, 1, 0, 0)] * 4 + [(1, 1, 0, 0, 0)] * 2 + [(1, 1, 1, 1, 1)] * 2 + [(0, 0, 0, 0, 0)] * 2


def explain_period_change() -> Example:
    weekly = Checks([0, 7, 14, 21, 28], ["chatgpt"] * len(_FALLING), np.array(_FALLING, dtype=float))
    change = measure_change(weekly, {"chatgpt": USUAL_SPREAD})
    assert change is not None and change.p < CLEAR_RATE
    named = [sum(row[check] for row in _FALLING) for check in range(len(weekly.days))]
    return Example(
        f"Over four weeks, ChatGPT answers ten prompts in five Full Checks. In the first {change.checks} checks, "
        f"{change.before} of {change.before_answers} answers name Acme, and in the last {change.checks} checks, "
        f"{change.now} of {change.now_answers}. With a spread of {USUAL_SPREAD}, the slope has p = {change.p:.4f}. If "
        "this were the only test, the change would be clear.",
        draw_bars(
            [Bar(f"check {place}", share, f"{share} of 10", "yes") for place, share in enumerate(named, 1)],
            f"{change.points:.0f} points",
            highest=10,
        ),
        "Five bars with the number of answers of each Full Check that name the brand, which falls over four weeks",
    )


MARKET_EXAMPLES = {
    "share_of_voice_pct": explain_share_of_voice,
    "weighted_share_of_voice_pct": explain_weighted_share_of_voice,
    "market_position": explain_position,
    "sentiment": explain_sentiment,
    "net_sentiment": explain_net_sentiment,
    "stability": explain_stability,
    "spot_check": explain_spot_check,
    "opportunity_score": explain_opportunity,
    "expected_answers": explain_expected_answers,
    "competitor_score": explain_competitor_score,
    "theme_z": explain_themes,
    "prompt_priority": explain_prompt_priority,
    "action_effect": explain_effect,
    "period_change": explain_period_change,
}
