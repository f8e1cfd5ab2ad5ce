"""The report of one scan: it escapes everything, loads nothing, and shows the results."""

import re
from datetime import UTC, date, datetime
from html.parser import HTMLParser

import msgspec
import pytest
import vl_convert

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import Brand
from sightline.presentation.palette import DARK, LIGHT
from sightline.reports.scan_report import build_charts, highlight, render_scan_report
from sightline.scans.record import summarize_scan
from tests.scans.small_scans import answer, plan, small_scan

NASTY = "<script>alert(1)</script>\"'&{{ 7*7 }}"
NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
VOID = {"meta", "br", "img", "input", "link", "hr"}
LOADS = {"src", "href", "xlink:href", "action", "data", "poster", "srcset", "background", "formaction"}


class PageParser(HTMLParser):
    """Collects the elements of a page, and fails if they are not nested correctly."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.attributes, self.headings, self.ids = [], [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def summarize(made, answers, **more):
    defaults = {"answers_source": "live", "prompts_source": "given", "started_at": NOW, "stopped": False}
    return summarize_scan(made, answers, **{**defaults, **more})


def hostile_scan():
    made = plan(
        f"best {NASTY} crm",
        brand=Brand(f"Acme{NASTY}", ("Acme",), ("acme.com",)),
        competitors=(Brand(f"Globex {NASTY}", ("Globex",)),),
        platforms=("chatgpt", "gemini"),
    )
    text = f"1. Acme {NASTY} </div></details><img src=x onerror=alert(1)>\n2. Globex\n<style>*{{display:none}}</style>"
    url = f"https://evil.com/{NASTY}"
    return summarize(
        made,
        [
            answer(made, 1, "chatgpt", text, url, "javascript:alert(1)", queries=(NASTY,)),
            answer(made, 1, "gemini", "", fault="malformed"),
        ],
        note=NASTY,
    )


def assert_safe(html):
    page = PageParser(html)
    assert not {"script", "iframe", "object", "embed", "form", "link", "img", "base"} & set(page.tags)
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in LOADS:
            assert value.startswith("#"), (tag, name, value)
        if name == "style":
            assert "url(" not in value
    assert "@import" not in html and "url(" not in html
    return page


def test_hostile_names_prompts_and_answers_stay_text():
    html = render_scan_report(hostile_scan())
    page = assert_safe(html)
    assert "<script" not in html and "onerror=alert(1)>" not in html
    assert "{{ 7*7 }}" in html and "&lt;script&gt;alert(1)" in html  # shown, not run
    assert page.tags.count("style") == 1


def test_the_page_is_well_formed_and_its_headings_are_in_order():
    made, answers = small_scan()
    page = assert_safe(render_scan_report(summarize(made, answers)))
    assert page.headings[0] == 1 and page.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert len(page.ids) == len(set(page.ids))
    targets = {value[1:] for _, name, value in page.attributes if name == "href"}
    assert targets and targets <= set(page.ids)
    assert page.tags.count("svg") == 4 == page.tags.count("desc")  # each chart has a description
    assert page.tags.count("caption") == page.tags.count("table") > 3


def test_the_report_shows_the_results():
    made, answers = small_scan()
    html = render_scan_report(summarize(made, answers))
    for sign in (
        "66.7",
        "20.8\u201393.9",
        "1 of 2",
        "50.0%",
        "2 of 3 answers",
        "for these prompts",
        "Early reading",
        "Incomplete",
    ):
        assert sign in html, sign
    assert "no range for questions like these: fewer than five prompts" in html
    for sign in (
        "m-1-0815",
        "15 Nov 2026",
        "metrics version 2",
        f"extractor version {EXTRACTOR_VERSION}",
        "no answer in time",
    ):
        assert sign in html, sign
    assert "made up" not in html
    assert "never cites" in html  # DeepSeek: not 0


def test_a_sandbox_report_says_prominently_that_it_is_made_up():
    made, answers = small_scan()
    html = render_scan_report(summarize(made, answers, answers_source="sandbox", day=date(2026, 1, 2)))
    assert '<p class="shout">Sandbox: all answers are made up.</p>' in html and "2 Jan 2026" in html
    assert "<title>Sandbox: " in html


def test_without_a_valid_answer_the_report_has_no_chart():
    made = plan("best crm", platforms=("chatgpt",))
    html = render_scan_report(summarize(made, [answer(made, 1, "chatgpt", "", fault="no_money")], stopped=True))
    assert_safe(html)
    assert "<svg" not in html and "there are no figures for Acme" in html and "quota or credit used up" in html
    assert "Stopped early" in html
    assert_safe(render_scan_report(summarize(made, [], stopped=True)))


def test_mentions_are_highlighted():
    made = plan("best crm", platforms=("chatgpt",))
    scan_answer = answer(made, 1, "chatgpt", "Für **Acme** 🚀 spricht viel; Globex & Acme's Preise sind gleich.")
    pieces = list(highlight(scan_answer))
    assert "".join(text for text, _ in pieces) == scan_answer.text
    assert [(text, who) for text, who in pieces if who == "competitor"] == [("Globex", "competitor")]
    assert next(text for text, who in pieces if who == "own") == "Acme"
    html = render_scan_report(summarize(made, [scan_answer]))
    assert '<mark class="competitor">Globex</mark> &amp; <mark class="own">Acme' in html


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("chart", ["visibility", "coverage", "share", "positions"])
def test_every_chart_renders_at_the_width_of_a_phone(chart, palette):
    for scan in (hostile_scan(), summarize(*small_scan())):
        spec = build_charts(scan.results, "Acme", palette)[chart]
        assert msgspec.json.decode(msgspec.json.encode(spec)) == spec
        svg = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
        assert "<script" not in svg and "NaN" not in svg
        assert int(re.search(r'width="(\d+)"', svg)[1]) <= 360
        PageParser(svg)
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', svg)]
        assert min(sizes) >= 11
        assert palette.own in svg or chart == "positions"


def test_charts_contain_the_figures_with_their_intervals():
    scan = summarize(*small_scan())
    charts = build_charts(scan.results, "Acme")
    rows = charts["visibility"]["data"]["values"]
    first = scan.results.platforms[0].visibility_score
    assert rows[0] == {
        "name": "ChatGPT", "value": first.value, "low": first.low, "high": first.high, "label": "100.0",
    }  # fmt: skip
    cells = charts["positions"]["data"]["values"]
    assert [cell["state"] for cell in cells] == ["first", "absent", "failed", "first"]
    shares = charts["share"]["data"]["values"]
    assert {(row["name"], row["value"], row["own"]) for row in shares} == {
        ("Acme", 50.0, True),
        ("Globex", 50.0, False),
    }


def test_a_report_has_a_dark_theme():
    colors = [getattr(LIGHT, name) for name in LIGHT.__struct_fields__]
    assert len(set(colors)) == len(colors)  # otherwise one rule of the style sheet would override another
    html = render_scan_report(summarize(*small_scan()))
    for old, new in zip(colors, (getattr(DARK, name) for name in DARK.__struct_fields__), strict=True):
        assert f'.chart [fill="{old}"] {{ fill: {new}; }}' in html
