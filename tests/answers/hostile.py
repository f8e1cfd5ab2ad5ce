"""Hostile answers: long, deeply nested, broken, or bait for a slow pattern. Each is built only when it is needed."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import random
import re
from pathlib import Path

from sightline.answers.models import Brand
from tests.answers.builders import FOUR

MEGA = 1_000_000
TECH = (
    Brand("Apple", domains=("apple.com",), category_words=("phone", "laptop")),
    Brand("Samsung", domains=("samsung.com",)),
    Brand("Target", domains=("target.com",)),
    Brand("HP", domains=("hp.com",)),
    Brand("Apple Music", domains=("music.apple.com",)),
)
SHARED = tuple(
    Brand(name, aliases=("Quorvex", "Nova"), category_words=(name + "ware",)) for name in ("Xylia", "Yamira", "Zentro")
)
HUNDREDS = tuple(Brand(f"Brand{chr(97 + n % 26)}{chr(97 + n // 26)}x", domains=(f"brand{n}.com",)) for n in range(400))
ORDINARY = tuple(
    Brand(word.title(), domains=(f"{word}.com",), category_words=("tool",))
    for word in ("apple", "target", "notion", "linear", "monday", "slack", "stripe", "square", "gap", "shell", "visa")
)
EAST = (Brand("小米", aliases=("Xiaomi",)), Brand("小米之家"), Brand("楽天"), Brand("라인"), Brand("ไลน์"))


def fill(unit, size=MEGA):
    return unit * (size // len(unit))


def build_sentence(brands, size):
    names = ", ".join(brand.name for brand in brands)
    return "We compared " + fill(names + " and ", size) + "others."


# How to build the answer, and the brands that it is searched for.
LONG = {
    "1 MB of ordinary prose": (lambda: fill("Acme is good, but Xylia costs less. Unlike Yamira, it is new.\n\n"), FOUR),
    "1 MB of one paragraph": (lambda: fill("Acme is a good tool for teams, but Xylia costs less. "), FOUR),
    "1 MB without spaces": (lambda: "a" * MEGA, FOUR),
    "1 MB without spaces, accents": (lambda: "é" * (MEGA // 2), FOUR),
    "1 MB of Han": (lambda: fill("我推荐小米手机和苹果", MEGA // 3), EAST),
    "1 MB of one Han name": (lambda: fill("小米", MEGA // 3), EAST),
    "1 MB of Hangul names": (lambda: fill("라인", MEGA // 3), EAST),
    "1 MB of Thai names": (lambda: fill("ไลน์", MEGA // 3), EAST),
    "1 MB of the name": (lambda: fill("Acme "), FOUR),
    "1 MB of the name, glued": (lambda: fill("Acme"), FOUR),
    "1 MB of the name, in lines": (lambda: fill("Acme\n"), FOUR),
    "1 MB of the name, in paragraphs": (lambda: fill("Acme\n\n"), FOUR),
    "1 MB of the name, as sentences": (lambda: fill("Acme. "), FOUR),
    "1 MB of the name, in bold": (lambda: fill("**Acme** "), FOUR),
    "1 MB of the name, as items": (lambda: fill("- Acme\n"), FOUR),
    "1 MB of the name, as numbered items": (lambda: fill("1. Acme\n"), FOUR),
    "1 MB of the name, as headings": (lambda: fill("# Acme\n"), FOUR),
    "1 MB of the name in lower case": (lambda: "This is so. " + fill("acme "), FOUR),
    "1 MB of the name in lower case, as items": (lambda: "This is so.\n\n" + fill("- acme\n"), FOUR),
    "1 MB of entries without line breaks": (lambda: fill("Acme Mini: a good tool.Xylia Pro: it costs less."), FOUR),
    "1 MB of shopping cards": (lambda: fill("A good tool.Acme: it is so.Xylia: so. Acme Mini$9.994.5(2k+)"), FOUR),
    "1 MB of a warning and prices": (lambda: "Avoid Acme.\n\n" + fill("Acme $9. "), FOUR),
    "1 MB of a warning and links": (lambda: "Avoid Acme.\n\n" + fill("[Acme](https://acme.com). "), FOUR),
    "1 MB of the domain": (lambda: fill("acme.com "), FOUR),
    "1 MB of handles": (lambda: fill("@acme "), FOUR),
    "1 MB of two names": (lambda: fill("Acme, Xylia, "), FOUR),
    "1 MB of an ambiguous name": (lambda: fill("Apple "), TECH),
    "1 MB of an ambiguous name in lower case": (lambda: fill("apple "), TECH),
    "1 MB of an ambiguous name, glued": (lambda: fill("Apple"), TECH),
    "1 MB of an ambiguous name and commas": (lambda: fill("Apple, "), TECH),
    "1 MB of an ambiguous name as sentences": (lambda: fill("Apple. "), TECH),
    "1 MB of an ambiguous name in bold": (lambda: fill("**Apple** "), TECH),
    "1 MB of an ambiguous name in items": (lambda: fill("- Apple\n"), TECH),
    "1 MB of an ambiguous name and competitors": (lambda: fill("Apple, Samsung, Target and HP phone "), TECH),
    "1 MB of an ambiguous name and its domain": (lambda: fill("Apple apple.com "), TECH),
    "1 MB of linked ambiguous names": (lambda: fill("[Apple](https://apple.com) "), TECH),
    "1 MB of the longer name": (lambda: fill("Apple Music "), TECH),
    "1 MB of eleven ordinary words": (lambda: fill(" ".join(brand.name for brand in ORDINARY) + " "), ORDINARY),
    "1 MB of a shared alias": (lambda: fill("Quorvex "), SHARED),
    "1 MB of a shared alias as sentences": (lambda: fill("Quorvex sells. "), SHARED),
    "1 MB of a shared alias and its brands": (lambda: fill("Quorvex Xylia Yamira "), SHARED),
    "one sentence of 300 KB with hundreds of names": (lambda: build_sentence(HUNDREDS, 300_000), HUNDREDS),
    "one sentence of 300 KB with ordinary words": (lambda: build_sentence(ORDINARY, 300_000), ORDINARY),
    "one sentence of 300 KB with contrasts": (lambda: fill("unlike Acme, rather than Xylia ", 300_000), FOUR),
}  # fmt: skip

DEEP = {
    "quotations": lambda: "> " * 50_000 + "Acme",
    "quotations in lines": lambda: "\n".join(">" * depth + " Acme" for depth in range(1_000)),
    "lists": lambda: "\n".join("  " * depth + "- Acme" for depth in range(1_000)),
    "lists in one line": lambda: "- " * 50_000 + "Acme",
    "numbered lists in one line": lambda: "1. " * 50_000 + "Acme",
    "lists and quotations": lambda: "> - " * 20_000 + "Acme",
    "square brackets": lambda: "[" * 100_000 + "Acme" + "]" * 100_000,
    "square brackets that never close": lambda: fill("[Acme", 200_000),
    "links in links": lambda: "[Acme" * 20_000 + "](https://acme.com)" * 20_000,
    "images in images": lambda: "![Acme" * 20_000 + "](https://acme.com)" * 20_000,
    "link openers": lambda: fill("[a](", 200_000),
    "link openers with angles": lambda: fill("[a](<b", 200_000),
    "round brackets": lambda: "(" * 200_000 + "Acme" + ")" * 200_000,
    "emphasis": lambda: "*" * 100_000 + "Acme" + "*" * 100_000,
    "emphasis of two kinds": lambda: fill("*_", 200_000) + "Acme",
    "bold that never closes": lambda: fill("**Acme ", 200_000),
    "emphasis inside words": lambda: fill("*a_Acme ", 200_000),
    "emphasis that closes nothing": lambda: fill("a** Acme", 200_000),
    "backticks": lambda: "`" * 200_000 + "Acme",
    "backticks of growing length": lambda: " ".join("`" * length for length in range(1, 700)),
    "angles": lambda: "<" * 200_000,
    "tags that never close": lambda: fill("<a href=", 200_000),
    "tags with quotation marks": lambda: fill('<a href="', 200_000),
    "tags": lambda: fill("<b>", 200_000) + "Acme",
    "html blocks": lambda: fill("<div>\nAcme\n", 200_000),
    "comments that never close": lambda: fill("<!-- Acme ", 200_000),
    "comments": lambda: fill("<!-- Acme --> Acme ", 200_000),
    "declarations": lambda: fill("<!A ", 200_000) + fill("<?", 200_000) + fill("<![CDATA[", 200_000),
    "ampersands": lambda: "&" * 200_000 + "Acme",
    "entities": lambda: fill("&amp;", 200_000) + "Acme" + fill("&#65;", 200_000),
    "entities between names": lambda: fill("&amp; Acme ", 300_000),
    "escapes between names": lambda: fill("\\* Acme ", 300_000),
    "names of entities": lambda: fill("&#65;cme ", 300_000),
    "backslashes": lambda: "\\" * 200_000 + "Acme",
    "pipes": lambda: "|" * 200_000 + "\n" + "|-" * 1_000,
    "tilde fences": lambda: fill("~~~\nAcme\n", 200_000),
    "hashes": lambda: "#" * 200_000 + " Acme\n" + fill("# ", 200_000),
    "rules": lambda: fill("---\n", 200_000) + fill("* * *\n", 200_000),
    "underlined headings": lambda: fill("Acme\n===\n", 200_000),
}

BAIT = {
    unit: (lambda unit=unit: fill(unit, 200_000))
    for unit in [
        "unlike ", "unlike Acme ", "unlike the ", "not ", "not recommend ", "not recommend Acme ", "not recommended ",
        "never ever ", "n't ",
        "instead of ", "rather than ", "compared with ", "alternatives to ", "switch from ", "than ", "more than ",
        "than the best of the ",
        "avoid ", "avoid the ", "avoid Acme, ", "steer clear of ", "no information about ", "no information ",
        "not familiar with ",
        "couldn't find ", "couldn't find any information about the ", "there is no better ", "no better than ",
        "not only ", "but ", "can't go wrong with ",
        "Acme, ", "Acme and ", "Acme or Xylia, ", "Acme ( ", "Acme: ", "Acme - ", "Acme's ", "Acme's's", "Acme not ",
        "Acme is not the ",
        "a.a", "a.", "a.a/", "acme.", "acme.com.", "acme.com/", "acme-", "acme-like", "Acme-like ", "www.", "www.a",
        "http://", "https://a.b",
        "https://acme.com/a ", "https://www.google.com/url?q=", "@", "@acme@", "a@b.", "[1,1", "[1,", "[1]", "[1",
        "[^1]", "[^1]: ", "[^1]: a\n\n",
        "[a]: b\n", "【", "【4†", "【4†source】", "¹", "①", "(1) ", "1. ", "1) Acme ", "1.\n", "• ", "• Acme\n",
        "•", "·",
        "#1 ", "Sources: ",
        "Sources:\n", "Sources:\n- Acme\n\n", "## Sources\n", "Source", "My pick: ", "My pick: Acme. ",
        "Best overall: ", "best ", "best overall ",
        "Acme. ", "a. ", "A. ", "e.g. ", "...", "…", "。", "! ", "? ", "'", '"', "' ", "s' ", "-", "- ", "– ", "—",
        ":", ": ", ";", ",", ", ", "/", "//",
        " ", "\t", "\n", "\r", "\r\n", " \n", "\u00a0", "\u3000", "\u2028", "\x00", "\x1a", "\x1a\n", "\ue000",
        "\ufffd", "N", "L ",
        "Acme\u200b", "\u200b", "\u00ad", "\ufeff", "\u202e", "\u202eAcme\u202c ", "\u2066Acme\u2069", "وAcme", "و",
        "אב Acme ", "ı", "İ", "ß", "ﷺ", "ﬁ",
        "\u0301", "A\u0301", "a\u0301\u0302", "\U0001f468\u200d", "\U0001f1e6", "Acme的", "推荐", "ー", "ア", "한", "ก",
        "ä", "не рекомендую ",
        "nicht ", "statt ", "von Acme ", "ne recommande pas ", "más barato que ", "لا أنصح ", "بدلا من ", "代わりに",
        "而不是", "보다 ",
    ]
}  # fmt: skip

_PHRASE_FILES = {path.stem: path for path in sorted(Path("src/sightline/answers/data/stance").glob("*.toml"))}


def mix_stance_phrases(language, size=100_000):
    """Return the words of a language's stance rules in random order, with a name between some of them."""
    words = re.findall(r"[^\W\d_A-Z]{2,}", _PHRASE_FILES[language].read_text("utf-8"))
    chosen = random.Random(language).choices([*words, *["Acme"] * (len(words) // 4)], k=size // 6)
    return ("" if language in {"ja", "th", "zh"} else " ").join(chosen)[:size]


STANCE_PHRASES = {language: (lambda language=language: mix_stance_phrases(language)) for language in _PHRASE_FILES}

ODD = {
    "ten thousand links": lambda: "".join(f"[Acme {n}](https://acme.com/{n}) " for n in range(10_000)),
    "ten thousand addresses": lambda: "".join(f"https://acme.com/{n} " for n in range(10_000)),
    "ten thousand hosts": lambda: "".join(f"[1](https://h{n}.example.com/) " for n in range(10_000)),
    "ten thousand references": lambda: "".join(f"[a{n}] " for n in range(10_000))
    + "\n\n"
    + "".join(f"[a{n}]: https://acme.com/{n}\n" for n in range(10_000)),
    "one long address referred to often": lambda: "[a]: https://acme.com/" + "x" * 50_000 + "\n\n" + "[a] " * 50_000,
    "ten thousand footnotes": lambda: "".join(f"Acme[^{n}] " for n in range(10_000))
    + "\n\n"
    + "".join(f"[^{n}]: https://acme.com/{n}\n" for n in range(10_000)),
    "one address of 1 MB": lambda: "https://acme.com/" + "a" * MEGA,
    "one address of 1 MB of parameters": lambda: "https://acme.com/?" + fill("a=b&", MEGA),
    "one host of 1 MB": lambda: "https://" + fill("a.") + "com/",
    "one host of 1 MB without dots": lambda: "https://" + "a" * MEGA,
    "a table of twenty thousand rows": lambda: "| Tool | Price |\n|---|---|\n" + "| Acme | 1 |\n" * 20_000,
    "a table of one row and many columns": lambda: "\n".join("|" + unit * 20_000 for unit in ("Acme|", "-|", "Acme|")),
    "a wide table of many short rows": lambda: "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n" + "|Acme|\n" * 10_000,
    "a table of names": lambda: "| Tool | Price |\n|---|---|\n" + "| Acme, Xylia | unlike Yamira |\n" * 20_000,
    "text in both directions": lambda: fill("\u202eemcA\u202c Acme \u2067أكمي Acme\u2069 שלום Acme ", 300_000),
    "lone surrogates": lambda: fill("\ud800Acme\udfff ", 300_000),
    "surrogates only": lambda: "\ud800" * 200_000,
    "surrogates the wrong way round": lambda: fill("\udc00\ud800", 200_000),
    "NULs": lambda: fill("Acme\x00", 300_000),
    "every control character": lambda: fill("".join(map(chr, range(32))) + "Acme", 300_000),
    "a letter with 100,000 accents": lambda: "Acme" + "\u0301" * 100_000 + " Acme",
    "each letter with 1,000 accents": lambda: "".join(letter + "\u0301" * 1_000 for letter in "Acme " * 40),
    "accents of all kinds": lambda: ("".join(map(chr, range(0x300, 0x370)))).join("Acme " * 400),
    "Hangul parts": lambda: "\u1100" + "\u1161" * 200_000,
    "emoji families": lambda: fill("\U0001f468\u200d\U0001f469\u200d\U0001f467 Acme ", 300_000),
    "planes beyond the first": lambda: fill("𝐀𝐜𝐦𝐞 \U00020000 ", 300_000),
    "a list whose numbers are broken": lambda: fill("1. Acme\n\ntext\n\n7. Xylia\n\ntext\n\n", 300_000),
    "items by ten thousands": lambda: "".join(f"{n}. Acme\n" for n in range(20_000)),
    "bullets without markdown": lambda: "".join(f"• Acme {n}\n" for n in range(20_000)),
    "headings to avoid": lambda: fill("## Brands to avoid\n\n- Acme\n- Xylia\n\n", 300_000),
    "paragraphs to avoid": lambda: fill("Avoid Acme. Acme is slow. Xylia.\n\n", 300_000),
    "one paragraph to avoid": lambda: "Avoid Acme. " + fill("Acme is slow. Xylia. ", 300_000),
    "acronyms spelled out": lambda: fill("hot potato (HP) horse power HP ", 300_000),
}  # fmt: skip
