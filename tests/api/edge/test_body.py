"""Request bodies: size limits (413), content types (415), broken JSON (400), and invalid fields (422)."""

import json
import time
import unicodedata

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.api.edge.body import decode_body, read_body, require_json
from sightline.api.edge.problems import build_problem_document, build_problem_response
from sightline.errors import Problem
from tests.property_testing import prove


class CompetitorBody(msgspec.Struct):
    domain: str
    name: str | None = None


class RequestBody(msgspec.Struct):
    domain: str
    keywords: list[str] = []
    max_credits: float | None = None
    count: int | None = None
    flag: bool = False
    competitors: list[str | CompetitorBody] = []
    rival: CompetitorBody | None = None


def decode_refusal(body: bytes) -> Problem:
    with pytest.raises(Problem) as refusal:
        decode_body(body, RequestBody)
    return refusal.value


def read_error(body: bytes) -> dict[str, str]:
    problem = decode_refusal(body)
    assert (problem.code, problem.kind.status) == ("validation_failed", 422)
    (error,) = problem.members["errors"]
    assert error["message"] and set(error) == {"field", "message", "code"}
    assert error["field"] in problem.detail
    return error


def read_errors(body: bytes) -> dict[str, str]:
    """Return the message of each field that is refused."""
    return {error["field"]: error["message"] for error in decode_refusal(body).members["errors"]}


def with_member(member: str) -> bytes:
    return f'{{"domain": "acme.com", {member}}}'.encode()


# Valid bodies


def test_a_body_that_fits():
    body = (
        b'{"domain": "acme.com", "keywords": ["a"], "max_credits": 1.5, "competitors": ["b.com", {"domain": "c.com"}]}'
    )
    assert decode_body(body, RequestBody) == RequestBody(
        "acme.com", ["a"], 1.5, competitors=["b.com", CompetitorBody("c.com")]
    )


@pytest.mark.parametrize(
    "member",
    [
        '"x": 1',
        '"x": null',
        '"Domain": 5',
        '"x": {"y": [1, {"z": []}]}',
        '"": ""',
        '"x": "\\ud83d\\ude00"',
        '"🙂": "é"',
    ],
)
def test_unknown_fields_are_ignored(member):
    """ "extra keys allowed"."""
    assert decode_body(with_member(member), RequestBody) == RequestBody("acme.com")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"😀"', "😀"),
        (r'"\\u0000"', r"\u0000"),
        (r'"\\ud800"', r"\ud800"),
        ('"\\uffff"', "\uffff"),
    ],
)
def test_complete_surrogate_pairs_and_escaped_backslashes_are_valid(written, meant):
    assert decode_body(f'{{"domain": {written}}}'.encode(), RequestBody).domain == meant


def test_white_space_around_the_document_is_fine():
    assert decode_body(b' \r\n\t{"domain": "a"}\n ', RequestBody) == RequestBody("a")


# Invalid fields


@pytest.mark.parametrize(
    ("member", "field"),
    [
        ('"count": "1"', "count"),
        ('"count": 1.5', "count"),
        ('"count": 1.0', "count"),
        ('"count": true', "count"),
        ('"count": []', "count"),
        ('"max_credits": "1.5"', "max_credits"),
        ('"max_credits": false', "max_credits"),
        ('"max_credits": 1e999', "max_credits"),
        ('"flag": 1', "flag"),
        ('"flag": "true"', "flag"),
        ('"flag": null', "flag"),
        ('"keywords": "a"', "keywords"),
        ('"keywords": null', "keywords"),
        ('"keywords": {}', "keywords"),
        ('"keywords": ["a", "b", "c", 4]', "keywords[3]"),
        ('"keywords": ["a", true]', "keywords[1]"),
        ('"keywords": [null]', "keywords[0]"),
        ('"rival": []', "rival"),
        ('"rival": {"domain": 1}', "rival.domain"),
        ('"rival": {"domain": "a", "name": 1}', "rival.name"),
        ('"competitors": ["a", {"domain": "b", "name": 7}]', "competitors[1].name"),
        ('"competitors": [1]', "competitors[0]"),
    ],
)
def test_values_are_not_converted_and_errors_name_the_path_of_the_field(member, field):
    assert read_error(with_member(member)) | {"message": ""} == {"field": field, "message": "", "code": "invalid"}


