"""Planted stories: what the headline says of stored cells in which one thing happened, or nothing.

Each story is told from the prompt scans of Full Checks, as they are stored, by the code that pages and reports use. The
answers are simulated with good and bad days of platforms (a spread of .5), as in `bench/changes.py`.
"""

import uuid
from datetime import UTC, datetime, timedelta

import msgspec
import numpy as np
import pytest

from sightline.insights.findings.find import list_findings
from sightline.insights.findings.read import tell_story
from sightline.insights.models import DoneMark, StoredRecommendation
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.insights.recommendations.effects import ActionEffect
from sightline.kit.clock import to_iso
from sightline.metrics.effect import WatchedChecks, measure_effect
from sightline.platforms.sandbox.stories import STORIES
from sightline.scoreboard.check_changes.find import find_source_changes
from sightline.scoreboard.check_changes.matched_answers import MatchedAnswers
from sightline.scoreboard.check_changes.periods import find_periods
from sightline.scoreboard.check_changes.schemas import CheckChanges, ModelChange
from sightline.scoreboard.models import CellFacts, PromptScanRow, encode_facts

SEEDS = 200
START = datetime(2026, 8, 26, 9, tzinfo=UTC)
PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude")
BRANDS = ("Acme", "Mirvune", "Fenlane")
CHECKS = 13
LOST = STORIES["lost_source"]


class PlantedMarket:
    """The Full Checks of a quarter, with one of the stories that the demonstration can tell."""

    def __init__(self, seed, prompts, name="nothing"):
        draw, story = np.random.default_rng(seed), STORIES[name]
        self.prompts = [str(uuid.UUID(int=place + 1)) for place in range(prompts)]
        odds = draw.normal(0, 0.4, (len(BRANDS), 1, 1)) + draw.normal(0, 0.8, (len(BRANDS), prompts, len(PLATFORMS)))
        odds = odds[..., None] + draw.normal(0, 0.5, (len(BRANDS), 1, len(PLATFORMS), CHECKS))
        places = [place for place, platform in enumerate(PLATFORMS) if story.platform in {None, platform}]
        changed = odds[int(story.is_of_rival), : round(prompts * story.prompts)]
        changed[:, places] += [story.find_shift(CHECKS - 1 - check) for check in range(CHECKS)]
        self.named = draw.random(odds.shape) < 1 / (1 + np.exp(-odds))
        self.scans = [uuid.UUID(int=1_000 + place) for place in range(CHECKS)]

    def tell(self, until=CHECKS, **given):
        """Return the story of a Full Check."""
        rows = [self._build_row(prompt, check) for prompt in range(len(self.prompts)) for check in range(until)]
        named = {
            self.scans[check]: {
                brand: frozenset(
                    (self.prompts[prompt], PLATFORMS[platform])
                    for prompt, platform in zip(*np.nonzero(self.named[place, :, :, check]), strict=True)
                )
                for place, brand in enumerate(BRANDS[1:], start=1)
            }
            for check in range(until)
        }
        found = find_periods(rows, named, brand=BRANDS[0], rivals=BRANDS[1:], prompts=self.prompts)
        changes = CheckChanges(
            scan_id=self.scans[until - 1],
            against_scan_id=self.scans[until - 2],
            since=to_iso(START + timedelta(weeks=until - 2)),
            until=to_iso(START + timedelta(weeks=until - 1)),
            established=(),
            winners=(),
            periods=tuple(found),
            **{"reasons": (), "sources": (), **given},
        )
        return tell_story(changes, list_findings(changes, brand=BRANDS[0]), BRANDS[0])

    def tell_action(self, treated, done):
        """Return the story of a quarter with an action for some prompts, done after a check."""
        checks = WatchedChecks(tuple(self.scans[done - 5 : done - 1]), self.scans[done - 1], tuple(self.scans[done:]))
        observed = {
            scan: [
                CellFacts(platform, "ok", "", mentioned=bool(self.named[0, prompt, place, check])).to_observation(
                    self.prompts[prompt], None
                )
                for prompt in range(len(self.prompts))
                for place, platform in enumerate(PLATFORMS)
            ]
            for check, scan in enumerate(self.scans)
        }
        mark = DoneMark("task", "Ada", START + timedelta(weeks=done - 1, hours=1))
        effect = ActionEffect(
            mark=mark,
            effect=measure_effect(checks, observed, self.prompts[:treated]),
            checks=checks,
            completed_at={},
            prompts=(),
            overlapping=0,
        )
        found = StoredRecommendation(kind="open_door", platforms=("gemini",), proofs=())
        action = DoneAction(mark=mark, found=found, still_recommended=False, effect=effect)
        changes = self.tell().changes
        return tell_story(changes, list_findings(changes, brand=BRANDS[0], actions=[action]), BRANDS[0])

    def _build_row(self, prompt, check):
        facts = tuple(
            CellFacts(platform, "ok", "", mentioned=bool(self.named[0, prompt, place, check]))
            for place, platform in enumerate(PLATFORMS)
        )
        ids = (uuid.UUID(self.prompts[prompt]), self.scans[check])
        at = START + timedelta(weeks=check)
        return PromptScanRow(*ids, "full_check", "live", at, len(PLATFORMS), cited=False, cells=encode_facts(facts))


