"""What the latest known answers amount to, and the same for one check alone. Pure.

On the scoreboard the brand's own figures come from the cells. What is measured against competitors, Market Position and
Share of Voice, stays as the latest Full Check set it; sentiment leaves out the cells that were asked again since.
"""

import uuid
from collections.abc import Mapping, Sequence

import msgspec

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import Brand
from sightline.kit.clock import to_iso
from sightline.metrics.figure import Figure, show_measure, show_number
from sightline.metrics.observation import Observation
from sightline.metrics.panel import Observations
from sightline.metrics.registry import METRICS_VERSION
from sightline.metrics.sentiment import measure_net_sentiment, summarize_sentiment
from sightline.scans.models import Plan, Prompt, ScanAnswer
from sightline.scans.observations import find_branded, make_observations
from sightline.scans.results import build_results, measure_headline
from sightline.scans.schemas.results import Headline, PlatformResult, ScanMeasurements
from sightline.scans.sources import list_sources
from sightline.scoreboard.compare import Comparisons, own_answers, own_plan
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


class Shown(msgspec.Struct, frozen=True):
    """The cells that the figures stand on: a plan, and the answers that its cells show."""

    plan: Plan
    answers: Sequence[ScanAnswer]


class Beside(msgspec.Struct, frozen=True):
    """What is shown and stands in no figure: prompts and platforms that the latest Full Check did not ask."""

    prompts: tuple[Prompt, ...] = ()
    platforms: tuple[str, ...] = ()
    answers: Sequence[ScanAnswer] = ()


def build_check_board(
    shown: Shown,
    results: ScanMeasurements,
    cells: CellMap,
    *,
    scored: bool,
    comparisons: Comparisons = _NO_COMPARISONS,
) -> Board:
    """Every number comes from that one check alone. `results` are those of the same answers."""
    branded = find_branded(shown.plan)
    tracked = make_observations(shown.plan, shown.answers, branded=branded)
    return Board(
        metrics_version=METRICS_VERSION,
        extractor_version=EXTRACTOR_VERSION,
        planned=results.planned,
        valid=results.valid,
        incomplete=results.incomplete,
        early_reading=results.early_reading,
        only_branded=results.only_branded,
        headline=_compare(results.headline, comparisons),
        platforms=results.platforms,
        countries=_countries(tracked),
        prompts=_prompts(shown, Beside(), cells),
        sources=results.sources,
        competitors=results.competitors,
        sentiment=_sentiment(tracked[0]) if scored else None,
        branded=results.branded,
    )


def build_empty_board(domain: str, brand: Brand) -> Board:
    """Before the first check: everything is null, because nothing was measured."""
    plan = Plan(domain=domain, brand=brand, prompts=(), platforms=())
    return build_scoreboard(Shown(plan, ()), Beside(), {}, full=None, base_scan_id=None)


def build_scoreboard(
    base: Shown,
    beside: Beside,
    cells: CellMap,
    *,
    full: Board | None,
    base_scan_id: uuid.UUID | None,
    comparisons: Comparisons = _NO_COMPARISONS,
) -> Board:
    """`base` are the prompts of the latest Full Check that are still tracked, `beside` is what came later.

    `full` is the board of that Full Check, `comparisons` are those of the latest check.
    """
    own = Shown(own_plan(base.plan), own_answers(base.answers))
    branded = find_branded(own.plan)
    results = build_results(own.plan, own.answers, rivals=())
    (readings,) = tracked = make_observations(own.plan, own.answers, branded=branded)
    untouched = [reading for reading in readings if _is_untouched(reading, cells, base_scan_id)]
    return Board(
        metrics_version=METRICS_VERSION,
        extractor_version=EXTRACTOR_VERSION,
        planned=results.planned,
        valid=results.valid,
        incomplete=results.incomplete,
        early_reading=results.early_reading,
        only_branded=results.only_branded,
        headline=_compare(_against_market(results.headline, None if full is None else full.headline), comparisons),
        platforms=tuple(_platform_against_market(row, full) for row in results.platforms),
        countries=tuple(_country_against_market(row, full) for row in _countries(tracked)),
        prompts=_prompts(base, beside, cells),
        sources=list_sources(base.plan, base.answers),
        competitors=() if full is None else full.competitors,
        sentiment=None if full is None or full.sentiment is None else _sentiment(untouched),
        branded=results.branded and _against_market(results.branded, None if full is None else full.branded),
    )


