"""The awkward forms of an answer, how often each comes, and why it is there.

A case is drawn after it is known whether the brand is named, so that no case ever changes how often that is.
"""

from typing import Literal

import msgspec

from sightline.platforms.sandbox.dice import Dice

Name = Literal[
    "plain",
    "uncited",
    "table",
    "contrast",
    "discouraged",
    "echo",
    "other_script",
    "code",
    "derived",
    "short",
    "absent",
    "only_cited",
    "retrieved",
    "refusal",
    "code_only",
    "unknown",
    "echo_only",
]


class Case(msgspec.Struct, frozen=True):
    name: Name
    share: float  # among the answers of its group
    cites: float  # how often the brand's own page is then cited, where the platform cites at all
    why: str


NAMED = (
    Case("plain", 0.56, 0.75, "what most answers are: the brand in the list, with praise or a reservation"),
    Case("uncited", 0.14, 0.0, "named from memory or from other sites: mention and citation are two facts"),
    Case("table", 0.09, 0.6, "the brand in a table cell, ranked by its row"),
    Case("contrast", 0.05, 0.2, "'unlike X': named, and not recommended by that"),
    Case("discouraged", 0.04, 0.2, "advised against for one use: named, without a rank"),
    Case("echo", 0.03, 0.6, "the answer repeats the question before it answers"),
    Case("other_script", 0.03, 0.5, "an alias in another script, or the full-width form"),
    Case("code", 0.02, 0.5, "a code block repeats what the prose says; only the prose counts"),
    Case("derived", 0.02, 0.2, "'X-like': the name describes another brand"),
    Case("short", 0.02, 0.4, "one sentence and no more"),
)
UNNAMED = (
    Case("absent", 0.76, 0.0, "others are named, the brand is not"),
    Case("only_cited", 0.09, 1.0, "the brand's page is a source, its name is never written"),
    Case("retrieved", 0.03, 0.0, "the brand's page was read and not used"),
    Case("refusal", 0.04, 0.0, "the model recommends no brands: a valid answer without any"),
    Case("short", 0.03, 0.0, "one sentence about others"),
    Case("echo", 0.03, 0.0, "the answer repeats the question before it answers"),
    Case("code_only", 0.02, 0.0, "the brand stands in a code block and nowhere else, which is no mention"),
)
# Prompts that name the brand.
BRANDED_NAMED = (
    Case("plain", 0.82, 0.8, "a review or a comparison"),
    Case("uncited", 0.1, 0.0, "a review from other people's pages"),
    Case("discouraged", 0.04, 0.3, "advised against for one use"),
    Case("echo", 0.04, 0.6, "the question repeated, then the review"),
)
BRANDED_UNNAMED = (
    Case("unknown", 0.7, 0.0, "'I have no information about X', which is no mention"),
    Case("echo_only", 0.3, 0.0, "the brand stands in the repeated question and nowhere else"),
)
# Prompts about other brands: the brand is at most one of the alternatives.
BESIDE_NAMED = (
    Case("plain", 0.85, 0.3, "one of the alternatives"),
    Case("uncited", 0.15, 0.0, "one of the alternatives"),
)
BESIDE_UNNAMED = (Case("absent", 1.0, 0.0, "the answer keeps to the brands that were asked about"),)

TABLE = {
    ("open", True): NAMED,
    ("open", False): UNNAMED,
    ("branded", True): BRANDED_NAMED,
    ("branded", False): BRANDED_UNNAMED,
    ("beside", True): BESIDE_NAMED,
    ("beside", False): BESIDE_UNNAMED,
}
# A platform that never cites cannot cite a brand that it does not name.
_WITHOUT_CITATIONS: dict[Name, Name] = {"only_cited": "absent", "retrieved": "absent"}


def draw_case(about: str, dice: Dice, *, named: bool, cites: bool) -> tuple[Name, bool]:
    """The form of this answer, and whether the brand's own page is cited in it."""
    case = dice.weighted([(case, case.share) for case in TABLE[about, named]])
    cited = dice.chance(case.cites)
    name = case.name if cites else _WITHOUT_CITATIONS.get(case.name, case.name)
    return name, cited and cites
