"""doctor: whether payments, the mail server and the platforms can work as they are configured."""

import asyncio
import ssl
from collections.abc import Iterator

import msgspec

from sightline.cli.doctor_findings import Finding, build_finding
from sightline.kit.shell_command import format_command
from sightline.mail.smtp import parse_smtp_url, verify_mail_server
from sightline.platforms.access import find_connections
from sightline.platforms.names import platform_name
from sightline.scans.editor_platform import choose_editor, read_editor_setting
from sightline.settings import Settings, SettingsError

_STATES = {"works": "fine", "fails": "wrong", "unknown": "note"}


def check_services(settings: Settings) -> Iterator[Finding]:
    """Check what the service talks to. Nothing is charged, and no e-mail is sent."""
    yield from check_stripe(settings)
    yield check_mail(settings)
    yield from check_credentials(settings)
    yield check_editor(settings)
    yield from asyncio.run(check_platforms(settings))


def check_stripe(settings: Settings) -> Iterator[Finding]:
    if settings.stripe_api_key is None:
        return
    if settings.stripe_api_key.get_secret_value().strip().startswith(("sk_test_", "rk_test_")):
        yield build_finding(
            "note", "Stripe", "a test key, which cannot sell live credits", "Set a live key to sell credits."
        )
    else:
        yield build_finding("fine", "Stripe", "a live key")
    if settings.stripe_webhook_secret is None:
        remedy = "Create a Stripe webhook for /webhooks/stripe and set SIGHTLINE_STRIPE_WEBHOOK_SECRET."
        yield build_finding("wrong", "Stripe", "no webhook secret, so payments are credited late", remedy)


def check_mail(settings: Settings) -> Finding:
    if settings.smtp_url is None:
        text = f"no mail server: e-mails become files in {settings.data_dir / 'mail'}"
        return build_finding("note", "Mail", text, "Set SIGHTLINE_SMTP_URL.")
    try:
        server = parse_smtp_url(settings.smtp_url.get_secret_value())
    except SettingsError as error:
        return build_finding("wrong", "Mail", str(error), "Fix SIGHTLINE_SMTP_URL.")
    try:
        verify_mail_server(server, ssl.create_default_context())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        remedy = "Check host, port, user and password in SIGHTLINE_SMTP_URL, and the firewall."
        return build_finding("wrong", "Mail", f"{server.host}:{server.port} cannot be used: {reason}", remedy)
    return build_finding("fine", "Mail", f"{server.host}:{server.port} accepts connections")


def check_credentials(settings: Settings) -> Iterator[Finding]:
    """Find credentials that are only partly set and therefore connect nothing."""
    if bool(settings.dataforseo_login) != bool(settings.dataforseo_password):
        remedy = "Set both SIGHTLINE_DATAFORSEO_LOGIN and SIGHTLINE_DATAFORSEO_PASSWORD."
        yield build_finding("wrong", "DataForSEO", "login or password is missing", remedy)
    if settings.local_base_url is None and (settings.local_model or settings.local_api_key):
        remedy = "Set SIGHTLINE_LOCAL_BASE_URL."
        yield build_finding("wrong", "local", "a model or a key is set, but no address", remedy)


def check_editor(settings: Settings) -> Finding:
    """Say who edits insights, and whether that can work. Connections that operators have saved are not read."""
    connections = find_connections(settings)
    chosen = choose_editor(settings, connections) if _names_platform(settings) else None
    if chosen is not None:
        return build_finding("fine", "Editor", f"{settings.editor}: {platform_name(chosen.platform)} edits insights")
    if settings.editor in {"auto", "off"}:
        return build_finding("note", "Editor", f"{settings.editor}: rules alone make insights")
    named, _, _ = settings.editor.partition(":")
    if not _names_platform(settings):
        return build_finding("wrong", "Editor", f"{named} is not a platform", "Fix SIGHTLINE_EDITOR.")
    if named not in connections:
        remedy = f"Connect {named}, or change SIGHTLINE_EDITOR. If it is connected in the app, ignore this."
        return build_finding("note", "Editor", f"{named} is not connected by the settings", remedy)
    text = f"{named} cannot edit: it is no language model, or SIGHTLINE_PAUSED_PLATFORMS pauses it"
    return build_finding("wrong", "Editor", text, "Change SIGHTLINE_EDITOR.")


def _names_platform(settings: Settings) -> bool:
    try:
        read_editor_setting(settings)
    except SettingsError:
        return False
    return True


async def check_platforms(settings: Settings) -> list[Finding]:
    """Ask each connected vendor whether it accepts the key and knows the model. Nothing is charged.

    The model of the editor is checked, too, if it is another one.
    """
    found = find_connections(settings)
    connections = [(platform, connection) for platform, (_, connection) in found.items()]
    editor = choose_editor(settings, found) if _names_platform(settings) else None
    if editor is not None and editor.model is not None:
        _, connection = found[editor.platform]
        connections.append(("Editor", msgspec.structs.replace(connection, model=editor.model)))
    if not connections:
        return [build_finding("note", "Platforms", "none is connected: the installation is a sandbox")]
    # The HTTP client takes a while to import.
    from sightline.http.session import open_session
    from sightline.platforms.transport import NetworkTransport
    from sightline.platforms.verify import verify_connection

    async with open_session() as session:
        transport = NetworkTransport(session)
        verdicts = await asyncio.gather(*(verify_connection(each, transport) for _, each in connections))
    findings = []
    for (name, connection), verdict in zip(connections, verdicts, strict=True):
        remedy = (
            f"Then run: {format_command('platform', 'test', connection.platform)}" if verdict.state == "fails" else None
        )
        where = f"through {connection.vendor}: " if connection.vendor != connection.platform else ""
        findings.append(build_finding(_STATES[verdict.state], name, where + verdict.text, remedy))
    return findings
