"""The data files: each parses, no entry is duplicated or split, and the code that uses a list matches its entries."""

from collections import Counter
from importlib.resources import files
from itertools import pairwise

import pytest

from sightline.answers.characters import fold
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.longer_words import is_longer_word
from sightline.answers.ordinary_words import commonness
from sightline.answers.sentiment_words import count_praise_and_blame
from sightline.answers.word_lists import read_list, read_table
from tests.answers.builders import count

FOLDER = files("sightline.answers").joinpath("data")


def section_lines(file, section):
    """Return the lines of a section, parsed without the code under test."""
    text = FOLDER.joinpath(f"{file}.txt").read_text("utf-8")
    _, _, rest = text.partition(f"[{section}]\n")
    body = rest.split("\n[")[0]
    return [line for line in body.split("\n") if line.strip() and not line.startswith("#")]


def sections():
    """Yield every (file, section) of the folder except `words.txt`, which is one long list."""
    for item in sorted(FOLDER.iterdir(), key=lambda item: item.name):
        if item.name.endswith(".txt") and item.name != "words.txt":
            for line in item.read_text("utf-8").split("\n"):
                if line.startswith("["):
                    yield item.name.removesuffix(".txt"), line.strip("[]")


SECTIONS = list(sections())
TABLES = [section for section in SECTIONS if all(":" in line for line in section_lines(*section))]
LISTS = [section for section in SECTIONS if section not in TABLES]
BY_LIST = pytest.mark.parametrize(("file", "section"), LISTS)
BY_TABLE = pytest.mark.parametrize(("file", "section"), TABLES)


def test_no_section_is_duplicated():
    assert len(SECTIONS) > 10 and len(set(SECTIONS)) == len(SECTIONS)


@BY_LIST
def test_a_list_parses_and_has_no_duplicates(file, section):
    written = [entry.strip() for entry in ", ".join(section_lines(file, section)).split(",") if entry.strip()]
    assert written
    assert [entry for entry, times in Counter(written).items() if times > 1] == []
    assert all(":" not in entry for entry in written)


@BY_LIST
def test_no_entry_is_split_by_the_end_of_a_line(file, section):
    """A phrase that wraps at the end of a line becomes two entries, each matched on its own."""
    lines = [line.rstrip() for line in section_lines(file, section)]
    split = [
        f"{line.split(',')[-1].strip()} {after.split(',')[0].strip()}"
        for line, after in pairwise(lines)
        if not line.endswith(",")
    ]
    assert [phrase for phrase in split if phrase not in read_list(file, section)] == []


@BY_TABLE
def test_a_table_parses_and_has_no_duplicates(file, section):
    heads = [line.partition(":")[0].strip() for line in section_lines(file, section)]
    table = read_table(file, section)
    assert [head for head, times in Counter(heads).items() if times > 1] == []
    assert set(table) == set(heads) and all(heads)
    for line in section_lines(file, section):
        head, _, rest = line.partition(":")
        entries = [entry.strip() for entry in rest.split(",")]
        assert all(entries) and len(set(entries)) == len(entries), head
        assert table[head.strip()] == set(entries)


def test_a_missing_file_or_section_is_an_error():
    with pytest.raises(KeyError):
        read_list("praise_and_blame", "no such section")
    with pytest.raises(FileNotFoundError):
        read_list("no_such_file", "words")


def test_no_word_both_praises_and_blames():
    praise, blame, nothing = (read_list("praise_and_blame", part) for part in ("praise", "blame", "says nothing"))
    assert not praise & blame
    assert not praise & nothing
    assert not blame & nothing


def weights(section):
    return {
        phrase: count_praise_and_blame(phrase.replace("*", ""))
        for phrase in sorted(read_list("praise_and_blame", section))
    }


def test_every_phrase_of_praise_praises():
    assert {phrase: weight for phrase, weight in weights("praise").items() if weight[0] <= weight[1]} == {}


def test_every_phrase_of_blame_blames():
    assert {phrase: weight for phrase, weight in weights("blame").items() if weight[0] >= weight[1]} == {}


def test_every_phrase_that_says_nothing_weighs_nothing():
    assert {phrase: weight for phrase, weight in weights("says nothing").items() if weight != (0, 0)} == {}


