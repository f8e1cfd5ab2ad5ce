"""Which providers this process can use, and which of them takes the money of a new purchase."""

from typing import TYPE_CHECKING

import msgspec

from sightline.credits.providers.local import LocalPayments
from sightline.credits.providers.models import Provider
from sightline.db.engine import Database
from sightline.settings import Settings

if TYPE_CHECKING:
    from sightline.credits.providers.stripe import StripePayments


class Payments(msgspec.Struct, frozen=True):
    stripe: "StripePayments | None"
    local: LocalPayments | None

    def provider_for(self, *, livemode: bool) -> Provider | None:
        """Live purchases go to Stripe where it is set up. Test mode never touches it: there test money is enough."""
        return self.stripe if livemode and self.stripe is not None else self.local

    def find_provider(self, name: str) -> Provider | None:
        """The provider that an attempt was started with, for as long as it is set up."""
        return {"stripe": self.stripe, "local": self.local}[name]

    async def close(self) -> None:
        if self.stripe is not None:
            await self.stripe.close()


def open_payments(settings: Settings, db: Database, *, sandbox: bool) -> Payments:
    """`sandbox`: no platform is connected, so that test money may buy what costs nothing."""
    local = LocalPayments(db, public_url=settings.public_url) if sandbox else None
    return Payments(_open_stripe(settings), local)


def _open_stripe(settings: Settings) -> "StripePayments | None":
    key = settings.stripe_api_key.get_secret_value().strip() if settings.stripe_api_key else ""
    if not key:
        return None
    # Here, not above: the SDK takes most of a second to load, and most installations do not need it.
    from sightline.credits.providers.stripe import StripePayments

    secret = settings.stripe_webhook_secret.get_secret_value().strip() if settings.stripe_webhook_secret else ""
    return StripePayments(
        key,
        webhook_secret=secret or None,
        base_url=settings.stripe_base_url,
        automatic_tax=settings.stripe_automatic_tax,
    )
