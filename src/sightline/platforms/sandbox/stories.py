"""Stories: one change that is planted in a made-up market, at a known time before the last check.

The demonstration plants them in its domains, and tests in simulated checks, to see whether the findings tell them.
"""

from collections.abc import Mapping
from datetime import date
from typing import Literal

import msgspec

StoryName = Literal[
    "slow_loss", "platform_loss", "rival_rise", "lost_source", "action_that_worked", "new_model", "nothing"
]


class StoryShape(msgspec.Struct, frozen=True, kw_only=True):
    """What changes. The change is one of the log-odds that an answer names the brand or the rival."""

    weeks: float = 0.0
    """How long before the last check it began."""
    change: float = 0.0
    is_slow: bool = False
    """Whether the change grows until the last check."""
    is_of_rival: bool = False
    platform: str | None = None
    """The only platform that changes."""
    prompts: float = 1.0
    """The share of the prompts that change."""
    lost_site: str | None = None
    has_new_model: bool = False

    def find_shift(self, weeks_left: float) -> float:
        """Return the change of the log-odds at a time before the last check."""
        begun = self.weeks - weeks_left
        if begun < 0:
            return 0.0
        return self.change * min(begun / self.weeks, 1.0) if self.is_slow else self.change


STORIES: Mapping[StoryName, StoryShape] = {
    "slow_loss": StoryShape(weeks=13, change=-1.4, is_slow=True),
    "platform_loss": StoryShape(weeks=5.5, change=-3.5, platform="gemini"),
    "rival_rise": StoryShape(weeks=4.5, change=1.2, is_of_rival=True),
    "lost_source": StoryShape(weeks=0.5, platform="gemini", lost_site="youtube.com"),
    "action_that_worked": StoryShape(weeks=3.5, change=2.5, prompts=1 / 3),
    "new_model": StoryShape(weeks=0.5, change=-1.5, platform="gemini", has_new_model=True),
    "nothing": StoryShape(),
}
"""At sizes that the tests of changes find in four out of five domains with 30 prompts on four platforms [sim]."""


class PlantedStory(msgspec.Struct, frozen=True, cache_hash=True):
    """A story in the market of a domain, which takes the place of the market's own events."""

    story: StoryShape
    end: date
    """The day of the last check."""

    def find_shift(self, day: date, platform: str) -> float:
        if self.story.platform not in {None, platform}:
            return 0.0
        return self.story.find_shift((self.end - day).days / 7)

    def has_begun(self, day: date, platform: str) -> bool:
        return self.story.platform in {None, platform} and (self.end - day).days / 7 <= self.story.weeks