@pytest.mark.parametrize("word", ["out", "to", "never", "feel", "try to", "in", "a", "the", "and", "of", "for", "with"])
def test_small_words_weigh_nothing(word):
    assert count_praise_and_blame(f"it is {word} it") == (0, 0)


@pytest.mark.parametrize(
    ("file", "section"), [pair for pair in LISTS if pair[0] in {"generic_heads", "praise_and_blame", "source_heads"}]
)
def test_entries_compared_with_folded_text_are_folded(file, section):
    assert [entry for entry in read_list(file, section) if fold(entry) != entry] == []


@pytest.mark.parametrize(
    "head",
    [
        "Sources",
        "References",
        "Quellen",
        "Fuentes",
        "Fonti",
        "Źródła",
        "Источники",
        "Πηγές",
        "出典",
        "来源",
        "출처",
        "المصادر",
    ],
)
def test_a_list_of_sources_is_not_prose_in_any_language(head):
    text = f"Xylia has shops in Berlin.\n\n## {head}\n\n1. [Acme prices](https://acme.com/prices)\n"
    assert count(text) == 0
    assert count(text.replace(head, "Tools")) == 1


def test_generic_heads_places_and_platforms_are_distinguished_from_names():
    for phrase in read_list("generic_heads", "phrases") | read_list("generic_heads", "platforms"):
        assert is_generic(phrase), phrase
    assert is_generic("pros") and is_generic("best for teams") and not is_generic("xylia")
    assert is_place_or_month("berlin") and is_place_or_month("january") and not is_place_or_month("xylia")


def test_every_longer_word_contains_its_name_once_and_is_recognized():
    for name, patterns in read_table("longer_words", "words").items():
        assert name == fold(name)
        for pattern in patterns:
            assert pattern.count("*") == 1 and pattern != "*", (name, pattern)
            before, after = pattern.split("*")
            text = f"{before}{name}{after}"
            assert is_longer_word(text, len(before), len(before) + len(name)), text
        assert not is_longer_word(name, 0, len(name))


@pytest.mark.parametrize("section", ["after", "before"])
def test_other_senses_are_listed_only_for_ordinary_words(section):
    """They are never looked up for a name that is not an ordinary word."""
    assert [word for word in read_table("other_senses", section) if not commonness(word)] == []


def english_words():
    text = FOLDER.joinpath("words.txt").read_text("utf-8")
    common, _, rarer = text.partition("\n---\n")
    return [line for line in common.split("\n") if not line.startswith("#")], rarer.split()


def test_the_english_words():
    common, rarer = english_words()
    assert len(common) > 5_000 and len(rarer) > 10_000
    assert len({*common, *rarer}) == len(common) + len(rarer)
    assert all(word.isalpha() and word.isascii() and word.islower() for word in (*common, *rarer))
    assert {commonness(word) for word in common[::97]} == {2}
    assert {commonness(word) for word in rarer[::97]} <= {1, 2}
    assert commonness(common[0]) == commonness(common[-1]) == 2
    assert commonness(rarer[-1]) >= 1


@pytest.mark.parametrize("name", ["Apple", "Notion", "Monday", "Target", "Linear"])
def test_2_2_the_ambiguous_names_of_the_contract(name):
    assert commonness(name) == commonness(name.lower()) == commonness(name.upper()) == 2


@pytest.mark.parametrize(
    "name", ["HP", "IBM", "X", "Amy", "Oscar", "Claude", "Montag", "Sunday", "Dimanche", "Orange", "Sparkasse"]
)
def test_short_names_first_names_days_and_words_of_other_languages_are_ambiguous(name):
    assert commonness(name) == 2


@pytest.mark.parametrize(
    "name", ["Xylia", "Zalando", "HubSpot", "Acme", "3M", "H&M", "Coca-Cola", "小米", "Яндекс", ""]
)
def test_names_that_are_not_words(name):
    assert commonness(name) == 0


@pytest.mark.parametrize(
    ("name", "expected"), [("Best Buy", 1), ("Whole Foods", 1), ("best-buy", 1), ("Best Xylia", 0), ("Aardvark", 1)]
)
def test_several_words_and_rare_words_are_less_ambiguous(name, expected):
    assert commonness(name) == expected
