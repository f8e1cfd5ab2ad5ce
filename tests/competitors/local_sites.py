"""Local TLS sites for every host name of a test, with the real client, guard and redirects."""

import asyncio
import contextlib
import ssl
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from sightline.competitors.fetch_site import fetch_site_name
from sightline.http.egress import EgressGuard, open_guarded_session
from sightline.kit.clock import utc_now
from tests.http.test_egress import Names

PAGE = b'<meta property="og:site_name" content="Globex">'
_HOSTS = ("acme.com", "globex.com", "*.globex.com", "parking.net", "evil.com")


def write_certificate(folder: Path) -> Path:
    """Write a certificate valid for a day and its key into one file."""
    key, now = ec.generate_private_key(ec.SECP256R1()), utc_now()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "globex.com")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in _HOSTS]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "site.pem"
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    return path


class _LocalNames(Names):
    """Resolves every name to the test server, unless the test gives other addresses."""

    def __init__(self, port: int) -> None:
        super().__init__(["127.0.0.1"])
        self._port = port

    async def resolve(self, host, port=0, family=0):
        return [{**found, "port": self._port} for found in await super().resolve(host, port)]


class LocalSites:
    """The page at each address. `asked` lists every request that arrived."""

    def __init__(self) -> None:
        self.pages: dict[str, object] = {}
        self.asked: list[str] = []
        self.hanging = asyncio.Event()
        self.session = self.resolver = None
        self.guard = EgressGuard(allow_loopback=True)

    def serve(self, url: str = "https://globex.com/", status: int = 200, body: bytes = PAGE, **headers: str) -> None:
        named = {"content-type": "text/html"} | {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[url] = (status, body, named)

    def redirect(self, url: str, to: str) -> None:
        self.serve(url, 302, b"", location=to)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        url = str(request.url)
        self.asked.append(url)
        found = self.pages.get(url)
        if found == "hangs":
            await self.hanging.wait()
        if found in ("floods", "drips"):
            return await self._send_without_end(request, b"x" * 65_536 if found == "floods" else b"x")
        if found is None or found == "hangs":
            request.transport.abort()
            return web.Response()
        status, body, headers = found
        return web.Response(status=status, body=body, headers=headers)

    async def _send_without_end(self, request: web.Request, chunk: bytes) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/html"})
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while not self.hanging.is_set():
                await response.write(chunk)
                await asyncio.sleep(0.001)
        return response

    async def name(self, domain: str = "globex.com") -> str | None:
        return await fetch_site_name(self.session, self.guard, domain)


@asynccontextmanager
async def open_sites(folder: Path):
    sites, path = LocalSites(), write_certificate(folder)
    own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.load_cert_chain(path)
    runner = web.AppRunner(web.Application(), access_log=None, shutdown_timeout=0.1)
    runner.app.router.add_route("*", "/{path:.*}", sites.handle)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=own).start()
    sites.resolver = _LocalNames(runner.addresses[0][1])
    try:
        async with open_guarded_session(sites.guard, resolver=sites.resolver) as session:
            session.connector._ssl = ssl.create_default_context(cafile=str(path))
            sites.session = session
            yield sites
    finally:
        sites.hanging.set()
        await runner.cleanup()
