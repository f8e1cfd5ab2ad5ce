"""Whole questions: sentences of a platform that a person could ask as they stand. Pure.

The rules are strict: one sentence, not addressed to the reader, nothing in it that points to the text around it, and
no remains of addresses or markup.
"""

import re

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.tokens import words
from sightline.answers.word_lists import read_list

MIN_LENGTH, MAX_LENGTH = 20, 140  # characters
_MIN_WORDS = 4
_MARKS = "?\uff1f\u061f"
_REMAINS = re.compile(
    r"https?:|www\.|\w\.(?:com|org|net|io|co|uk|de|fr|es)\b|[/\\|{}<>\[\]*_`#=~^]|\d\(|\.\w+\?|…|\.\."
)
# It asks for an opinion on a thing, not for brands: "What makes a great store?"
_ABSTRACT = re.compile(r"^What makes\b")
_INNER_END = re.compile(r"[.!?\uff1f\u061f;:](?=\s|$)")
_PAIRS = ("()", "“”", "„“", "«»")
# What an assistant asks its reader is not a question about the market.
_TO_THE_READER = {
    "en": re.compile(
        r"\b(?:you|your|you're|yours|yourself|shall i|should i (?:also|go)|want me|let me|need help|"
        r"want (?:a|an|some|to)|"
        r"would it help|anything else|interested in|looking for)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(r"\b(?:Sie|Ihr|Ihre\w*|Ihnen|du|dir|dich|dein\w*|soll ich|möchtest|möchten)\b"),
    "fr": re.compile(r"\b(?:vous|votre|vos|tu|ton|ta|tes|souhaitez|voulez|veux|dois-je)\b", re.IGNORECASE),
    "es": re.compile(
        r"\b(?:quieres|quiere|desea|deseas|usted|tu|tus|te|prefieres|necesitas|buscas|puedo)\b", re.IGNORECASE
    ),
}
# Words that point to something outside the sentence.
_POINTERS = {
    "en": re.compile(
        r"\b(?:it|its|it's|this|that's|these|those|they|them|their|theirs|he|she|his|her|him|one|ones|"
        r"both|the (?:other|former|latter|above|same|following)|here|there|such|each|else|mine|my|our|we|us|so)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:es|dies\w*|jene\w*|sie|er|ihn|ihm|ihre[nrms]?|davon|dafür|damit|beide\w*|hier|dort)\b", re.IGNORECASE
    ),
    "fr": re.compile(
        r"\b(?:il|elle|ils|elles|cela|ça|ceci|celui|celle|ceux|celles|leur|leurs|y|en|ici|lequel|laquelle)\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b(?:esto|eso|este|esta|estos|estas|ese|esa|esos|esas|ello|ellos|ellas|él|ella|su|sus|aquí|cuál de)\b",
        re.IGNORECASE,
    ),
}
LANGUAGES = frozenset({"en", "de", "fr", "es"})
_OPENERS = {language: read_list("question_wording", f"questions in {language} begin with") for language in LANGUAGES}


def is_whole_question(text: str, language: str | None) -> bool:
    """Return whether the text is one sentence that can be asked as it stands. Other languages are not read."""
    if language not in LANGUAGES or not MIN_LENGTH <= len(text) <= MAX_LENGTH or text[-1] not in _MARKS:
        return False
    if _ABSTRACT.search(text) or _REMAINS.search(text) or _INNER_END.search(text[:-1]) or not _is_balanced(text):
        return False
    spoken = words(text)
    opening = spoken[0].casefold().removeprefix("¿") if spoken else ""
    first = text.lstrip("¿")[:1]
    if len(spoken) < _MIN_WORDS or opening not in _OPENERS[language] or not first.isupper():
        return False
    if language == "es" and not text.startswith("¿"):
        return False
    return not _TO_THE_READER[language].search(text) and not _POINTERS[language].search(text)


def find_whole_questions(prepared: PreparedAnswer, language: str | None) -> list[str]:
    """Return the questions in the prose of an answer, in their order. Headings count, cells of tables do not."""
    if language not in LANGUAGES:
        return []
    found: list[str] = []
    for block in prepared.blocks:
        if block.kind == "cell":
            continue
        text = prepared.prose[block.start : block.end]
        place = -1
        while (place := _next_mark(text, place + 1)) >= 0:
            start, end = prepared.sentence_at(block.start + place)
            question = " ".join(prepared.prose[max(start, block.start) : min(end, block.end)].split())
            question = _LABEL.sub("", question).strip(" \"'“”„«»-\u2013—•")
            if is_whole_question(question, language):
                found.append(question)
    return list(dict.fromkeys(found))


_LABEL = re.compile(r"^(?:Q\d{0,2}|\d{1,2})\s?[.):]\s*|^(?:[^\W\d_][\w&/' -]{1,60}:\s*)+(?=[^\W\d_a-z¿]|¿)")


def _next_mark(text: str, start: int) -> int:
    places = [place for mark in _MARKS if (place := text.find(mark, start)) >= 0]
    return min(places, default=-1)


def _is_balanced(text: str) -> bool:
    return text.count('"') % 2 == 0 and all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
