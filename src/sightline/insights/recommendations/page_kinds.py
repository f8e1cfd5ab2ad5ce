"""The kinds of sites that a brand can get onto, and the kinds of pages that a brand has."""

from typing import Literal

SiteType = Literal["retailer", "directory", "review_site", "forum", "editorial", "encyclopedia", "other"]
PageKind = Literal["comparison", "pricing", "docs", "guide", "category", "product", "home", "page"]
