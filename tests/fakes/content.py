"""The answer of all fakes: several sources, some only retrieved, and characters of more than one byte."""

from dataclasses import dataclass

SOURCES = (
    ("https://www.techradar.com/best/the-best-crm-software", "Best CRM software of 2026: reviewed and ranked"),
    ("https://www.g2.com/categories/crm", "Best CRM Software | G2"),
    ("https://acme.example/pricing", "Acme CRM: pricing"),
    ("https://de.wikipedia.org/wiki/Customer-Relationship-Management", "Customer-Relationship-Management - Wikipedia"),
    ("https://www.reddit.com/r/startups/comments/1abcde/crm_for_startups/", "CRM for startups? : r/startups"),
)
CITED = (0, 1, 2)
RETRIEVED = (3, 4)
QUERIES = ("best crm for startups 2026", "crm comparison small teams Europe", "Acme CRM reviews")


@dataclass(frozen=True)
class Statement:
    text: str
    sources: tuple[int, ...] = ()


OPENING = Statement("Für junge Unternehmen 🚀 zählt vor allem, wie schnell ein CRM läuft. ")
STATEMENTS = (
    OPENING,
    Statement("**Acme CRM** is the easiest to set up and free for three seats", (0, 2)),
    Statement(", while **Globex** offers the richer reports 📊 for larger teams", (1,)),
    Statement(".\n\nInitech is worth a look if you already use its help desk; prüfen Sie die Preise vorab."),
)


def statements(characters: int = 0) -> tuple[Statement, ...]:
    """Return the answer, extended to at least this many characters."""
    parts, length = list(STATEMENTS), sum(len(each.text) for each in STATEMENTS)
    filler = Statement("\n\nThe same holds for teams of any size — ob groß oder klein 🙂.")
    repeats = max(0, characters - length) // len(filler.text) + (characters > length)
    return (*parts, *[filler] * repeats)


def plain_text(characters: int = 0) -> str:
    return "".join(each.text for each in statements(characters))
