"""The results of one scan. Pure: every number can be recomputed from the answers."""

from collections.abc import Sequence
from functools import partial

from sightline.kit.structs import convert_struct
from sightline.metrics.citations import count_citations, measure_citation_rate, measure_citation_share
from sightline.metrics.coverage import (
    count_mentions,
    count_occurrences,
    measure_coverage,
    measure_prompt_reach,
    measure_surface_rate,
)
from sightline.metrics.discovery import CompetitorSuggestion
from sightline.metrics.figure import round_value, to_figure, to_position_figure
from sightline.metrics.observation import find_surfaces
from sightline.metrics.panel import Observations, select_all, split_by
from sightline.metrics.position import measure_position, rank_market
from sightline.metrics.sentiment import summarize_sentiment
from sightline.metrics.share_of_voice import (
    find_voice_shares,
    measure_share_of_voice,
    measure_weighted_share_of_voice,
)
from sightline.metrics.visibility import measure_visibility
from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.rivals import find_rivals
from sightline.scans.schemas.results import (
    CandidateResult,
    CompetitorResult,
    Details,
    Headline,
    PlatformResult,
    PromptCell,
    PromptResult,
    ScanMeasurements,
)
from sightline.scans.tally import PlatformTally, ScanTally, tally_answers

Tracked = Sequence[Observations]  # the measured brand first


def build_results(
    plan: ScanPlan,
    answers: Sequence[ScanAnswer],
    *,
    sentiment: bool = False,
    rivals: Sequence[CompetitorSuggestion] | None = None,
) -> ScanMeasurements:
    """Compute the results. The order of the answers changes nothing; ranks are taken as they are.

    `rivals` are the result of `find_rivals` for these answers, where the caller has it already.
    """
    if rivals is None:
        rivals = find_rivals(plan, answers)
    return compute_results(tally_answers(plan, answers), sentiment=sentiment, rivals=rivals)


def compute_results(
    tally: ScanTally, *, sentiment: bool = False, rivals: Sequence[CompetitorSuggestion]
) -> ScanMeasurements:
    """Compute the results from answers that are added up already."""
    plan, tracked = tally.plan, tally.observations()
    visibility = measure_visibility(tracked[0])
    by_platform = [split_by(brand, lambda observation: observation.platform) for brand in tracked]
    platforms = tuple(
        _platform(platform, [Observations(brand.get(platform, ())) for brand in by_platform], tally.platforms[platform])
        for platform in plan.platforms
    )
    headline = measure_headline(tracked)
    on_branded = [Observations(each for each in brand if each.branded) for brand in tracked]
    return ScanMeasurements(
        planned=sum(each.planned for each in platforms),
        valid=sum(each.valid for each in platforms),
        no_surface=sum(each.no_surface for each in platforms),
        failed=sum(each.failed for each in platforms),
        unanswered=sum(each.unanswered for each in platforms),
        incomplete=select_all(tracked[0]).incomplete,
        early_reading=visibility.early_reading,
        only_branded=visibility.only_branded,
        headline=headline,
        details=_details(tracked, headline),
        branded=measure_headline(on_branded) if tally.branded else None,
        platforms=platforms,
        prompts=_prompts(tally),
        competitors=_competitors(plan, tracked),
        sources=tally.sources.list_sources(),
        candidates=tuple(to_candidate_result(suggestion) for suggestion in rivals),
        sentiment=summarize_sentiment(tracked[0]) if sentiment else None,
        scorers=tuple(sorted(tally.scorers)) if sentiment else (),
    )


def measure_headline(tracked: Tracked) -> Headline:
    own, others = tracked[0], tracked[1:]
    return Headline(
        visibility_score=to_figure(measure_visibility(own)),
        brand_coverage_pct=to_figure(measure_coverage(own)),
        ai_mentions=to_figure(count_mentions(own)),
        citation_count=to_figure(count_citations(own)),
        market_position=to_position_figure(
            measure_position(own, {str(index): brand for index, brand in enumerate(others)})
        ),
        share_of_voice_pct=to_figure(measure_share_of_voice(own, others)),
    )


def _details(tracked: Tracked, headline: Headline) -> Details:
    own, others = tracked[0], tracked[1:]
    return Details(
        visibility_score_market=headline.visibility_score.market,
        brand_coverage_pct_market=headline.brand_coverage_pct.market,
        prompt_reach=to_figure(measure_prompt_reach(own)),
        citation_rate=to_figure(measure_citation_rate(own)),
        citation_share=to_figure(measure_citation_share(own)),
        mention_occurrences=to_figure(count_occurrences(own)),
        weighted_share_of_voice_pct=to_figure(measure_weighted_share_of_voice(own, others)),
    )


def _platform(platform: str, tracked: Tracked, tally: PlatformTally) -> PlatformResult:
    own, statuses = tracked[0], tally.statuses
    return convert_struct(
        PlatformResult,
        measure_headline(tracked),
        platform=platform,
        surface=find_surfaces(own).get(platform),
        planned=statuses.total(),
        valid=statuses["ok"],
        no_surface=statuses["no_surface"],
        failed=statuses["failed"],
        unanswered=statuses["unanswered"],
        incomplete=select_all(own).incomplete,
        surface_rate=to_figure(measure_surface_rate(own)) if statuses["no_surface"] else None,
        faults=tally.list_faults(),
    )


def _prompts(tally: ScanTally) -> tuple[PromptResult, ...]:
    def cell(prompt: ScanPrompt, platform: str) -> PromptCell:
        found = tally.cells.get((prompt.id, platform))
        return _UNANSWERED(platform=platform) if found is None else found.to_prompt_cell(platform)

    return tuple(
        PromptResult(
            prompt=prompt.text,
            language=prompt.language,
            country=prompt.country,
            branded=prompt.id in tally.branded,
            platforms=tuple(cell(prompt, platform) for platform in tally.plan.platforms),
        )
        for prompt in tally.plan.prompts
    )


_UNANSWERED = partial(PromptCell, status="unanswered", mentioned=None, cited=None, position=None, answer_id=None)


def _competitors(plan: ScanPlan, tracked: Tracked) -> tuple[CompetitorResult, ...]:
    """Return the ranking, empty where there is none. Brands are identified by position: two may share a name."""
    by_place = {str(index): brand for index, brand in enumerate(tracked)}
    shares = find_voice_shares(by_place) or {}
    rows = []
    for standing in rank_market(by_place):
        place = int(standing.name)
        brand = plan.tracked[place]
        mentions = count_mentions(tracked[place]).value
        rows.append(
            CompetitorResult(
                name=brand.name,
                domains=brand.domains,
                is_own=place == 0,
                score=to_figure(standing.score),
                position=standing.position,
                position_low=standing.best,
                position_high=standing.worst,
                tied=standing.tied,
                mentions=None if mentions is None else int(mentions),
                share_of_voice_pct=round_value(shares.get(standing.name)),
            )
        )
    # A brand that is not seen at all comes last, whatever the others score; among equals, the measured brand is first.
    rows.sort(key=lambda row: (row.position is None, row.position or 0, not row.is_own, row.name.casefold(), row.name))
    return tuple(rows)


def to_candidate_result(suggestion: CompetitorSuggestion) -> CandidateResult:
    found = suggestion.candidate
    return convert_struct(CandidateResult, found, score=round_value(suggestion.score) or 0.0)
