"""What the attackers do, and what they have to know for it. Light to import: they start while a server is measured."""

import msgspec

PARTIES = ("bootstraps", "slow headers", "streams", "slow receiver", "wrong bodies", "large imports")
BOOTSTRAPS = 60
SLOW_HEADERS = 200
STREAMS = 3_000
IMPORTED_PROMPTS, IMPORTED_TAGS = 500, 10


class AttackingWorkspace(msgspec.Struct, frozen=True):
    """A workspace whose key opens streams, with a scan that does not end; and whose other key imports prompts."""

    key: str
    domain_id: str
    scan_id: str
    data_key: str
    tracked_domain_id: str


class Orders(msgspec.Struct, frozen=True):
    """What the parties have to know."""

    port: int
    seconds: float
    """The time over which the attempts to open streams are spread."""
    workspaces: list[AttackingWorkspace]
    webhook_key: str
    webhook_id: str
