"""Examples of changes, alerts, themes, recommendations and opportunities."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.openapi.examples.checks import PROMPT_ID
from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, Example, envelope, page
from sightline.insights.alerts.schemas import Alert, AlertConfirmation, NamedShare
from sightline.insights.alerts.states import AlertState
from sightline.insights.findings.schemas import Finding, LatestChanges, LatestFindings
from sightline.insights.models import BestRival, CitedSource, DecidingPage, NamedCompetitor, ProvingAnswer, ThemeQuote
from sightline.insights.recommendations.schemas import (
    DismissedRecommendation,
    DoneRecommendation,
    EffectShares,
    MeasuredEffect,
    Recommendation,
    RecommendedPrompt,
    ReopenedRecommendation,
    RestoredRecommendation,
)
from sightline.insights.schemas.edition import CodebookEntry, EditedMarket, EditionSummary
from sightline.insights.schemas.opportunities import Opportunity
from sightline.insights.schemas.themes import Theme, ThemeShareChange
from sightline.metrics.figure import Comparison
from sightline.metrics.recommendations import ExpectedEffect
from sightline.scoreboard.check_changes.schemas import (
    CheckChanges,
    CountChange,
    FigureChange,
    LeadingBrand,
    PeriodResult,
    PlatformSourceChange,
    SourceAnswers,
    WinnerChange,
)

_FULL_ID = UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28")
_DAILY_ID = UUID("01991494-6a07-7c53-9f1e-8b2d40c7e5a6")
_CONFIRMING_ID = UUID("019919ba-8d1f-7e02-b6c4-3f70a95d18c2")
_BEFORE_ID = UUID("01990f72-88d4-7b0f-8c36-e91a57d204fb")
_NOW_ANSWER = UUID("01991494-7310-7d28-a4b5-06f3c8e19d74")
_OLD_ANSWER = UUID("01990f72-9c5e-7a41-b8d7-25e0f6943c1b")
_ANSWER = UUID("01990f70-5a13-7b94-8e27-c6d1f03a48b5")
_KEY = "get_listed-2c1f6d0b7a9e4c538f0d1b6a7e92c4d5"
_PROMPT = "Which anvil suits a small forge?"

ALERT = Alert(
    id=UUID("01991496-0b7c-7f19-9d64-a8e35c20f1b7"),
    domain_id=TRACKED_DOMAIN_ID,
    type="coverage_drop",
    scope="platform",
    platform="chatgpt",
    country_iso_2=None,
    prompt_id=None,
    competitor=None,
    state=AlertState.CONFIRMED,
    hushed=None,
    summary="On ChatGPT, Acme was named in 8 of 35 Daily Check answers on 14 Nov, down from 15. A later Daily Check "
    "confirmed it, with 7 of 35 answers.",
    before=NamedShare(value=42.9, named=15, answers=35, low=28.0, high=59.1),
    now=NamedShare(value=22.9, named=8, answers=35),
    delta=-20.0,
    matched_cells=35,
    lost=8,
    gained=1,
    rules=("previous_daily",),
    p=0.0391,
    verdict="down",
    history=None,
    confirmation=AlertConfirmation(
        scan_id=_CONFIRMING_ID,
        before=NamedShare(value=42.9, named=15, answers=35, low=28.0, high=59.1),
        now=NamedShare(value=20.0, named=7, answers=35),
        delta=-22.9,
        lost=9,
        gained=1,
        rules=("previous_daily",),
        p=0.0215,
    ),
    scan_id=_CONFIRMING_ID,
    now_scan_id=_DAILY_ID,
    against_scan_id=_BEFORE_ID,
    answer_ids=(_NOW_ANSWER, _OLD_ANSWER),
    answers=(ProvingAnswer(_DAILY_ID, _NOW_ANSWER), ProvingAnswer(_BEFORE_ID, _OLD_ANSWER)),
    watched_at="2026-11-16T09:31:08.114902+00:00",
    confirmed_at="2026-11-17T09:31:22.640318+00:00",
    resolved_at=None,
    notified_at="2026-11-17T09:31:24.207716+00:00",
    updated_at="2026-11-17T09:31:24.207716+00:00",
)
_THEME = Theme(
    id=UUID("01990f71-3e86-7c0a-8b5f-d714e9026ac3"),
    scan_id=_FULL_ID,
    descriptor="ease of use",
    theme_key="t3",
    kind="distinctive",
    answers=12,
    share_pct=4.0,
    log_odds=1.97,
    z=3.74,
    share_low_pct=2.3,
    share_high_pct=6.9,
    prompts=7,
    platforms=4,
    few_answers=False,
    polarity=95.8,
    polarity_label="positive",
    positive=11,
    neutral=1,
    negative=0,
    quote="Acme is easy to use, even for beginners.",
    quotes=(ThemeQuote(_ANSWER, "Acme is easy to use, even for beginners."),),
    change=ThemeShareChange(3.1, "no_clear_change"),
    answer_ids=(_ANSWER,),
    opinions=("positive",),
)
_RECOMMENDATION = Recommendation(
    id=UUID("01990f71-41b5-7e72-9a08-5c63d0f8b29e"),
    key=_KEY,
    scan_id=_FULL_ID,
    rank=1,
    kind="get_listed",
    action="Get Acme into \u201cThe 9 best anvils for small forges\u201d on Forge Review",
    why="9 answers to 4 prompts on 2 platforms cite it and name other brands, most often Globex and Initech, but not "
    "Acme.",
    steps=(
        "Read the page as its editor would. Note what it compares, at which prices, how it tests, and when it was last "  # noqa: ISC004
        "updated.",
        "Write to its author with one reason why Acme belongs next to Globex and Initech, the figures that the page "  # noqa: ISC004
        "compares, and a sample or a test account.",
        "Ask for a place in the next update of this page, not for a separate article: answers cite this page.",
    ),
    effort="medium",
    expected=ExpectedEffect(4.4, 2.1, 6.6),
    expected_summary="About 4 answers (2 to 7) could start to name Acme.",
    state="open",
    done_at=None,
    effect=None,
    subject="forgereview.com/best-anvils-small-forge",
    site="forgereview.com",
    page="forgereview.com/best-anvils-small-forge",
    pages=("forgereview.com/best-anvils-small-forge",),
    rivals=("Globex", "Initech"),
    platforms=("chatgpt", "perplexity"),
    quotes=(),
    prompts=(RecommendedPrompt(PROMPT_ID, _PROMPT),),
    prompt_id=PROMPT_ID,
    prompt=_PROMPT,
    answer_ids=(_ANSWER,),
    answers=(ProvingAnswer(_FULL_ID, _ANSWER),),
)
_DONE = DoneRecommendation(
    key=_KEY,
    kind="get_listed",
    action="Get Acme into \u201cThe 9 best anvils for small forges\u201d on Forge Review",
    done_at="2026-11-15T00:00:00.000000+00:00",
    done_by="Ada Smith",
    still_recommended=False,
    effect=MeasuredEffect(
        status="up",
        summary="Up by 12 points (3 to 21) compared with the other prompts. This result is from "
        "2 Full Checks. The final result follows after 4.",
        points=12.4,
        low=3.2,
        high=20.6,
        is_final=False,
        concerned=EffectShares(4, 10.4, 25.0),
        others=EffectShares(36, 31.2, 33.4),
        baseline_checks=(
            UUID("0198eb64-51c2-7e6f-a3d8-47b0c95e1f28"),
            UUID("0198fd6a-51c2-7e6f-a3d8-47b0c95e1f28"),
        ),
        led_by_check=_FULL_ID,
        later_checks=(UUID("01993376-51c2-7e6f-a3d8-47b0c95e1f28"), UUID("0199577c-51c2-7e6f-a3d8-47b0c95e1f28")),
        treated_prompts=(RecommendedPrompt(PROMPT_ID, _PROMPT),),
        overlapping_actions=0,
    ),
)
_OPPORTUNITY = Opportunity(
    id=UUID("01990f71-46d9-7a5c-b3e1-0f82c74d6915"),
    scan_id=_FULL_ID,
    prompt_id=PROMPT_ID,
    prompt=_PROMPT,
    language_code="en",
    country_iso_2=None,
    opportunity_score=66.5,
    demand=0.829,
    gap=0.571,
    winnability=0.653,
    demand_unknown=False,
    low_evidence=False,
    competitors=(NamedCompetitor("Globex", 4, (_ANSWER,)),),
    sources=(CitedSource("g2.com", "review", 5, winnable=True, answer_ids=(_ANSWER,)),),
    answer_ids=(_ANSWER,),
    updated_at="2026-11-14T09:32:47.018554+00:00",
    valid_answers=7,
    gap_answers=4,
    citations=12,
    winnable_citations=5,
    pages=(
        DecidingPage(
            "g2.com/categories/anvils", "The best anvils", "g2.com", "review", 5, winnable=True, answer_ids=(_ANSWER,)
        ),
    ),
    best_rival=BestRival(name="Globex", answers=5, mean_place=1.4, pages=("globex.com/anvils",), answer_ids=(_ANSWER,)),
)
_EARLIER_FULL_ID = UUID("01988c3e-2a70-7d15-8b49-f31c6e07a2d8")
_CHANGES = LatestChanges(
    domain_id=TRACKED_DOMAIN_ID,
    summary=["On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov."],
    changes=CheckChanges(
        scan_id=_FULL_ID,
        against_scan_id=_EARLIER_FULL_ID,
        since="2026-11-07T09:31:44.702118+00:00",
        until="2026-11-14T09:32:11.395027+00:00",
        reasons=(),
        established=(
            CountChange(
                kind="platform",
                subject="chatgpt",
                before=5,
                now=12,
                total=40,
                delta=17.5,
                low=5.7,
                high=29.3,
                p=0.0156,
                verdict="up",
                gained=7,
                lost=0,
                tier="clear",
            ),
        ),
        winners=(
            WinnerChange(
                prompt_id=PROMPT_ID,
                prompt=_PROMPT,
                country_iso_2=None,
                answers=7,
                before=LeadingBrand("Globex", 6),
                now=LeadingBrand("Acme", 5),
            ),
        ),
        sources=(PlatformSourceChange(platform="perplexity", site="g2.com", change="new", answers=6, total=38),),
        figures=(
            FigureChange(
                metric="brand_coverage_pct",
                before=35.7,
                now=36.8,
                comparison=Comparison(
                    against_scan_id=str(_EARLIER_FULL_ID),
                    trend_only=False,
                    reasons=(),
                    matched_cells=280,
                    gained=12,
                    lost=9,
                    delta=1.1,
                    low=-2.1,
                    high=4.3,
                    p=0.6636,
                    verdict="no_clear_change",
                ),
            ),
        ),
        unclear=(
            CountChange(
                kind="coverage",
                subject=None,
                before=100,
                now=103,
                total=280,
                delta=1.1,
                low=-2.1,
                high=4.3,
                p=0.6636,
                verdict="no_clear_change",
                gained=12,
                lost=9,
                tier="rest",
            ),
        ),
        source_answers=SourceAnswers(new=6, lost=0),
        periods=(
            PeriodResult(
                subject="platform",
                name="chatgpt",
                period="last_check",
                since="2026-11-07T09:31:44.702118+00:00",
                checks=1,
                before=5,
                before_answers=40,
                now=12,
                now_answers=40,
                p=0.0002,
                tier="clear",
            ),
        ),
    ),
)


_FINDINGS = LatestFindings(
    domain_id=TRACKED_DOMAIN_ID,
    headline="On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov.",
    scan_id=_FULL_ID,
    against_scan_id=_EARLIER_FULL_ID,
    findings=[
        Finding(
            kind="platform",
            tier="clear",
            direction="up",
            text="On ChatGPT, Acme is named in 12 of 40 answers, up from 5 on 7 Nov.",
            platform="chatgpt",
            before=5,
            before_answers=40,
            now=12,
            now_answers=40,
            period="last_check",
            since="2026-11-07T09:31:44.702118+00:00",
            p=0.0002,
        ),
    ],
)
PATH_IDS: Mapping[str, str] = {"recommendation_key": _KEY, "theme_key": "t3"}
_THEME_ENTRY = CodebookEntry(
    theme_key="t3",
    label="ease of use",
    definition="How easily the anvil is set up and used.",
    examples=("Acme anvils are easy to set up.",),
    merged_into=None,
    hidden=False,
    pinned=True,
)
_EDITION = EditionSummary(
    scan_id=_FULL_ID,
    edited_by="claude:claude-sonnet-5-5",
    formerly_edited_by=None,
    rules_reason=None,
    over_budget=0,
    market=EditedMarket(singular="anvil", plural="anvils", audience="smiths", language="en", corrected=True),
    codebook=(_THEME_ENTRY,),
)
_DISMISSED = DismissedRecommendation(
    key=_KEY,
    kind="get_listed",
    action="Get listed on g2.com/categories/anvils",
    reason="We do not sell there.",
    dismissed_at="2026-11-15T09:12:44.031870+00:00",
    dismissed_by="Acme Owner",
)

EXAMPLES: Mapping[str, Example] = {
    "list_alerts": Example(page(ALERT)),
    "list_themes": Example(page(_THEME)),
    "list_recommendations": Example(page(_RECOMMENDATION)),
    "list_done_recommendations": Example(page(_DONE)),
    "mark_recommendation_done": Example(envelope(_DONE), {"done_at": "2026-11-15T00:00:00+00:00"}),
    "read_domain_edition": Example(envelope(_EDITION)),
    "correct_domain_market": Example(
        envelope(_EDITION), {"singular": "anvil", "plural": "anvils", "audience": "smiths", "language": "en"}
    ),
    "forget_domain_market": Example(envelope(msgspec.structs.replace(_EDITION, market=None))),
    "change_domain_theme": Example(envelope(_THEME_ENTRY), {"label": "ease of use", "pinned": True}),
    "list_dismissed_recommendations": Example(page(_DISMISSED)),
    "dismiss_recommendation": Example(envelope(_DISMISSED), {"reason": "We do not sell there."}),
    "restore_recommendation": Example(envelope(RestoredRecommendation(_KEY, dismissed=False))),
    "reopen_recommendation": Example(envelope(ReopenedRecommendation(_KEY, done=False))),
    "list_opportunities": Example(page(_OPPORTUNITY)),
    "read_changes": Example(envelope(_CHANGES)),
    "read_findings": Example(envelope(_FINDINGS)),
}
