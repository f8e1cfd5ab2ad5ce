"""rotate-secrets: seal stored secrets again, with the current secret key instead of a former one."""

import typer

from sightline.accounts.second_factor.apps import reseal_apps
from sightline.accounts.single_sign_on.providers import reseal_providers
from sightline.cli.context import AsJson, out, print_result, run_on_database
from sightline.cli.failures import err
from sightline.db.engine import Database
from sightline.platforms.connections.reseal import reseal_keys
from sightline.settings import Settings
from sightline.webhooks.reseal import ResealCounts, reseal_secrets_any_workspace
from sightline.webhooks.secrets import SecretBox


def rotate_secrets(as_json: AsJson = False) -> None:
    """Encrypt stored secrets again after SIGHTLINE_SECRET_KEY has changed. You can safely run this command again."""

    async def reseal(db: Database, settings: Settings) -> ResealCounts:
        counts = await reseal_secrets_any_workspace(db, SecretBox(*settings.signing_keys))
        async with db.transaction() as tx:
            apps = await reseal_apps(tx, settings)
            providers = await reseal_providers(tx, settings)
        for resealed, current, unreadable in (await reseal_keys(db, settings), apps, providers):
            counts.resealed += resealed
            counts.current += current
            counts.unreadable += unreadable
        return counts

    counts = run_on_database(reseal)
    print_result(counts, as_json, lambda: _print_counts(counts))
    if counts.unreadable:
        raise typer.Exit(1)


def _print_counts(counts: ResealCounts) -> None:
    out.print(
        f"Stored secrets: {counts.resealed} sealed again, {counts.current} already sealed with the current key.",
        highlight=False,
    )
    if counts.unreadable:
        err.print(
            f"{counts.unreadable} cannot be opened. Set SIGHTLINE_SECRET_KEY_PREVIOUS to the former key and run "
            "this command again, or ask their owners to rotate the webhook secrets, enter the platform keys and the "
            "client secrets of identity providers, and set up the authenticator apps again.",
            highlight=False,
        )
    else:
        out.print("SIGHTLINE_SECRET_KEY_PREVIOUS can be removed.", highlight=False)
