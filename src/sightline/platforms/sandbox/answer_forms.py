"""The difficult forms of an answer, how often each occurs, and why it exists.

A form is drawn after it is known whether the brand is named, so no form ever changes how often that is.
"""

from typing import Literal

import msgspec

from sightline.platforms.sandbox.seeded_random import SeededRandom

FormName = Literal[
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


class AnswerForm(msgspec.Struct, frozen=True):
    """A form that an answer can take."""

    name: FormName
    share: float  # among the answers of its group
    cites: float  # how often the brand's own page is then cited, where the platform cites at all
    why: str


NAMED = (
    AnswerForm("plain", 0.56, 0.75, "what most answers are: the brand in the list, with praise or a reservation"),
    AnswerForm("uncited", 0.14, 0.0, "named from memory or from other sites: mention and citation are two facts"),
    AnswerForm("table", 0.09, 0.6, "the brand in a table cell, ranked by its row"),
    AnswerForm("contrast", 0.05, 0.2, "'unlike X': named, and not recommended by that"),
    AnswerForm("discouraged", 0.04, 0.2, "advised against for one use: named, without a rank"),
    AnswerForm("echo", 0.03, 0.6, "the answer repeats the question before it answers"),
    AnswerForm("other_script", 0.03, 0.5, "an alias in another script, or the full-width form"),
    AnswerForm("code", 0.02, 0.5, "a code block repeats what the prose says; only the prose counts"),
    AnswerForm("derived", 0.02, 0.2, "'X-like': the name describes another brand"),
    AnswerForm("short", 0.02, 0.4, "one sentence and no more"),
)
UNNAMED = (
    AnswerForm("absent", 0.76, 0.0, "others are named, the brand is not"),
    AnswerForm("only_cited", 0.09, 1.0, "the brand's page is a source, its name is never written"),
    AnswerForm("retrieved", 0.03, 0.0, "the brand's page was read and not used"),
    AnswerForm("refusal", 0.04, 0.0, "the model recommends no brands: a valid answer without any"),
    AnswerForm("short", 0.03, 0.0, "one sentence about others"),
    AnswerForm("echo", 0.03, 0.0, "the answer repeats the question before it answers"),
    AnswerForm("code_only", 0.02, 0.0, "the brand stands in a code block and nowhere else, which is no mention"),
)
# Prompts that name the brand.
BRANDED_NAMED = (
    AnswerForm("plain", 0.82, 0.8, "a review or a comparison"),
    AnswerForm("uncited", 0.1, 0.0, "a review from other people's pages"),
    AnswerForm("discouraged", 0.04, 0.3, "advised against for one use"),
    AnswerForm("echo", 0.04, 0.6, "the question repeated, then the review"),
)
BRANDED_UNNAMED = (
    AnswerForm("unknown", 0.7, 0.0, "'I have no information about X', which is no mention"),
    AnswerForm("echo_only", 0.3, 0.0, "the brand stands in the repeated question and nowhere else"),
)
# Prompts about other brands: the brand is at most one of the alternatives.
OTHERS_NAMED = (
    AnswerForm("plain", 0.85, 0.3, "one of the alternatives"),
    AnswerForm("uncited", 0.15, 0.0, "one of the alternatives"),
)
OTHERS_UNNAMED = (AnswerForm("absent", 1.0, 0.0, "the answer keeps to the brands that were asked about"),)

FORMS = {
    ("open", True): NAMED,
    ("open", False): UNNAMED,
    ("branded", True): BRANDED_NAMED,
    ("branded", False): BRANDED_UNNAMED,
    ("others", True): OTHERS_NAMED,
    ("others", False): OTHERS_UNNAMED,
}
# A platform that never cites cannot cite a brand that it does not name.
_WITHOUT_CITATIONS: dict[FormName, FormName] = {"only_cited": "absent", "retrieved": "absent"}


def draw_form(about: str, rng: SeededRandom, *, named: bool, cites: bool) -> tuple[FormName, bool]:
    """Draw the form of this answer, and whether the brand's own page is cited in it."""
    form = rng.weighted([(form, form.share) for form in FORMS[about, named]])
    cited = rng.chance(form.cites)
    name = form.name if cites else _WITHOUT_CITATIONS.get(form.name, form.name)
    return name, cited and cites
