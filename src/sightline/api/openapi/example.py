"""What an example is, and the ids that examples share."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec


class Example(NamedTuple):
    """One exchange. `others` are successes with a status of their own: what happened, and the response."""

    response: msgspec.Struct | str  # text: what a stream sends
    request: Mapping[str, Any] | None = None
    others: Mapping[int, tuple[str, msgspec.Struct | str]] = {}


REQUEST_ID = "01990f6b-7d12-7c44-8a3e-52f1c09b6d80"
WORKSPACE_ID = "01990f64-10aa-7e02-b6c8-93d4f1a7250e"
