"""Schemas that several resources of both APIs share. A feature's own are in its `schemas.py`."""

import uuid

import msgspec


class Removed(msgspec.Struct, frozen=True):
    id: uuid.UUID
    deleted: bool
