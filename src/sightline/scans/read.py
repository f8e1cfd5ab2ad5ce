"""From what a platform said to an answer of a check: the text is read for every tracked brand."""

from collections.abc import Sequence

import msgspec
import structlog

from sightline.answers.analyze import analyze, analyze_prepared, find_sources, is_named
from sightline.answers.candidates import find_candidates_prepared
from sightline.answers.models import AnswerAnalysis
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.scorers import SCORERS, Scorer, ScorerName
from sightline.platforms.models import Fault, Outcome, ProviderAnswer, Source
from sightline.scans.models import Prompt, Provenance, ScanAnswer
from sightline.scans.rivals import names_beside

log = structlog.get_logger()

_MEASURED = frozenset({0})
"""Sentiment is shown of the measured brand alone, and scoring is the dearest thing that can be done to an answer."""


def read_outcome(
    outcome: Outcome, prompt: Prompt, lexicon: Lexicon, *, answer_id: str, sentiment: ScorerName | None = None
) -> ScanAnswer:
    """Never raises: a text that the extractor cannot take costs this one answer, and is kept with what is known."""
    answer = _to_answer(outcome, prompt, answer_id)
    return read_answer(answer, lexicon, sentiment=sentiment) if outcome.status == "ok" else answer


def keep_unread(outcome: Outcome, prompt: Prompt, *, answer_id: str, fault: Fault) -> ScanAnswer:
    """The answer with all that is known of it, but not what it says: it counts as failed."""
    return msgspec.structs.replace(_to_answer(outcome, prompt, answer_id), status="failed", fault=fault)


def _to_answer(outcome: Outcome, prompt: Prompt, answer_id: str) -> ScanAnswer:
    said = outcome.answer
    return ScanAnswer(
        id=answer_id,
        prompt=prompt,
        platform=outcome.platform,
        status=outcome.status,
        text=said.text,
        cited=said.cited,
        retrieved=said.retrieved,
        queries=said.queries,
        fault=outcome.fault,
        provenance=_provenance(outcome, said),
    )


def read_answer(answer: ScanAnswer, lexicon: Lexicon, *, sentiment: ScorerName | None = None) -> ScanAnswer:
    try:
        asked = answer.prompt.text
        prepared = prepare(answer.text, asked)  # once for both: it is the dearest step
        pages = [(source.url, source.title) for source in answer.cited]
        sources = find_sources(prepared, pages)
        found = find_candidates_prepared(prepared, lexicon, sources[0])
        reading = analyze_prepared(
            prepared,
            lexicon,
            sources,
            others=names_beside(lexicon, found),
            prompt=asked,
            sentiment=_scorer(sentiment),
            scored=_MEASURED,
        )
    except Exception as error:  # noqa: BLE001 - see `read_outcome`
        log.error(  # noqa: TRY400 - a traceback may show the answer, which is not ours to log
            "answer_not_read", platform=answer.platform, answer=answer.id, error=type(error).__name__
        )
        fault = Fault("malformed", f"the text of the answer could not be analysed ({type(error).__name__})")
        return msgspec.structs.replace(answer, status="failed", fault=fault)
    return msgspec.structs.replace(answer, reading=reading, candidates=found)


def read_text(
    text: str, prompt: Prompt, lexicon: Lexicon, cited: Sequence[Source], *, sentiment: ScorerName | None = None
) -> AnswerAnalysis:
    pages = [(source.url, source.title) for source in cited]
    # The language is found in the text: a platform may answer in another one than the prompt's.
    return analyze(text, lexicon, prompt=prompt.text, cited=pages, sentiment=_scorer(sentiment), scored=_MEASURED)


def _scorer(name: ScorerName | None) -> Scorer | None:
    return None if name is None else SCORERS[name]


def names_brand(text: str, lexicon: Lexicon) -> bool:
    """Whether a text, such as a prompt, names the first brand of the lexicon: by the same matcher as in answers."""
    return is_named(prepare(text), lexicon)


def _provenance(outcome: Outcome, said: ProviderAnswer) -> Provenance:
    return Provenance(
        surface=outcome.surface,
        vendor=outcome.vendor,
        model_asked=outcome.model_asked,
        model_served=said.model,
        country_honoured=said.country_honoured,
        tool_version=said.tool_version,
        request_id=said.request_id,
        usage=said.usage,
        cost_usd=outcome.cost_usd,
        latency_ms=outcome.latency_ms,
        attempts=outcome.attempts,
    )
