"""Copying fields from one Struct to another."""

from typing import TypeVar

import msgspec

Target = TypeVar("Target", bound=msgspec.Struct)


def convert_struct(kind: type[Target], source: msgspec.Struct, **values: object) -> Target:
    """Return a Struct of this kind with `values`, and everything else that it shares with the source."""
    shared = {
        name: getattr(source, name) for name in kind.__struct_fields__ if name not in values and hasattr(source, name)
    }
    return kind(**shared, **values)
