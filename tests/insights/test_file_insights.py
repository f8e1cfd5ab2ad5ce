"""The insights of a file: an even sample of its answers, and ids of the file in every place."""

from sightline.insights import file_insights
from sightline.insights.file_insights import AnswerSample, find_file_insights
from tests.insights.test_inputs import PLAN, PROMPTS, make_answer


def test_a_sample_is_even_and_bounded(monkeypatch):
    # A smaller sample than that of a real file.
    monkeypatch.setattr(file_insights, "MAX_ANSWERS", 10)
    sample = AnswerSample()
    for number in range(100):
        sample.add(number)
    assert sample.answers == list(range(0, 100, 16)) and len(sample.answers) <= 10


async def test_insights_have_the_ids_of_the_file_and_nothing_of_a_database():
    answers = [
        make_answer(f"line {number}", PROMPTS[number % 2], "1. **Globex** - sturdy.\n2. **Hooli** - cheap.")
        for number in range(6)
    ]
    found = await find_file_insights(PLAN, answers)
    assert found.answers == 6
    assert [each["prompt"] for each in found.opportunities] == [prompt.text for prompt in PROMPTS]
    assert found.opportunities[0]["answer_ids"] == ["line 0", "line 2", "line 4"]
    assert not {"id", "prompt_id", "scan_id", "updated_at"} & found.opportunities[0].keys()


async def test_links_of_a_product_carousel_lead_to_one_page():
    answers = [
        make_answer(
            f"line {number}",
            PROMPTS[0],
            f"1. [Globex Mini](https://shop.example/globex-mini?variant=7&_gsid=a{number}) - sturdy.\n"
            "2. **Hooli** - cheap.",
        )
        for number in range(3)
    ]
    (found,) = (await find_file_insights(PLAN, answers)).opportunities
    assert [(page["url"], page["answers"]) for page in found["pages"]] == [("shop.example/globex-mini?variant=7", 3)]
