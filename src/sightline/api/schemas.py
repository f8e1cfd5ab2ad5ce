"""Schemas that several resources of both APIs share. A feature's own are in its `schemas.py`."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta


class Removed(msgspec.Struct, frozen=True):
    """Confirmation that a resource was removed."""

    id: Annotated[uuid.UUID, Meta(description="Id of what was removed.")]
    deleted: Annotated[bool, Meta(description="Always true.")]
