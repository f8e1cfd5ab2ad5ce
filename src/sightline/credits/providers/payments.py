"""The payment providers of this process, and which of them takes a new purchase."""

from collections.abc import Callable
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
    local: LocalPayments

    def provider_for(self, *, livemode: bool) -> Provider | None:
        """Return the provider of new purchases.

        Test mode always uses test money. Live credits are sold by Stripe with a live key, and in a sandbox for test
        money; a test key of Stripe sells nothing.
        """
        if livemode and self.stripe is not None and self.stripe.livemode:
            return self.stripe
        return self.local if not livemode or self.local.sells_live else None

    def find_provider(self, name: str) -> Provider | None:
        """Return the provider that an attempt was started with, while it is set up."""
        return {"stripe": self.stripe, "local": self.local}[name]

    async def close(self) -> None:
        if self.stripe is not None:
            await self.stripe.close()


def open_payments(settings: Settings, db: Database, *, is_sandbox: Callable[[], bool]) -> Payments:
    """Open the providers. `is_sandbox` says whether test money may buy live credits, which can end at any time."""
    return Payments(_open_stripe(settings), LocalPayments(db, public_url=settings.public_url, is_sandbox=is_sandbox))


def _open_stripe(settings: Settings) -> "StripePayments | None":
    key = settings.stripe_api_key.get_secret_value().strip() if settings.stripe_api_key else ""
    if not key:
        return None
    # Imported here: the Stripe SDK takes most of a second to load, and most installations do not use it.
    from sightline.credits.providers.stripe import StripePayments

    secret = settings.stripe_webhook_secret.get_secret_value().strip() if settings.stripe_webhook_secret else ""
    return StripePayments(
        key,
        webhook_secret=secret or None,
        base_url=settings.stripe_base_url,
        automatic_tax=settings.stripe_automatic_tax,
    )
