"""The commands backup and restore."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from sightline.backups.archive import open_archive
from sightline.backups.create import create_backup
from sightline.backups.files import write_private
from sightline.backups.key_file import place_key, read_keys
from sightline.backups.models import BackupError, InstallationKeys, Manifest
from sightline.backups.passphrase import open_keys, require_passphrase
from sightline.backups.restore import (
    complete_restore,
    require_known_schema,
    require_unprivileged_role,
    restore_database,
)
from sightline.backups.schedule import name_backup, read_passphrase, read_passphrase_file
from sightline.backups.verify import VerifiedBackup, verify_backup
from sightline.cli.context import (
    AsJson,
    explain_failures,
    find_direct_url,
    load_settings,
    out,
    print_result,
    start_database_server,
)
from sightline.cli.failures import err, fail
from sightline.cli.serving import lock_data_dir
from sightline.kit.clock import utc_now
from sightline.kit.shell_command import format_command
from sightline.settings import Settings

PassphraseFile = Annotated[
    Path | None,
    typer.Option(
        help="File whose first line is the passphrase. Default: SIGHTLINE_BACKUP_PASSPHRASE, "
        "SIGHTLINE_BACKUP_PASSPHRASE_FILE, or a prompt."
    ),
]


def backup(
    target: Annotated[
        Path | None, typer.Argument(help="File to write, or folder to write to. Default: SIGHTLINE_BACKUP_FOLDER.")
    ] = None,
    verify: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read this backup in full and write nothing.")
    ] = None,
    passphrase_file: PassphraseFile = None,
    as_json: AsJson = False,
) -> None:
    """Write the database and the sealed secret key to one file, and verify it. The service can keep running."""
    settings = load_settings()
    with _explain_failures():
        if verify is not None:
            passphrase = _find_passphrase(settings, passphrase_file)
            _print_backup(verify, asyncio.run(verify_backup(verify, passphrase)), as_json)
            return
        path = _choose_path(settings, target)
        secret = _find_passphrase(settings, passphrase_file) or _prompt(confirm=True)
        with start_database_server(settings) as (url, _):
            written = asyncio.run(
                create_backup(find_direct_url(settings, url), path, read_keys(settings), secret, now=utc_now())
            )
    _print_backup(path, written, as_json)


def restore(
    file: Annotated[Path, typer.Argument(help="A backup that `sightline backup` has written.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete the current content of the database first.")
    ] = False,
    without_key: Annotated[
        bool,
        typer.Option(
            "--without-key",
            help="Restore the database without the secret key, for example if the passphrase is lost. "
            "Webhook secrets and platform keys stay unreadable.",
        ),
    ] = False,
    keys_to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write only the secret key, as lines of an environment file."),
    ] = None,
    passphrase_file: PassphraseFile = None,
    as_json: AsJson = False,
) -> None:
    """Restore a backup and its secret key into an empty database, and migrate it to the newest schema."""
    settings = load_settings()
    with _explain_failures():
        manifest, keys = _open_backup(settings, file, passphrase_file, with_key=not without_key)
        if keys_to is not None:
            _write_keys(keys, keys_to, as_json)
            return
        former_key = _restore(settings, file, manifest, keys, replace=replace)
    result = {**_describe(file, manifest), "former_key": None if former_key is None else str(former_key)}
    print_result(result, as_json, lambda: _print_restored(settings, manifest, keys, former_key))


def _restore(
    settings: Settings, file: Path, manifest: Manifest, keys: InstallationKeys | None, *, replace: bool
) -> Path | None:
    """Return the file with the key that was replaced."""
    require_known_schema(manifest)  # before a cluster is created for nothing
    lock = lock_data_dir(settings) if settings.is_embedded else nullcontext()
    placing = nullcontext() if keys is None else place_key(settings, keys)
    with lock, start_database_server(settings) as (url, _):
        address = find_direct_url(settings, url)
        if keys is None:
            asyncio.run(require_unprivileged_role(address))
        with placing as former:
            asyncio.run(restore_database(address, file, replace=replace, expected=manifest))
        asyncio.run(complete_restore(address))  # its failure must not bring the former key back
    return former


@contextmanager
def _explain_failures() -> Iterator[None]:
    try:
        with explain_failures():
            yield
    except BackupError as error:
        fail(str(error))


def _choose_path(settings: Settings, target: Path | None) -> Path:
    chosen = target or settings.backup_folder
    if chosen is None:
        fail("Name a file or a folder, or set SIGHTLINE_BACKUP_FOLDER.")
    if target is None:
        chosen.mkdir(mode=0o700, parents=True, exist_ok=True)
    return chosen / name_backup(utc_now()) if chosen.is_dir() else chosen


def _find_passphrase(settings: Settings, file: Path | None) -> str | None:
    """Return the passphrase of the option or of the settings, and None if neither gives one."""
    if file is not None:
        return read_passphrase_file(file)
    has_setting = settings.backup_passphrase is not None or settings.backup_passphrase_file is not None
    return read_passphrase(settings) if has_setting else None


def _prompt(*, confirm: bool) -> str:
    if not sys.stdin.isatty():
        fail(
            "Give the passphrase with --passphrase-file, SIGHTLINE_BACKUP_PASSPHRASE_FILE or "
            "SIGHTLINE_BACKUP_PASSPHRASE."
        )
    given: str = typer.prompt("Passphrase of the backup", hide_input=True, confirmation_prompt=confirm, err=True)
    return require_passphrase(given)


def _open_backup(
    settings: Settings, file: Path, passphrase_file: Path | None, *, with_key: bool
) -> tuple[Manifest, InstallationKeys | None]:
    """Return the manifest, and with `with_key` the keys, which prove that the manifest is unchanged."""
    with open_archive(file) as archive:
        if not with_key:
            return archive.manifest, None
        passphrase = _find_passphrase(settings, passphrase_file) or _prompt(confirm=False)
        return archive.manifest, open_keys(archive.keys_document, passphrase, archive.manifest_document)


def _write_keys(keys: InstallationKeys | None, path: Path, as_json: bool) -> None:
    if keys is None:
        fail("Use either --keys-to or --without-key, not both.")
    lines = [f"SIGHTLINE_SECRET_KEY={keys.secret_key}"]
    if keys.secret_key_previous is not None:
        lines.append(f"SIGHTLINE_SECRET_KEY_PREVIOUS={keys.secret_key_previous}")
    write_private(path, "\n".join(lines) + "\n")
    print_result({"file": str(path)}, as_json, lambda: out.print(f"The secret key is in {path}.", highlight=False))


def _describe(path: Path, manifest: Manifest) -> dict[str, Any]:
    return {
        "file": str(path),
        "created_at": manifest.created_at,
        "sightline_version": manifest.sightline_version,
        "schema": manifest.revision,
        "postgresql": manifest.server_major,
        "tables": manifest.tables,
        "rows": manifest.rows,
    }


def _print_backup(path: Path, backup: VerifiedBackup, as_json: bool) -> None:
    manifest, size = backup.manifest, path.stat().st_size
    result = {**_describe(path, manifest), "bytes": size, "key_verified": backup.keys is not None}

    def print_text() -> None:
        out.print(f"{path} ({size:,} bytes)", highlight=False)
        out.print(
            f"  Sightline {manifest.sightline_version}, schema {manifest.revision}, PostgreSQL {manifest.server_major}"
            f", {manifest.created_at:%d %b %Y %H:%M} UTC: {manifest.rows:,} rows in {len(manifest.tables)} tables",
            highlight=False,
        )
        out.print(
            "  Verified: the checksum of the dump is correct, and pg_restore can read all of it.", highlight=False
        )
        if sealed := manifest.tables.get("public.sealed_months"):
            out.print(
                f"  Not in it: the files of {sealed:,} sealed months. Copy their store after the backup.",
                highlight=False,
            )
        if backup.keys is None:
            out.print("  Not verified: the sealed secret key, because no passphrase was given.", highlight=False)
        else:
            out.print("  Verified: the passphrase opens the secret key, and the file is unchanged.", highlight=False)

    print_result(result, as_json, print_text)


def _print_restored(
    settings: Settings, manifest: Manifest, keys: InstallationKeys | None, former_key: Path | None
) -> None:
    out.print(
        f"Restored {manifest.rows:,} rows in {len(manifest.tables)} tables from the backup of "
        f"{manifest.created_at:%d %b %Y %H:%M} UTC. The database has the newest schema.",
        highlight=False,
    )
    if former_key is not None:
        out.print(f"The secret key that was here before is in {former_key}.", highlight=False)
    previous = keys.secret_key_previous if keys else None
    if previous is not None and previous.encode() not in settings.signing_keys:
        err.print(
            "The backup also has a former secret key. Write both keys to a file with --keys-to, set "
            f"SIGHTLINE_SECRET_KEY_PREVIOUS, and run: {format_command('rotate-secrets')}",
            highlight=False,
            markup=False,
        )
    command = format_command("credits", "verify")
    out.print(f"Start the service after you have checked the balances with: {command}", highlight=False, markup=False)
