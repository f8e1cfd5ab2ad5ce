"""The request for new prompts: questions that buyers ask in a market and that nobody tracks yet. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from sightline.answers.language import detect_language
from sightline.insights.editor.market import Market
from sightline.insights.editor.requests import Dropped, EditorRequest, build_request, names_any, read_items, simplify
from sightline.insights.inputs import InsightInputs
from sightline.insights.prompt_candidates import DiscoveredPrompt

Reason = Literal["search", "aspect", "use", "rivals", "stage"]

_REQUESTED = 12
_MAX_PROMPTS, _MAX_SEARCHES, _MAX_THEMES, _MAX_RIVALS = 60, 40, 15, 8
_SHORTEST, _LONGEST = 15, 140  # characters
_LONGEST_SUBJECT = 60
_QUESTION_MARKS = "?\uff1f\u061f"
_TASK = (
    "Propose questions that many buyers in this market put to an AI assistant, which answers them by naming brands, "
    "and that the tracked questions do not ask yet. Write in the language given, as people write, one sentence each "
    "that ends with a question mark. Each stands alone: it says what the buyer looks for, with the limits of the "
    "market, such as a price, and asks for one thing. Leave out what few buyers would ask, what is answered with "
    "advice and not with names, and what asks only whether one rival has something. Never name the measured brand, and "
    "a rival only to compare it with another or to switch from it. `reason` is why it matters: `search` (platforms "
    "search for it; `subject` is the search, copied), `aspect` or `use` (answers speak about it; `subject` is the "
    "property or the use), `rivals` (compares two; `subject` is both names with a comma between them), or `stage` (a "
    "stage of buying that no tracked question covers: learn, compare, choose, use, switch; `subject` is the stage). "
    "At each stage, ask what is answered with names of brands (which one lasts longest), not with advice (how to clean "
    "it). The most useful first, all different from each other; fewer good ones are better than many."
)
_REPLY = '{"question": "...", "reason": "search|aspect|use|rivals|stage", "subject": "..."}'


class _Proposed(msgspec.Struct, frozen=True):
    question: str
    reason: Reason
    subject: str


def ask_for_prompts(inputs: InsightInputs, market: Market | None, themes: Sequence[str]) -> list[EditorRequest]:
    """Return one request for each language of the prompts, the three most frequent ones."""
    languages = Counter(prompt.language for prompt in inputs.plan.prompts)
    return [
        build_request(
            "prompts",
            f"{_TASK} Propose at most {_REQUESTED}.",
            _REPLY,
            {
                "measured brand": inputs.brand.name,
                "market": msgspec.to_builtins(market) if market else None,
                "language": language,
                "tracked questions": _list_tracked(inputs, language),
                "searches of platforms": list(_count_searches(inputs, language))[:_MAX_SEARCHES],
                "themes": list(themes[:_MAX_THEMES]),
                "rivals": [rival.name for rival in inputs.rivals[:_MAX_RIVALS]],
            },
        )
        for language, _ in languages.most_common(3)
    ]


def _list_tracked(inputs: InsightInputs, language: str | None) -> list[str]:
    return [prompt.text for prompt in inputs.plan.prompts if prompt.language == language][:_MAX_PROMPTS]


def _count_searches(inputs: InsightInputs, language: str | None) -> Mapping[str, list[str]]:
    """Return the ids of the answers that searched for a text, the most frequent search first."""
    found: dict[str, list[str]] = {}
    for answer in inputs.answers:
        if answer.prompt.language == language:
            for query in dict.fromkeys(answer.queries):
                found.setdefault(simplify(query), []).append(answer.id)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def read_prompts(
    asked: Sequence[EditorRequest], replies: Sequence[str | None], inputs: InsightInputs, dropped: Dropped
) -> list[DiscoveredPrompt]:
    """Return the proposals that are questions in their language and do not name the brand, in their order."""
    languages = [language for language, _ in Counter(prompt.language for prompt in inputs.plan.prompts).most_common(3)]
    names = [simplify(rival.name) for rival in inputs.rivals]
    found: list[DiscoveredPrompt] = []
    for language, reply in zip(languages[: len(asked)], replies, strict=True):
        searches = _count_searches(inputs, language)
        country = Counter(p.country for p in inputs.plan.prompts if p.language == language).most_common(1)[0][0]
        for each in read_items(reply, _Proposed, kind="prompts", dropped=dropped, most=2 * _REQUESTED):
            question = " ".join(each.question.split())
            if (
                not _is_question(question, language)
                or names_any(question, [inputs.brand])
                or (not _may_name_rivals(each) and names_any(question, inputs.plan.competitors))
                or not _is_supported(each, searches, names)
            ):
                dropped["prompts"] += 1
                continue
            found.append(
                DiscoveredPrompt(
                    text=question,
                    language=language,
                    country=country,
                    origin="fan_out" if each.reason == "search" else each.reason,
                    subjects=_list_subjects(each, inputs, searches),
                    template=question,
                    answers=frozenset(searches.get(simplify(each.subject), ())),
                )
            )
    return found


def _may_name_rivals(proposed: _Proposed) -> bool:
    return proposed.reason == "rivals" or (proposed.reason, proposed.subject) == ("stage", "switch")


def _is_question(text: str, language: str | None) -> bool:
    spoken = detect_language(text)
    return (
        _SHORTEST <= len(text) <= _LONGEST
        and text[-1] in _QUESTION_MARKS
        and text.isprintable()
        and not set(text) & set("<>{}[]|\\`*#")
        and "://" not in text
        and (spoken is None or language is None or spoken == language)
    )


def _is_supported(proposed: _Proposed, searches: Mapping[str, object], names: Sequence[str]) -> bool:
    """Return whether a search was made, or two rivals are compared, where that is the reason."""
    if proposed.reason == "search":
        return simplify(proposed.subject) in searches
    if proposed.reason == "rivals":
        question = simplify(proposed.question)
        return sum(name in question for name in names) >= 2
    return bool(proposed.subject.strip())


def _list_subjects(
    proposed: _Proposed, inputs: InsightInputs, searches: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return what the reason is about: the platforms that made a search, two rivals, or a subject."""
    if proposed.reason == "search":
        asked = set(searches[simplify(proposed.subject)])
        return tuple(dict.fromkeys(answer.platform for answer in inputs.answers if answer.id in asked))
    parts = proposed.subject.split(",") if proposed.reason == "rivals" else [proposed.subject]
    return tuple(" ".join(part.split())[:_LONGEST_SUBJECT] for part in parts)
