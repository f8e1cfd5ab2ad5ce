"""Stories that are planted in a market: what changes, where and when."""

from datetime import timedelta

import msgspec
import pytest

from sightline.platforms.models import Question
from sightline.platforms.sandbox.answers import answer_question
from sightline.platforms.sandbox.market import Subject, build_market
from sightline.platforms.sandbox.plan import mention_probability
from sightline.platforms.sandbox.prompts import suggest_prompts
from sightline.platforms.sandbox.stories import STORIES, PlantedStory
from tests.platforms.sandbox.samples import DAY

PLATFORMS = ("chatgpt", "gemini", "perplexity", "claude")
PLAIN = Subject("acme.com", "Acme")
PROMPTS = suggest_prompts(PLAIN, "en", 12)


def plant(name, **changes):
    story = msgspec.structs.replace(STORIES[name], **changes)
    return msgspec.structs.replace(PLAIN, planted=PlantedStory(story, DAY))


def list_moved(name, weeks_left, brand=None):
    """Return the cells whose probability differs from that of a market in which nothing happens, and by how much."""
    day, calm, told = DAY - timedelta(weeks=weeks_left), plant("nothing"), plant(name)
    found = {}
    for prompt in PROMPTS:
        for platform in PLATFORMS:
            before, now = (
                mention_probability(subject, prompt, platform, None, day, brand=brand) for subject in (calm, told)
            )
            if before != now:
                found[prompt, platform] = now - before
    return found


@pytest.mark.parametrize(("name", "sign"), [("platform_loss", -1), ("new_model", -1)])
def test_a_story_of_one_platform_changes_only_that_platform_and_only_once_it_has_begun(name, sign):
    story = STORIES[name]
    assert list_moved(name, story.weeks + 1) == {}
    moved = list_moved(name, 0)
    assert {platform for _, platform in moved} == {story.platform} and len(moved) == len(PROMPTS)
    assert all(sign * step > 0 for step in moved.values())


def test_a_slow_loss_grows_until_the_last_check_and_stays():
    steps = [sum(list_moved("slow_loss", weeks).values()) for weeks in (14, 9, 4, 0, -2)]
    assert steps[0] == 0 > steps[1] > steps[2] > steps[3]
    assert len(list_moved("slow_loss", -2)) == len(PROMPTS) * len(PLATFORMS)


def test_a_rise_of_a_rival_leaves_the_brand_and_the_other_rivals_alone():
    rivals = build_market(PLAIN).rivals
    assert list_moved("rival_rise", 0) == {}
    moved = [rival.name for rival in rivals if list_moved("rival_rise", 0, rival.name)]
    assert moved == [build_market(PLAIN).rising.name]
    assert min(list_moved("rival_rise", 0, moved[0]).values()) > 0


def test_an_action_changes_some_prompts_on_every_platform():
    moved = list_moved("action_that_worked", 0)
    prompts = {prompt for prompt, _ in moved}
    assert 0 < len(prompts) < len(PROMPTS) and len(moved) == len(prompts) * len(PLATFORMS)


def ask(subject, weeks_left, platform):
    day = DAY - timedelta(weeks=weeks_left)
    return [answer_question(subject, Question(prompt, None, "en"), platform, day) for prompt in PROMPTS]


def count_cited(answers, site):
    return sum(any(site in source.url for source in (*each.cited, *each.retrieved)) for each in answers)


def test_a_lost_source_is_cited_before_and_elsewhere_but_not_after():
    subject, site = plant("lost_source"), STORIES["lost_source"].lost_site
    before, now, elsewhere = ask(subject, 1, "gemini"), ask(subject, 0, "gemini"), ask(subject, 0, "perplexity")
    assert count_cited(before, site) > 0 < count_cited(elsewhere, site)
    assert count_cited(now, site) == 0


def test_a_new_model_answers_on_its_platform_from_its_day_on():
    subject = plant("new_model")
    assert {each.model for each in ask(subject, 1, "gemini")} == {"sandbox-gemini"}
    assert {each.model for each in ask(subject, 0, "gemini")} == {"sandbox-gemini-2"}
    assert {each.model for each in ask(subject, 0, "chatgpt")} == {"sandbox-chatgpt"}
