"""What the fields of scans, their results and their answers mean, in the words of the reference."""

from collections.abc import Iterable, Mapping


def _of(resources: Iterable[str], meanings: Mapping[str, str]) -> dict[str, str]:
    return {f"{resource}.{field}": meaning for resource in resources for field, meaning in meanings.items()}


_SCAN = {
    "id": "Names the scan in every other address; also in the header `Location` when it is submitted.",
    "domain_id": "The domain that is checked.",
    "domain": "Its name when the scan was submitted.",
    "created_at": "When it was submitted.",
    "measurement_scope": "`console_check`: a check on demand.",
    "measurement_label": "The scope in words.",
    "status": "`pending`, then `running`, then `completed`, `failed` or `cancelled`.",
    "answers_total": "Answers that are expected: prompts times platforms.",
    "answers_completed": "Answers that have come, those without an AI answer on the platform's page included.",
    "answers_failed": "Answers that could not be had. They enter no denominator.",
    "visibility_score": "Visibility Score, 0 to 100; null until completed, and when not measured.",
    "brand_coverage_pct": "Share of answers that name the brand, in percent; null until completed.",
    "ai_mentions": "Number of answers that name the brand; null until completed.",
    "citation_count": "Pages of the brand that answers cite, each once per answer; null until completed.",
    "market_position": "Rank among the competitors, 1 is best; null until completed, without competitors, and when the "
    "brand is neither named nor cited.",
    "started_at": "When it began to run; null before.",
    "completed_at": "When it ended, in whichever way; null before.",
    "duration_seconds": "From start to end; null before the end, and for a scan that never started.",
    "error_message": "Why it failed; null otherwise.",
    "selected_platforms": "Keys of the platforms that are asked.",
    "customer_keywords": "The prompts that you gave, cleaned; empty when they were suggested.",
    "content_project_id": "Your own reference, as you sent it; null without one.",
    "credits_charged": "What was charged when it was accepted.",
    "answers_source": "`live`: platforms were asked. `sandbox`: the answers are made up.",
}
_INPUT = {
    "domain_id": "A registered Console domain.",
    "keywords": "The prompts to check, 1 to 50 of 2 to 500 characters; trimmed, each once whatever its case. Left out: "
    "ten are suggested for the domain.",
    "platforms": "Keys of `GET /platforms`; each counts once. Left out: every enabled one.",
    "max_credits": "Refuse the scan if it costs more than this.",
    "content_project_id": "A reference of your own, stored and sent back.",
}
_PREVIEW = {
    "credits_required": "What submitting would charge.",
    "balance": "The credits that the workspace has.",
    "balance_after": "The credits that would be left; below zero: so many are missing.",
    "sufficient": "Whether the credits suffice.",
    "answers_total": "Answers that would be asked for: prompts times platforms.",
    "platforms": "Keys of the platforms that would be asked.",
    "keywords": "The prompts that would be asked; empty where a connected platform suggests them when the scan starts.",
    "keywords_source": "`given` by you, or `suggested`.",
    "active_scan_id": "The pending or running scan of the domain, which submitting would be refused for; null without.",
}
_FIGURE = {
    "value": "Null when it was not measured.",
    "low": "Lower end of the 95 % interval; null where there is none.",
    "high": "Upper end of the 95 % interval; null where there is none.",
    "n": "Answers that it stands on.",
    "numerator": "What was counted; null where the value is no quotient.",
    "denominator": "What it is divided by; null where the value is no quotient.",
    "early_reading": "Whether it stands on so few answers that it may still move a lot.",
    "incomplete": "Whether answers failed that it should stand on.",
}
_HEADLINE = {
    "visibility_score": "Visibility Score, 0 to 100.",
    "brand_coverage_pct": "Share of answers that name the brand, in percent.",
    "ai_mentions": "Number of answers that name the brand.",
    "citation_count": "Pages of the brand that answers cite, each once per answer.",
    "market_position": "Rank among the competitors; its value is null without competitors.",
    "share_of_voice_pct": "The brand's share of all mentions of tracked brands, in percent.",
}
_COUNTS = {
    "planned": "Answers that were asked for.",
    "valid": "Answers that could be read.",
    "no_surface": "Times that the platform showed no AI answer.",
    "failed": "Answers that could not be had.",
    "unanswered": "Answers that had not come when the check ended.",
    "incomplete": "Whether answers failed or are missing.",
}
_RESULTS = {
    "scan_id": "The scan.",
    "status": "Always `completed`.",
    "metrics_version": "Version of the formulas.",
    "extractor_version": "Version of the reader that found brands and sources in the answers.",
    "early_reading": "Whether there are so few answers that the figures may still move a lot.",
    "only_branded": "Whether every prompt names the brand, so that the figures are those of branded prompts.",
    "headline": "The headline metrics, over the prompts that do not name the brand.",
    "details": "Secondary figures, and the intervals for other questions like these.",
    "branded": "The headline over the prompts that name the brand; null without such a prompt.",
    "platforms": "The headline for each platform.",
    "prompts": "Each prompt's presence on each platform.",
    "competitors": "The ranking, the measured brand among them.",
    "sources": "Sites that the answers cite.",
    "candidates": "Names that stand where brands stand, and are not tracked.",
    "sentiment": "Null: belongs to Full Checks.",
    "scorers": "Who scored the sentiment, with the version. Empty: belongs to Full Checks.",
}
_DETAILS = {
    "visibility_score_market": "Where the score lies for other questions like these; null below five prompts.",
    "brand_coverage_pct_market": "Where the coverage lies for other questions like these; null below five prompts.",
    "prompt_reach": "Share of prompts that name the brand on at least one platform, in percent.",
    "citation_rate": "Share of answers with sources that cite the brand, in percent.",
    "citation_share": "The brand's share of all cited pages, in percent.",
    "mention_occurrences": "How often the brand is named, all answers together.",
    "weighted_share_of_voice_pct": "Share of Voice with early places counting more, in percent.",
}
_PLATFORM = {
    "platform": "Key of the platform.",
    "surface_rate": "How often the platform showed an AI answer, in percent; null where it always did.",
    "faults": "What went wrong, by kind.",
}
_CELL = {
    "platform": "Key of the platform.",
    "status": "`ok`, `no_surface` (no AI answer was shown), `failed` or `unanswered`.",
    "mentioned": "Whether the brand is named; null without a valid answer.",
    "cited": "Whether a page of the brand is cited; null without a valid answer.",
    "position": "Rank of the brand in the answer; null without one.",
    "answer_id": "The answer behind it; null without one.",
}
_PROMPT = {
    "prompt": "What was asked.",
    "language": "Language that it was asked in; null when none was set.",
    "country": "Country that it was asked from; null: none in particular.",
    "branded": "Whether it names the brand.",
    "platforms": "What came of it on each platform.",
}
_COMPETITOR = {
    "name": "Name of the brand.",
    "domains": "Its domains.",
    "is_own": "True for the measured brand.",
    "score": "Visibility Score.",
    "position": "Place in the ranking; null when neither named nor cited.",
    "position_low": "Best place that the data allows.",
    "position_high": "Worst place that the data allows.",
    "tied": "Whether it shares its place.",
    "mentions": "Answers that name it.",
    "share_of_voice_pct": "Its share of all mentions of tracked brands, in percent.",
}
_SOURCE_RESULT = {
    "domain": "Registrable domain of the site.",
    "type": "What kind of site it is.",
    "urls": "Different pages of it that are cited.",
    "answers": "Answers that cite it.",
    "is_own": "Whether it is the brand's own.",
    "is_competitor": "Whether it is a competitor's.",
}
_CANDIDATE_RESULT = {
    "name": "The name.",
    "domain": "Its site, where an answer links one; null otherwise.",
    "score": "Orders the candidates, and means nothing else.",
    "answers": "Answers that hold it.",
    "prompts": "Prompts whose answers hold it.",
    "platforms": "Number of platforms whose answers hold it.",
}
_SENTIMENT = {
    "score": "0 to 100, 50 is neutral; null with too few scored answers.",
    "label": "The score in a word.",
    "low_data": "Whether there are too few scored answers.",
    "mixed": "Whether answers contradict each other.",
    "scored": "Answers that the score stands on.",
    "unscored": "Answers that could not be scored with confidence.",
    "labels": "Scored answers by label.",
}
_ANSWER = {
    "id": "Names the answer within its scan.",
    "scan_id": "The scan that it belongs to.",
    "prompt": "What was asked.",
    "language": "Language that it was asked in; null when none was set.",
    "country": "Country that it was asked from; null: none in particular.",
    "platform": "Key of the platform.",
    "status": "`ok`, `no_surface` (no AI answer was shown) or `failed`.",
    "text": "The answer as the platform gave it; empty unless `ok`.",
    "cited_sources": "Pages that the answer cites.",
    "retrieved_sources": "Pages that the platform looked at without citing them.",
    "queries": "Searches that the platform made of the prompt.",
    "fault": "Why it failed; null otherwise.",
    "mentioned": "Whether the brand is named; null unless `ok`.",
    "cited": "Whether a page of the brand is cited; null unless `ok`.",
    "position": "Rank of the brand in the answer; null without one.",
    "stance": "How the brand is meant where it is named.",
    "brands": "What the answer says of each tracked brand, the measured one first.",
    "citations": "The cited pages, normalised: each once, as they are counted.",
    "candidates": "Names that stand where brands stand, and are not tracked.",
    "provenance": "Where the answer comes from.",
    "answered_at": "When it was stored.",
}
_BRAND = {
    "name": "Name of the brand.",
    "is_own": "True for the measured brand.",
    "mentioned": "Whether the answer names it.",
    "cited": "Whether the answer cites a page of it.",
    "position": "Its rank in the answer; null without one.",
    "stance": "How it is meant; null when it is not named.",
    "occurrences": "Every place that names it.",
    "cited_urls": "Its pages that the answer cites, normalised.",
}
_OCCURRENCE = {
    "start": "First character in the text, counted from 0.",
    "end": "First character after it.",
    "text": "The words as they stand there.",
    "stance": "How the brand is meant in this place.",
    "derived": "Whether the words only derive from the name (`Acme-like`).",
}
_PROVENANCE = {
    "surface": "`api`, `serp` (a results page) or `sandbox`.",
    "vendor": "Who was asked.",
    "model_asked": "Model that was asked for; null where there is no choice.",
    "model_served": "Model that answered; null where it is not told.",
    "country_honoured": "Whether the platform took the country into account; null when none was asked for.",
    "tool_version": "Version of the platform's search tool; null where it is not told.",
    "request_id": "The platform's own id of the call; null where it gives none.",
    "usage": "What the call used.",
    "latency_ms": "How long the last attempt took, in milliseconds.",
    "attempts": "How often it was asked.",
}

