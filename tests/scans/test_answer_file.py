"""Files of answers: what is read, and what is said about each line that is not an answer."""

import json
from datetime import UTC, datetime

import pytest

from sightline.platforms.models import Source
from sightline.scans.answer_file import MAX_LINE_BYTES, BadLine, read_answers
from sightline.scans.file_survey import survey_file

GOOD = {"id": "a1", "prompt": "best crm", "platform": "chatgpt", "text": "Acme is a solid choice for teams."}


def write(tmp_path, *records, name="answers.jsonl"):
    path = tmp_path / name
    lines = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    path.write_bytes(b"\n".join(lines))
    return path


def read_one(tmp_path, record, **options):
    (found,) = read_answers(write(tmp_path, record, **options))
    return found


def test_a_line_holds_an_answer_with_everything_that_is_known_of_it(tmp_path):
    record = {
        **GOOD, "id": 7, "prompt": "  best\n crm ", "platform": "Google AI Mode", "language": "DE", "country": "at",
        "sources": [{"url": "https://acme.com/a", "title": "Acme"}, {"url": "https://g2.com", "title": None}],
        "run": 3, "answered_at": "2026-11-16T09:30:00Z", "market": "ignored", "queries": [" crm reviews ", ""],
    }  # fmt: skip
    found = read_one(tmp_path, record)
    assert (found.id, found.prompt, found.platform, found.line) == ("7", "best crm", "google_ai_mode", 1)
    assert (found.language, found.country, found.run) == ("de", "AT", 3)
    assert found.sources == (Source("https://acme.com/a", "Acme"), Source("https://g2.com"))
    assert found.answered_at == datetime(2026, 11, 16, 9, 30, tzinfo=UTC) and found.queries == ("crm reviews",)


def test_a_platform_that_nobody_knows_keeps_its_name_and_a_date_is_a_time(tmp_path):
    found = read_one(tmp_path, {**GOOD, "platform": "My Assistant", "answered_at": "2026-11-16"})
    assert found.platform == "My Assistant" and found.answered_at == datetime(2026, 11, 16, tzinfo=UTC)
    assert found.sources is None and found.run is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "a1"', "not valid JSON"),
        (b"[1, 2]", "must be one JSON object"),
        (b'"text"', "must be one JSON object"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "not valid JSON"),
        ({**GOOD, "id": None}, "`id` is missing"),
        ({**GOOD, "id": " "}, "`id` is empty"),
        ({**GOOD, "id": True}, "`id` must be a text"),
        ({**GOOD, "id": "x" * 201}, "more than 200 characters"),
        ({**GOOD, "id": "a\x01"}, "control characters"),
        ({**GOOD, "prompt": ""}, "`prompt` is empty"),
        ({**GOOD, "platform": 5}, "`platform` must be a text"),
        ({**GOOD, "text": " \n"}, "`text` is empty"),
        ({"id": "a", "prompt": "b", "platform": "c"}, "`text` is missing"),
        ({**GOOD, "language": "english"}, "`language` is not valid: a language has two letters"),
        ({**GOOD, "country": "ZZ"}, "`country` is not valid: a country has two letters"),
        ({**GOOD, "sources": "https://acme.com"}, "`sources` must be a list"),
        ({**GOOD, "sources": [{"title": "x"}]}, "`sources[0]` has no `url`"),
        ({**GOOD, "sources": [{"url": "https://a.com", "title": 5}]}, "`sources[0].title` must be a text"),
        ({**GOOD, "queries": "crm"}, "`queries` must be a list of texts"),
        ({**GOOD, "queries": [1]}, "`queries` must be a list of texts"),
        ({**GOOD, "run": "two"}, "`run` must be a whole number"),
        ({**GOOD, "run": -1}, "`run` must be a whole number"),
        ({**GOOD, "answered_at": "yesterday"}, "`answered_at` is not a date or time"),
        ({**GOOD, "answered_at": 5}, "`answered_at` is not a date or time"),
    ],
)
def test_a_bad_line_is_named_with_its_number_and_what_is_wrong(tmp_path, line, message):
    good, bad = read_answers(write(tmp_path, GOOD, b"", line))
    assert good.id == "a1"
    assert isinstance(bad, BadLine) and bad.number == 3 and message in str(bad)


