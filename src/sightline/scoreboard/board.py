"""Building the board of a domain from its cells, and the board of a single scan. Pure.

On the domain's board the figures of the brand come from the cells. What is measured against competitors (Market
Position and Share of Voice) stays as in the latest Full Check. Sentiment leaves out cells that were asked again since.
"""

import uuid
from collections.abc import Mapping, Sequence
from operator import attrgetter

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import Brand
from sightline.kit.clock import to_iso
from sightline.kit.structs import convert_struct
from sightline.metrics.figure import round_value, to_figure
from sightline.metrics.good_for import judge_figure
from sightline.metrics.observation import Observation
from sightline.metrics.panel import Observations
from sightline.metrics.registry import METRICS_VERSION, REGISTRY
from sightline.metrics.sentiment import measure_net_sentiment, summarize_sentiment
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.observations import find_branded, make_observations
from sightline.scans.results import build_results, measure_headline
from sightline.scans.schemas.results import Headline, MarketRanges, ScanMeasurements
from sightline.scans.sources import list_sources
from sightline.scoreboard.compare import Comparisons, drop_competitor_analyses, drop_competitors
from sightline.scoreboard.market import keep_by, keep_market_figures
from sightline.scoreboard.models import CellRow
from sightline.scoreboard.schemas import (
    Board,
    BoardCell,
    BoardPrompt,
    CellState,
    ComparedFigure,
    ComparedHeadline,
    CountryResult,
    SentimentResult,
)

CellMap = Mapping[tuple[uuid.UUID, str], CellRow]
_NO_COMPARISONS = Comparisons()


class BoardInput(msgspec.Struct, frozen=True):
    """The cells that the figures are computed from: a plan, and the answers that its cells show."""

    plan: ScanPlan
    answers: Sequence[ScanAnswer]


class LatePrompts(msgspec.Struct, frozen=True):
    """Prompts and platforms that the latest Full Check did not ask: they are shown, but count in no figure."""

    prompts: tuple[ScanPrompt, ...] = ()
    platforms: tuple[str, ...] = ()
    answers: Sequence[ScanAnswer] = ()


def build_scan_board(
    data: BoardInput,
    results: ScanMeasurements,
    cells: CellMap,
    *,
    scored: bool,
    comparisons: Comparisons = _NO_COMPARISONS,
) -> Board:
    """Build the board of one scan from its own answers; `results` are the results of the same answers."""
    branded = find_branded(data.plan)
    tracked = make_observations(data.plan, data.answers, branded=branded)
    return convert_struct(
        Board,
        results,
        metrics_version=METRICS_VERSION,
        extractor_version=EXTRACTOR_VERSION,
        headline=add_comparisons(results.headline, comparisons),
        countries=_measure_countries(tracked),
        prompts=_build_prompts(data, LatePrompts(), cells),
        sentiment=_measure_sentiment(tracked[0]) if scored else None,
        details=_to_market_ranges(results.headline),
    )


def build_empty_board(domain: str, brand: Brand) -> Board:
    """Build the board of a domain without any scan: every figure is null."""
    plan = ScanPlan(domain=domain, brand=brand, prompts=(), platforms=())
    return build_scoreboard(BoardInput(plan, ()), LatePrompts(), {}, full=None, base_scan_id=None)


def build_scoreboard(
    base: BoardInput,
    late: LatePrompts,
    cells: CellMap,
    *,
    full: Board | None,
    base_scan_id: uuid.UUID | None,
    comparisons: Comparisons = _NO_COMPARISONS,
) -> Board:
    """Build the board of a domain.

    `base` holds the prompts of the latest Full Check that are still tracked, and `full` is the board of that Full
    Check. `late` is what was added after it. `comparisons` are those of the latest scan.
    """
    own = BoardInput(drop_competitors(base.plan), drop_competitor_analyses(base.answers))
    branded = find_branded(own.plan)
    results = build_results(own.plan, own.answers, rivals=())
    (observations,) = tracked = make_observations(own.plan, own.answers, branded=branded)
    untouched = [observation for observation in observations if _is_untouched(observation, cells, base_scan_id)]
    return convert_struct(
        Board,
        results,
        metrics_version=METRICS_VERSION,
        extractor_version=EXTRACTOR_VERSION,
        headline=add_comparisons(keep_market_figures(results.headline, full.headline if full else None), comparisons),
        platforms=keep_by(results.platforms, full.platforms if full else (), key=attrgetter("platform")),
        countries=keep_by(_measure_countries(tracked), full.countries if full else (), key=attrgetter("country")),
        prompts=_build_prompts(base, late, cells),
        sources=list_sources(base.plan, base.answers),
        competitors=() if full is None else full.competitors,
        sentiment=None if full is None or full.sentiment is None else _measure_sentiment(untouched),
        branded=results.branded and keep_market_figures(results.branded, full.branded if full else None),
        details=_to_market_ranges(results.headline),
    )


