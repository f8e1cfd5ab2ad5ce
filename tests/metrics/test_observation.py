"""Metrics 1.1: an observation, the input of every formula, refuses fields that contradict each other."""

import pytest

from sightline.metrics.observation import Observation


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "failed", "mentioned": True, "occurrences": 1},
        {"mentioned": True},
        {"occurrences": 2},
        {"rank": 1},
        {"mentioned": True, "occurrences": 1, "rank": 0},
        {"cited_urls": frozenset({"acme.com"}), "has_sources": True, "source_urls": 1, "cited": False},
        {"cited": True, "has_sources": False},
        {"cited": True, "has_sources": True, "cited_urls": frozenset({"acme.com"}), "source_urls": 0},
        {"sentiment": 101},
    ],
)
def test_an_observation_that_contradicts_itself_is_refused(fields):
    with pytest.raises(ValueError, match=r"."):
        Observation(prompt_id="q", platform="chatgpt", **fields)


def test_a_mention_and_a_citation_are_independent():
    only_named = Observation(prompt_id="q", platform="chatgpt", mentioned=True, occurrences=1)
    only_cited = Observation(prompt_id="q", platform="chatgpt", cited=True, has_sources=True)
    assert (only_named.cited, only_cited.mentioned) == (False, False)
    assert only_named.cell == ("q", "chatgpt", None)