def test_a_huge_line_is_bad_and_the_lines_after_it_are_read(tmp_path):
    long = {**GOOD, "text": "x" * MAX_LINE_BYTES}
    first, bad, last = read_answers(write(tmp_path, GOOD, long, {**GOOD, "id": "a2"}))
    assert (first.line, bad.number, last.line) == (1, 2, 3) and "longer than 4,000,000 bytes" in str(bad)


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_data(tmp_path):
    path = write(tmp_path, b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r", b"\r", json.dumps(GOOD).encode())
    assert [found.line for found in read_answers(path)] == [1, 3]


def test_csv_has_the_same_columns_and_addresses_between_white_space(tmp_path):
    text = (
        "Id,prompt,platform,text,language,country,sources,queries,run,answered_at,market\n"
        'a1,best crm,ChatGPT,"Acme, and\nothers",en,US,https://acme.com/a https://g2.com,"a\nb",2,2026-11-16,x\n'
        "\n"
        "a2,best crm,gemini,Globex is good for small teams.,,,,,,,\n"
    )
    first, second = read_answers(write(tmp_path, text.encode(), name="answers.CSV"))
    assert (first.line, first.platform, first.text, first.run) == (2, "chatgpt", "Acme, and\nothers", 2)
    assert [source.url for source in first.sources] == ["https://acme.com/a", "https://g2.com"]
    assert first.queries == ("a", "b")
    assert (second.line, second.language, second.sources, second.run) == (6, None, None, None)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_csv_of_other_spreadsheets_has_other_delimiters(tmp_path, delimiter):
    rows = [["id", "prompt", "platform", "text"], ["a1", "best crm, please", "chatgpt", "Acme, or Globex."]]
    text = "\n".join(delimiter.join(row) for row in rows)
    (found,) = read_answers(write(tmp_path, text.encode(), name="answers.csv"))
    assert (found.prompt, found.text) == ("best crm, please", "Acme, or Globex.")


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        (b"", 1, "The file is empty"),
        (b"id,prompt,text\n", 1, "missing: platform"),
        (b"id,prompt,platform,text,text\n", 1, "names a column twice: text"),
        (b"id,prompt,platform,text\na,b,c\n", 2, "The row has 3 fields, and the first line names 4 columns"),
        (b"id,prompt,platform,text\na,b,c,\n", 2, "`text` is missing"),
        (b'id,prompt,platform,text\na,b,c,"open\n', 2, "not valid CSV"),
        (b"id,prompt,platform,text\na,b,c,\xff\n", 2, "not UTF-8"),
        (b"id,prompt,platform,text,run\na,b,c,d,two\n", 2, "`run` must be a whole number"),
        (b"\xff\xfei\x00d\x00", 1, "not UTF-8"),
    ],
)
def test_what_is_wrong_with_a_csv_file_is_said(tmp_path, text, number, message):
    (bad,) = read_answers(write(tmp_path, text, name="answers.csv"))
    assert isinstance(bad, BadLine) and bad.number == number and message in str(bad)


def test_a_survey_counts_prompts_once_and_finds_ids_that_are_used_twice(tmp_path):
    path = write(
        tmp_path,
        GOOD,
        {**GOOD, "id": "a2", "prompt": "Best  CRM", "run": 2},
        {**GOOD, "id": "a3", "country": "DE"},
        {**GOOD, "platform": "gemini"},
    )
    found = survey_file(path)
    assert (found.answers, len(found.prompts), list(found.platforms)) == (3, 2, ["chatgpt"])
    assert [(bad.number, str(bad)) for bad in found.bad_lines] == [(4, "The id 'a1' is used twice, first in line 1.")]


def test_a_survey_lists_twenty_bad_lines_and_counts_the_others(tmp_path):
    found = survey_file(write(tmp_path, *[b"{"] * 25))
    assert len(found.bad_lines) == 20 and found.more_bad_lines == 5 and found.answers == 0
