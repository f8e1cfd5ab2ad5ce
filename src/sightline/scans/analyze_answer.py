"""Turning a platform's reply into an answer of a scan: its text is analyzed for every tracked brand."""

from collections.abc import Sequence

import msgspec
import structlog

from sightline.answers.analyze import analyze_prepared, find_sources
from sightline.answers.candidates import find_candidates_prepared
from sightline.answers.corrections import Correction
from sightline.answers.models import AnswerAnalysis
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.scorers import SCORERS, Scorer, ScorerName
from sightline.answers.tracked_names import is_named, list_other_names
from sightline.platforms.models import Fault, Outcome, ProviderAnswer, Source
from sightline.scans.models import Provenance, ScanAnswer, ScanPrompt

log = structlog.get_logger()

MEASURED_BRAND = frozenset({0})
"""Sentiment is shown for the measured brand alone, and scoring is the most expensive step of an analysis."""


def analyze_outcome(
    outcome: Outcome, prompt: ScanPrompt, lexicon: Lexicon, *, answer_id: str, sentiment: ScorerName | None = None
) -> ScanAnswer:
    """Build the analyzed answer. Never raises: an answer whose text cannot be analyzed is stored as failed."""
    answer = _to_answer(outcome, prompt, answer_id)
    return analyze_answer(answer, lexicon, sentiment=sentiment) if outcome.status == "ok" else answer


def mark_failed(outcome: Outcome, prompt: ScanPrompt, *, answer_id: str, fault: Fault) -> ScanAnswer:
    """Return the answer without an analysis, as failed."""
    return msgspec.structs.replace(_to_answer(outcome, prompt, answer_id), status="failed", fault=fault)


def _to_answer(outcome: Outcome, prompt: ScanPrompt, answer_id: str) -> ScanAnswer:
    reply = outcome.answer
    return ScanAnswer(
        id=answer_id,
        prompt=prompt,
        platform=outcome.platform,
        status=outcome.status,
        text=reply.text,
        cited=reply.cited,
        retrieved=reply.retrieved,
        queries=reply.queries,
        products=reply.products,
        fault=outcome.fault,
        provenance=_provenance(outcome, reply),
    )


def analyze_answer(
    answer: ScanAnswer,
    lexicon: Lexicon,
    *,
    sentiment: ScorerName | None = None,
    corrections: Sequence[Correction] = (),
    scored: frozenset[int] | None = MEASURED_BRAND,
) -> ScanAnswer:
    """Return the answer with its analysis; as failed if its text cannot be analyzed.

    `scored` are the positions of the brands whose sentiment is scored; None scores all of them.
    """
    try:
        asked = answer.prompt.text
        prepared = prepare(answer.text, asked)  # once for both: it is expensive
        pages = [(source.url, source.title) for source in answer.cited]
        sources = find_sources(prepared, pages)
        found = find_candidates_prepared(prepared, lexicon, sources[0])
        analysis = analyze_prepared(
            prepared,
            lexicon,
            sources,
            others=list_other_names(lexicon, found),
            prompt=asked,
            sentiment=_scorer(sentiment),
            scored=scored,
            corrections=corrections,
        )
    except Exception as error:  # noqa: BLE001 - see `read_outcome`
        log.error(  # noqa: TRY400 - a traceback may show the answer, which is not ours to log
            "answer_not_analyzed", platform=answer.platform, answer_id=answer.id, error=type(error).__name__
        )
        fault = Fault("malformed", f"the text of the answer could not be analyzed ({type(error).__name__})")
        return msgspec.structs.replace(answer, status="failed", fault=fault)
    return msgspec.structs.replace(answer, analysis=analysis, candidates=found)


def analyze_text(
    text: str, prompt: ScanPrompt, lexicon: Lexicon, cited: Sequence[Source], *, corrections: Sequence[Correction] = ()
) -> AnswerAnalysis:
    """Return what the text of an answer says of the brands, without sentiment."""
    prepared = prepare(text, prompt.text)
    sources = find_sources(prepared, [(source.url, source.title) for source in cited])
    # The language is detected in the text: a platform may answer in a different one than the prompt's.
    return analyze_prepared(prepared, lexicon, sources, prompt=prompt.text, corrections=corrections)


def _scorer(name: ScorerName | None) -> Scorer | None:
    return None if name is None else SCORERS[name]


def names_brand(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text, such as a prompt, names the first brand of the lexicon, matched as in answers."""
    return is_named(prepare(text), lexicon)


def _provenance(outcome: Outcome, reply: ProviderAnswer) -> Provenance:
    return Provenance(
        surface=outcome.surface,
        vendor=outcome.vendor,
        model_asked=outcome.model_asked,
        model_served=reply.model,
        country_honoured=reply.country_honoured,
        tool_version=reply.tool_version,
        request_id=reply.request_id,
        usage=reply.usage,
        cost_usd=outcome.cost_usd,
        latency_ms=outcome.latency_ms,
        attempts=outcome.attempts,
    )
