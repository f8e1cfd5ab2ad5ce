"""doctor: what is dangerous once others can reach the service. Pure, but for the user that runs it."""

import os
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

from sightline.cli.doctor_findings import Finding, build_finding
from sightline.kit.addresses import is_loopback
from sightline.settings import Settings

_TLS_WEAKNESSES = {
    "disable": "passwords and data are sent in clear text",
    "allow": "the connection may be in clear text",
    "prefer": "the connection may fall back to clear text",
    "require": "the certificate of the server is not verified",
}


def check_exposure(settings: Settings, *, is_root: bool | None = None) -> Iterator[Finding]:
    """Check who runs the service, and how others reach it."""
    if os.geteuid() == 0 if is_root is None else is_root:
        yield build_finding(
            "note", "User", "root", "Run the service as an ordinary user. It needs no special privileges."
        )
    if not settings.is_public:
        yield build_finding("fine", "Address", f"{settings.public_url}, on this machine only")
        return
    if not settings.is_https:
        remedy = "Serve over https behind a reverse proxy, and set SIGHTLINE_BASE_URL to the https:// address."
        yield build_finding("wrong", "Address", f"{settings.public_url} is public and not https", remedy)
    else:
        yield build_finding("fine", "Address", settings.public_url)
        if not settings.trusted_proxies:
            remedy = "Set SIGHTLINE_TRUSTED_PROXIES to the proxy's address. Otherwise all callers share one rate limit."
            yield build_finding("wrong", "Proxy", "https needs a proxy, and no proxy is trusted", remedy)
    if settings.metrics_token is None:
        remedy = "Set SIGHTLINE_METRICS_TOKEN, and configure Prometheus to send it as a bearer token."
        yield build_finding("note", "Metrics", "/metrics is closed: no token is set", remedy)


def check_database_tls(url: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Check that the way to a PostgreSQL on another machine is encrypted, and that its certificate is verified."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    servers = parts.netloc.rpartition("@")[2] or options.get("host") or environment.get("PGHOST", "")
    remote = [host for host in map(_strip_port, servers.split(",")) if not _is_local_server(host)]
    if not remote:
        return
    mode = options.get("sslmode") or environment.get("PGSSLMODE") or "prefer"
    if mode == "verify-full":
        yield build_finding("fine", "Database TLS", mode)
        return
    weakness = _TLS_WEAKNESSES.get(mode, "the certificate is verified, but not the name of the host")
    remedy = "Set sslmode=verify-full and sslrootcert in SIGHTLINE_DATABASE_URL, or PGSSLMODE and PGSSLROOTCERT."
    yield build_finding("note", "Database TLS", f"{', '.join(remote)}: sslmode is {mode}: {weakness}", remedy)


def _strip_port(server: str) -> str:
    if server.startswith("["):  # an IPv6 address in a URL
        return server[1:].partition("]")[0]
    return server.partition(":")[0] if server.count(":") == 1 else server


def _is_local_server(host: str) -> bool:
    """Return whether a host of a database URL is this machine; nothing or a path is a socket on it."""
    name = unquote(host)
    return not name or name.startswith(("/", "@")) or is_loopback(name)
