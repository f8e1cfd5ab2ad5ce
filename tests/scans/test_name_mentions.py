"""The passage of an answer that a suggested competitor is quoted with."""

import pytest

from sightline.scans.name_mentions import quote_name


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Try **Elvison** first.", ("Try ", "Elvison", " first.")),
        (
            "A close race.[1](https://elvison.com)\n- [Elvison](https://x.com): solid",
            ("A close race.1 ", "Elvison", ": solid"),
        ),
        ("See https://elvison.com/a and Elvison.", ("See https://elvison.com/a and ", "Elvison", ".")),
        ("A close race.[1](https://elvison.com)", None),
        ("Elvisonia is another one.", None),
        (
            "The best:\n| Name | For | Price |\n|---|---|---|\n| Elvison | Offices | Low |\n| Halm | Tea | Low |",
            ("", "Elvison", " · Offices · Low"),
        ),
        ("| 1 | **Elvison** | Low |", ("1 · ", "Elvison", " · Low")),
    ],
)
def test_a_name_is_quoted_outside_of_addresses_and_in_a_table_with_its_row(text, quoted):
    assert quote_name("Elvison", text) == quoted