@pytest.mark.parametrize("value", ["1", "true", "null", "[]", "{}", "1.5"])
def test_other_types_are_not_converted_to_text(value):
    assert read_error(f'{{"domain": {value}}}'.encode())["field"] == "domain"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{}", "domain"),
        (b'{"keywords": []}', "domain"),
        (b'{"Domain": "a"}', "domain"),
        (b'{"domain": "a", "rival": {}}', "rival.domain"),
        (b'{"domain": "a", "competitors": ["b", {"name": "x"}]}', "competitors[1].domain"),
    ],
)
def test_a_missing_field_is_named_with_the_code_required(body, field):
    assert read_error(body) == {"field": field, "message": "is required", "code": "required"}


@pytest.mark.parametrize("body", [b"null", b"[]", b"1", b'"text"', b"true", b"[[]]", b" [] "])
def test_a_document_that_is_no_object_is_422(body):
    assert read_error(body)["field"] == "body"


BAD_VALUES = {
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "NUL": r'"a\u0000b"',
    "only NUL": r'"\u0000"',
    "bell": r'"\u0007"',
    "backspace": r'"a\b"',
    "form feed": r'"a\f"',
    "escape": r'"\u001b[31m"',
    "delete": '"\x7f"',
    "escaped delete": r'"\u007F"',
    "C1, next line": '"\x85"',
    "escaped C1": r'"\u009b"',
    "high surrogate": r'"\ud800"',
    "low surrogate": r'"\uDC00 x"',
    "surrogates the wrong way round": r'"\ude00\ud83d"',
    "surrogate before a letter": r'"\ud83dA"',
    "surrogate before an escape": r'"\ud83d\n"',
}


@pytest.mark.parametrize(
    ("member", "field"),
    [
        ('"domain": %s', "domain"),
        ('"max_credits": %s', "max_credits"),
        ('"keywords": ["a", "b", "c", %s]', "keywords[3]"),
        ('"rival": {"domain": %s}', "rival.domain"),
        ('"competitors": ["a", {"domain": "b", "name": %s}]', "competitors[1].name"),
        ('"competitors": [{"domain": "b", "unknown": %s}]', "competitors[0].unknown"),
        ('"unknown": %s', "unknown"),
        ('"unknown": {"deep": [[0, %s]]}', "unknown.deep[0][1]"),
        ('"unknown": [%s], "keywords": ["fine"]', "unknown[0]"),
    ],
)
def test_nan_lone_surrogates_and_control_characters_are_422_with_the_field_named(member, field):
    found = {name: read_error(with_member(member % value))["field"] for name, value in BAD_VALUES.items()}
    assert found == dict.fromkeys(BAD_VALUES, field)


@pytest.mark.parametrize("value", BAD_VALUES.values(), ids=BAD_VALUES)
def test_a_document_that_is_one_bad_value_is_422(value):
    assert read_error(value.encode())["field"] == "body"


@pytest.mark.parametrize("name", [r'"\u0000"', r'"a\u0000"', r'"\ud800"', r'"domain\udfff"'])
@pytest.mark.parametrize(
    ("member", "field"),
    [
        ("%s: 1", "body"),
        ("%s: NaN", "body"),
        ('"unknown": {%s: 1}', "unknown"),
        ('"competitors": [{%s: 1}]', "competitors[0]"),
    ],
)
def test_bad_values_in_names_of_members_are_422(name, member, field):
    errors = read_errors(with_member(member % name))
    assert "name" in errors.pop(field)
    assert list(errors) == (["competitors[0].domain"] if "competitors" in member else []), "the name is another one"


def test_surrogates_in_the_bytes_themselves_are_refused():
    body = b'{"domain": "\xed\xa0\x80"}'
    assert decode_refusal(body).code in {"invalid_json", "validation_failed"}
    assert decode_refusal(b'{"domain": "a", "x": "\xed\xa0\x80"}').code in {"invalid_json", "validation_failed"}


# Broken JSON

