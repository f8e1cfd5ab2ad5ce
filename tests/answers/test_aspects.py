"""Metrics 5: what answers say about a brand becomes aspects, each with an opinion and a verbatim quote."""

import pytest

from sightline.answers.aspects import find_aspects
from sightline.answers.gold import load_gold_set, load_theme_set
from sightline.answers.mentions import find_mentions
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.prepare import find_raw_spans, prepare

ACME, GLOBEX = Brand("Acme"), Brand("Globex")


def read(text, *brands, **more):
    lexicon = Lexicon(brands or (ACME, GLOBEX))
    found = find_aspects(text, lexicon, **more)
    return {lexicon.brands[index].name: {one.name: one for one in own} for index, own in found.items()}


def polarities(text, **more):
    return {name: one.polarity for name, one in read(text, **more).get("Acme", {}).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme has excellent battery life.", {"battery life": "positive"}),
        ("Acme has poor battery life and a comfortable fit.", {"battery life": "negative", "fit": "positive"}),
        ("Acme is affordable but noisy.", {"price": "positive", "noise level": "negative"}),
        ("Acme is not the most durable vacuum.", {"durability": "negative"}),
        (
            "Acme is known for its grip, bounce and durability.",
            {"grip": "positive", "bounce": "positive", "durability": "positive"},
        ),
        ("Acme lacks wireless charging.", {"charging": "negative"}),
        ("Acme sells at a premium price.", {"price": "negative"}),
        ("Acme has an app.", {}),
    ],
)
def test_an_aspect_needs_an_opinion(text, expected):
    assert polarities(text) == expected


def test_lists_of_pros_and_cons_are_opinions():
    text = "### Acme Mini\n\n**Pros:**\n\n* battery life\n* bass\n\n**Cons:**\n\n* price\n"
    assert polarities(text) == {"battery life": "positive", "bass": "positive", "price": "negative"}


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("Acme has excellent battery life for its size.", True),
        ("### Acme Mini\n\n* Excellent battery life for its size\n", True),
        ("Acme is a vacuum. It has excellent battery life for its size.", True),
        ("Acme is loud. However, some users praise its battery life a lot.", True),
        ("Acme has better battery life than Globex, most testers say.", False),
        ("Acme has longer battery life than most of its kind.", True),
        ("### Acme Mini\n\n* Slightly longer battery life than others\n", True),
        ("Compared with its big brother, Acme Mini has poor battery life.", False),
        ("### Acme Mini\n\nUnlike many others, it has excellent battery life.", False),
        ("Acme and Globex have excellent battery life for their size.", False),
        ("* **Acme:** excellent battery life\n", True),
        ("### Acme Mini\n\n* Great battery life\n", False),
        ("Acme has excellent battery life, " + "and so on, " * 30 + "they say.", False),
        ("Acme Mini$149.994.7(1k+) has excellent battery life.", False),
    ],
)
def test_a_quote_has_the_brand_as_its_subject_and_can_stand_alone(text, quotable):
    aspect = read(text)["Acme"]["battery life"]
    assert (aspect.quotable, aspect.quote in text) == (quotable, True)


@pytest.mark.parametrize(
    "text",
    [
        "Acme is a vacuum. Factors to consider: long battery life and a comfortable grip.",
        "Acme is a vacuum. Look for excellent battery life.",
        "Best for: people who need excellent battery life. Acme is a vacuum.",
        "Acme is for those who want excellent battery life.",
        "Acme is a vacuum. Does it have excellent battery life?",
        "Acme Speed Pro is a great choice and a solid option.",
        "Acme is a great vacuum with good reviews.",
        "### Acme\n\n**Cons:**\n\n* too heavy for a balanced sound\n",
    ],
)
def test_advice_wishes_names_and_words_about_the_review_are_no_aspects(text):
    assert polarities(text, prompt="best vacuum").keys() <= {"weight"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme has an excellent neck.", {"neck": "positive"}),
        ("Acme has limited service networks.", {"service network": "negative"}),
        ("Acme offers a durable vacuum.", {"durability": "positive"}),
        ("### Acme\n\n* **Battery life:** up to 30 hours\n* **Comfort:** excellent, and very plush\n",
         {"battery life": "neutral", "comfort": "positive"}),
        ("| Product | Noise level | Price |\n|---|---|---|\n| Acme | Very quiet | Too expensive |\n",
         {"noise level": "positive", "price": "negative"}),
        ("| | Acme | Globex |\n|---|---|---|\n| Noise level | Very quiet | Loud |\n", {"noise level": "positive"}),
    ],
)  # fmt: skip
def test_noun_phrases_labels_and_tables_name_aspects(text, expected):
    assert polarities(text, prompt="best vacuum") == expected


def test_every_quote_stands_in_its_answer_inside_the_scope_of_the_brand():
    checked = 0
    for answer in (*load_gold_set()[::4], *load_theme_set()):
        if (answer.language or "en") != "en":
            continue
        brands = [Brand(each.name, each.aliases, each.domains) for each in (answer.brand, *answer.competitors)]
        lexicon = Lexicon(brands)
        prepared = prepare(answer.text, answer.prompt)
        found = find_aspects(answer.text, lexicon, prompt=answer.prompt)
        mentions = find_mentions(prepared, lexicon, lambda: "en", answer.prompt)
        for brand, aspects in found.items():
            first = min(mention.start for mention in mentions if mention.brand == brand)
            ((begin, _),) = find_raw_spans(prepared, [prepared.sentence_at(first)])
            for aspect in aspects:
                place = answer.text.rfind(aspect.quote)
                assert place >= 0, (answer.id, aspect)
                checked += aspect.quotable
                if aspect.quotable:
                    inside = {each.brand for each in find_mentions(prepare(aspect.quote), lexicon, lambda: None, "")}
                    assert inside <= {brand} and place + len(aspect.quote) > begin, (answer.id, aspect)
    assert checked > 100


def test_items_of_a_list_of_weaknesses_are_criticism_in_their_own_words():
    text = "### Acme\n**Cons:** Handles can get hot, noisy; Lids can fall off\n\n**Pros:** Prints in color"
    assert polarities(text) == {
        "handles": "negative",
        "noise level": "negative",
        "lids can fall off": "negative",
    }


def test_only_the_own_scope_is_read():
    found = read("Acme has great sound. Globex has a comfortable fit.")
    assert (set(found["Acme"]), set(found["Globex"])) == ({"sound quality"}, {"fit"})
