"""Files of answers: what is read, and what is said about each line that is not an answer."""

import csv
import json
import re
from datetime import UTC, datetime

import pytest

from sightline.platforms.models import Source
from sightline.scans.answer_files import records, survey
from sightline.scans.answer_files.columns import UnreadableFile, find_layout
from sightline.scans.answer_files.lines import MAX_LINE_BYTES, BadLine

GOOD = {"id": "a1", "prompt": "best crm", "platform": "chatgpt", "text": "Acme is a solid choice for teams."}


def read_answers(path):
    layout = find_layout(path)
    layout.require_text()
    return records.read_answers(path, layout)


def survey_file(path):
    return survey.survey_file(path, find_layout(path))


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
        (b"\x81\xfe", "not UTF-8"),
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
        ({**GOOD, "language": "klingon"}, "`language` is not valid: a language has two letters"),
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
    assert (second.line, second.language, second.sources, second.run) == (4, None, None, None)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_csv_of_other_spreadsheets_has_other_delimiters(tmp_path, delimiter):
    rows = [["id", "prompt", "platform", "text"], ["a1", "best crm, please", "chatgpt", "Acme, or Globex."]]
    text = "\n".join(delimiter.join(row) for row in rows)
    (found,) = read_answers(write(tmp_path, text.encode(), name="answers.csv"))
    assert (found.prompt, found.text) == ("best crm, please", "Acme, or Globex.")


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        (b"id,prompt,platform,text\na,b,c\n", 2, "The row has 3 fields, and the first line names 4 columns"),
        (b"id,prompt,platform,text\na,b,c,\n", 2, "`text` is missing"),
        (b'id,prompt,platform,text\na,b,c,"open\n', 2, "not valid CSV"),
        (b"id,prompt,platform,text\na,b,c,\x81\n", 2, "not UTF-8"),
        (b"id,prompt,platform,text,run\na,b,c,d,two\n", 2, "`run` must be a whole number"),
        (b"prompt,text\na,#NAME?\n", 2, "`text` is #NAME?: a spreadsheet took the text for a formula"),
    ],
)
def test_what_is_wrong_with_a_row_of_a_csv_file_is_said(tmp_path, text, number, message):
    (bad,) = read_answers(write(tmp_path, text, name="answers.csv"))
    assert isinstance(bad, BadLine) and bad.number == number and message in str(bad)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty"),
        (b" \n\n", "The file is empty"),
        (b"name;date\nx;y\n", "No column holds the answers. The columns are 'name', 'date'"),
        (b"id,prompt,platform,text,text\n", "Two columns are called 'text'"),
        (b"PK\x03\x04", "a ZIP archive or an Excel file. Save the answers as CSV"),
        (b"\xd0\xcf\x11\xe0", "an old Excel file"),
        (b"a\0b", "not a text file"),
        (b'[{"text": "x"}]', "one JSON list"),
        (b"\x81\n", "cannot be read as text"),
    ],
)
def test_a_file_that_is_not_one_of_answers_is_refused(tmp_path, content, message):
    with pytest.raises(UnreadableFile, match=re.escape(message)):
        read_answers(write(tmp_path, content, name="answers.csv"))


def read_only(path):
    (found,) = read_answers(path)
    return found


GERMAN = "Antwort-ID;Frage;KI-Modell;Datum;Land;Sprache;Antwort;Quellen;Thema\nx1;bestes CRM;ChatGPT;03.04.2026 09:30;"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_an_export_of_a_german_spreadsheet_is_read_in_every_encoding_it_is_saved_in(tmp_path, encoding):
    text = (
        GERMAN
        + 'Österreich;Deutsch;"Acme ist für kleine Teams gut; Globex für große.";"https://a.at/x, https://b.at";CRM\r\n'
    )
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    path = write(tmp_path, mark + text.encode(encoding), name="Export.csv")
    found = read_only(path)
    assert (found.id, found.prompt, found.platform) == ("x1", "bestes CRM", "chatgpt")
    assert (found.country, found.language) == ("AT", "de")
    assert found.answered_at == datetime(2026, 4, 3, 9, 30, tzinfo=UTC)
    assert found.text == "Acme ist für kleine Teams gut; Globex für große."
    assert [source.url for source in found.sources] == ["https://a.at/x", "https://b.at"]
    assert found.was_recoded == (encoding == "cp1252")
    assert find_layout(path).unused == ("Thema",)


def test_a_file_whose_lines_have_different_encodings_is_read_and_the_odd_answers_are_counted(tmp_path):
    rows = [b"prompt,text", "a,Müller is good.".encode(), "b,Müller is better.".encode("cp1252")]
    found = survey_file(write(tmp_path, *rows, name="answers.csv"))
    assert (found.answers, found.recoded, found.bad_count) == (2, 1, 0)
    texts = [answer.text for answer in read_answers(tmp_path / "answers.csv")]
    assert texts == ["Müller is good.", "Müller is better."]


