"""The request that words actions. Code has found, ranked and measured them; the editor only says them well. Pure.

A wording is shown only if every number, address and name in it stands in the facts of its action, and if it claims no
cause. Otherwise our own sentences are shown. It is in a language of ours, which those sentences have, too: a claim of a
cause is known in no other.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sightline.answers.language import detect_language
from sightline.insights.editor.requests import (
    Dropped,
    EditorRequest,
    build_request,
    read_items,
    simplify,
    split_parts,
)
from sightline.insights.inputs import InsightInputs
from sightline.insights.models import ActionWording, StoredRecommendation
from sightline.insights.recommendations.actions import describe_action
from sightline.platforms.catalog import PLATFORMS
from sightline.presentation.language import DEFAULT_LANGUAGE, LANGUAGES, in_language

MAX_WORDED = 12
_ACTIONS_A_REQUEST = 6
_MAX_LISTED = 6
_LONGEST_TITLE, _LONGEST_REASON, _LONGEST_STEP = 110, 320, 220
_FEWEST_STEPS, _MOST_STEPS = 2, 4
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_ADDRESS = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:/[^\s,;)]*)?", re.IGNORECASE)
_NAME = re.compile(r"(?<=[^\s.!?:] )[A-Z][\w&'-]*")
_CAUSE = re.compile(
    r"\b(?:because|caused?|causes|due to|thanks to|leads? to|led to|results? in|therefore|drives?|driven by|never|"
    r"always|guarantees?|weil|wegen|dank|führt zu|daher|deshalb|niemals?|immer|garantiert)\b"
)
_TASK = (
    "Word these actions for a marketer of the measured brand, in the given language: for each a title in the "
    "imperative (at most 14 words) that names the place or page if there is one, one or two sentences on why, with "
    "the counts, and two to four concrete steps for this market. Say what buyers miss or praise, as the quotes say it. "
    "`effect` is `expected` in that language. Counts of praise and places are what was found, so that there can be "
    'more: keep "at least" and "we found", and never say that no answer does. Use only the facts of the action: no '
    "other number, name or address, no claim about causes, and no result of a comparison that the facts do not give. "
    "Speak of answers of AI assistants in plain words. Leave out an action that you cannot word better than its draft."
)
_REPLY = '{"action": 1, "title": "...", "reason": "...", "steps": ["...", "..."], "effect": "..."}'


class _Worded(msgspec.Struct, frozen=True):
    action: int
    title: str
    reason: str
    steps: tuple[str, ...]
    effect: str = ""


def ask_for_wording(
    actions: Sequence[StoredRecommendation], brand: str, market: str | None, language: str
) -> list[tuple[EditorRequest, Sequence[int]]]:
    """Return the requests that word the first actions, each with the places of its actions."""
    language = _choose_language(language)
    given = [
        (place, list_facts(action, brand, language))
        for place, action in enumerate(actions[:MAX_WORDED])
        if action.kind != "nothing_significant"
    ]
    return [
        (
            build_request(
                "wording",
                _TASK,
                _REPLY,
                {
                    "measured brand": brand,
                    "market": market,
                    "language": language,
                    "actions": {number: facts for number, (_, facts) in enumerate(part, 1)},
                },
            ),
            [place for place, _ in part],
        )
        for part in split_parts(given, most=_ACTIONS_A_REQUEST)
    ]


def _choose_language(language: str) -> str:
    """Return the language of wordings where labels have this one."""
    return language if language in LANGUAGES else DEFAULT_LANGUAGE


def list_facts(action: StoredRecommendation, brand: str, language: str) -> dict[str, Any]:
    """Return what is known about an action, with our own wording as a draft."""
    with in_language(language):
        texts = describe_action(action, len(action.proofs), brand)
    facts = {
        "draft": {"title": texts.action, "reason": texts.why, "steps": texts.steps},
        "expected": texts.effect,
        "answers": len(action.proofs),
        "site": action.site,
        "site name": action.site_name,
        "pages": [{"address": page.url, "title": page.title} for page in action.pages[:_MAX_LISTED]],
        "questions": [prompt.text for prompt in action.prompts[:_MAX_LISTED]],
        "platforms": action.platforms,
        "rivals": action.rivals[:_MAX_LISTED],
        "quotes": [quote.text for quote in action.quotes[:_MAX_LISTED]],
        "rare criticism": [{"theme": each.aspect, "answers": each.answers} for each in action.rare_claims],
    }
    return {name: value for name, value in facts.items() if value}


def read_wording(
    asked: Sequence[Sequence[int]],
    replies: Sequence[str | None],
    actions: Sequence[StoredRecommendation],
    inputs: InsightInputs,
    language: str,
    dropped: Dropped,
) -> list[StoredRecommendation]:
    """Return the actions with the wordings that their facts prove."""
    found = list(actions)
    language = _choose_language(language)
    proof = _WordingProof(inputs, language)
    for places, reply in zip(asked, replies, strict=True):
        for each in read_items(reply, _Worded, kind="wording", dropped=dropped, most=len(places)):
            place = places[each.action - 1] if 0 < each.action <= len(places) else None
            if place is None or not proof.accepts(each, list_facts(actions[place], inputs.brand.name, language)):
                dropped["wording"] += 1
                continue
            steps = tuple(step.strip() for step in each.steps)
            wording = ActionWording(each.title.strip(), each.reason.strip(), steps, each.effect.strip(), language)
            found[place] = msgspec.structs.replace(actions[place], wording=wording)
    return found


class _WordingProof:
    """Tells whether a wording says nothing but the facts."""

    def __init__(self, inputs: InsightInputs, language: str) -> None:
        self._languages = (language, None)
        known = [*(brand.name for brand in inputs.plan.tracked), *(rival.name for rival in inputs.rivals)]
        self._names = {simplify(name) for name in (*known, *(platform.name for platform in PLATFORMS))}

    def accepts(self, worded: _Worded, facts: Mapping[str, Any]) -> bool:
        texts = [(worded.title, _LONGEST_TITLE), (worded.reason, _LONGEST_REASON)]
        texts += [(step, _LONGEST_STEP) for step in worded.steps]
        texts += [(worded.effect, _LONGEST_STEP)] if worded.effect.strip() else []
        said = " \n".join(text for text, _ in texts)
        known = " ".join(_list_texts(facts))
        return (
            _FEWEST_STEPS <= len(worded.steps) <= _MOST_STEPS
            and all(0 < len(text.strip()) <= longest and text.isprintable() for text, longest in texts)
            and not set(said) & set("<>{}[]`")
            and detect_language(said) in self._languages
            and not _CAUSE.search(simplify(said))
            and set(_NUMBER.findall(said)) <= set(_NUMBER.findall(known))
            and self._stands_in(said, known)
        )

    def _stands_in(self, said: str, known: str) -> bool:
        """Return whether every address and name of a wording stands in the facts, a name also in the genitive."""
        facts, simple = simplify(known), simplify(said)
        addresses = [match.rstrip(".") for match in _ADDRESS.findall(said)]
        capitalized = [name.removesuffix("'s") for name in _NAME.findall(said)]
        named = [name for name in self._names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", simple)]
        return all(
            simplify(each) in facts or simplify(each).removesuffix("s") in facts
            for each in (*addresses, *capitalized, *named)
        )


def _list_texts(facts: Any) -> list[str]:
    """Return all texts and numbers in the facts."""
    if isinstance(facts, Mapping):
        return [text for value in facts.values() for text in _list_texts(value)]
    if isinstance(facts, list | tuple):
        return [text for value in facts for text in _list_texts(value)]
    return [str(facts)]
