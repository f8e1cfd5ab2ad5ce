"""Importing prompts: encodings, tables, faults with their lines, duplicates, and limits."""

import pytest

from sightline.errors import Problem
from sightline.plans.table import build_plan_table
from sightline.prompts.imports.decode import decode_file
from sightline.prompts.imports.models import ImportDefaults
from sightline.prompts.imports.near_duplicates import find_near_duplicates
from sightline.prompts.imports.parse import parse_import
from sightline.prompts.imports.plan import plan_import
from sightline.prompts.imports.save import save_import
from sightline.prompts.market_names import read_countries
from sightline.prompts.remove import remove_prompt
from tests.api.assertions import DATA
from tests.prompts.prompts_client import PromptsClient

ENGLISH = ImportDefaults(language_code="en")
CSV = 'text;country;language;tags;pinned\n"café, bar";Germany;German;A,b;yes\nbest crm;;;;\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_are_read_as_spreadsheets_write_them(encoding):
    decoded = decode_file(CSV.encode(encoding))
    assert decoded.guessed == (encoding == "cp1252")
    first, second = parse_import(decoded.text, ENGLISH).prompts
    assert (first.prompt.text, first.prompt.country_iso_2, first.prompt.language_code) == ("café, bar", "DE", "de")
    assert (first.line, first.tags, first.pinned) == (2, ("a", "b"), True)
    assert (second.line, second.prompt.text, second.prompt.country_iso_2, second.pinned) == (3, "best crm", None, False)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x" * 10_000_000, "more than 1 MB"),
        (b"PK\x03\x04rest", "a workbook"),
        (bytes(range(256)), "not a text file"),
        ("best crm".encode("utf-16-le"), "not a text file"),
        (b"\xff\xfea", "not a text file"),
        (b" \n", "empty"),
        (b"", "empty"),
    ],
)
def test_what_is_no_text_is_refused_in_words(content, words):
    with pytest.raises(ValueError, match=words):
        decode_file(content)


def test_lines_with_commas_are_prompts_and_copied_cells_are_a_table():
    plain = parse_import('cheap, good crm\n\n"quoted, crm"\n', ENGLISH).prompts
    assert [(each.line, each.prompt.text) for each in plain] == [(1, "cheap, good crm"), (3, "quoted, crm")]
    (cells,) = parse_import("cheap, good crm\tUSA\ten\tpricing\tno", ENGLISH).prompts
    assert (cells.prompt.country_iso_2, cells.tags, cells.pinned) == ("US", ("pricing",), False)


def test_prompts_are_crossed_with_countries_unless_they_have_their_own():
    crossed = ImportDefaults(language_code="en", countries=("US", "DE"), tags=("new",))
    made = parse_import("prompt,country\nbest crm,\nlocal crm,France\n", crossed).prompts
    assert [(each.prompt.text, each.prompt.country_iso_2) for each in made] == [
        ("best crm", "US"),
        ("best crm", "DE"),
        ("local crm", "FR"),
    ]
    assert {each.tags for each in made} == {("new",)}


def test_columns_are_known_by_the_names_of_the_interface_in_each_of_its_languages():
    german = parse_import("Frage;Land;Sprache;Angeheftet;Suchvolumen\nWelcher Amboss?;DE;de;ja;90\n", ENGLISH)
    (found,) = german.prompts
    assert (found.prompt.country_iso_2, found.prompt.language_code, found.pinned) == ("DE", "de", True)
    assert german.unused_columns == ("Suchvolumen",), "as it is written in the file"
    (found,) = parse_import("Question,Country,Pinned\nwhich anvil,DE,no\n", ENGLISH).prompts
    assert (found.prompt.text, found.pinned) == ("which anvil", False)


def test_every_fault_is_named_with_its_line():
    rows = ["text,country,language,tags,pinned,volume", "ok crm,,,,,1", "x,Atlantis,xx,,maybe,2", '"two', 'lines",,,,,']
    text = "\n".join([*rows, "\u200b\u200b,,,,,"])
    parsed = parse_import(text, ENGLISH)
    assert parsed.prompts == () and parsed.unused_columns == ("volume",)
    assert [each.line for each in parsed.faults] == [3, 3, 3, 3, 6]
    assert "“Atlantis” is not a country" in parsed.faults[0].sentence and parsed.faults[0].sentence.startswith(
        "Line 3: "
    )
    (broken,) = parse_import('text\nfine crm\n"never closed\n', ENGLISH).faults
    assert (broken.line, "quotation mark" in broken.message) == (3, True)


def test_a_hundred_thousand_lines_are_refused_at_once_and_a_thousand_faults_are_cut():
    (fault,) = parse_import("best crm\n" * 100_000, ENGLISH).faults
    assert "at most 2,000 prompts" in fault.message
    assert len(parse_import("x\n" * 1_000, ENGLISH).faults) == 50


