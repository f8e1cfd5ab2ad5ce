"""The known agents of AI platforms, from one dated file with the source of each row."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

Purpose = Literal["live", "search", "training"]
PURPOSE_MEANING = (
    "What the agent fetches pages for. `live`: a person asked a question, and the page is read for the answer. "
    "`search`: an index from which answers are made. `training`: training of models."
)


class Agent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One agent: its name in robots.txt, who sends it, and where that is documented."""

    name: str
    vendor: str
    purpose: Purpose
    platforms: tuple[str, ...]
    """The platforms that it fetches for, by their keys."""
    robots: Literal["obeyed", "not_always"] = "obeyed"
    token_only: bool = False
    source: str
    read: Literal["vendor", "quoted"]


class AgentList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    checked: date
    agents: tuple[Agent, ...]


@cache
def read_agents() -> AgentList:
    """Return the agents and the day on which they were compared with their sources."""
    return msgspec.toml.decode(files("sightline.site_review").joinpath("agents.toml").read_bytes(), type=AgentList)


def list_agents_by_platform() -> Mapping[str, Sequence[Agent]]:
    """Return the agents that decide what each platform can cite: for training only, if it has no other one."""
    found: dict[str, list[Agent]] = {}
    for agent in read_agents().agents:
        for platform in agent.platforms:
            found.setdefault(platform, []).append(agent)
    return found
