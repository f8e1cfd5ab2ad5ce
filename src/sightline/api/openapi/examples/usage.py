"""Example of request counts."""

from collections.abc import Mapping

from sightline.api.openapi.examples.example import (
    Example,
    envelope,
)
from sightline.usage.schemas import UsageFigures

EXAMPLES: Mapping[str, Example] = {
    "read_usage": Example(envelope(UsageFigures(214, 3_870, 41_552, 1.4, "2026-11-14T09:30:00.123456+00:00"))),
}
