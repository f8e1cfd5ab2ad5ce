"""Metrics 4: where an answer names competitors, which names are filtered, and how several answers are merged."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from sightline.answers.analyze import analyze
from sightline.answers.candidates import Candidate, find_candidates
from sightline.answers.citations import read_citations
from sightline.answers.makers import ReadAnswer, find_makers
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.metrics.discovery import CompetitorCandidate as Counted
from sightline.metrics.discovery import classify_candidate, rank_competitors
from sightline.metrics.visibility import discount_rank

OWN = Brand("Acme", aliases=("Acme Cloud",), domains=("acme.com",), category_words=("CRM", "tool"))


def candidates_in(text, *cited, brand=OWN, prompt=""):
    citations, _ = read_citations([(url, None) for url in cited])
    return find_candidates(text, Lexicon([brand]), prompt=prompt, citations=citations)


def names(text, *cited, **more):
    return [candidate.name for candidate in candidates_in(text, *cited, **more)]


def domains(text, *cited, **more):
    return {candidate.name: candidate.domain for candidate in candidates_in(text, *cited, **more)}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1. Xylia: fast\n2. Yamira: slow", id="colon"),
        pytest.param("1. Xylia – fast\n2. Yamira – slow", id="dash"),
        pytest.param("1. Xylia — fast\n2. Yamira — slow", id="long dash"),
        pytest.param("1. Xylia (Berlin) is fast\n2. Yamira (Rome) is slow", id="bracket"),
        pytest.param("1. Xylia\n2. Yamira", id="bare"),
        pytest.param("1) Xylia\n2) Yamira", id="numbers with brackets"),
        pytest.param("- Xylia: fast\n- Yamira: slow", id="bullets"),
        pytest.param("* **Xylia**: fast\n* **Yamira**: slow", id="bold in bullets"),
        pytest.param("- **Xylia:** fast\n- **Yamira:** slow", id="colon inside bold"),
        pytest.param("1. 🏆 Xylia: fast\n2. 🥈 Yamira: slow", id="emoji"),
        pytest.param("1. Xylia [1]\n2. Yamira [2]", id="citation marks"),
        pytest.param("1. Xylia：速い\n2. Yamira：遅い", id="wide colon"),
        pytest.param("• Xylia: fast\n• Yamira: slow", id="lines with dots"),
        pytest.param("### Xylia\n\nfast\n\n### Yamira\n\nslow", id="headings"),
        pytest.param("### 1. Xylia\n\nfast\n\n### 2. Yamira\n\nslow", id="numbered headings"),
        pytest.param("## 1. Xylia: fast\n\nx\n\n## 2. Yamira – slow\n\ny", id="numbered headings up to a colon"),
        pytest.param("## 1) Xylia\n\nfast\n\n## 2) Yamira\n\nslow", id="headings numbered with brackets"),
        pytest.param("**1. Xylia**\n\nfast\n\n**2. Yamira**\n\nslow", id="bold numbered lines"),
        pytest.param("**Xylia** is fast. **Yamira** is slow.", id="bold at the start of a sentence"),
        pytest.param("**Xylia** is fast.\n\n**Yamira** is slow.", id="bold at the start of a paragraph"),
        pytest.param("- [Xylia](https://x.com/a) is fast\n- [Yamira](https://x.com/b) is slow", id="linked heads"),
        pytest.param("I like **Xylia** and **Yamira** a lot.", id="bold in a sentence"),
        pytest.param("| # | Tool |\n|---|---|\n| 1 | Xylia |\n| 2 | Yamira |", id="column after the number"),
        pytest.param("| Tool | Price |\n|---|---|\n| Xylia | 10 |\n| Yamira | 20 |", id="first column"),
        pytest.param(
            "| Tool | Price |\n|---|---|\n| **Xylia** | 10 |\n| [Yamira](https://y.com) | 20 |", id="marked cells"
        ),
    ],
)
def test_places_where_names_are_found(text):
    assert [(candidate.name, candidate.rank) for candidate in candidates_in(text)] == [("Xylia", 1), ("Yamira", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "Popular CRM tools include Xylia, Yamira and Zentro.",
        "Xylia, Yamira, and Zentro are popular tools.",
        "Xylia, Yamira or Zentro: each is a CRM.",
        "Beliebte CRM-Systeme sind Xylia, Yamira und Zentro.",
        "Des CRM connus sont Xylia, Yamira et Zentro.",
        "Un CRM popular: Xylia, Yamira o Zentro.",
    ],
)
def test_a_series_next_to_a_category_word(text):
    assert names(text) == ["Xylia", "Yamira", "Zentro"]


@pytest.mark.parametrize(
    "text", ["Anna, Bertram and Clara went to the sea.", "Xylia, Yamira and Zentro met for lunch."]
)
def test_a_series_without_a_category_word(text):
    assert names(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "See [Xylia](https://x.com/a) and [Yamira](https://x.com/b).",  # citations
        "It is fast ([Xylia](https://xylia.com), [Yamira](https://yamira.com)).",
        "Xylia is fast.",  # nothing but prose
        "| Price | Note | Tool |\n|---|---|---|\n| 10 | x | Xylia |",  # neither the first column nor the next
        "```\n1. Xylia\n```",
        "See https://xylia.com.",
        "[1](https://xylia.com) [techradar.com](https://techradar.com)",
    ],
)
def test_places_where_no_names_are_found(text):
    assert names(text) == []


GENERIC_HEADS = [
    *("Pros", "PROS", "Cons", "Price", "Pricing", "Best for", "Verdict", "Features", "Key features", "Support"),
    *("Ease of use", "Bottom line", "Final verdict", "Summary", "Conclusion", "Honorable mentions", "Tip", "Note"),
    *("Pros & Cons", "Pros and cons", "Free plan", "Customer support", "Best overall", "Step 1", "Sources"),
    *("Vorteile", "Nachteile", "Preis", "Fazit", "Am besten für", "Funktionen"),
    *("Avantages", "Inconvénients", "Prix", "Idéal pour", "Points forts"),
    *("Ventajas", "Desventajas", "Precio", "Ideal para"),
    *("Vantaggi", "Svantaggi", "Prezzo", "Ideale per"),
    *("Vantagens", "Desvantagens", "Preço"),
    *("Voordelen", "Nadelen", "Prijs", "Conclusie"),
    *("Zalety", "Wady", "Cena", "Podsumowanie"),
    *("Плюсы", "Минусы", "Цена"),
    *("メリット", "デメリット", "料金", "まとめ"),
    *("优点", "缺点", "价格", "總結"),
    *("장점", "단점", "가격"),
]


@pytest.mark.parametrize(
    "form", ["- {}: x", "- **{}**: x", "**{}:** x", "### {}\n\nx", "| A | B |\n|---|---|\n| {} | x |"]
)
def test_4_ex_generic_heads_are_filtered(form):
    found = {head: names("1. Xylia\n\n" + form.format(head)) for head in GENERIC_HEADS}
    assert found == {head: ["Xylia"] for head in GENERIC_HEADS}


@pytest.mark.parametrize(
    "text",
    [
        "- You should test it first",
        "- What you need",
        "- It is fast",
        "- Is It Worth It?",
        "- Who Should Use It: x",
        "- They Are Cheap: x",
        "- This tool has reports",
        "- Compare the prices before you buy",
        "- **How we test**: x",
        "- Sie sollten vergleichen",
        "[Read the review](https://techradar.com/a)",
        "- 2026: x\n- 10 euros: y",
    ],
)
def test_sentences_and_numbers_are_filtered(text):
    assert names(text) == []


@pytest.mark.parametrize(
    "place",
    [
        *("Berlin", "London", "Paris", "New York", "Los Angeles", "Tokyo", "Warsaw", "Lisbon"),
        *("Germany", "France", "Spain", "Poland", "Canada", "Greece", "Turkey", "Argentina"),
        *("United States", "United Kingdom", "USA", "Europe", "Deutschland", "España"),
    ],
)
def test_places_are_filtered(place):
    assert names(f"- {place}: 3 shops\n- Xylia: 2 shops") == ["Xylia"]


@pytest.mark.parametrize(
    "month",
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
)
def test_months_are_filtered(month):
    assert names(f"- {month}: 3 releases\n- Xylia: 2 releases") == ["Xylia"]


@pytest.mark.parametrize(
    "platform",
    [
        *("ChatGPT", "Gemini", "Perplexity", "Google AI Overviews", "Claude", "Copilot"),
        *("Grok", "Mistral", "DeepSeek", "Google AI Mode"),
    ],
)
def test_the_platforms_themselves_are_filtered(platform):
    assert names(f"1. {platform}: x\n2. Xylia: y") == ["Xylia"]


@pytest.mark.parametrize(
    "head",
    [
        "Acme",
        "ACME",
        "Acme Inc.",
        "Acme, Inc.",
        "Acme GmbH",
        "Acme Ltd.",
        "Acme S.A.",
        "Acme Corporation",
        "Acme.com",
        "Acme Cloud",
    ],
)
def test_the_brand_itself_is_filtered(head):
    assert names(f"1. {head}: x\n2. Xylia: y") == ["Xylia"]


def test_products_of_the_brand_and_tracked_competitors_are_filtered():
    assert names("1. Rocketeer: x\n2. Xylia: y", brand=Brand("Acme", products=("Rocketeer",))) == ["Xylia"]
    both = Lexicon([OWN, Brand("Yamira", aliases=("Yami",))])
    assert [each.name for each in find_candidates("1. Yamira\n2. Yami\n3. Xylia", both)] == ["Xylia"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "HubSpot",
            "Coca-Cola",
            "H&M",
            "Procter & Gamble",
            "McDonald's",
            "L'Oréal",
            "easyJet",
            "eBay",
            "Bank of America",
        ),
        *("1Password", "7-Eleven", "Booking.com", "小米", "Яндекс", "삼성"),
    ],
)
def test_names_are_kept_as_they_are_written(name):
    assert names(f"1. **{name}**: x\n2. Xylia: y") == [name, "Xylia"]


def test_a_name_counts_once_per_answer_and_keeps_its_first_place():
    table = "| Tool | Price |\n|---|---|\n| Zentro | 1 |\n| XYLIA | 2 |\n| Yamira Inc. | 3 |"
    text = f"1. Xylia: fast\n2. Yamira: slow\n\n{table}"
    assert [(each.name, each.rank) for each in candidates_in(text)] == [("Xylia", 1), ("Yamira", 2), ("Zentro", 3)]


def test_an_echoed_question_has_no_candidates():
    prompt = "Which CRM: Xylia, Yamira or Zentro?"
    assert names(f"{prompt}\n\n1. Globex\n2. Initech", prompt=prompt) == ["Globex", "Initech"]


def test_the_domain_is_that_of_the_anchor():
    text = (
        "1. [Xylia](https://www.xylia.com/crm?utm_source=x) – fast\n2. **[Yamira](https://blog.yamira.co.uk)** – slow"
    )
    assert domains(text, "https://xylia.de/other") == {"Xylia": "xylia.com", "Yamira": "yamira.co.uk"}


def test_without_an_anchor_the_domain_is_a_cited_one_whose_label_matches():
    cited = ("https://www.techradar.com/best", "https://www.xylia.de/a", "https://yamira-app.io", "https://zentro.com")
    text = "1. Xylia: fast\n2. Coca Cola: sweet\n3. Globex: slow"
    assert domains(text, *cited, "https://coca-cola.com/x") == {
        "Xylia": "xylia.de",
        "Coca Cola": "coca-cola.com",
        "Globex": None,
    }


def test_a_domain_may_come_from_another_place_in_the_answer():
    assert domains("1. Xylia: fast\n\nMore on [Xylia](https://xylia.com).") == {"Xylia": "xylia.com"}


def merged(*answers):
    return {each.name: each for each in find_makers(ReadAnswer(*answer) for answer in answers)}


def cites(*urls):
    return read_citations([(url, None) for url in urls])[0]


def test_merging_by_case_suffix_and_separators():
    spelled = [
        "Coca-Cola",
        "Coca-Cola",
        "COCA COLA",
        "Coca-Cola Inc.",
        "Coca-Cola GmbH",
        "coca-cola.com",
        "Coca-Cola Ltd",
    ]
    (one,) = merged(*((f"p{at}", "chatgpt", [Candidate(name, at + 1)], ()) for at, name in enumerate(spelled))).values()
    assert (one.name, one.answers, one.prompts, one.platforms) == ("Coca-Cola", 7, 7, 1)
    assert sorted(one.ranks) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    "suffix", ["Inc", "Inc.", "GmbH", "Ltd", "Ltd.", "LLC", "AG", "S.A.", "Limited", "Corporation"]
)
def test_every_legal_suffix_merges(suffix):
    found = merged(
        ("p", "chatgpt", [Candidate("Xylia Labs", 1)], ()),
        ("q", "chatgpt", [Candidate(f"Xylia Labs {suffix}", 1)], ()),
    )
    assert [each.answers for each in found.values()] == [2]


def test_different_names_stay_apart():
    assert set(
        merged(("p", "chatgpt", [Candidate("Xylia", 1), Candidate("Xylio", 2), Candidate("Zentro", 3)], ()))
    ) == {
        "Xylia",
        "Xylio",
        "Zentro",
    }


def test_counts_over_several_answers():
    got = merged(
        (
            "p1",
            "chatgpt",
            [Candidate("Xylia", 1, "xylia.com"), Candidate("Yamira", 2)],
            cites("https://xylia.com/a", "https://xylia.com/b"),
        ),
        ("p1", "claude", [Candidate("Xylia", 3)], cites("https://g2.com/x")),
        ("p2", "chatgpt", [Candidate("Xylia", 2)], cites("https://xylia.com/a")),
        ("p2", "claude", [], cites("https://xylia.com/a")),
    )
    xylia, yamira = got["Xylia"], got["Yamira"]
    assert (xylia.ranks, xylia.answers, xylia.prompts, xylia.platforms) == ([1, 3, 2], 3, 2, 2)
    assert (xylia.domain, xylia.cited) == ("xylia.com", 3)
    assert (yamira.answers, yamira.prompts, yamira.platforms, yamira.domain, yamira.cited) == (1, 1, 1, None, 0)


def test_products_are_folded_into_their_maker():
    got = merged(
        ("p1", "chatgpt", [Candidate("Xylia", 1, "xylia.com")], ()),
        ("p2", "claude", [Candidate("Xylia Mini", 2)], ()),
        ("p3", "claude", [Candidate("Yamira Pro", 1)], ()),
    )
    assert set(got) == {"Xylia", "Yamira Pro"}  # no answer names Yamira by itself
    assert (got["Xylia"].answers, got["Xylia"].prompts, got["Xylia"].platforms) == (2, 2, 2)
    assert sorted(got["Xylia"].ranks) == [1, 2] and got["Xylia"].domain == "xylia.com"


def test_an_answer_that_names_maker_and_product_counts_once():
    got = merged(
        ("p1", "chatgpt", [Candidate("Xylia", 1), Candidate("Xylia Mini", 2)], ()),
        ("p2", "chatgpt", [Candidate("Xylia", 1), Candidate("Xylia Mini", 2), Candidate("Xylia Max", 3)], ()),
    )
    assert got["Xylia"].answers == 2
    assert len(got["Xylia"].ranks) == 2


def test_no_answers_no_candidates():
    assert find_makers([]) == ()
    assert candidates_in("") == ()


def counted(each):
    return Counted(
        name=each.name,
        domain=each.domain,
        rank_weight=sum(discount_rank(rank) for rank in each.ranks),
        answers=each.answers,
        prompts=each.prompts,
        platforms=each.platforms,
        cited=each.cited,
        sure=each.sure,
    )


def analyze_all(texts, url):
    """Analyze each text as an answer of one of two platforms to one of five questions, citing the page."""
    lexicon = Lexicon([OWN])
    for number, text in enumerate(texts):
        citations = analyze(text, lexicon, cited=[(url, None)]).citations
        names = find_candidates(text, lexicon, citations=citations)
        tracked = int(OWN.name in text)
        yield ReadAnswer(f"p{number % 5}", f"platform{number % 2}", names, citations, tracked)


def test_4_ex_pros_is_not_a_competitor():
    texts = ["1. **Xylia** – fast\n\n**Pros:** fast\n\n**Cons:** dear\n"] * 10
    ranked = rank_competitors([counted(each) for each in find_makers(analyze_all(texts, "https://xylia.com"))])
    assert [suggestion.candidate.name for suggestion in ranked] == ["Xylia"]


def test_4_ex_a_domain_cited_14_times_and_never_named_is_a_source():
    texts = ["1. Xylia\n2. Yamira"] * 14
    merged = find_makers(analyze_all(texts, "https://www.g2.com/categories/crm"))
    assert {each.name for each in merged} == {"Xylia", "Yamira"}
    assert all(each.domain is None and each.cited == 0 for each in merged)


def test_4_a_site_that_is_cited_often_and_hardly_named_is_a_source():
    texts = [f"1. Xylia\n2. Yamira\n3. {OWN.name}"] * 31 + [f"1. Xylia\n2. Techradar\n3. {OWN.name}"] * 3
    merged = {each.name: counted(each) for each in find_makers(analyze_all(texts, "https://techradar.com/best-crm"))}
    assert (merged["Techradar"].answers, merged["Techradar"].cited) == (3, 34)
    assert classify_candidate(merged["Techradar"]) == "source"
    assert [each.candidate.name for each in rank_competitors(list(merged.values()))] == ["Xylia", "Yamira"]


@pytest.mark.parametrize(
    "form", ["1. **{}**: fast and cheap", "- {} – schnell, und das ist nicht alles", "### {}\n\nfast"]
)
def test_4_names_that_are_never_cited_are_competitors_too(form):
    """Some platforms never cite, and an answer may contain nothing but a list that names the tracked brand."""
    texts = ["\n".join(form.format(name) for name in ("Xylia", "Yamira", OWN.name))] * 10
    ranked = rank_competitors([counted(each) for each in find_makers(analyze_all(texts, "https://example.com"))])
    assert [suggestion.candidate.name for suggestion in ranked] == ["Xylia", "Yamira"]


def test_names_that_nothing_proves_to_be_makers_are_not_suggested():
    """Kinds of a product stand in lists of their own: without a site, products or known brands next to them."""
    texts = ["1. **Zmetana**: tuk\n2. **Tvarokh**: belok\n3. **Prostok**: legko"] * 10
    found = find_makers(analyze_all(texts, "https://example.com"))
    assert {each.name: each.sure for each in found} == {"Zmetana": False, "Tvarokh": False, "Prostok": False}
    assert {classify_candidate(counted(each)) for each in found} == {"unproven"}
    assert rank_competitors([counted(each) for each in found]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "You can find them at major retailers like Grovemart, Lindhall, and Tessco.",
        "Would you like offers from a specific store (such as Grovemart, Lindhall or Tessco)?",
        "It has six cooking functions: Steam Roast, Proof, Warm, and Crisp Bake.",
        "The lamp works with Heyhome, Voxa, and Calla.",
    ],
)
def test_a_series_of_shops_functions_or_partners_presents_no_brands(text):
    assert names(text, brand=Brand("Acme")) == []


def test_shops_are_brands_where_the_question_is_where_to_buy():
    text = "You can find them at major retailers like Grovemart, Lindhall, and Tessco."
    found = names(text, brand=Brand("Acme"), prompt="Where should I buy garden chairs?")
    assert found == ["Grovemart", "Lindhall", "Tessco"]


def test_a_named_technology_is_no_brand():
    assert names("- **HeatZone Technology** cooks evenly.\n- **Turbocrisp™ technology** for chips.") == []


def test_a_site_that_only_begins_like_a_name_is_not_its_own():
    text = "1. **Zorvex X1**: quiet\n2. **Veltrona Y2**: [light](https://zorvexers.com/veltrona)"
    assert [candidate.domain for candidate in find_candidates(text, Lexicon([]))] == [None, None]
    own = find_candidates(text.replace("zorvexers", "zorvex"), Lexicon([]))
    assert [candidate.domain for candidate in own] == ["zorvex.com", None]