def test_a_title_and_a_separator_before_the_columns_are_skipped(tmp_path):
    content = b"sep=;\nReport of Acme, all platforms\n\nPrompt;Response;Engine\nbest crm;Acme, of course.;Perplexity\n"
    found = read_only(write(tmp_path, content, name="answers.csv"))
    assert (found.line, found.prompt, found.text, found.platform) == (5, "best crm", "Acme, of course.", "perplexity")


def test_formulas_are_text_and_the_addresses_in_them_are_read(tmp_path):
    rows = [
        ["prompt", "text", "sources"],
        ["'=best crm", "=1+1 is what Acme says.", '=HYPERLINK("https://acme.com/a";"Acme")'],
        ["-best crm", "@Acme is fine.", "acme.com; g2.com/crm"],
        ["best crm", "+Acme", '[{"url": "https://acme.com/b", "title": "B"}]'],
    ]
    with (tmp_path / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    first, second, third = read_answers(tmp_path / "answers.csv")
    assert (first.prompt, first.text) == ("=best crm", "=1+1 is what Acme says.")
    assert [each.url for each in first.sources] == ["https://acme.com/a"]
    assert [each.url for each in second.sources] == ["https://acme.com", "https://g2.com/crm"]
    assert third.sources == (Source("https://acme.com/b", "B"),)


@pytest.mark.parametrize(
    ("values", "dates"),
    [
        (["11/16/2026", "03/04/2026"], ["2026-11-16", "2026-03-04"]),
        (["16/11/2026", "03/04/2026"], ["2026-11-16", "2026-04-03"]),
        (["03.04.2026", "16.11.2026 9:30"], ["2026-04-03", "2026-11-16"]),
        (["03/04/2026", "04/04/2026"], [None, "2026-04-04"]),
        (["Nov 16, 2026", "16 November 2026"], ["2026-11-16", "2026-11-16"]),
        (["46342", "46342.75"], ["2026-11-16", "2026-11-16"]),
        (["1794787200", "1794787200000"], ["2026-11-16", "2026-11-16"]),
        (["11/16/2026 11:30 PM", "2026-11-16T23:30:00-05:00"], ["2026-11-16", "2026-11-17"]),
    ],
)
def test_dates_are_read_as_exports_write_them(tmp_path, values, dates):
    rows = "\n".join(f'"{value}",Acme is a solid choice.' for value in values)
    found = list(read_answers(write(tmp_path, f"Date,Answer\n{rows}\n".encode(), name="answers.csv")))
    assert [each.answered_at and each.answered_at.date().isoformat() for each in found] == dates
    assert [each.has_ambiguous_date for each in found] == [date is None for date in dates]


def test_a_file_with_nothing_but_texts_is_enough(tmp_path):
    first, second = read_answers(write(tmp_path, b"Antwort\nAcme is good.\nGlobex is better.\n", name="answers.txt"))
    assert (first.id, first.prompt, first.platform, first.sources) == ("2", records.NO_PROMPT, "unknown", None)
    assert second.id == "3"


def test_people_choose_other_columns(tmp_path):
    path = write(tmp_path, b"id,text,summary,engine\n1,long text,short,Gemini\n", name="answers.csv")
    layout = find_layout(path)
    chosen = layout.choose({"text": "summary", "id": "", "prompt": "text"})
    assert chosen.columns == {"text": "summary", "prompt": "text", "platform": "engine"}
    with pytest.raises(UnreadableFile, match="There is no column 'other'"):
        layout.choose({"text": "other"})
    with pytest.raises(UnreadableFile, match="There is no field 'summary'"):
        layout.choose({"summary": "text"})
    with pytest.raises(UnreadableFile, match="chosen for two fields"):
        layout.choose({"text": "summary", "prompt": "summary"})


def test_a_file_with_many_bad_rows_is_not_usable_and_one_with_few_is(tmp_path):
    def survey_of(bad):
        lines = [json.dumps({**GOOD, "id": str(number)}).encode() for number in range(20)]
        return survey_file(write(tmp_path, *lines, *[b"{"] * bad))

    assert survey_of(0).is_usable and survey_of(2).is_usable and not survey_of(3).is_usable


def test_what_follows_an_unreadable_row_is_never_silently_missing(tmp_path):
    rows = [b"prompt,text", *[b"a,Acme is good."] * 99, b'b,"open']
    found = survey_file(write(tmp_path, *rows, name="answers.csv"))
    assert found.answers == 99 and found.is_cut_short and not found.is_usable


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
