"""How the reference speaks of insights."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.edge.envelope import Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.api.openapi.topics.tracking import PROMPT_ID, TRACKED_ID
from sightline.insights.alerts.schemas import Alert, NamedShare
from sightline.insights.alerts.states import AlertState
from sightline.insights.models import CitedSource, NamedCompetitor
from sightline.insights.schemas import Opportunity, ProvingAnswer, Recommendation, Theme

TAGS: Mapping[str, str] = {
    "Data: Insights": "What follows from checks: alerts after Daily Checks; Brand Themes, recommendations and "
    "opportunities after Full Checks. Each names the answers that prove it.",
}

_FULL_ID = UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28")
_DAILY_ID = UUID("01991494-6a07-7c53-9f1e-8b2d40c7e5a6")
_BEFORE_ID = UUID("01990f72-88d4-7b0f-8c36-e91a57d204fb")
_NOW_ANSWER = UUID("01991494-7310-7d28-a4b5-06f3c8e19d74")
_OLD_ANSWER = UUID("01990f72-9c5e-7a41-b8d7-25e0f6943c1b")
_ANSWER = UUID("01990f70-5a13-7b94-8e27-c6d1f03a48b5")
_PROMPT = "Which anvil suits a small forge?"

_ALERT = Alert(
    id=UUID("01991496-0b7c-7f19-9d64-a8e35c20f1b7"),
    domain_id=TRACKED_ID,
    type="coverage_drop",
    scope="platform",
    platform="chatgpt",
    country_iso_2=None,
    prompt_id=None,
    state=AlertState.CONFIRMED,
    hushed=None,
    summary="On chatgpt, 8 of 35 answers name the brand, after 15 of 35 (-20.0 points, p 0.0391).",
    before=NamedShare(value=42.9, named=15, answers=35, low=28.0, high=59.1),
    now=NamedShare(value=22.9, named=8, answers=35),
    delta=-20.0,
    matched_cells=35,
    lost=8,
    gained=1,
    rules=("previous_daily",),
    p=0.0391,
    verdict="down",
    scan_id=_DAILY_ID,
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
    kind="distinctive",
    answers=12,
    share_pct=4.0,
    log_odds=1.97,
    z=3.74,
    polarity=71.5,
    polarity_label="positive",
    quote="Acme is easy to use",
    answer_ids=(_ANSWER,),
)
_RECOMMENDATION = Recommendation(
    id=UUID("01990f71-41b5-7e72-9a08-5c63d0f8b29e"),
    scan_id=_FULL_ID,
    kind="get_listed",
    action="Get listed or reviewed on this page: answers to the prompt cite it, and name competitors.",
    subject="g2.com/categories/anvils",
    prompt_id=PROMPT_ID,
    prompt=_PROMPT,
    pages=(),
    answer_ids=(_ANSWER,),
    answers=(ProvingAnswer(_FULL_ID, _ANSWER),),
)
_OPPORTUNITY = Opportunity(
    id=UUID("01990f71-46d9-7a5c-b3e1-0f82c74d6915"),
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
    competitors=(NamedCompetitor("Globex", 4),),
    sources=(CitedSource("g2.com", "review", 5, winnable=True),),
    answer_ids=(_ANSWER,),
    updated_at="2026-11-14T09:32:47.018554+00:00",
)

_ALERTS = {
    "domain_id": "The tracked domain.",
    "type": "`coverage_drop`: fewer answers name the brand. `cell_lost`: one prompt on one platform that used to name "
    "the brand no longer does.",
    "scope": "`overall`, `platform`, `country` or `cell`.",
    "platform": "The platform of a `platform` or `cell` alert.",
    "country_iso_2": "The market of a `country` alert; null is Global.",
    "prompt_id": "The prompt of a `cell` alert.",
    "state": "`watch`: seen once. `confirmed`: the next Daily Check says the same. `lapsed`: it does not. `resolved`: "
    "back where it was, or no longer measured.",
    "hushed": "Why nobody was told of a confirmed alert: `platform_wide`, `muted` or `cool_down`.",
    "summary": "The alert in a sentence.",
    "before": "The baseline: the Daily Check before the fall; of a `cell` its own history.",
    "now": "The Daily Check that moved the alert last. For `cell` the run of misses.",
    "delta": "Change in percentage points over the matched cells.",
    "matched_cells": "Cells with a valid answer in both.",
    "lost": "Cells that named the brand before and do not now.",
    "gained": "Cells that name the brand now and did not before.",
    "rules": "`previous_daily` (rule A), `last_dailies` (rule B) or `cell`: the tests that hold.",
    "p": "How likely so large a fall is by chance alone; the smallest of the rules that hold.",
    "verdict": "What the plain comparison with the baseline says.",
    "scan_id": "The Daily Check that moved the alert last.",
    "against_scan_id": "The Daily Check that it is compared with.",
    "answer_ids": "The answers of the lost cells, now and before.",
    "answers": "The same answers, each with its check.",
    "watched_at": "When the first of the two Daily Checks was completed. The list is sorted by it.",
    "confirmed_at": "When the Daily Check that confirmed it was completed.",
    "resolved_at": "When the Daily Check that resolved it was completed.",
    "notified_at": "When people were told; null when nobody was.",
    "updated_at": "When its state last changed.",
}
_THEMES = {
    "scan_id": "The Full Check.",
    "descriptor": "One to three words, synonyms merged.",
    "kind": "`distinctive`: sets the brand apart from its competitors. `shared`: said of them as well.",
    "answers": "Answers that say it of the brand.",
    "share_pct": "Their share of the answers that name the brand, in percent.",
    "log_odds": "Log-odds against the competitors' answers.",
    "z": "How sure that difference is; 1.96 and more is `distinctive`.",
    "polarity": "Median sentiment of the clauses, 0 to 100, 50 is neutral; null when none was scored.",
    "polarity_label": "`positive`, `neutral` or `negative`.",
    "quote": "One of the clauses, verbatim.",
    "answer_ids": "The answers that say it; read them with `scan_id`.",
}
_RECOMMENDATIONS = {
    "scan_id": "The Full Check.",
    "kind": "The rule that it follows from; `nothing_significant` when none does.",
    "action": "What to do.",
    "subject": "What it is about: a page, a platform, a country or a theme.",
    "prompt_id": "The prompt, where it concerns one.",
    "prompt": "Its text.",
    "pages": "The pages behind it.",
    "answer_ids": "The answers that prove it.",
    "answers": "The same answers, each with its check: some proof lies in earlier ones.",
}
_OPPORTUNITIES = {
    "prompt_id": "The prompt.",
    "prompt": "Its text.",
    "language_code": "Its language; null for unclassified history.",
    "country_iso_2": "Its market; null for Global.",
    "opportunity_score": "0 to 100, from demand, gap and winnability.",
    "demand": "How much it is asked, 0 to 1, beside the most asked prompt.",
    "gap": "Share of valid answers that name a competitor and not the brand, 0 to 1.",
    "winnability": "How open the answer is, 0 to 1: who is cited, and how much it changes.",
    "demand_unknown": "No volume is known: the median demand stands in.",
    "low_evidence": "Fewer than three valid answers.",
    "competitors": "Competitors that those answers name.",
    "sources": "Sites that the answers cite, most cited first.",
    "answer_ids": "The answers of the gap.",
    "updated_at": "When it was last computed.",
}


def _of(resource: str, meanings: Mapping[str, str]) -> dict[str, str]:
    return {f"{resource}.{field}": meaning for field, meaning in meanings.items()}


MEANINGS: Mapping[str, str] = {
    **_of("Alert", _ALERTS),
    **_of("Theme", _THEMES),
    **_of("Recommendation", _RECOMMENDATIONS),
    **_of("Opportunity", _OPPORTUNITIES),
    **_of("NamedShare", {"value": "Share of answers that name the brand, in percent.", "named": "Answers that do.",
                         "answers": "Answers in all.", "low": "Lower end of its 95 % interval.",
                         "high": "Upper end of its 95 % interval."}),
    **_of("ProvingAnswer", {"scan_id": "The check that it belongs to.", "answer_id": "The answer."}),
    **_of("NamedCompetitor", {"name": "Its name.", "answers": "Answers of the gap that name it."}),
    **_of("CitedSource", {"domain": "The site.", "type": "What kind of site it is.",
                          "citations": "How often the answers cite it.",
                          "winnable": "A brand can get itself named there: reviews, lists, forums, news, video."}),
}  # fmt: skip


def _page(*rows: msgspec.Struct) -> Example:
    return Example(Page(list(rows), PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID)))


EXAMPLES: Mapping[str, Example] = {
    "list_alerts": _page(_ALERT),
    "list_themes": _page(_THEME),
    "list_recommendations": _page(_RECOMMENDATION),
    "list_opportunities": _page(_OPPORTUNITY),
}
