"""Metrics 1.5 "Citations" and the citation rules of 2.2."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.answers.citations import normalize_url, owned_urls, read_citations
from sightline.answers.models import Brand
from tests.answers.builders import ACME, analyze_brand, analyze_text
from tests.property_testing import prove

GROUNDING = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ"


def cited(*urls, brand=ACME):
    return analyze_brand(
        "Good tools exist.", brand, cited=[url if isinstance(url, tuple) else (url, None) for url in urls]
    )


def test_1_5_ex_a():
    analysis = cited("acme.com/a", "www.acme.com/a/", "acme.com/a?utm_source=chatgpt.com", "acme.com/b")
    assert len(analysis.cited_urls) == 2
    assert analysis.cited
    assert len(cited(*(f"https://{url}" for url in ("acme.com/a", "www.acme.com/a/", "acme.com/b"))).cited_urls) == 2


def test_1_5_ex_b():
    answers = [cited("https://acme.com/a"), cited("https://acme.com/a")]
    assert sum(len(answer.cited_urls) for answer in answers) == 2


def test_1_5_ex_c():
    assert cited("https://acme.com.evil.io").cited_urls == ()


def test_1_5_ex_d():
    analysis = analyze_brand("Good tools exist [1].", cited=[("https://acme.com", "Acme")])
    assert len(analysis.cited_urls) == 1


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://acme.com", "acme.com"),
        ("https://acme.com/", "acme.com"),
        ("http://acme.com/a/b.html", "acme.com"),
        ("HTTPS://ACME.COM/A", "acme.com"),
        ("https://www.acme.com/a", "acme.com"),
        ("https://m.acme.com/a", "acme.com"),
        ("https://amp.acme.com/a", "acme.com"),
        ("https://blog.acme.com/a", "acme.com"),
        ("https://a.b.c.acme.com", "acme.com"),
        ("https://acme.com:8443/a", "acme.com"),
        ("https://user:secret@acme.com/a", "acme.com"),
        ("https://acme.com./a", "acme.com"),
        ("https://acme.com?x=1", "acme.com"),
        ("https://acme.com#top", "acme.com"),
        ("https://acme.com/a?next=https://other.org/x", "acme.com"),
        ("https://acme.com/https://other.org/x", "acme.com"),
        ("acme.com", "acme.com"),
        ("acme.com/a", "acme.com"),
        ("www.acme.com/a/", "acme.com"),
        ("https://acme.co.uk", "acme.co.uk"),
        ("https://blog.acme.co.uk/a", "acme.co.uk"),
        ("https://www.blog.acme.co.uk/a", "acme.co.uk"),
        ("https://acme.com.au", "acme.com.au"),
        ("https://shop.acme.com.br/x", "acme.com.br"),
        ("https://acme.co.jp", "acme.co.jp"),
        ("https://www.acme.or.jp", "acme.or.jp"),
        ("https://city.kawasaki.jp/a", "city.kawasaki.jp"),
        ("https://acme.kawasaki.jp", None),
        ("https://acme.github.io/docs", "acme.github.io"),
        ("https://docs.acme.github.io", "acme.github.io"),
        ("https://github.com/acme", "github.com"),
        ("https://acme.blogspot.com/2024", "acme.blogspot.com"),
        ("https://acme.myshopify.com/products/1", "acme.myshopify.com"),
        ("https://acme.vercel.app", "acme.vercel.app"),
        ("https://acme.netlify.app", "acme.netlify.app"),
        ("https://acme.pages.dev", "acme.pages.dev"),
        ("https://my.acme.web.app", "acme.web.app"),
        ("https://notacme.com", "notacme.com"),
        ("https://acme.com.evil.io/a", "evil.io"),
        ("https://acme-com.evil.io", "evil.io"),
        ("https://evil.io/acme.com", "evil.io"),
        ("https://evil.io?acme.com", "evil.io"),
        ("https://evil.io#@acme.com", "evil.io"),
        ("https://acme.com@evil.io/a", "evil.io"),
        ("https://acme.com:80@evil.io/a", "evil.io"),
        ("https://bücher.de/a", "xn--bcher-kva.de"),
        ("https://BÜCHER.de/a", "xn--bcher-kva.de"),
        ("https://xn--bcher-kva.de/a", "xn--bcher-kva.de"),
        ("https://www.bücher.de", "xn--bcher-kva.de"),
        ("https://пример.рф/страница", "xn--e1afmkfd.xn--p1ai"),
        ("https://例え.jp", "xn--r8jz45g.jp"),
        ("https://faß.de", "xn--fa-hia.de"),
        ("https://ａｃｍｅ.com", "acme.com"),
        ("https://en.wikipedia.org/wiki/Acme_(company)", "wikipedia.org"),
        ("https://de.m.wikipedia.org/wiki/Acme", "wikipedia.org"),
        ("https://www.youtube.com/watch?v=abc", "youtube.com"),
        ("https://youtu.be/abc", "youtu.be"),
        ("https://www.reddit.com/r/acme/", "reddit.com"),
        ("https://old.reddit.com/r/acme/", "reddit.com"),
        ("https://apps.apple.com/us/app/acme/id1", "apple.com"),
        ("https://play.google.com/store/apps/details?id=com.acme", "google.com"),
        ("https://www.amazon.co.uk/dp/B01", "amazon.co.uk"),
        ("https://g2.com/products/acme/reviews", "g2.com"),
        ("https://x.com/acme", "x.com"),
        ("https://www.com", "www.com"),
        ("https://m.co.uk", "m.co.uk"),
    ],
)
def test_url_to_registrable_domain_of_the_public_suffix_list(url, domain):
    citation = normalize_url(url)
    assert (citation.domain if citation else None) == domain


A = "https://acme.com/a"


@pytest.mark.parametrize(
    ("rule", "url"),
    [
        ("lower-case host", "https://ACME.com/a"),
        ("www.", "https://www.acme.com/a"),
        ("m.", "https://m.acme.com/a"),
        ("amp.", "https://amp.acme.com/a"),
        ("www. and m.", "https://www.m.acme.com/a"),
        ("scheme", "http://acme.com/a"),
        ("upper-case scheme", "HTTP://acme.com/a"),
        ("no scheme", "acme.com/a"),
        ("port", "https://acme.com:443/a"),
        ("other port", "http://acme.com:8080/a"),
        ("fragment", "https://acme.com/a#part"),
        ("empty fragment", "https://acme.com/a#"),
        ("text fragment", "https://acme.com/a#:~:text=good%20tools,are"),
        ("trailing slash", "https://acme.com/a/"),
        ("utm_source", "https://acme.com/a?utm_source=chatgpt.com"),
        ("utm_anything", "https://acme.com/a?utm_id=1&utm_creative_format=2"),
        ("gclid", "https://acme.com/a?gclid=1"),
        ("fbclid", "https://acme.com/a?fbclid=1"),
        ("ref", "https://acme.com/a?ref=1"),
        ("srsltid", "https://acme.com/a?srsltid=AfmB"),
        ("session of a shop", "https://acme.com/a?_gsid=c6yN&_pos=1&_ss=r"),
        ("escaped separator", "https://acme.com/a?utm_source=x&amp;utm_medium=y"),
        ("other trackers", "https://acme.com/a?mtm_campaign=1&_hsenc=2&gad_source=3&ttclid=4"),
        ("empty query", "https://acme.com/a?"),
        ("all at once", "HTTP://WWW.Acme.COM:80/a/?utm_medium=x&ref=y#:~:text=z"),
        ("white space around", " https://acme.com/a\n"),
    ],
)
def test_urls_that_normalize_to_the_same_page(rule, url):
    assert normalize_url(url) == normalize_url(A), rule
    assert len(cited(A, url).cited_urls) == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://acme.com/A",
        "https://acme.com/a/b",
        "https://acme.com/a?id=1",
        "https://acme.com/a?refer=1",
        "https://acme.com/a?xutm_source=1",
        "https://blog.acme.com/a",
        "https://mm.acme.com/a",
        "https://acme.com/",
        "https://acme.com/a.html",
    ],
)
def test_urls_that_normalize_to_different_pages(url):
    assert normalize_url(url) != normalize_url(A)
    assert len(cited(A, url).cited_urls) == 2


def test_a_parameter_that_is_not_for_tracking_stays():
    assert normalize_url("https://acme.com/a?utm_source=x&id=1&gclid=2") == normalize_url("https://acme.com/a?id=1")
    assert normalize_url("https://acme.com/a?id=1") != normalize_url("https://acme.com/a?id=2")
    assert normalize_url("https://acme.com/?utm_source=x") == normalize_url("https://acme.com")


def test_idna_spellings_are_one_page():
    pages = ("https://bücher.de/a", "https://BÜCHER.DE/a", "https://xn--bcher-kva.de/a", "https://bu\u0308cher.de/a")
    assert len({normalize_url(page) for page in pages}) == 1
    for owned in ("bücher.de", "xn--bcher-kva.de", "Bücher.de"):
        assert cited(*pages, brand=Brand("Bücher", domains=(owned,))).cited


@pytest.mark.parametrize(
    "wrapper",
    [
        f"https://www.google.com/url?q={quote(A, safe='')}&sa=U&ved=1",
        f"https://www.google.com/url?sa=t&url={quote(A, safe='')}",
        f"https://www.google.de/url?q={quote(A, safe='')}",
        f"https://duckduckgo.com/l/?uddg={quote(A, safe='')}&rut=1",
        f"https://l.facebook.com/l.php?u={quote(A, safe='')}&h=1",
        f"https://l.instagram.com/?u={quote(A, safe='')}",
        f"https://www.youtube.com/redirect?event=video&q={quote(A, safe='')}",
        f"https://out.reddit.com/t3_1?url={quote(A, safe='')}",
        f"https://www.linkedin.com/safety/go?url={quote(A, safe='')}",
        f"https://eur01.safelinks.protection.outlook.com/?url={quote(A, safe='')}&data=1",
        f"https://www.bing.com/ck/a?!&&p=1&u=a1{base64.urlsafe_b64encode(A.encode()).decode().rstrip('=')}&ntb=1",
        f"https://www.google.com/url?q={quote('https://duckduckgo.com/l/?uddg=' + quote(A, safe=''), safe='')}",
        "https://acme-com.cdn.ampproject.org/c/s/acme.com/a",
    ],
)
def test_a_known_redirect_wrapper_is_unwrapped(wrapper):
    citation = normalize_url(wrapper)
    assert citation is not None
    assert citation.domain == "acme.com"
    assert citation == normalize_url(A)


def test_a_wrapper_that_wraps_nothing_is_its_own_page():
    citation = normalize_url("https://www.google.com/maps?q=acme")
    assert citation is not None and citation.domain == "google.com"


def test_nested_wrappers_do_not_recurse_forever():
    url = A
    for _ in range(12):
        url = f"https://www.google.com/url?q={quote(url, safe='')}"
    citations, unresolved = read_citations([(url, None)])
    assert len(citations) + unresolved == 1


@pytest.mark.parametrize("title", ["acme.com", "www.acme.com", "Acme.com", "blog.acme.com", " acme.com "])
def test_a_grounding_redirect_counts_by_a_title_that_is_a_host(title):
    analysis = analyze_text("Good tools exist.", ACME, cited=[(GROUNDING, title)])
    assert analysis.citations[0].domain == "acme.com"
    assert (len(analysis.brands[0].cited_urls), analysis.unresolved) == (1, 0)


def test_a_grounding_redirect_counts_once_per_host():
    pages = [(GROUNDING + "1", "acme.com"), (GROUNDING + "2", "acme.com"), (GROUNDING + "3", "www.acme.com")]
    assert len(cited(*pages).cited_urls) == 1
    assert len(cited(*pages, (GROUNDING + "4", "blog.acme.com")).cited_urls) == 2


@pytest.mark.parametrize("title", [None, "", "Acme – the best tools", "Acme", "acme.com is great", "a.b", "1.5"])
def test_a_source_that_cannot_be_resolved_is_dropped_and_counted(title):
    analysis = analyze_text("Good tools exist.", ACME, cited=[(GROUNDING, title), (A, None)])
    assert [citation.domain for citation in analysis.citations] == ["acme.com"]
    assert analysis.unresolved == 1


@pytest.mark.parametrize("url", ["https://", "http://[", "https://localhost/a", "https://10.0.0.1/a", "https://acme/a"])
def test_an_address_without_a_registrable_host_is_unresolved(url):
    assert read_citations([(url, None)]) == ((), 1)


@pytest.mark.parametrize("url", ["https://", "http://[", "https://localhost/a", "https://10.0.0.1/a"])
def test_an_address_without_a_registrable_host_takes_its_domain_from_a_title_that_is_a_host(url):
    citations, unresolved = read_citations([(url, "acme.com")])
    assert ([citation.domain for citation in citations], unresolved) == (["acme.com"], 0)


def test_a_title_is_ignored_where_the_address_has_a_host():
    assert normalize_url("https://other.org/a", "acme.com") == normalize_url("https://other.org/a")


@pytest.mark.parametrize(
    ("owned", "url", "match"),
    [
        ("acme.com", "https://acme.com", True),
        ("acme.com", "https://blog.acme.com/x", True),
        ("acme.com", "https://a.b.acme.com", True),
        ("acme.com", "https://notacme.com", False),
        ("acme.com", "https://acme.com.evil.io", False),
        ("acme.com", "https://acme.co", False),
        ("acme.com", "https://acme.org", False),
        ("acme.co.uk", "https://blog.acme.co.uk", True),
        ("acme.co.uk", "https://other.co.uk", False),
        ("acme.github.io", "https://acme.github.io/a", True),
        ("acme.github.io", "https://docs.acme.github.io", True),
        ("acme.github.io", "https://other.github.io", False),
        ("github.io", "https://acme.github.io", False),
        ("music.apple.com", "https://music.apple.com/us/album/1", True),
        ("music.apple.com", "https://beta.music.apple.com", True),
        ("music.apple.com", "https://www.music.apple.com/a", True),
        ("music.apple.com", "https://apple.com/music", False),
        ("music.apple.com", "https://www.apple.com/music", False),
        ("music.apple.com", "https://tv.apple.com", False),
        ("music.apple.com", "https://notmusic.apple.com", False),
        ("apple.com", "https://music.apple.com", True),
        ("www.acme.com", "https://acme.com/a", True),
        ("www.acme.com", "https://blog.acme.com/a", True),
        ("ACME.com", "https://acme.com/a", True),
        ("https://acme.com/", "https://acme.com/a", True),
    ],
)
def test_an_owned_domain_covers_all_its_hosts_and_an_owned_host_its_subdomains(owned, url, match):
    citations, _ = read_citations([(url, None)])
    assert bool(owned_urls(citations, [owned])) == match
    assert cited(url, brand=Brand("Zentro", domains=(owned,))).cited == match


def test_several_owned_domains_count_each_page_once():
    citations, _ = read_citations([(A, None), ("https://blog.acme.com/x", None), ("https://acme.de", None)])
    assert len(owned_urls(citations, ["acme.com", "blog.acme.com", "acme.de"])) == 3
    assert owned_urls(citations, []) == ()


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        pytest.param("[tools](https://acme.com/a)", 1, id="link"),
        pytest.param("https://acme.com/a", 1, id="bare URL"),
        pytest.param(
            "(https://acme.com/a), https://acme.com/a. **https://acme.com/a**",
            1,
            id="punctuation is not part of the URL",
        ),
        pytest.param("<https://acme.com/a>", 1, id="autolink"),
        pytest.param("[tools][1]\n\n[1]: https://acme.com/a", 1, id="reference"),
        pytest.param("Tools.[^1]\n\n[^1]: https://acme.com/a", 1, id="footnote definition"),
        pytest.param("Tools [1](https://acme.com/a)[2](https://acme.com/b)", 2, id="marks"),
        pytest.param("Tools ([acme.com](https://acme.com/a?utm_source=openai))", 1, id="host anchor"),
        pytest.param(
            "Sources:\n- https://acme.com/a\n- https://acme.com/b\n- https://www.acme.com/a/", 2, id="source list"
        ),
        pytest.param("| Tool | Link |\n|---|---|\n| x | https://acme.com/a |", 1, id="table"),
        pytest.param("> https://acme.com/a", 1, id="quotation"),
        pytest.param("推荐https://acme.com/a。", 1, id="without spaces"),
        pytest.param("visit acme.com", 0, id="a domain in the prose is a mention, not a link"),
        pytest.param("https://other.org/acme.com", 0, id="other host"),
    ],
)
def test_links_of_the_text_are_citations(text, urls):
    assert len(analyze_brand(text).cited_urls) == urls


def test_citations_are_the_union_of_cited_sources_and_links():
    text = "[tools](https://acme.com/a) and https://www.acme.com/b"
    assert len(analyze_brand(text, cited=[(A, "Acme"), ("https://acme.com/c", None)]).cited_urls) == 3
    analysis = analyze_text(text, ACME, cited=[("https://g2.com/acme", "Acme reviews")])
    assert {citation.domain for citation in analysis.citations} == {"acme.com", "g2.com"}


URLS = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["https://", "http://", "HTTPS://", ""]),
    st.sampled_from(["", "www.", "m.", "amp.", "blog.", "a.b."]),
    st.sampled_from(["acme.com", "Acme.co.uk", "acme.github.io", "bücher.de", "пример.рф"]),
    st.sampled_from(["", "/", "/a", "/A/b/", "/a?id=1", "/?utm_source=x", "/a?b=c&ref=d&e"]),
    st.sampled_from(["", "#x", "#:~:text=y"]),
)


@prove
@given(URLS)
def test_normalizing_twice_equals_normalizing_once(url):
    once = normalize_url(url)
    assert once is not None
    assert normalize_url(once.url) == once
    assert once.host == once.domain or once.host.endswith(f".{once.domain}")


@prove
@given(st.text(max_size=60), st.none() | st.text(max_size=30))
def test_no_address_raises(url, title):
    for given_url in (url, f"https://{url}", f"https://acme.com/{url}", f"https://www.google.com/url?q={url}"):
        citations, unresolved = read_citations([(given_url, title)])
        assert len(citations) + unresolved <= 1
    assert {citation.domain for citation in read_citations([(f"https://acme.com/{url}", title)])[0]} == {"acme.com"}
