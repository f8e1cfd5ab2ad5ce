"""The guide to the web app has a section for every page of the Dashboard."""

import re
from pathlib import Path

from sightline.web.layout import DASHBOARD

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "web-app.md").read_text()


def test_every_page_of_the_navigation_has_a_section():
    headings = " ".join(re.findall(r"^## (.*)$", GUIDE, re.MULTILINE)).lower()
    for _, pages in DASHBOARD:
        for _, title, *_ in pages:
            assert title.lower() in headings, title
