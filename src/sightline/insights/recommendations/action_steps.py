"""How to do what a recommendation says, by the kind of action, of site and of page; the texts are in a TOML file."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from sightline.insights.models import ActionFacts
from sightline.platforms.names import platform_name
from sightline.presentation.lists import join_names

_Steps = tuple[str, ...]


def list_steps(found: ActionFacts, brand: str) -> _Steps:
    """Return three steps, ready to be read."""
    words = {
        "brand": brand,
        "site": found.site_name or found.site or "your site",
        "rivals": join_names(found.rivals) or "your rivals",
        "platform": platform_name(found.subject or ""),
    }
    return tuple(step.format(**words) for step in _choose_steps(found))


def _choose_steps(found: ActionFacts) -> _Steps:
    texts = _read_texts()
    match found.kind:
        case "get_listed" if found.is_review and found.site_type in {"editorial", "review_site", "other"}:
            return texts["get_reviewed"]["any"]
        case "get_listed":
            return texts["get_listed"][found.site_type or "other"]
        case "answer_question":
            first, last = texts["answer_question"]["around"]
            return (first, *texts["answer_question"][found.page_kind or "page"], last)
        case "fix_claim" if found.subject == "price":
            return texts["fix_claim"]["price"]
        case "fix_claim":
            return texts["fix_claim"]["sourced" if found.pages else "unsourced"]
        case "keep":
            site = found.site_type or "own"
            return texts["keep"].get(site, texts["keep"]["any"])
        case "open_door":
            return _list_door_steps(found, texts["open_door"])
        case "win_back":
            return texts["win_back"]["any"]
        case _:
            return ()


def _list_door_steps(found: ActionFacts, texts: dict[str, _Steps]) -> _Steps:
    robots, index = found.robots, texts.get(found.subject or "")
    if robots is not None and robots.outcome == "blocked":
        rules = f"Allow {join_names(robots.blocked)} in {robots.url}: give each a group of its own with “Allow: /”."
        return (rules, *texts["logs"], *(index or texts["sources"]))
    if index is None:
        return (*texts["sources"], *texts["logs"], *texts["listings"])
    return (*index, *texts["logs"], *texts["sources"])


@cache
def _read_texts() -> dict[str, dict[str, _Steps]]:
    text = files(__package__).joinpath("action_steps.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, _Steps]])
