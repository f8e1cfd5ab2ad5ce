"""Logs the faults of platforms: the first one of each platform and code at once, the following as one line a minute."""

import asyncio
import uuid

import msgspec
import structlog

from sightline.platforms.models import FaultKind

log = structlog.get_logger()

_SUMMARY_SECONDS = 60.0


class _Repeats(msgspec.Struct):
    """The faults of one platform and code since the last line about them."""

    count: int = 0
    workspaces: set[uuid.UUID] = msgspec.field(default_factory=set)
    scans: set[uuid.UUID] = msgspec.field(default_factory=set)


class FaultLog:
    """The faults that a worker has met, so that an outage does not fill the log."""

    def __init__(self, *, summary_seconds: float = _SUMMARY_SECONDS) -> None:
        self._summary_seconds = summary_seconds
        self._repeats: dict[tuple[str, FaultKind], _Repeats] = {}

    def note(self, platform: str, code: FaultKind, *, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> None:
        repeats = self._repeats.get((platform, code))
        if repeats is None:
            log.warning(
                "platform_call_failed",
                platform=platform,
                code=code,
                workspace_id=str(workspace_id),
                scan_id=str(scan_id),
            )
            self._begin_minute(platform, code)
            return
        repeats.count += 1
        repeats.workspaces.add(workspace_id)
        repeats.scans.add(scan_id)

    def _begin_minute(self, platform: str, code: FaultKind) -> None:
        self._repeats[platform, code] = _Repeats()
        asyncio.get_running_loop().call_later(self._summary_seconds, self._end_minute, platform, code)

    def _end_minute(self, platform: str, code: FaultKind) -> None:
        repeats = self._repeats.pop((platform, code))
        if not repeats.count:
            return
        log.warning(
            "platform_calls_failed",
            platform=platform,
            code=code,
            count=repeats.count,
            workspaces=sorted(map(str, repeats.workspaces))[:5],
            scans=sorted(map(str, repeats.scans))[:5],
        )
        self._begin_minute(platform, code)
