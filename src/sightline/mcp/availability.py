"""Whether the extra `mcp` is installed. Without it, only this module and `http.mount` may be imported."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sightline.api.app import MountBuilder


def is_available() -> bool:
    return find_spec("mcp") is not None


def find_mounts() -> "list[MountBuilder]":
    """Return the mounts that serve `/mcp`. Without the extra there are none, and the path is not found."""
    if not is_available():
        return []
    from sightline.mcp.http.mount import mount_mcp

    return [mount_mcp]
