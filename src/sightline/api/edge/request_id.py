"""Request ids: ours, or the client's own when it is known to us and the value is well formed."""

import re

from sightline.kit.ids import new_id

_WELL_FORMED = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def make_request_id() -> str:
    return str(new_id())


def accept_client_id(given: str | None) -> str | None:
    return given if given is not None and _WELL_FORMED.fullmatch(given) else None