def is_told(story, **expected):
    """Return whether one of the first three findings has these values, and is not within chance."""
    return any(
        all(getattr(each, name) == value for name, value in expected.items()) and each.tier != "rest"
        for each in story.findings[:3]
    )


def count_told(tell, **expected):
    return sum(is_told(tell(seed), **expected) for seed in range(SEEDS)) / SEEDS


@pytest.mark.slow
def test_a_slow_loss_over_twelve_weeks_is_told():
    def tell(seed):
        return PlantedMarket(seed, 30, "slow_loss").tell()

    assert count_told(tell, competitor=None, direction="down") >= 0.8


@pytest.mark.slow
def test_a_sudden_loss_on_one_platform_is_told_there():
    def tell(seed):
        return PlantedMarket(seed, 30, "platform_loss").tell()

    assert count_told(tell, platform="gemini", direction="down") >= 0.8


@pytest.mark.slow
def test_a_rise_of_a_rival_is_told():
    def tell(seed):
        return PlantedMarket(seed, 30, "rival_rise").tell()

    assert count_told(tell, competitor="Mirvune", direction="up") >= 0.8


@pytest.mark.slow
def test_a_change_of_model_is_told_with_its_platform():
    told = 0
    for seed in range(SEEDS):
        market = PlantedMarket(seed, 30, "new_model")
        story = market.tell(models=(ModelChange("gemini", "g-1", "g-2"),), reasons=("model",))
        told += any(each.model == "g-2" for each in story.findings[:3])
    assert told / SEEDS >= 0.8


@pytest.mark.slow
def test_an_action_that_worked_is_told():
    def tell(seed):
        return PlantedMarket(seed, 30, "action_that_worked").tell_action(10, 9)

    assert count_told(tell, kind="action", direction="up") >= 0.8


@pytest.mark.slow
def test_a_lost_source_is_told():
    """Half of a platform's answers cite a site until the last check; another one is cited as often all the time."""
    told = 0
    for seed in range(SEEDS):
        market, draw = PlantedMarket(seed, 30, "lost_source"), np.random.default_rng(seed)
        cells = [(prompt, LOST.platform, None) for prompt in market.prompts]

        def cite(sites, cells=cells, draw=draw):
            return {cell: frozenset(site for site in sites if draw.random() < 0.5) for cell in cells}

        before, now = cite((LOST.lost_site, "wiki.org")), cite(("wiki.org",))
        named = dict.fromkeys(cells, frozenset())
        sources = find_source_changes(MatchedAnswers(cells, named, named, before, now))
        story = market.tell(sources=sources)
        told += any(each.site == LOST.lost_site and each.direction == "down" for each in story.findings[:3])
    assert told / SEEDS >= 0.8


@pytest.mark.slow
def test_quiet_quarters_have_no_clear_change():
    """Each week of a quarter is told, as people would read it."""
    false = watched = 0
    for seed in range(SEEDS):
        market = PlantedMarket(seed, 10)
        tiers = [each.tier for check in range(2, CHECKS + 1) for each in market.tell(check).findings]
        false += "clear" in tiers
        watched += tiers.count("watch")
    assert false / SEEDS <= 0.05
    assert watched / SEEDS / (CHECKS - 1) <= 1, "at most one a week is worth watching"


@pytest.mark.slow
def test_the_headline_of_a_quiet_week_says_so_and_has_at_most_25_words():
    for seed in range(20):
        story = PlantedMarket(seed, 10).tell()
        assert story.headline.startswith("No clear change") or any(each.tier == "clear" for each in story.findings)
        assert len(story.headline.split()) <= 25
        assert msgspec.json.encode(story.findings)