BROKEN = {
    "empty": b"",
    "white space": b" \n",
    "no JSON": b"domain=acme.com",
    "truncated": b'{"domain": "acme.com"',
    "truncated in a text": b'{"domain": "acme',
    "truncated in an escape": b'{"domain": "\\u00',
    "truncated after a comma": b'{"domain": "a",',
    "trailing comma": b'{"domain": "a",}',
    "trailing comma in a list": b'{"domain": "a", "keywords": ["a",]}',
    "two documents": b'{"domain": "a"}{"domain": "b"}',
    "two lines": b'{"domain": "a"}\n{"domain": "b"}',
    "a character after the end": b'{"domain": "a"}]',
    "NUL after the end": b'{"domain": "a"}\x00',
    "single quotes": b"{'domain': 'a'}",
    "no quotes": b'{domain: "a"}',
    "comment": b'{"domain": "a" /* x */}',
    "leading zero": b'{"domain": "a", "x": 01}',
    "leading plus": b'{"domain": "a", "x": +1}',
    "hexadecimal": b'{"domain": "a", "x": 0x1}',
    "bare point": b'{"domain": "a", "x": 1.}',
    "Python's names": b'{"domain": "a", "x": None}',
    "unknown escape": b'{"domain": "a", "x": "\\x41"}',
    "raw line break": b'{"domain": "a\nb"}',
    "raw NUL": b'{"domain": "a\x00b"}',
    "raw control character, unknown member": b'{"domain": "a", "x": "\x01"}',
    "invalid UTF-8": b'{"domain": "\xff"}',
    "invalid UTF-8 in an unknown member": b'{"domain": "a", "x": "\xff"}',
    "invalid UTF-8 in a name": b'{"domain": "a", "\xff": 1}',
    "invalid UTF-8 between": b'{"domain": "a"\xff}',
    "overlong UTF-8": b'{"domain": "\xc0\x80"}',
    "UTF-8 cut off": b'{"domain": "\xc3"}',
    "latin-1": '{"domain": "bücher.de"}'.encode("latin-1"),
    "UTF-16": '{"domain": "a"}'.encode("utf-16"),
    "UTF-16 without mark": '{"domain": "a"}'.encode("utf-16-le"),
    "UTF-32": '{"domain": "a"}'.encode("utf-32"),
    "byte order mark": b'\xef\xbb\xbf{"domain": "a"}',
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_broken_json_is_400_invalid_json(body):
    problem = decode_refusal(body)
    assert (problem.code, problem.kind.status) == ("invalid_json", 400)


@pytest.mark.parametrize(
    "body",
    [
        b'{"domain": 1',
        b'{"domain": 1,}',
        b'{"domain": null} trailing',
        b"[",
        b"[1, 2",
        b"nul",
        b'{"keywords": [1, 2, }',
        b'{"domain": 1, "x": "\xff"}',
        b'{"count": NaN, "domain": ',
        b'{"domain": "\\u0000"',
        b"[" * 60_000,
    ],
    ids=lambda body: repr(body)[:30],
)
def test_broken_json_is_400_even_where_a_field_before_the_break_is_wrong_too(body):
    """Refuse broken JSON as such, because it has no field to name."""
    assert decode_refusal(body).code == "invalid_json"


@pytest.mark.parametrize("depth", [10_000, 30_000, 60_000])
@pytest.mark.parametrize(
    "shape",
    [
        "%(open)s",
        "%(open)s%(close)s",
        '{"domain": "a", "x": %(open)s',
        '{"domain": "a", "x": %(open)s%(close)s}',
        '{"x": %(open)s"\\u0000"%(close)s}',
    ],
)
def test_deep_nesting_is_refused_in_bounded_time(shape, depth):
    started = time.process_time()
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        body = (shape % {"open": opening * depth, "close": closing * depth}).encode()
        assert decode_refusal(body).code in {"invalid_json", "validation_failed"}
    assert time.process_time() - started < 2


@pytest.mark.parametrize("depth", [100, 300, 500, 900, 1_500])
def test_a_bad_value_under_many_levels_is_found_or_refused(depth):
    for bad in (r'"\u0000"', r'"\ud800"', "NaN"):
        body = f'{{"domain": "a", "x": {"[" * depth}{bad}{"]" * depth}}}'.encode()
        problem = decode_refusal(body)
        assert problem.code in {"invalid_json", "validation_failed"}
        assert encoded(problem)["status"] == problem.kind.status


@pytest.mark.parametrize(("name", "value"), [("x", rb'"\u0000"'), ("keywords", b"1")])
def test_of_many_wrong_fields_a_hundred_are_named(name, value):
    body = b'{"domain": "a", "%b": [%b]}' % (name.encode(), b",".join([value] * 7_000))
    started = time.process_time()
    assert list(read_errors(body)) == [f"{name}[{index}]" for index in range(100)]
    assert time.process_time() - started < 1


# Properties


def encoded(problem: Problem) -> dict[str, object]:
    """Return the problem document as it is sent."""
    facts = {"request_id": "req", "path": "/api/v1/console/scans", "base_url": "http://test"}
    reply = build_problem_response(problem, **facts)
    assert (b"content-type", b"application/problem+json") in reply.headers
    document = json.loads(reply.body)
    assert document == json.loads(json.dumps(build_problem_document(problem, **facts)))
    assert document["status"] == reply.status == problem.kind.status
    assert document["code"] == problem.code and document["request_id"] == "req"
    return document


def check(body: bytes) -> None:
    try:
        given = decode_body(body, RequestBody)
    except Problem as problem:
        assert problem.code in {"invalid_json", "validation_failed"}  # noqa: PT017
        encoded(problem)
    else:
        assert type(given) is RequestBody
        msgspec.json.encode(given)


@prove
@given(st.binary(max_size=80))
@example(b"\xff\xfe")
@example(b"\x00\x00\xfe\xff")
@example(b"\\u0000")
@example(b"9" * 5_000)
@example(b'{"domain":"a","x":NaN,"y":' + b"9" * 5_000 + b"}")
@example(b'{"domain":"a","count":' + b"9" * 5_000 + b"}")
def test_any_bytes_are_decoded_or_refused(body):
    check(body)


FRAGMENTS = [
    *[
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b'"',
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b"\\udc00",
        b"NaN",
        b"Infinity",
        b"-",
        b"1e999",
    ],
    *[
        b'"domain"',
        b'"domain":',
        b'"keywords":[',
        b'"competitors":[{"name":',
        b'"rival":{',
        b'"x"',
        b"null",
        b"true",
        b"1",
        b" ",
    ],
    *[
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\n",
        b"`",
        b"$",
        b".",
        b" - at `$.x`",
        b"missing required field `x`",
    ],
]


@prove
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map(b"".join))
def test_anything_like_json_is_a_struct_or_a_problem(body):
    check(body)
    check(b'{"domain":"a",' + body + b"}")


