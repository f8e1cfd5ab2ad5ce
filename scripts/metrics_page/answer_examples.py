"""Worked examples of the metrics that count answers, mentions and citations."""

from scripts.metrics_page.example import Example, answer, show, write_range
from scripts.metrics_page.pictures import Bar, Tile, draw_bars, draw_tiles
from sightline.metrics.citations import (
    count_citations,
    count_cited_answers,
    count_consecutive_uncited,
    measure_citation_rate,
    measure_citation_share,
    rank_co_mentioned,
)
from sightline.metrics.coverage import (
    count_mentions,
    count_occurrences,
    measure_coverage,
    measure_prompt_reach,
    measure_surface_rate,
    measure_validity,
)
from sightline.metrics.observation import Observation
from sightline.metrics.visibility import measure_visibility, value_answer

_NAMED, _NOT_NAMED = Tile("named", "yes"), Tile("not named", "no")
_CITED, _NOT_CITED = Tile("cited", "yes"), Tile("not cited", "no")


def explain_visibility() -> Example:
    answers = {
        "named first, cited": answer(True, 1, pages=1),
        "named third": answer(True, 3),
        "neither": answer(),
        "only cited": answer(pages=1),
    }
    points = {name: 100 * value_answer(each) for name, each in answers.items()}
    figure = show(measure_visibility(list(answers.values())))
    terms = " + ".join(f"{value:g}" for value in points.values())
    total = sum(points.values())
    return Example(
        f"Answer 1 names the brand first and cites its site. Answer 2 names the brand in third place. Answer 3 neither "
        f"names the brand nor cites its site. Answer 4 only cites the site. They earn {terms} = {total:g} points. The "
        f"Visibility Score is {total:g} / {figure.denominator} = {total / len(points):g}, shown as {figure.value}.",
        draw_bars(
            [Bar(name, value, f"{value:g}") for name, value in points.items()], f"Score {figure.value}", highest=100
        ),
        f"Four bars with the points of each answer, and the score of {figure.value}",
    )


def explain_coverage() -> Example:
    figure = show(measure_coverage([answer(True), answer(True), answer(), answer()]))
    return Example(
        f"Two of four answers name the brand. Brand Coverage is {figure.numerator} / {figure.denominator} = "
        f"{write_range(figure)}. The range is wide because there are only four answers.",
        draw_tiles([("", [_NAMED, _NAMED, _NOT_NAMED, _NOT_NAMED])], f"Brand Coverage {figure.value}%"),
        "Four answers, two of which name the brand",
    )


def explain_mentions() -> Example:
    figure = show(count_mentions([answer(True, occurrences=5), answer(True), answer(pages=1)]))
    return Example(
        f"One answer names the brand five times, another names it once, and a third only links to its site. That makes "
        f"{figure.value} AI Mentions.",
        draw_tiles(
            [("", [Tile("5 times", "yes"), Tile("once", "yes"), Tile("only a link", "no")])],
            f"{figure.value} AI Mentions",
        ),
        "Three answers, two of which name the brand in their text",
    )


def explain_occurrences() -> Example:
    figure = show(count_occurrences([answer(True, occurrences=5), answer(True), answer(pages=1)]))
    return Example(
        f"One answer names the brand five times, another names it once, and a third does not name it. That makes "
        f"{figure.value} occurrences.",
        draw_bars(
            [Bar("first answer", 5, "5"), Bar("second answer", 1, "1"), Bar("third answer", 0, "0")],
            f"{figure.value} occurrences",
        ),
        "Three bars with the number of times each answer names the brand",
    )


def explain_prompt_reach() -> Example:
    rows = {"First prompt": (True, False), "Second prompt": (True, True), "Third prompt": (False, False)}
    answers = [
        answer(named, prompt_id=prompt, platform=f"platform {place}")
        for prompt, both in rows.items()
        for place, named in enumerate(both)
    ]
    figure = show(measure_prompt_reach(answers))
    return Example(
        f"Sightline asks three prompts on two platforms. Two of the prompts have an answer that names the brand. Prompt "
        f"reach is {figure.numerator} / {figure.denominator} = {figure.value}%.",
        draw_tiles(
            [(prompt, [_NAMED if named else _NOT_NAMED for named in both]) for prompt, both in rows.items()],
            f"Prompt reach {figure.value}%",
        ),
        "Three prompts with two answers each. Two prompts have an answer that names the brand",
    )


def explain_surface_rate() -> Example:
    answers = [answer() for _ in range(3)] + [answer(status="no_surface") for _ in range(2)]
    figure = show(measure_surface_rate(answers))
    shown, hidden = Tile("shown", "yes"), Tile("no AI answer", "no")
    return Example(
        f"Google shows an AI answer for three of five prompts. The surface rate is {figure.numerator} / "
        f"{figure.denominator} = {figure.value}%.",
        draw_tiles([("", [shown, shown, shown, hidden, hidden])], f"Surface rate {figure.value}%"),
        "Five search results pages, three of which show an AI answer",
    )


