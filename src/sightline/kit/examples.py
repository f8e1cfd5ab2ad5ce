"""Examples of requests and responses, declared next to the schemas that they show.

A module with schemas, or with the handlers of operations, can have `EXAMPLES` by the name of the operation, `PATH_IDS`
by API and parameter, and `EVENT_EXAMPLES` by type of event. The OpenAPI document finds them there. Examples are made of
the real schemas: when a schema changes, its example changes with it or fails.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

REQUEST_ID = "01990f6b-7d12-7c44-8a3e-52f1c09b6d80"
WORKSPACE_ID = UUID("01990f64-10aa-7e02-b6c8-93d4f1a7250e")
USER_ID = UUID("01990f64-10a9-7b11-8f27-0c5be6a4d913")
CONSOLE_DOMAIN_ID = UUID("01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17")
TRACKED_DOMAIN_ID = UUID("01990f66-5b08-7d90-a1f4-e27c3b96084d")
# Of the Full Check that most examples of the Data API are about.
CHECK_ID = UUID("01990f70-51c2-7e6f-a3d8-47b0c95e1f28")
CHECKED_PROMPT_ID = UUID("01990f66-7e51-7c2b-8f0d-31a9b6c4d7e2")
CHECKED_PROMPT = "Which anvil suits a small forge?"
CHECK_ANSWER_ID = UUID("01990f70-5a13-7b94-8e27-c6d1f03a48b5")
EVENT_TIME = "2026-11-14T09:30:02.118240+00:00"


class Example(NamedTuple):
    """One request and its response, without the envelope: a resource, or the rows of a page, or the text of a stream.

    `other_responses` are successes with another status: what happened, and the resource.
    """

    response: msgspec.Struct | Sequence[msgspec.Struct] | str
    request: Mapping[str, Any] | None = None
    other_responses: Mapping[int, tuple[str, msgspec.Struct]] = {}
    next_cursor: str | None = None