def _to_market_ranges(headline: Headline) -> MarketRanges:
    return MarketRanges(
        visibility_score_market=headline.visibility_score.market,
        brand_coverage_pct_market=headline.brand_coverage_pct.market,
    )


def _is_untouched(observation: Observation, cells: CellMap, base_scan_id: uuid.UUID | None) -> bool:
    """Return whether no scan has asked the cell again since the Full Check, not even without success."""
    cell = cells[uuid.UUID(observation.prompt_id), observation.platform]
    return cell.scan_id == base_scan_id and cell.seen_at == cell.checked_at


def add_comparisons(headline: Headline | ComparedHeadline, comparisons: Comparisons) -> ComparedHeadline:
    """Return the headline with these comparisons and no others."""

    def figure(name: str) -> ComparedFigure:
        found = getattr(headline, name)
        return convert_struct(
            ComparedFigure,
            found,
            comparison=getattr(comparisons, name, None),
            good_for=judge_figure(REGISTRY[name], found),
        )

    return ComparedHeadline(**{name: figure(name) for name in Headline.__struct_fields__})


def read_comparisons(headline: ComparedHeadline) -> Comparisons:
    """Return the comparisons that a stored headline has."""
    return Comparisons(**{name: getattr(headline, name).comparison for name in Comparisons.__struct_fields__})


def _measure_countries(tracked: Sequence[Sequence[Observation]]) -> tuple[CountryResult, ...]:
    """Measure each market, Global first, even if there is only one."""
    found = sorted({observation.country for observation in tracked[0]}, key=lambda country: country or "")
    return tuple(_measure_country(country, tracked) for country in found)


def _measure_country(country: str | None, tracked: Sequence[Sequence[Observation]]) -> CountryResult:
    in_country = [
        Observations(observation for observation in observations if observation.country == country)
        for observations in tracked
    ]
    return convert_struct(
        CountryResult,
        measure_headline(in_country),
        country=country,
        planned=len(in_country[0]),
        valid=sum(observation.is_valid for observation in in_country[0]),
    )


def _build_prompts(data: BoardInput, late: LatePrompts, cells: CellMap) -> tuple[BoardPrompt, ...]:
    """Build a row for each prompt, with a cell for every platform that any of them was asked on."""
    plan = msgspec.structs.replace(data.plan, prompts=(*data.plan.prompts, *late.prompts))
    branded = find_branded(plan)
    platforms = tuple(dict.fromkeys((*plan.platforms, *late.platforms)))
    answers = {(answer.prompt.id, answer.platform): answer for answer in (*data.answers, *late.answers)}
    return tuple(
        BoardPrompt(
            prompt_id=uuid.UUID(prompt.id),
            prompt=prompt.text,
            language_code=prompt.language,
            country_iso_2=prompt.country,
            branded=prompt.id in branded,
            in_headline=prompt in data.plan.prompts,
            cells=tuple(
                _build_cell(platform, cells.get((uuid.UUID(prompt.id), platform)), answers.get((prompt.id, platform)))
                for platform in platforms
            ),
        )
        for prompt in plan.prompts
    )


def _build_cell(platform: str, cell: CellRow | None, answer: ScanAnswer | None) -> BoardCell:
    if cell is None:
        return BoardCell(platform=platform, state="not_asked", in_headline=False)
    own = None if answer is None or answer.analysis is None else answer.analysis.brands[0]
    state: CellState
    if own is None:
        state = "no_surface" if cell.status == "no_surface" else "failed"
    elif own.mentioned:
        state = "named"
    else:
        state = "cited_only" if own.cited else "absent"
    return BoardCell(
        platform=platform,
        state=state,
        in_headline=cell.base,
        position=None if own is None else own.rank,
        cited=None if own is None else own.cited,
        answer_id=cell.answer_id,
        scan_id=cell.scan_id,
        scope=cell.scope,
        checked_at=to_iso(cell.checked_at),
        stale=cell.stale,
    )


def _measure_sentiment(observations: Sequence[Observation]) -> SentimentResult:
    found = summarize_sentiment(observations)
    return SentimentResult(
        score=round_value(found.score),
        label=found.label,
        net=to_figure(measure_net_sentiment(observations)),
        responses_analyzed=found.scored,
        unscored=found.unscored,
        unscored_reasons=found.unscored_reasons,
        low_data=found.low_data,
        mixed=found.mixed,
        positive=found.labels["positive"],
        neutral=found.labels["neutral"],
        negative=found.labels["negative"],
    )