def _is_untouched(reading: Observation, cells: CellMap, base_scan_id: uuid.UUID | None) -> bool:
    """Whether the cell was asked by the Full Check and never again. A recheck drops it, even one that failed."""
    cell = cells[uuid.UUID(reading.prompt_id), reading.platform]
    return cell.scan_id == base_scan_id and cell.seen_at == cell.checked_at


def _compare(headline: Headline | ComparedHeadline, comparisons: Comparisons) -> ComparedHeadline:
    def figure(name: str) -> ComparedFigure:
        plain = getattr(headline, name)
        values = {field: getattr(plain, field) for field in Figure.__struct_fields__}
        return ComparedFigure(**values, comparison=getattr(comparisons, name, None))

    return ComparedHeadline(**{name: figure(name) for name in Headline.__struct_fields__})


def _against_market(headline: Headline, full: ComparedHeadline | Headline | None) -> Headline:
    if full is None:
        return headline
    return msgspec.structs.replace(
        headline,
        market_position=_plain(full.market_position),
        share_of_voice_pct=_plain(full.share_of_voice_pct),
    )


def _plain(figure: Figure) -> Figure:
    return Figure(**{field: getattr(figure, field) for field in Figure.__struct_fields__})


def _platform_against_market(row: PlatformResult, full: Board | None) -> PlatformResult:
    known = next((each for each in full.platforms if each.platform == row.platform), None) if full else None
    if known is None:
        return row
    return msgspec.structs.replace(
        row, market_position=known.market_position, share_of_voice_pct=known.share_of_voice_pct
    )


def _country_against_market(row: CountryResult, full: Board | None) -> CountryResult:
    known = next((each for each in full.countries if each.country == row.country), None) if full else None
    if known is None:
        return row
    return msgspec.structs.replace(
        row, market_position=known.market_position, share_of_voice_pct=known.share_of_voice_pct
    )


def _countries(tracked: Sequence[Sequence[Observation]]) -> tuple[CountryResult, ...]:
    """Always there, be it only one: the figures of each market, Global first."""
    found = sorted({reading.country for reading in tracked[0]}, key=lambda country: country or "")
    return tuple(_country(country, tracked) for country in found)


def _country(country: str | None, tracked: Sequence[Sequence[Observation]]) -> CountryResult:
    here = [Observations(reading for reading in readings if reading.country == country) for readings in tracked]
    figures = measure_headline(here)
    return CountryResult(
        country=country,
        planned=len(here[0]),
        valid=sum(reading.is_valid for reading in here[0]),
        **{name: getattr(figures, name) for name in Headline.__struct_fields__},
    )


def _prompts(shown: Shown, beside: Beside, cells: CellMap) -> tuple[BoardPrompt, ...]:
    """Every prompt with every platform that any of them was asked on."""
    plan = msgspec.structs.replace(shown.plan, prompts=(*shown.plan.prompts, *beside.prompts))
    branded = find_branded(plan)
    platforms = tuple(dict.fromkeys((*plan.platforms, *beside.platforms)))
    answers = {(answer.prompt.id, answer.platform): answer for answer in (*shown.answers, *beside.answers)}
    return tuple(
        BoardPrompt(
            prompt_id=uuid.UUID(prompt.id),
            prompt=prompt.text,
            language_code=prompt.language,
            country_iso_2=prompt.country,
            branded=prompt.id in branded,
            in_headline=prompt in shown.plan.prompts,
            cells=tuple(
                _cell(platform, cells.get((uuid.UUID(prompt.id), platform)), answers.get((prompt.id, platform)))
                for platform in platforms
            ),
        )
        for prompt in plan.prompts
    )


def _cell(platform: str, cell: CellRow | None, answer: ScanAnswer | None) -> BoardCell:
    if cell is None:
        return BoardCell(platform=platform, state="not_asked", in_headline=False)
    own = None if answer is None or answer.reading is None else answer.reading.brands[0]
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


def _sentiment(readings: Sequence[Observation]) -> SentimentResult:
    found = summarize_sentiment(readings)
    return SentimentResult(
        score=show_number(found.score),
        label=found.label,
        net=show_measure(measure_net_sentiment(readings)),
        responses_analyzed=found.scored,
        unscored=found.unscored,
        low_data=found.low_data,
        mixed=found.mixed,
        positive=found.labels["positive"],
        neutral=found.labels["neutral"],
        negative=found.labels["negative"],
    )