def explain_validity() -> Example:
    answers = [answer() for _ in range(4)] + [answer(status="failed")]
    figure = show(measure_validity(answers))
    valid = Tile("valid", "yes")
    return Example(
        f"A check plans five answers, and one fails. The share of valid answers is {figure.numerator} / "
        f"{figure.denominator} = {figure.value}%.",
        draw_tiles([("", [valid, valid, valid, valid, Tile("failed", "failed")])], f"Valid answers {figure.value}%"),
        "Five planned answers, one of which failed",
    )


_SOURCES = [("2 of 4 sources", 2, 2), ("1 of 3 sources", 1, 2), ("0 of 3 sources", 0, 3), ("no sources", 0, 0)]


def _sourced_tiles(result: str) -> str:
    tiles = [Tile(f"{pages} of {pages + others}", "yes" if pages else "no") for _, pages, others in _SOURCES[:3]]
    return draw_tiles([("Brand's pages", [*tiles, Tile("no sources", "failed")])], result)


def _sourced_answers() -> list[Observation]:
    return [answer(pages=pages, others=others) for _, pages, others in _SOURCES]


_SOURCES_CAPTION = "Four answers with the number of pages that each cites, and of those the brand's"


def explain_citations() -> Example:
    figure = show(count_citations(_sourced_answers()))
    return Example(
        f"Four answers cite two, one, zero and zero pages of the brand's site. That makes {figure.value} citations.",
        _sourced_tiles(f"{figure.value} citations"),
        _SOURCES_CAPTION,
    )


def explain_cited_answers() -> Example:
    figure = show(count_cited_answers(_sourced_answers()))
    return Example(
        f"Four answers cite two, one, zero and zero pages of the brand's site. That makes {figure.value} answers that cite the brand.",
        _sourced_tiles(f"{figure.value} answers cite the brand"),
        _SOURCES_CAPTION,
    )


def explain_citation_rate() -> Example:
    figure = show(measure_citation_rate(_sourced_answers()))
    return Example(
        f"Three of four answers show sources, and two of the three cite the brand's site. The citation rate is "
        f"{figure.numerator} / {figure.denominator} = {figure.value}%.",
        _sourced_tiles(f"Citation rate {figure.value}%"),
        _SOURCES_CAPTION,
    )


def explain_citation_share() -> Example:
    figure = show(measure_citation_share(_sourced_answers()))
    return Example(
        f"Four answers cite {figure.denominator} pages in total, and {figure.numerator} of the pages belong to the brand. "
        f"The citation share is {figure.numerator} / {figure.denominator} = {figure.value}%.",
        _sourced_tiles(f"Citation share {figure.value}%"),
        _SOURCES_CAPTION,
    )


def explain_uncited_streak() -> Example:
    streak = count_consecutive_uncited([[answer(pages=1)], [answer()], [answer(status="failed")], [answer(others=3)]])
    tiles = [_CITED, _NOT_CITED, Tile("failed", "failed"), _NOT_CITED]
    return Example(
        f"In the first of four checks, the answer cites the brand. In the second and the fourth, it does not. In the "
        f"third, the answer fails, so the third check does not count. The citation gap is {streak} checks.",
        draw_tiles([("Oldest to newest", tiles)], f"Citation gap {streak}"),
        "Four checks from oldest to newest: cited, not cited, failed, not cited",
    )


def explain_cited_alongside() -> Example:
    def citing(mentioned: bool, *domains: str) -> Observation:
        return answer(mentioned, others=len(domains), source_domains=frozenset(domains))

    answers = [
        citing(True, "reviews.example", "wiki.example"),
        citing(True, "reviews.example"),
        citing(False, "wiki.example"),
    ]
    found = rank_co_mentioned(answers, frozenset())
    return Example(
        "Two answers name the brand. Both cite reviews.example, and one also cites wiki.example. The list is "
        f"{' and '.join(f'{each.domain} ({each.answers})' for each in found)}, with the number of answers in parentheses.",
        draw_bars([Bar(each.domain, each.answers, f"{each.answers}") for each in found], f"First: {found[0].domain}"),
        "Two bars with the number of answers that name the brand and cite each site",
    )


ANSWER_EXAMPLES = {
    "visibility_score": explain_visibility,
    "brand_coverage_pct": explain_coverage,
    "ai_mentions": explain_mentions,
    "mention_occurrences": explain_occurrences,
    "prompt_reach": explain_prompt_reach,
    "surface_rate": explain_surface_rate,
    "valid_pct": explain_validity,
    "citation_count": explain_citations,
    "cited_answers": explain_cited_answers,
    "citation_rate": explain_citation_rate,
    "citation_share": explain_citation_share,
    "consecutive_uncited": explain_uncited_streak,
    "co_mentioned_brands": explain_cited_alongside,
}
