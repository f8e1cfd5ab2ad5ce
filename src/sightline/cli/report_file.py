"""Writing the report of a check or an analysis to a file."""

import secrets
from pathlib import Path

from sightline.cli.failures import err, fail
from sightline.reports.scan_report import render_scan_report
from sightline.scans.record import ScanRecord


def save_report(scan: ScanRecord, path: Path) -> None:
    """Write the report atomically: a concurrent reader sees the old file or the new one."""
    path = path.resolve()  # the file behind a link is replaced, not the link
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            draft.write_text(render_scan_report(scan), "utf-8", errors="replace")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        fail(f"The report could not be written to {path}: {error.strerror}.")
    err.print(f"Report written to {path}", highlight=False, markup=False)
