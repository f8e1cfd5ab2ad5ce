"""Tags: how they are written, tagging many prompts at once, and the figures of each tag."""

import pytest

from sightline.kit.ids import new_id
from sightline.prompts.tags.names import clean_tags, split_tags
from tests.api.assertions import DATA
from tests.prompts.prompts_client import PromptsClient
from tests.scan_history import ScanHistory


def test_tags_are_written_in_lower_case_each_once_and_sorted():
    assert clean_tags(split_tags(" Pricing; top  of FUNNEL,pricing,\nÄnderung ")) == (
        "pricing",
        "top of funnel",
        "änderung",
    )


@pytest.mark.parametrize("tags", [["x" * 41], ["a,b"], ["\u200b"], ["a\u200bb"], [" "], [f"t{n}" for n in range(11)]])
def test_what_is_no_tag_and_an_eleventh_one_are_refused(tags):
    with pytest.raises(ValueError, match=r"a tag has 1 to 40 visible|at most 10 tags"):
        clean_tags(tags)


async def change(prompts, ids, **fields):
    return await prompts.client.post(
        f"{DATA}/domains/{prompts.domain_id}/prompt-tags", json={"prompt_ids": ids, **fields}, headers=prompts.headers()
    )


async def test_many_prompts_are_tagged_at_once_all_or_none(installation, client):
    prompts = await PromptsClient.open(installation, client)
    ids = [(await prompts.added(text))["id"] for text in ("best crm", "crm for startups")]
    done = await change(prompts, ids, add=["Pricing", "EU"])
    assert done.status_code == 200
    assert [(each["tag"], each["prompts"], each["measured"]) for each in done.json()["data"]["tags"]] == [
        ("eu", 2, 0),
        ("pricing", 2, 0),
    ]
    assert (await change(prompts, ids[:1], add=["new"], remove=["eu", "unknown"])).status_code == 200
    assert {each["id"]: each["tags"] for each in await prompts.listed()} == {
        ids[0]: ["new", "pricing"],
        ids[1]: ["eu", "pricing"],
    }
    unknown = await change(prompts, [*ids, str(new_id())], add=["x"])
    too_many = await change(prompts, ids, add=[f"t{n}" for n in range(9)])
    wrong = await change(prompts, ids, add=["a;b"])
    assert [each.status_code for each in (unknown, too_many, wrong)] == [404, 422, 422]
    assert {each["id"]: each["tags"] for each in await prompts.listed()} == {
        ids[0]: ["new", "pricing"],
        ids[1]: ["eu", "pricing"],
    }


async def test_a_tag_has_its_own_figures_without_branded_and_new_prompts(installation, client):
    history = await ScanHistory.open(installation, "best anvil", "quiet anvil", "is Acme good")
    await history.run_full_check(
        lambda prompt, platform: "Acme is good." if "best" in prompt.text else "Globex is good."
    )
    late = await history.add_prompt("light anvil")
    ids = {row["prompt"]: str(row["id"]) for row in await history.rows("prompts")}
    prompts = PromptsClient(installation, client, history.tenant, str(history.domain_id))
    await change(prompts, [*ids.values()], add=["all"])
    done = await change(prompts, [ids["best anvil"]], add=["best"])
    figures = {each["tag"]: each for each in done.json()["data"]["tags"]}
    coverage = {
        tag: (each["brand_coverage_pct"]["numerator"], each["brand_coverage_pct"]["n"]) for tag, each in figures.items()
    }
    assert coverage == {"all": (3, 6), "best": (3, 3)}
    assert (figures["all"]["prompts"], figures["all"]["measured"]) == (4, 2) and str(late) in ids.values()
    assert figures["best"]["visibility_score"]["value"] == pytest.approx(
        history_score(await read_analytics(prompts), ids["best anvil"]), abs=0.11
    )


async def read_analytics(prompts):
    read = await prompts.client.get(f"{DATA}/domains/{prompts.domain_id}/analytics", headers={"X-API-Key": prompts.key})
    return read.json()["data"]


def history_score(analytics, prompt_id):
    """Return the Visibility Score of a prompt that every platform names first, or without a place."""
    (row,) = [each for each in analytics["prompts"] if each["prompt_id"] == prompt_id]
    return sum(80 if cell["position"] == 1 else 50 for cell in row["cells"]) / len(row["cells"])
