"""Passkeys (WebAuthn): the challenges that browsers sign, and the verification of what they send.

A passkey belongs to the host name of the installation's public address. Browsers refuse one for an IP address.
"""

import json
import uuid
from datetime import datetime
from urllib.parse import urlsplit

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

from sightline.accounts.models import User
from sightline.accounts.second_factor import queries
from sightline.db.engine import Transaction
from sightline.kit.addresses import is_ip_address, is_loopback
from sightline.settings import Settings

# What the library raises for input that is not what a browser sends: its own exceptions, and those of its parsers.
_MALFORMED = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError)


def find_host(settings: Settings) -> str | None:
    """Return the host name that passkeys belong to; None where browsers offer none: on an IP address, or over http."""
    url = urlsplit(settings.public_url)
    host = url.hostname or ""
    if not host or is_ip_address(host) or not (settings.is_https or is_loopback(host)):
        return None
    return host


def find_origin(settings: Settings) -> str:
    url = urlsplit(settings.public_url)
    return f"{url.scheme}://{url.netloc}"


def build_new_options(host: str, user: User, known: list[bytes], challenge: bytes) -> str:
    """Return what a browser needs to make a passkey, as JSON. Authenticators that are `known` are not offered."""
    options = generate_registration_options(
        rp_id=host,
        rp_name="Sightline",
        user_name=user.email,
        user_id=user.id.bytes,
        user_display_name=user.name,
        challenge=challenge,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.DISCOURAGED, user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return options_to_json(options)


def build_options(host: str, known: list[bytes], challenge: bytes) -> str:
    """Return what a browser needs to use a passkey, as JSON."""
    options = generate_authentication_options(
        rp_id=host,
        challenge=challenge,
        allow_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return options_to_json(options)


def verify_new(settings: Settings, credential: str, challenge: bytes) -> VerifiedRegistration | None:
    """Return the passkey that a browser has made; None unless it signed this challenge for this site."""
    try:
        return verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=find_host(settings) or "",
            expected_origin=find_origin(settings),
        )
    except _MALFORMED:
        return None


async def use_passkey(
    tx: Transaction, settings: Settings, user_id: uuid.UUID, response: str, challenge: bytes, *, now: datetime
) -> bool:
    """Return whether a passkey of the person signed the challenge for this site, and note its use."""
    try:
        credential_id = base64url_to_bytes(json.loads(response)["rawId"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    known = await queries.lock_passkey(tx, user_id, credential_id)
    if known is None:
        return False
    try:
        verified = verify_authentication_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=find_host(settings) or "",
            expected_origin=find_origin(settings),
            credential_public_key=known.secret,
            credential_current_sign_count=known.counter,
        )
    except _MALFORMED:
        return False
    await queries.note_use(tx, user_id, known.id, verified.new_sign_count, now=now)
    return True
