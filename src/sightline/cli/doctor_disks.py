"""doctor: whether the disks that the service writes to have space."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sightline.cli.doctor_findings import Finding, build_finding
from sightline.db import embedded
from sightline.kit.disk import DiskSpace, measure_disk
from sightline.presentation.sizes import format_bytes
from sightline.settings import Settings

_FOLDER = "file:"


def check_disks(settings: Settings) -> Iterator[Finding]:
    """Find disks with too little space, each once. The folder of backups has a check of its own."""
    seen = set()
    for folder in map(_find_existing, _list_folders(settings)):
        disk, device = measure_disk(folder), folder.stat().st_dev
        if disk is not None and device not in seen:
            seen.add(device)
            yield from _check_disk(folder, disk)


def _check_disk(folder: Path, disk: DiskSpace) -> Iterator[Finding]:
    text = f"{format_bytes(disk.free)} of {format_bytes(disk.size)} free on the disk of {folder}"
    remedy = "Free some space, or enlarge the disk. On a full disk, the embedded database refuses writes."
    if disk.is_full:
        yield build_finding("wrong", "Disk", f"full: {text}", remedy)
    elif disk.is_low:
        yield build_finding("note", "Disk", f"nearly full: {text}", remedy)


def _list_folders(settings: Settings) -> Iterator[Path]:
    yield settings.data_dir
    if settings.is_embedded:
        with suppress(embedded.EmbeddedError):  # a check of its own reports it
            yield embedded.describe(settings.data_dir).cluster or settings.data_dir
    if settings.payload_store.startswith(_FOLDER):
        yield Path(settings.payload_store.removeprefix(_FOLDER).removeprefix("//"))


def _find_existing(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists: there, the first start creates it."""
    return next(each for each in (folder, *folder.parents) if os.access(each, os.F_OK))
