"""Metrics 2.3 in every language that has rules. `stance_sentences/README.md` explains the sentences."""

import re
import tomllib
from pathlib import Path

import pytest

from sightline.answers.characters import fold
from sightline.answers.models import Brand
from sightline.answers.stance_rules import RULES
from tests.answers.builders import stances

_FOLDER = Path(__file__).parent / "stance_sentences"
_MARKED = re.compile(r"\{(?P<meant>[^}]+)\}|<(?P<other>[^>]+)>")
SENTENCES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(_FOLDER.glob("*.toml"))}
LEAST_RIGHT = {"unknown": 0.85, "discouraged": 0.8, "neutral": 0.95}


def _list_cases(language, half):
    return [(stance, sentence) for stance, sentences in SENTENCES[language][half].items() for sentence in sentences]


def _is_right(language, stance, sentence):
    expected = {
        match["meant"] or match["other"]: stance if match["meant"] else "neutral"
        for match in _MARKED.finditer(sentence)
    }
    text = _MARKED.sub(lambda match: match["meant"] or match["other"], sentence)
    return stances(text, *map(Brand, expected), language=language) == expected


def test_every_language_with_rules_has_sentences():
    folder = Path("src/sightline/answers/data/stance")
    assert {path.stem for path in folder.glob("*.toml")} - {"shared"} == set(SENTENCES)


def test_every_rule_compiles():
    assert all(rule.pattern.groups == 0 for rule in RULES)


def test_rules_have_only_characters_that_folded_text_has():
    dashes = {"\u2013", "\u2014"}  # allowed next to the hyphen that they are folded to
    for rule in RULES:
        assert all(fold(key) == key for key in rule.keys), rule.keys
        assert {letter for letter in rule.expression if not letter.isascii() and fold(letter) != letter} <= dashes


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_that_rules_were_written_for(language):
    assert [case for case in _list_cases(language, "tuned") if not _is_right(language, *case)] == []


@pytest.mark.parametrize("stance", LEAST_RIGHT)
def test_share_of_other_sentences_that_is_right(stance):
    right = [
        _is_right(language, *case)
        for language in SENTENCES
        for case in _list_cases(language, "held_out")
        if case[0] == stance
    ]
    assert sum(right) / len(right) >= LEAST_RIGHT[stance]
