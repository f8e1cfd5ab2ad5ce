"""The sentence above the list of the Answers page: how many answers, and which."""

from collections.abc import Mapping

from sightline.kit.counting import count
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date
from sightline.presentation.phrases import FAULT_PHRASES, country_name, language_name
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scans.stored import Scope
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import AnswerCounts

_SENTIMENTS = {
    "positive": "speak well of {brand}",
    "neutral": "speak of {brand} in a neutral way",
    "negative": "speak badly of {brand}",
    "scored": "are scored for how they speak of {brand}",
    "unscored": "name {brand} and are not scored",
}
_UNSCORED = {
    "language": "are not scored because of their language",
    "doubt": "are not scored because the words leave it in doubt",
    "no_opinion": "are not scored because they have no opinion of {brand}",
}
_STANCES = {
    "neutral": "name {brand} without reservation",
    "contrast": "name {brand} as a contrast",
    "discouraged": "advise against {brand}",
    "unknown": "say that {brand} is not known",
}
_ORDERS = {"ahead": " after {brand}", "behind": " before {brand}"}
_FINDINGS = {
    "alert": "an alert",
    "theme": "a theme",
    "opportunity": "an opportunity",
    "recommendation": "a recommendation",
    "suggestion": "a suggested competitor",
    "report": "a finding of a report",
}
_COUNTED = {
    "headline": "Only what the headline figures count: prompts that the latest {base} asked and that do not name "
    "{brand}.",
    "board": "Only prompts and platforms that the latest {base} asked.",
}
Checks = Mapping[str, tuple[Scope, str]]
"""Scope and time of completion, by the id of the check."""


def describe_selection(
    wanted: AnswerFilter, counts: AnswerCounts, *, brand: str, prompt: str, checks: Checks, base: str = "Full Check"
) -> str:
    """Describe which answers the list shows, in one or two sentences. `base` is the check that figures are based on."""
    total = count(counts.total, "answer") if counts.is_exact else f"More than {counts.total:,} answers"
    clauses = _list_clauses(wanted, brand, checks)
    if counts.is_exact and counts.total == 1:
        clauses = [_to_singular(clause) for clause in clauses]
    text = count(counts.total, "latest answer") if wanted.is_latest else f"{total} {_describe_scope(wanted, checks)}"
    if clauses:
        text += " that " + " and ".join(clauses)
    note = (
        "Sandbox answers are made up."
        if wanted.sandbox
        else _COUNTED.get(wanted.counted, "").format(brand=brand, base=base)
    )
    return f"{text}{_describe_question(wanted, prompt)}.{' ' * bool(note)}{note}"


def _describe_scope(wanted: AnswerFilter, checks: Checks) -> str:
    if wanted.evidence:
        return f"behind {_FINDINGS[wanted.evidence.partition(':')[0]]}"
    if wanted.check:
        return f"of the {_name_check(wanted.check, checks)}"
    kind = "sandbox checks" if wanted.sandbox else "checks"
    if wanted.since and wanted.until:
        return f"of the {kind} from {format_short_date(wanted.since)} to {format_short_date(wanted.until)}"
    if wanted.since or wanted.until:
        word, day = ("since", wanted.since) if wanted.since else ("until", wanted.until)
        return f"of the {kind} {word} {format_short_date(day)}"
    return f"of all {kind}"


def _name_check(scan_id: str, checks: Checks) -> str:
    scope, completed_at = checks[scan_id]
    return f"{SCOPE_LABELS[scope]} of {format_short_date(completed_at)}"


def _list_clauses(wanted: AnswerFilter, brand: str, checks: Checks) -> list[str]:
    before = f"in the {_name_check(wanted.against, checks)}" if wanted.against else "in the check before"
    found = _list_origin_clauses(wanted)
    if wanted.change:
        found.append(_describe_change(wanted, brand, before))
    elif wanted.sites:
        found.append(f"cite a site that their platform does not cite {before}")
    elif wanted.against:
        found.append(f"have an answer {before}, too")
    found += _list_names(wanted, brand)
    if (wanted.site and wanted.change_of != "site") or wanted.cited:
        found.append(f"cite {wanted.site or f'a page of {brand}'}")
    if wanted.sources:
        found.append("show sources")
    found += [table[value].format(brand=brand) for table, value in _select_tables(wanted)]
    if wanted.q:
        found.append(f"contain “{wanted.q}”")
    return found


def _list_names(wanted: AnswerFilter, brand: str) -> list[str]:
    """List the clauses about who is named."""
    found = []
    if wanted.brand:
        found.append(f"name {brand}" if wanted.brand == "named" else f"do not name {brand}")
    if (wanted.competitor and wanted.change_of != "competitor") or wanted.rivals:
        found.append(f"name {wanted.competitor or 'a competitor'}{_ORDERS.get(wanted.order, '').format(brand=brand)}")
    if wanted.without:
        found.append(f"do not name {wanted.without}")
    return found


def _list_origin_clauses(wanted: AnswerFilter) -> list[str]:
    """Describe how the answers came about: whether they failed, and what was searched for."""
    found = []
    if wanted.status == "no_surface":
        found.append("have no AI answer")
    elif wanted.status == "not_failed":
        found.append("did not fail")
    elif wanted.status == "failed" or wanted.fault:
        found.append(f"failed with “{FAULT_PHRASES[wanted.fault]}”" if wanted.fault else "failed")
    if wanted.search:
        found.append(f"rest on a search for “{wanted.search}”")
    return found


def _describe_change(wanted: AnswerFilter, brand: str, before: str) -> str:
    acts = {"competitor": f"name {wanted.competitor}", "site": f"cite {wanted.site}"}
    act = acts.get(wanted.change_of, f"name {brand}")
    return f"{act} and did not {before}" if wanted.change == "gained" else f"do not {act} and did {before}"


def _select_tables(wanted: AnswerFilter) -> list[tuple[Mapping[str, str], str]]:
    pairs = ((_SENTIMENTS, wanted.sentiment), (_UNSCORED, wanted.unscored), (_STANCES, wanted.stance))
    return [(table, value) for table, value in pairs if value]


def _to_singular(clause: str) -> str:
    verb, _, rest = clause.partition(" ")
    singular = {"do": "does", "are": "is", "have": "has", "failed": "failed", "did": "did"}.get(verb, f"{verb}s")
    return f"{singular} {rest}".rstrip()


def _describe_question(wanted: AnswerFilter, prompt: str) -> str:
    parts = []
    if wanted.prompt:
        parts.append(f" to “{prompt}”" if prompt else " to one prompt")
    if wanted.tag:
        parts.append(f" to prompts tagged “{wanted.tag}”")
    if wanted.platform:
        parts.append(f" on {platform_name(wanted.platform)}")
    if wanted.model:
        parts.append(f" by the model {wanted.model}")
    if wanted.country:
        parts.append(f" for {country_name(None if wanted.country == 'global' else wanted.country)}")
    if wanted.language:
        parts.append(f" in {language_name(wanted.language)}")
    return f",{''.join(parts)}" if parts else ""