def test_an_exported_formula_comes_back_as_it_was():
    (made,) = parse_import('text\n"\'=1+1 crm"\n', ENGLISH).prompts
    assert made.prompt.text == "=1+1 crm"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("United States, Germany", ["US", "DE"]),
        ("us de US", ["US", "DE"]),
        ("UK;Holland\nFrance", ["GB", "NL", "FR"]),
        ("", []),
    ],
)
def test_countries_are_read_by_name_or_code_each_once(text, codes):
    assert read_countries(text) == codes


def test_what_is_no_country_is_named_once():
    with pytest.raises(ValueError, match=r"^“Unitd States” is not a country") as refused:
        read_countries("Unitd States, Germany")
    assert str(refused.value).count("not a country") == 1


def test_almost_the_same_wording_is_found_and_the_same_is_not():
    found = find_near_duplicates(
        ["What is the best CRM for startups?", "what is the best crm for startup?", "cheapest CRM"],
        ["What is the best CRM for start-ups?", "cheapest crm"],
    )
    assert found == {
        "What is the best CRM for startups?": "What is the best CRM for start-ups?",
        "what is the best crm for startup?": "What is the best CRM for startups?",
    }


async def save(steps, text, plans=None, defaults=ENGLISH):
    parsed = parse_import(text, defaults)
    assert not parsed.faults, parsed.faults
    return await steps.do(save_import, parsed.prompts, plans or build_plan_table({}), now=steps.now)


async def test_an_import_adds_restores_tags_and_leaves_out_and_again_changes_nothing(steps):
    _, gone = await steps.set_up("best crm", "old crm")
    await steps.do(remove_prompt, gone.id, now=steps.now)
    text = "text,tags,pinned\nBest CRM,a,\nold crm,,\nnew crm,b,yes\nnew  crm,,\n"
    made = await save(steps, text)
    assert [each.state for each in made.prompts] == ["tracked", "restored", "new", "repeated"]
    rows = await steps.installation.db.fetch(
        "SELECT prompt, tags, status, pinned_at IS NOT NULL FROM prompts ORDER BY id"
    )
    expected = [
        ("best crm", ["a"], "active", False),
        ("old crm", [], "active", False),
        ("new crm", ["b"], "active", True),
    ]
    assert [tuple(row) for row in rows] == expected
    assert await steps.counts() == (3, 1)
    again = await save(steps, text)
    assert [each.state for each in again.prompts] == ["tracked", "tracked", "tracked", "repeated"]
    rows = await steps.installation.db.fetch(
        "SELECT prompt, tags, status, pinned_at IS NOT NULL FROM prompts ORDER BY id"
    )
    assert [tuple(row) for row in rows] == expected


async def test_one_prompt_pin_or_tag_too_many_stores_nothing(steps):
    await steps.set_up("best crm")
    plans = build_plan_table({"agency": {"tracked_prompts": 3}})
    for text, code in (
        ("aa\nbb\ncc", "prompt_limit_reached"),
        ("text,pinned\n" + "".join(f"crm {n},yes\n" for n in range(11)), "pin_limit_reached"),
    ):
        with pytest.raises(Problem) as refused:
            await save(steps, text, plans if code.startswith("prompt") else None)
        assert refused.value.code == code
    preview = await plan_import(
        steps.installation.db,
        steps.workspace_id,
        steps.domain_id,
        parse_import("aa\nbb\ncc", ENGLISH).prompts,
        max_prompts=3,
    )
    assert [each.sentence for each in preview.faults] == [
        "The workspace uses 1 of the 3 prompts in its plan. 2 more can be added, and this import adds 3."
    ]
    assert await steps.counts() == (1, 0)


async def test_the_data_api_imports_all_or_nothing(installation, client):
    prompts = await PromptsClient.open(installation, client)

    async def send(*rows):
        url = f"{DATA}/domains/{prompts.domain_id}/prompt-imports"
        return await client.post(url, json={"prompts": list(rows)}, headers=prompts.headers())

    row = {"prompt": "best crm", "language_code": "en"}
    done = await send(
        {**row, "tags": ["A"], "pinned": True}, {**row, "country_iso_2": "de"}, {**row, "prompt": "Best CRM"}
    )
    assert done.status_code == 201
    assert done.json()["data"] == {
        "domain_id": prompts.domain_id, "added": 2, "restored": 0, "already_tracked": 0, "repeated": 1,
    }  # fmt: skip
    assert [(each["country_iso_2"], each["tags"], each["user_pinned"]) for each in await prompts.listed()] == [
        (None, ["a"], True),
        ("DE", [], False),
    ]
    wrong = await send(
        {**row, "prompt": "new crm"}, {**row, "prompt": "\u200b\u200b", "language_code": "xx", "tags": ["a;b"]}
    )
    fields = [each["field"] for each in wrong.json()["errors"]]
    assert fields == ["prompts[1].prompt", "prompts[1].language_code", "prompts[1].tags"]
    assert wrong.status_code == 422 and await prompts.counts() == (2, 1)
