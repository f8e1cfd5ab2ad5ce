"""What insights are made of: answers, the rivals that they name, and gaps."""

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.insights.inputs import Rival, build_insight_inputs
from sightline.platforms.models import Fault
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt

PROMPTS = tuple(ScanPrompt(id=str(number), text=f"Which forge tools for {job}?") for number, job in enumerate("ab"))
PLAN = ScanPlan(
    domain="acme.com",
    brand=Brand("Acme", domains=("acme.com",)),
    competitors=(Brand("Globex", domains=("globex.com",)),),
    prompts=PROMPTS,
    platforms=("chatgpt",),
)


def make_answer(answer_id, prompt, text):
    answer = ScanAnswer(
        id=answer_id,
        prompt=prompt,
        platform="chatgpt",
        status="ok",
        text=text,
        provenance=Provenance(surface="api", vendor="file"),
    )
    return analyze_answer(answer, Lexicon(PLAN.tracked))


def test_rivals_are_the_tracked_competitors_and_the_brands_that_answers_present():
    answers = [
        make_answer("a", PROMPTS[0], "1. **Hooli** - a sturdy anvil.\n2. **Globex** - cheap."),
        make_answer("b", PROMPTS[0], "1. **Hooli** - a sturdy anvil.\n2. **Acme** - light."),
        make_answer("c", PROMPTS[1], "1. **Hooli** - a sturdy anvil.\n2. **Vandelay** - heavy."),
        make_answer("d", PROMPTS[1], "A hammer and a block of wood are enough to begin with."),
        make_answer("f", PROMPTS[1], "Many begin with an anvil by Hooli, and Hoolihan would not."),
        make_answer("g", PROMPTS[1], "Only Hoolihan makes an anvil like that."),
    ]
    failed = ScanAnswer(
        id="e",
        prompt=PROMPTS[1],
        platform="chatgpt",
        status="failed",
        fault=Fault("blank", "the answer is blank"),
        provenance=Provenance(surface="api", vendor="file"),
    )
    found = build_insight_inputs(PLAN, [*answers, failed])
    assert found.rivals == (
        Rival(name="Globex", domains=("globex.com",), tracked=True),
        Rival(name="Hooli", domains=(), tracked=False),
    )
    assert found.named == {
        "a": {"Globex", "Hooli"},
        "b": {"Hooli"},
        "c": {"Hooli"},
        "d": frozenset(),
        "f": {"Hooli"},
        "g": frozenset(),
    }
    assert found.find_gap_answers() == {"a", "c", "f"}
    assert [each.answer_id for each in found.observations[0]] == ["a", "b", "c", "d", "f", "g"]


def test_a_product_names_its_maker_where_answers_leave_the_maker_out():
    answers = [
        make_answer("a", PROMPTS[0], "1. **Hooli BarkBook Air** - a sturdy anvil.\n2. **Globex** - cheap."),
        make_answer("b", PROMPTS[0], "1. **Hooli BarkBook Air** - a sturdy anvil.\n2. **Acme** - light."),
        make_answer("c", PROMPTS[1], "1. **Hooli BarkBook Air** - a sturdy anvil.\n2. **Hooli 12** - heavy."),
        make_answer("d", PROMPTS[1], "Many forges have a BarkBook Air, and a dozen have 12."),
        make_answer("e", PROMPTS[1], "A hammer and a block of wood are enough, and 12 nails."),
    ]
    found = build_insight_inputs(PLAN, answers)
    (rival,) = [rival for rival in found.rivals if not rival.tracked]
    assert (rival.name, rival.products) == ("Hooli", ("BarkBook Air",))
    assert (found.named["d"], found.named["e"]) == ({"Hooli"}, frozenset())
