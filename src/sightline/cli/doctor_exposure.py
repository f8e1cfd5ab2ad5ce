"""doctor: what is dangerous once others can reach the service. Pure, but for the user that runs it."""

import ipaddress
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

from sightline.cli.doctor_findings import Finding, build_finding
from sightline.settings import Settings


def check_exposure(settings: Settings, *, is_root: bool | None = None) -> Iterator[Finding]:
    """Check who runs the service, and how others reach it."""
    if os.geteuid() == 0 if is_root is None else is_root:
        yield build_finding("note", "User", "root", "Run the service as an ordinary user: it needs no privilege.")
    if not is_public(settings):
        yield build_finding("fine", "Address", f"{settings.public_url}, on this machine only")
        return
    if not settings.is_https:
        remedy = "Serve over https behind a reverse proxy, and set SIGHTLINE_BASE_URL to the https:// address."
        yield build_finding("wrong", "Address", f"{settings.public_url} is public and not https", remedy)
    else:
        yield build_finding("fine", "Address", settings.public_url)
        if not settings.trusted_proxies:
            remedy = "Set SIGHTLINE_TRUSTED_PROXIES to the proxy's address: all callers share its limits otherwise."
            yield build_finding("wrong", "Proxy", "https needs a proxy, and none is trusted", remedy)
    if settings.metrics_token is None:
        remedy = "Set SIGHTLINE_METRICS_TOKEN, or keep /metrics from the public in the proxy."
        yield build_finding("wrong", "Metrics", "/metrics is open to everybody", remedy)


def is_public(settings: Settings) -> bool:
    """Return whether others reach the service: it listens beyond this machine, or has an address beyond it."""
    return not (_is_loopback(settings.host) and _is_loopback(urlsplit(settings.public_url).hostname or ""))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
