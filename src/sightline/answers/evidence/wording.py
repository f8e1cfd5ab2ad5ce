"""Evidence from the words right before and after a name."""

import re

_BY = re.compile(r"(?:\b(?:by|from|via|at|von|bei|chez|par|de|da|door|van|od|przez)\s+)$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"'s?\b|’s\b")
_COMPANY_VERB = re.compile(
    r"\s+(?:(?:also|now|then|still|really|often|usually|only|even|generally)\s+)?"
    r"(?:is|are|was|has|does|offers|provides|lets|gives|supports|charges|includes|costs|allows|can|will|would|"
    r"ist|bietet|hat|kostet|liefert|est|propose|offre|es|ofrece|tiene|è|ha|oferece|tem|biedt|heeft|oferuje|jest|ma)\b"
)
_THIRD_PERSON = re.compile(r"\s+(?:(?:also|now|still|only|even)\s+)?(?:[a-z]{2,}[a-rt-z]s|began|came|made|went|took)\b")
_CHOOSING = re.compile(
    r"(?:\b(?:use|using|try|trying|choose|choosing|consider|recommend|recommending|pick|picking|suggest|prefer|avoid|"
    r"skip|go with|going with|opt for|switch to|look at|called|named|brand|app|company|retailer|bank|insurer|"
    r"empfehle|wähle|nimm|nehmen|vermeiden|choisir|choisissez|évitez|éviter|recommande|elegir|elige|recomiendo|evite|"
    r"scegli|scegliere|consiglio|escolher|escolha|recomendo|kies|wybierz|polecam)\s+(?:the\s+)?)$",
    re.IGNORECASE,
)


def is_preceded_by(words: re.Pattern[str], prose: str, start: int, reach: int) -> bool:
    """Return whether these words stand right before a place.

    All such patterns end with white space, which is checked first because that is faster.
    """
    return prose[start - 1 : start].isspace() and words.search(prose, max(0, start - reach), start) is not None


def has_company_verb(prose: str, end: int, *, opens_sentence: bool) -> bool:
    """Return whether a typical verb of companies follows, such as "offers".

    At the start of a sentence any verb in the third person is one.
    """
    return _COMPANY_VERB.match(prose, end) is not None or (
        opens_sentence and _THIRD_PERSON.match(prose, end) is not None
    )


def follows_verb_of_choosing(prose: str, start: int) -> bool:
    return is_preceded_by(_CHOOSING, prose, start, 24)


def is_possessive(prose: str, start: int, end: int) -> bool:
    """Return whether the name is an owner or a maker: "Acme's", "by Acme"."""
    return _POSSESSIVE.match(prose, end) is not None or is_preceded_by(_BY, prose, start, 12)
