"""Example of the list of platforms."""

from collections.abc import Mapping

from sightline.api.openapi.examples.example import (
    Example,
    page,
)
from sightline.platforms.catalog import PLATFORMS

EXAMPLES: Mapping[str, Example] = {
    "list_platforms": Example(page(*PLATFORMS[:3])),
}