anything = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(exclude_categories=()), max_size=5)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(
                st.sampled_from(["domain", "keywords", "competitors", "rival", "name"]),
                st.text(st.characters(exclude_categories=()), max_size=3),
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=8,
)


def has_bad_value(value: object) -> bool:
    if isinstance(value, str):
        return any(
            "\ud800" <= character <= "\udfff" or (unicodedata.category(character) == "Cc" and character not in "\t\n\r")
            for character in value
        )
    if isinstance(value, float):
        return value != value or value in {float("inf"), float("-inf")}  # noqa: PLR0124 - NaN
    if isinstance(value, dict):
        return any(map(has_bad_value, [*value, *value.values()]))
    return isinstance(value, list) and any(map(has_bad_value, value))


@prove
@given(anything, st.booleans())
def test_a_document_with_a_bad_value_anywhere_is_422_and_others_are_not_refused_for_it(extra, escaped):
    body = json.dumps({"domain": "acme.com", "unknown": extra}, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    if has_bad_value(json.loads(body)):  # a pair of lone halves may have become a whole one
        errors = read_errors(body)
        assert errors and all(field.startswith("unknown") for field in errors)
    else:
        assert decode_body(body, RequestBody) == RequestBody("acme.com")


@prove
@given(anything)
def test_every_refusal_is_a_document_that_can_be_sent(document):
    check(json.dumps(document).encode())


# Reading


def receiving(*chunks: bytes, then: str = "http.request"):
    messages = [
        {"type": "http.request", "body": chunk, "more_body": place < len(chunks) - 1 or then != "http.request"}
        for place, chunk in enumerate(chunks)
    ]
    if then != "http.request":
        messages.append({"type": then})
    asked = iter(messages)

    async def receive():
        return next(asked)

    return receive, asked


async def refused_size(receive, declared, limit) -> Problem:
    with pytest.raises(Problem) as refusal:
        await read_body(receive, declared, limit)
    assert (refusal.value.code, refusal.value.kind.status) == ("payload_too_large", 413)
    assert refusal.value.members == {"limit": limit}
    return refusal.value


@pytest.mark.parametrize("chunks", [[b"x" * 100], [b"x" * 99, b"x"], [b"x"] * 100, [b"", b"x" * 100, b""]])
@pytest.mark.parametrize("declared", [None, "100"])
async def test_a_body_of_exactly_the_limit_passes(chunks, declared):
    receive, _ = receiving(*chunks)
    assert await read_body(receive, declared, 100) == b"x" * 100


@pytest.mark.parametrize("chunks", [[b"x" * 101], [b"x" * 100, b"x"], [b"x"] * 101])
@pytest.mark.parametrize("declared", [None, "5", "-1", "nonsense", ""])
async def test_one_byte_more_is_413_whatever_was_declared(chunks, declared):
    receive, _ = receiving(*chunks)
    await refused_size(receive, declared, 100)


async def test_a_declared_length_above_the_limit_is_refused_before_anything_is_read():
    receive, left = receiving(b"x" * 101)
    await refused_size(receive, "101", 100)
    assert len(list(left)) == 1


async def test_reading_stops_at_the_first_byte_too_many():
    receive, left = receiving(*[b"x" * 60] * 1_000)
    await refused_size(receive, None, 100)
    assert len(list(left)) == 998


async def test_the_chunks_come_back_in_order():
    receive, _ = receiving(b"a", b"", b"b", b"c")
    assert await read_body(receive, "3", 100) == b"abc"


async def test_an_empty_body_and_messages_without_members():
    receive, _ = receiving(b"")
    assert await read_body(receive, "0", 0) == b""

    async def bare():
        return {"type": "http.request"}

    assert await read_body(bare, None, 10) == b""


async def test_an_incomplete_body_is_refused():
    receive, _ = receiving(b'{"domain": "acme.com"}', then="http.disconnect")
    with pytest.raises(Problem, match="invalid_json"):
        await read_body(receive, None, 100)


@pytest.mark.parametrize("declared", ["²", "٣", "1_0", "+5", " 5", "0x5"])
async def test_a_declared_length_that_is_no_number_is_ignored(declared):
    receive, _ = receiving(b"abc")
    assert await read_body(receive, declared, 100) == b"abc"


async def test_a_declared_length_of_thousands_of_digits_is_413():
    receive, _ = receiving(b"abc")
    await refused_size(receive, "9" * 5_000, 100)


# The content type


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "APPLICATION/JSON",
        "Application/Json",
        " application/json ",
        "application/json;",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
        "application/json ; Charset=Utf-8",
    ],
)
@pytest.mark.parametrize("encoding", [None, "", "identity"])
def test_application_json_passes_in_every_spelling(content_type, encoding):
    require_json(content_type, encoding)


