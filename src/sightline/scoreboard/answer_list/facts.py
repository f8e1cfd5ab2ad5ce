"""What a list of answers is filtered by: a few labels for each answer. Pure."""

import uuid
from collections.abc import Mapping, Sequence

from sightline.answers.models import AnswerAnalysis, BrandAnalysis
from sightline.metrics.sentiment import label_score
from sightline.scans.models import CellKey, ScanAnswer, ScanPlan
from sightline.scans.observations import find_branded
from sightline.scans.sources import SiteFinder
from sightline.scans.stored import AnswerFacts, ScanRow
from sightline.scoreboard.answer_list.filter import MAX_LENGTH

# PostgreSQL's configurations of text search, by language. Any other language is searched word by word.
_CONFIGURATIONS = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "nb": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
_NO_LANGUAGE = "simple"


def find_configuration(language: str | None) -> str:
    """Return PostgreSQL's text search configuration for a language."""
    return _CONFIGURATIONS.get(language or "", _NO_LANGUAGE)


def list_facts(
    scan: ScanRow, plan: ScanPlan, answers: Sequence[ScanAnswer], before: Mapping[CellKey, bool]
) -> list[AnswerFacts]:
    """List the facts of all answers of a scan; `before` says which answers of the previous scan named the brand."""
    branded = find_branded(plan)
    sites = SiteFinder(plan)
    common = [f"domain:{scan.domain_id}", f"source:{scan.answers_source}"]
    return [
        AnswerFacts(
            uuid.UUID(answer.id),
            uuid.UUID(answer.prompt.id),
            answer.platform,
            [
                *common,
                *_label_question(answer, branded),
                *_label_origin(answer),
                *_label_answer(answer, before, sites, scan),
            ],
            find_configuration(_find_language(answer)),
            answer.provenance.latency_ms or None,
        )
        for answer in answers
    ]


def _find_language(answer: ScanAnswer) -> str | None:
    return answer.prompt.language or (answer.analysis.language if answer.analysis is not None else None)


def _label_question(answer: ScanAnswer, branded: frozenset[str]) -> list[str]:
    prompt = answer.prompt
    labels = [
        f"platform:{answer.platform}",
        f"country:{prompt.country or 'global'}",
        f"language:{_find_language(answer) or 'unknown'}",
        f"prompt:{prompt.id}",
        f"status:{answer.status}",
    ]
    return [*labels, "branded"] if prompt.id in branded else labels


def _label_origin(answer: ScanAnswer) -> list[str]:
    """Label what the platform did: its model, the searches that it made, and why there is no answer."""
    model = answer.provenance.model_served or answer.provenance.model_asked
    searches = dict.fromkeys(shorten_search(query) for query in answer.queries)
    labels = [f"search:{search}" for search in searches if search]
    labels += [f"model:{model[:MAX_LENGTH]}"] if model else []
    return labels if answer.fault is None else [*labels, f"fault:{answer.fault.kind}"]


def shorten_search(query: str) -> str:
    """Return a search on one line, as it is listed and filtered by; a very long one is cut."""
    return " ".join(query.split())[:MAX_LENGTH].rstrip()


def _label_answer(answer: ScanAnswer, before: Mapping[CellKey, bool], sites: SiteFinder, scan: ScanRow) -> list[str]:
    analysis = answer.analysis
    if analysis is None:
        return []
    own, *rivals = analysis.brands
    named = sorted({brand.name for brand in rivals if brand.mentioned})
    labels = ["named" if own.mentioned else "absent", *(f"competitor:{name}" for name in named)]
    labels += ["rivals"] * bool(named) + ["cited"] * own.cited + _label_order(own, rivals)
    labels += ["sources"] * (bool(analysis.citations) or analysis.unresolved > 0)
    labels += [f"site:{site}" for site in sorted({sites.find(citation)[0] for citation in analysis.citations})]
    if own.stance is not None:
        labels.append(f"stance:{own.stance}")
    if own.mentioned and scan.measurement_scope == "full_check":
        labels.append(f"sentiment:{_label_sentiment(analysis)}")
        labels += [f"unscored:{own.unscored}"] * (own.unscored is not None)
    was_named = before.get(answer.key)
    if was_named is not None and was_named != own.mentioned:
        labels.append("gained" if own.mentioned else "lost")
    return labels


def _label_order(own: BrandAnalysis, rivals: Sequence[BrandAnalysis]) -> list[str]:
    """Say for each competitor whether the brand stands ahead of it or behind it. Only ranked brands are compared."""
    if own.rank is None:
        return []
    ranks = {brand.name: brand.rank for brand in rivals if brand.rank is not None}
    return [f"{'ahead' if own.rank < rank else 'behind'}:{name}" for name, rank in sorted(ranks.items())]


def _label_sentiment(analysis: AnswerAnalysis) -> str:
    own = analysis.brands[0]
    if own.sentiment is None or own.stance == "unknown":
        return "unscored"
    return label_score(own.sentiment.score)
