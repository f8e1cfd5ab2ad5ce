"""The name that a site declares: JSON-LD, then og:site_name, then application-name; never the title, never inferred."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.competitors.site_name import parse_site_name
from tests.property_testing import prove


def json_ld(body: str, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{body}</script>'


def meta(key: str, value: str, by: str = "property") -> str:
    return f'<meta {by}="{key}" content="{value}">'


ORGANISATION = json_ld('{"@context": "https://schema.org", "@type": "Organization", "name": "Globex"}')
WEBSITE = json_ld('{"@type": "WebSite", "name": "Globex Online"}')
OPEN_GRAPH = meta("og:site_name", "Globex OG")
APPLICATION = meta("application-name", "Globex App", by="name")
TITLE = "<title>Globex: the best anvils</title>"


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ([TITLE, APPLICATION, OPEN_GRAPH, WEBSITE, ORGANISATION], "Globex"),
        ([TITLE, APPLICATION, OPEN_GRAPH, WEBSITE], "Globex Online"),
        ([TITLE, APPLICATION, OPEN_GRAPH], "Globex OG"),
        ([TITLE, APPLICATION], "Globex App"),
        ([TITLE, meta("og:title", "Globex"), meta("author", "Globex", by="name")], None),
        ([], None),
    ],
)
def test_the_order_of_declarations(parts, name):
    assert parse_site_name("<html><head>" + "\n".join(parts) + "</head><body><h1>Globex</h1></body></html>") == name


@pytest.mark.parametrize(
    "body",
    [
        '[{"@type": "BreadcrumbList"}, {"@type": "Organization", "name": "Globex"}]',
        '{"@graph": [{"@type": "WebPage", "name": "Home"}, {"@type": ["Corporation", "Brand"], "name": "Globex"}]}',
        '{"@graph": {"@type": "https://schema.org/Organization", "name": "Globex"}}',
        '{"@type": "schema:Organization", "name": [{"@value": "Globex", "@language": "en"}, "Le Globex"]}',
        '{"@type": "Organization", "name": "Glo\\u0062ex", "founder": null}',
        '{"@type": "Organization",\n"name": "  Globex\n "}',  # a raw line break, as editors leave them
        '{"@type": "LocalBusiness", "name": "\\u202eGlobex\\u0000\\u0007"}',
    ],
)
def test_shapes_of_json_ld(body):
    assert parse_site_name(json_ld(body)) == "Globex"
    assert parse_site_name(json_ld(body, "Application/LD+JSON; charset=utf-8")) == "Globex"


@pytest.mark.parametrize(
    "body",
    [
        "", "{", "nonsense", '{"@type": "Organization"}', '{"@type": "Organization", "name": null}', "null", "7", '"x"',
        '{"@type": "Organization", "name": {"@id": "#name"}}', '{"@type": "Organization", "name": 7}', "[" * 100_000,
        '{"@type": "Organization", "name": ["", {}]}', '{"@type": {"a": 1}, "name": "No"}', '{"name": "No"}',
        '{"@type": "Product", "name": "No", "brand": {"@type": "Organization", "name": "Not the site"}}',
        '{"@type": "Article", "publisher": {"@type": "Organization", "name": "Not the site"}}',
        '{"@type": "Organization", "name": "' + "x" * 201 + '"}', '{"@type": "Organization", "name": "\\ud800"}',
        '{"@type": "Organization", "name": "Glob\ufffdex"}', '{"@type": "Organization", "name": "***"}',
        '{"@type": "Person", "name": "No"}', '{"@type": "Organization", "name": "Globex",}', "1" * 10_000,
    ],
)  # fmt: skip
def test_what_is_broken_or_no_name_of_the_site_is_passed_over(body):
    assert parse_site_name(json_ld(body) + OPEN_GRAPH) == "Globex OG"
    assert parse_site_name(json_ld(body) + ORGANISATION) == "Globex"


def test_entities_are_read():
    assert parse_site_name(meta("og:site_name", "Marks &amp; Spencer&#x27;s")) == "Marks & Spencer's"
    assert parse_site_name(json_ld('{"@type": "Organization", "name": "Marks &amp; Spencer"}')) == "Marks & Spencer"


@pytest.mark.parametrize("value", ["", " ", "x" * 201, "x" * 5_000, "\x00", "&#0;", "\ufffd"])
def test_absurd_names_are_none(value):
    assert parse_site_name(meta("og:site_name", value)) is None
    assert parse_site_name(meta("og:site_name", value) + meta("og:site_name", "Globex")) == "Globex"
    assert parse_site_name(meta("og:site_name", "x" * 200)) == "x" * 200


@pytest.mark.parametrize(
    "html",
    [
        "<!-- <meta property='og:site_name' content='Old'> -->" + OPEN_GRAPH,
        "<script>document.write(\"<meta property='og:site_name' content='Old'>\")</script>" + OPEN_GRAPH,
        "<a title=\"<meta property='og:site_name' content='Old'>\">x</a>" + OPEN_GRAPH,
        "<title><meta property='og:site_name' content='Old'></title>" + OPEN_GRAPH,
        "<style>a > b { c: '<meta' }</style>" + OPEN_GRAPH,
        "<!doctype html><?xml?><p a=1 b='2' c>5 < 6 & </p >" + OPEN_GRAPH,
        "<META CONTENT='Globex OG' data-x=1 PROPERTY=OG:site_name />",
        "<meta\nproperty = og:site_name\n content = 'Globex OG'>",
        '<meta content="Globex OG" content="Second" name="og:site_name">',
        "<script type=application/ld+json>{</SCRIPT >" + OPEN_GRAPH,
    ],
)
def test_tags_are_read_as_browsers_read_them(html):
    assert parse_site_name(html) == "Globex OG"


@pytest.mark.parametrize("unit", ["<", "<!--", "<a ", "<a b='", '<a b="', "<a b='\"", "<script>", "</a ", "<a =", "<!"])
@pytest.mark.timeout(20)
def test_no_page_is_slow_to_read(unit):
    started = time.process_time()
    assert parse_site_name(unit * (512 * 1024 // len(unit))) is None
    assert time.process_time() - started < 2


@prove
@given(st.lists(st.sampled_from([*"<>!-/='\" &;", "meta", "script", "content", "og:site_name", "property", "{", "]"])))
def test_no_page_breaks_the_reader(parts):
    found = parse_site_name("".join(parts))
    assert found is None or found.isprintable()