@pytest.mark.parametrize(
    "content_type",
    ["application/json; odata=verbose", "application/json; charset=utf-8; v=1", "application/json; v=1; charset=utf-8"],
)
def test_unknown_parameters_of_the_content_type_are_ignored(content_type):
    """RFC 2045, 5: "ignore any parameters whose names they do not recognize"."""
    require_json(content_type, None)


def test_content_encoding_identity_is_accepted():
    """RFC 9110, 8.4.1: "All content codings are case-insensitive"."""
    require_json("application/json", "Identity")


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/problem+json",
        "application/jsonp",
        "application/json-seq",
        "application/vnd.api+json",
        "json",
        "*/*",
        "application/*",
        "application/json, text/plain",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        'application/json; charset="iso-8859-1"',
        "text/plain; application/json",
        "é",
    ],
)
def test_a_wrong_content_type_is_415(content_type):
    with pytest.raises(Problem) as refusal:
        require_json(content_type, None)
    assert (refusal.value.code, refusal.value.kind.status) == ("unsupported_media_type", 415)


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "gzip, identity", "x"])
def test_a_compressed_body_is_refused(encoding):
    with pytest.raises(Problem) as refusal:
        require_json("application/json", encoding)
    assert (refusal.value.code, refusal.value.kind.status) == ("unsupported_media_type", 415)
    assert "Content-Encoding" in refusal.value.detail
