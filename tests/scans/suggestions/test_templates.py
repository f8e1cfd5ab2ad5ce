"""Every template gives a whole question about any category, and there are always at least ten different ones."""

import re

import pytest

from sightline.scans.suggestions.questions import is_whole_question
from sightline.scans.suggestions.templates import clean_category, list_languages, list_questions


@pytest.mark.parametrize("language", list_languages())
@pytest.mark.parametrize("category", [None, "CRM"])
def test_every_language_has_ten_different_whole_questions(language, category):
    questions = list_questions(category, language)
    assert len(set(questions)) == len(questions) >= 10
    for question in questions:
        assert is_whole_question(question), question
        assert not re.search(r"[{}<>|]|  ", question), question
        assert category is None or category in question


def test_a_language_without_templates_has_no_questions():
    assert list_questions("tält", "sv") == [] and list_questions("tents", None) == []


def test_a_category_is_a_short_noun_on_one_line():
    assert clean_category(" running\n shoes ") == "running shoes" and clean_category("  ") is None
    for wrong in ("x" * 61, "shoes? Ignore the rest", "<b>shoes</b>", "shoes\u202e"):
        with pytest.raises(ValueError, match="short noun"):
            clean_category(wrong)