MEANINGS: Mapping[str, str] = {
    **_of(["Scan"], _SCAN),
    **_of(["ScanInput"], _INPUT),
    **_of(["ScanPreview"], _PREVIEW),
    **_of(["ScanResults", "PlatformResult"], _COUNTS),
    **_of(["Headline", "PlatformResult"], _HEADLINE),
    **_of(["ScanResults"], _RESULTS),
    **_of(["Figure", "ComparedFigure"], _FIGURE),
    **_of(["Details"], _DETAILS),
    **_of(["Range"], {"low": "Lower end.", "high": "Upper end."}),
    **_of(["PlatformResult"], _PLATFORM),
    **_of(["FaultCount"], {"kind": "What kind of fault.", "answers": "How many.", "message": "Of the latest of them."}),
    **_of(["PromptResult"], _PROMPT),
    **_of(["PromptCell"], _CELL),
    **_of(["CompetitorResult"], _COMPETITOR),
    **_of(["SourceResult"], _SOURCE_RESULT),
    **_of(["CandidateResult"], _CANDIDATE_RESULT),
    **_of(["SentimentSummary"], _SENTIMENT),
    **_of(["Answer"], _ANSWER),
    **_of(["AnswerBrand"], _BRAND),
    **_of(["Occurrence"], _OCCURRENCE),
    **_of(["AnswerProvenance"], _PROVENANCE),
    **_of(["Fault"], {"kind": "What kind of fault.", "message": "What happened."}),
    **_of(["Span"], {"start": "First character in the text, counted from 0.", "end": "First character after it."}),
    "Source.url": "Address of the page.",
    "Source.title": "Its title; null where none is told.",
    "Source.spans": "The parts of the text that it is cited for.",
    "Citation.url": "Address of the page, normalised: without scheme, `www.` and what only tracks.",
    "Citation.host": "Its host.",
    "Citation.domain": "Its registrable domain.",
    "Candidate.name": "The name.",
    "Candidate.rank": "Its place among the names of the answer.",
    "Candidate.domain": "Its site, where the answer links one; null otherwise.",
    "Candidate.proven": "Whether it is surely a name: ordinary words head lists, too.",
    "Usage.input_tokens": "Tokens in; null where it is not told.",
    "Usage.output_tokens": "Tokens out; null where it is not told.",
    "Usage.searches": "Searches made; null where it is not told.",
}
