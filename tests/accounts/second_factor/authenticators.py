"""What people hold in their hands: an authenticator app, and a security key in software."""

import base64
import hashlib
import json
import re
import struct

import cbor2
import pyotp
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

_PRESENT = 0x01
_ATTESTED = 0x40


def encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class SecurityKey:
    """An authenticator that signs what any site asks, with an ES256 key and without attestation."""

    def __init__(self, host: str = "localhost", origin: str = "http://localhost:8080") -> None:
        self.host, self.origin = host, origin
        self.id = hashlib.sha256(origin.encode()).digest()
        self.uses = 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: str) -> str:
        """Return the credential that a browser would send for these options."""
        numbers = self._key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        made = {"fmt": "none", "attStmt": {}, "authData": self._build_data(_PRESENT | _ATTESTED) + attested}
        return self._write(
            clientDataJSON=self._build_client_data("webauthn.create", options), attestationObject=cbor2.dumps(made)
        )

    def sign(self, options: str) -> str:
        """Return the response that a browser would send for these options."""
        self.uses += 1
        client_data, data = self._build_client_data("webauthn.get", options), self._build_data(_PRESENT)
        signature = self._key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return self._write(clientDataJSON=client_data, authenticatorData=data, signature=signature)

    def _build_data(self, flags: int) -> bytes:
        return hashlib.sha256(self.host.encode()).digest() + struct.pack(">BI", flags, self.uses)

    def _build_client_data(self, kind: str, options: str) -> bytes:
        challenge = json.loads(options)["challenge"]
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _write(self, **response: bytes) -> str:
        written = {name: encode(value) for name, value in response.items()}
        return json.dumps({"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": written})


def show_code(key: str, now) -> str:
    return pyotp.TOTP(key).at(now)


def read_key(page: str) -> str:
    """Return the key that the page shows for an authenticator app."""
    (key,) = re.findall(r"<code translate=\"no\">([A-Z2-7]{32})</code>", page)
    return key


def read_field(page: str, name: str) -> str:
    return re.findall(rf'name="{name}" value="([^"]*)"', page)[0]


def read_codes(page: str) -> list[str]:
    return re.findall(r"\b[a-z2-7]{6}(?:-[a-z2-7]{6}){3}\b", page)


def read_options(page: str) -> str:
    (options,) = re.findall(r'data-passkey="([^"]+)"', page)
    return options.replace("&#34;", '"').replace("&quot;", '"')


async def add_app(browser, now) -> tuple[str, list[str]]:
    """Add an authenticator app on the page; return its key and the recovery codes that were shown."""
    page = (await browser.get("/account/factors/app")).text
    key = read_key(page)
    form = {"sealed": read_field(page, "sealed"), "code": show_code(key, now)}
    done = await browser.post("/account/factors/app", data=form)
    assert done.status_code in {200, 303}, done.text
    return key, read_codes(done.text)


async def add_passkey(browser, security_key: SecurityKey, name: str = "Laptop") -> list[str]:
    options = read_options((await browser.get("/account/factors/passkey")).text)
    form = {"name": name, "credential": security_key.make(options)}
    done = await browser.post("/account/factors/passkey", data=form)
    assert done.status_code in {200, 303}, done.text
    return read_codes(done.text)
