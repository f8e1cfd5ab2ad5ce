"""doctor: whether payments, the mail server and the platforms can work as they are configured."""

import asyncio
import ssl
from collections.abc import Iterator

from sightline.cli.doctor_findings import Finding, build_finding
from sightline.kit.shell_command import format_command
from sightline.mail.smtp import parse_smtp_url, verify_mail_server
from sightline.platforms.access import find_connections
from sightline.settings import Settings, SettingsError

_STATES = {"works": "fine", "fails": "wrong", "unknown": "note"}


def check_services(settings: Settings) -> Iterator[Finding]:
    """Check what the service talks to. Nothing is charged, and no e-mail is sent."""
    yield from check_stripe(settings)
    yield check_mail(settings)
    yield from check_credentials(settings)
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


async def check_platforms(settings: Settings) -> list[Finding]:
    """Ask each connected vendor whether it accepts the key and knows the model. Nothing is charged."""
    connections = [connection for _, connection in find_connections(settings).values()]
    if not connections:
        return [build_finding("note", "Platforms", "none is connected: the installation is a sandbox")]
    # The HTTP client takes a while to import.
    from sightline.http.session import open_session
    from sightline.platforms.transport import NetworkTransport
    from sightline.platforms.verify import verify_connection

    async with open_session() as session:
        transport = NetworkTransport(session)
        verdicts = await asyncio.gather(*(verify_connection(each, transport) for each in connections))
    findings = []
    for connection, verdict in zip(connections, verdicts, strict=True):
        remedy = (
            f"Then run: {format_command('platform', 'test', connection.platform)}" if verdict.state == "fails" else None
        )
        where = f"through {connection.vendor}: " if connection.vendor != connection.platform else ""
        findings.append(build_finding(_STATES[verdict.state], connection.platform, where + verdict.text, remedy))
    return findings
