"""An answer's text split into lines and segments: only Markdown marks are dropped."""

import re

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.kit.ids import new_id
from sightline.platforms.models import Source
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPrompt
from sightline.scans.schemas.answer import to_answer
from sightline.scans.stored import AnswerRow, to_record
from sightline.web.pages.dashboard.answer_text import Segment, list_links, split_text
from tests.growth import measure_growth
from tests.installation import START

PROMPT = ScanPrompt(id="0", text="which?")
BRANDS = (Brand("Acme", (), ("acme.com",)), Brand("Globex", (), ("globex.com",)))
CSS_CLASSES = {"Acme": "own", "Globex": "rival-1"}


def build_answer(text):
    given = ScanAnswer(
        id=str(new_id()), prompt=PROMPT, platform="chatgpt", status="ok", text=text,
        provenance=Provenance(surface="sandbox", vendor="sandbox"),
    )  # fmt: skip
    read = analyze_answer(given, Lexicon(BRANDS))
    row = AnswerRow(new_id(), new_id(), 0, "chatgpt", None, "ok", text, to_record(read), START)
    return to_answer(row, PROMPT)


def split(text):
    return split_text(build_answer(text), CSS_CLASSES)


def words(lines):
    return "\n".join("".join(segment.text for segment in line.segments) for line in lines)


@pytest.mark.parametrize(
    ("text", "kind", "shown"),
    [
        ("## Best anvils", "heading", "Best anvils"),
        ("- one of them", "point", "one of them"),
        ("  * one of them", "point", "one of them"),
        ("1. Acme", "text", "1. Acme"),
        ("#1 is Acme", "text", "#1 is Acme"),
        ("-5 degrees", "text", "-5 degrees"),
        ("**Acme** first", "text", "Acme first"),
        ("2 ** 3 is eight", "text", "2 ** 3 is eight"),
        ("", None, ""),
        ("[x](javascript:alert(1))", "text", "[x](javascript:alert(1))"),
        ("Good.[[1]](https://acme.com/a)", "text", "Good.[1]"),
    ],
)
def test_only_known_markdown_marks_are_removed(text, kind, shown):
    lines = split(text)
    assert words(lines) == shown
    assert [line.kind for line in lines] == ([kind] if kind else [])


def test_the_anchor_is_at_the_first_mention_of_the_brand_only():
    lines = split("Globex leads.\n\nThen Acme, and Acme again.")
    assert [segment.anchor for line in lines for segment in line.segments if segment.css_class == "own"] == [
        "named",
        "",
    ]
    assert not any(segment.anchor for line in split("Globex leads.") for segment in line.segments)


def test_each_mention_of_the_brand_has_its_place_once():
    lines = split("Globex.\n\nAc**me** and Acme.")
    places = [segment.place for line in lines for segment in line.segments if segment.place]
    assert places == [(9, 15), (22, 26)], "a name that is partly bold has one place"
    assert [line.start for line in lines] == [0, 8, 9]


def test_brands_are_found_next_to_marks_and_in_links():
    (line,) = split("**Acme** and [Globex Store](https://globex.com/a) are good.")
    assert line.segments[0] == Segment("Acme", "own", "Acme", bold=True, anchor="named", place=(2, 6))
    linked = [segment for segment in line.segments if segment.url]
    assert "".join(segment.text for segment in linked) == "Globex Store"
    assert linked[0] == Segment("Globex", "rival-1", "Globex", url="https://globex.com/a")


def test_every_word_of_a_long_answer_stays():
    text = "# Title\r\n\r\nAcme, **Globex** and more:\n- a [b](https://c.org/d) e\n\n| x | y |\n**odd** and ** alone\n"
    plain = (
        re.sub(r"\*\*(\w+)\*\*", r"\1", text).replace("# ", "").replace("- ", "").replace("[b](https://c.org/d)", "b")
    )
    assert words(split(text)).split() == plain.split()


def test_a_table_has_rows_and_columns_and_keeps_every_word():
    text = "Compared:\n| Name | Price |\n|---|:-:|\n| **Acme** | $5 \\| month |\n| Globex | |\nNo row.\n| x | y |\n"
    lines = split(text)
    assert [line.kind for line in lines] == ["text", "head", "row", "row", "text", "text"]

    def cells(line):
        columns = {}
        for segment in line.segments:
            columns[segment.column] = columns.get(segment.column, "") + segment.text
        return list(columns.values())

    assert [cells(line) for line in lines[1:4]] == [["Name", "Price"], ["Acme", "$5 \\| month"], ["Globex", ""]]
    assert lines[2].segments[0] == Segment("Acme", "own", "Acme", bold=True, anchor="named", place=(41, 45))
    assert words(lines[4:]) == "No row.\n| x | y |"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a | b\n--- | ---\n1 | 2", ["head", "row"]),
        ("|---|\n|---|", ["text", "text"]),
        ("no columns\n|---|---|", ["text", "text"]),
        ("| a |\n|---|", ["head"]),
        ("||\n|-|-|\n||", ["head", "row"]),
    ],
)
def test_what_is_a_table(text, shown):
    assert [line.kind for line in split(text)] == shown


@pytest.mark.parametrize("unit", [" ", "\t", "-|", "[", "[a](https://a", "**"])
def test_the_work_is_linear(unit):
    answer = build_answer("Acme")
    growth = measure_growth(
        lambda text: split_text(msgspec.structs.replace(answer, text=text), CSS_CLASSES),
        lambda size: "| a |\n" + unit * (size // len(unit)) + "x|",
        1_400,
    )
    assert growth < 24


def test_the_work_is_linear_in_the_number_of_mentions():
    named = build_answer("**Acme** ").brands[0]
    (place,) = named.occurrences

    def work(text):
        places = tuple(
            msgspec.structs.replace(place, start=at + 2, end=at + 6) for at in range(0, len(text), len("**Acme** "))
        )
        brands = (msgspec.structs.replace(named, occurrences=places),)
        return split_text(msgspec.structs.replace(build_answer("Acme"), text=text, brands=brands), CSS_CLASSES)

    assert sum(segment.place is not None for line in work("**Acme** " * 3) for segment in line.segments) == 3
    assert measure_growth(work, lambda size: "**Acme** " * size, 200) < 24


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//acme.com", "http://[", "ftp://acme.com/"]
)
def test_only_web_addresses_become_links(url):
    (link,) = list_links([Source(url)], BRANDS, CSS_CLASSES)
    assert link.url is None and link.title == url and link.owner == ""


def test_a_source_says_whose_it_is():
    links = list_links([Source("https://blog.globex.com/x"), Source("https://notacme.com/")], BRANDS, CSS_CLASSES)
    assert [(link.owner, link.css_class) for link in links] == [("Globex", "rival-1"), ("", "")]
