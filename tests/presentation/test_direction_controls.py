"""Direction controls in names and answers: people see marks, while forms and links keep the characters."""

from typing import NamedTuple

import pytest

from sightline.presentation.charts.bar_charts import build_share_of_voice_chart
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.direction_controls import show_direction_controls, show_direction_controls_in_html
from sightline.presentation.palette import LIGHT
from sightline.web.chart_cache import escape_json

CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
OTHERS = "\u200e\u200f\u061c\u200b\u200d"  # LRM, RLM, ALM, and two that change no order


class Share(NamedTuple):
    name: str
    share_of_voice_pct: float = 12.0
    is_own: bool = True


def test_each_override_embedding_and_isolate_becomes_its_code_point():
    assert show_direction_controls("Ac\u202eme") == "Ac[U+202E]me"
    shown = show_direction_controls(f"a{CONTROLS}b")
    assert shown.isascii() and shown.count("[U+") == len(CONTROLS) == 9


def test_marks_of_mixed_text_and_all_other_characters_stay():
    text = f"Acme {OTHERS} أكمي שלום [U+202E] <b> \n"
    assert show_direction_controls(text) == text


@pytest.mark.parametrize(
    "html",
    [
        "<title>*a</title><p>a &lt;b&gt; *c</p>",
        '<td data-name="*" title="a *">*</td>',
        '<a href="/x?y=\u202e" aria-label="*">*</a>',
        '<input name="\u202e" value="\u202e" placeholder="*">',
        '<select><option value="\u202e">*</option></select>',
        "<textarea>\n\u202e</textarea>*",
        "<p> value=&#34;*&#34;</p>",
        '<script type="application/json">{"a":" value=\\"*\\""}</script>',
    ],
)
def test_a_page_shows_them_except_in_what_a_form_sends_and_where_a_link_leads(html):
    assert show_direction_controls_in_html(html.replace("*", "\u202e")) == html.replace("*", "[U+202E]")


def test_charts_show_them_where_the_layout_counts_their_width():
    spec = build_share_of_voice_chart([Share("A\u202eb")], LIGHT)
    svg = render_svg(spec, "share", "Acme \u202e", "A \u2066b")
    assert not any(control in svg + escape_json(spec) for control in CONTROLS)
    assert ">A[U+202E]b</text>" in svg and "Acme [U+202E]</title>" in svg and "A [U+2066]b</desc>" in svg


@pytest.mark.parametrize(
    "character", ["\uffff", "\ufffe", "\0", "\x0b", "\x1f", "\u2028", "\u2029", "\ud800"], ids=ascii
)
def test_a_chart_replaces_what_would_end_its_renderer(character):
    """An XML parser inside the renderer panics, and takes the whole process with it."""
    spec = build_share_of_voice_chart([Share(f"A{character}b"), Share("Globex", 3.0)], LIGHT)
    assert spec["data"]["values"][0]["name"] == "A\ufffdb"
    svg = render_svg(spec, "share", f"A{character}b", f"A{character}b")
    assert svg.count("A\ufffdb") == 3
