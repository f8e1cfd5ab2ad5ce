"""The text of every page in every language: sentences with a space between them, one period, headings in order."""

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

import sightline.reports
import sightline.web
from sightline.accounts.models import Role
from sightline.accounts.operators.grant import grant_operator
from sightline.presentation.language import LANGUAGES
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import populate_tenant
from tests.web.test_every_page import list_urls

_INLINE = {"a", "b", "strong", "em", "i", "span", "code", "mark", "small", "time", "label", "abbr", "bdi", "sup", "sub"}
_SKIPPED = {"script", "style", "svg", "head", "pre", "textarea", "select", "datalist", "title", "template"}
# A letter or a closing mark, the end of a sentence or of a label, and the next word without a space.
_JOINED = re.compile(r"[a-zäöüß)”“\d][.!?:][A-ZÄÖÜ„“][a-zäöüß]+|(?:^|\s)[A-Za-zÄÖÜäöüß]{4,}\d+\b")
_TWO_PERIODS = re.compile(r"(?<!\.)\.\.(?!\.)")


def read_texts(page: str) -> list[str]:
    """Return the texts of a page, one for each block. What is data is an `x`: it may contain anything."""
    body = LexborHTMLParser(page).body
    assert body is not None
    parts: list[str] = []
    _collect(body, parts)
    return [" ".join(line.split()) for line in "".join(parts).split("\0") if line.strip()]


def _collect(node: LexborNode, parts: list[str]) -> None:
    for child in node.iter(include_text=True):
        if child.is_text_node:
            parts.append(child.text_content or "")
        elif child.attributes.get("translate") == "no":
            parts.append("x" if child.tag in _INLINE else "\0")
        elif child.tag not in _SKIPPED:
            edge = "" if child.tag in _INLINE else "\0"
            parts.append(edge)
            _collect(child, parts)
            parts.append(edge)


def find_joined(page: str) -> list[str]:
    return [text for text in read_texts(page) if _JOINED.search(text)]


def find_two_periods(page: str) -> list[str]:
    return [text for text in read_texts(page) if _TWO_PERIODS.search(text)]


def find_skipped_headings(page: str) -> list[str]:
    """Return the headings whose level is more than one below that of the heading before."""
    found, level = [], 0
    for heading in LexborHTMLParser(page).css("h1, h2, h3, h4, h5, h6"):
        if heading.parent is not None and "popover" in heading.parent.attributes:
            continue  # the explanation of a figure, which opens on its own
        now = int((heading.tag or "")[1])
        if now > level + 1:
            found.append(f"h{now} {heading.text(strip=True)[:60]!r} after h{level}")
        level = now
    return found


def find_joined_in_template(source: str) -> list[str]:
    """Return the sentences of a template that are joined in some state: a line break after a block is removed."""
    text = re.sub(r"{#.*?#}", "", source, flags=re.DOTALL)
    text = re.sub(r"^[ \t]+(?={%)", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=%})\n", "", text)
    text = re.sub(r"{%-? *(?:else|elif|pluralize|macro|endmacro|block|endblock|set|endset)\b.*?%}", "\n", text)
    text = re.sub(r"{%.*?%}", "", text, flags=re.DOTALL)
    text = re.sub(r"""{{ _\((["'])(.*?)\1\) }}""", r"\2", text)
    text = re.sub(r"{{.*?}}", "x", text, flags=re.DOTALL)
    text = re.sub(rf"</?(?:{'|'.join(_INLINE)})\b[^>]*>", "", text)
    return [
        match[0] for match in re.finditer(r".{0,60}[a-zäöü)][.!?][A-Z][a-z]+.{0,20}", re.sub(r"<[^>]*>", "\n", text))
    ]


def test_no_template_joins_two_sentences():
    joined = {}
    for folder in (Path(sightline.web.__file__).parent, Path(sightline.reports.__file__).parent):
        for path in sorted(folder.rglob("templates/**/*.html")):
            if found := find_joined_in_template(path.read_text()):
                joined[path.name] = found
    assert joined == {}


def test_the_walk_finds_what_it_looks_for():
    assert find_joined("<p>2 of the 10 prompts in its plan.<b>This</b> domain</p>") and not find_joined("<p>A.<p>B</p>")
    assert find_joined("<td>Requests completed<b>132</b></td>") and not find_joined("<dt>Requests</dt><dd>132</dd>")
    assert not find_joined('<p>Go to <span translate="no">acme.Com</span>. Next.</p>')
    assert find_joined_in_template(
        "<p>{% trans %}In its plan.{% endtrans %}\n  {% if a %}{{ _('This is') }}{% endif %}"
    )
    assert not find_joined_in_template("<p>{% if a %}{{ _('A plan.') }}{% else %}{{ _('This is') }}{% endif %}")
    assert find_two_periods("<p>am 11. Nov.. Danach") and not find_two_periods("<p>…, and so on...</p>")
    assert find_skipped_headings("<h1>a</h1><h3>b</h3>") and not find_skipped_headings("<h1>a</h1><h2>b</h2><h1>c</h1>")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_reads_well(installation, client, language):
    tenant, ids = await populate_tenant(installation, client)
    async with installation.db.transaction() as tx:
        await grant_operator(tx, tenant.owner.id, now=installation.clock())
    viewer = await installation.member(tenant, Role.VIEWER)
    wrong: dict[str, list[str]] = {}
    for user in (tenant.owner, viewer):
        async with open_browser(installation, user, Accept_Language=language) as browser:
            for url in list_urls(ids):
                page = (await browser.get(url, follow_redirects=True)).text
                found = find_joined(page) + find_two_periods(page) + find_skipped_headings(page)
                if found and not url.startswith("/docs"):
                    wrong[url] = found
    assert wrong == {}, "\n".join(f"{url}: {found}" for url, found in wrong.items())
