"""Facts and statements in words, in the language of the reader."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from sightline.facts.models import FactKind
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import localize
from sightline.presentation.phrases import country_name

KIND_NAMES: Mapping[FactKind, str] = {
    "price": translatable("Price"),
    "product": translatable("Product still sold"),
    "availability": translatable("Available"),
    "founded": translatable("Founding year"),
    "place": translatable("Place"),
    "certification": translatable("Certified"),
    "ability": translatable("Can do"),
}
UNIT_NAMES: Mapping[str, str] = {
    "month": translatable("%(price)s per month"),
    "year": translatable("%(price)s per year"),
    "user_month": translatable("%(price)s per user and month"),
    "user_year": translatable("%(price)s per user and year"),
}


def describe_stated(kind: FactKind, stated: str) -> str:
    """Describe what is stated or true, such as `USD 20 month`: $20 per month."""
    if stated in ("yes", "no"):
        return gettext("yes") if stated == "yes" else gettext("no")
    if kind == "place" and len(stated) == 2 and stated.isupper():
        return country_name(stated)
    parts = stated.split(" ")
    if kind != "price" or len(parts) < 2:
        return stated
    try:
        amount = Decimal(parts[1])
    except InvalidOperation:
        return stated
    price = f"{localize(f'{amount:,f}')} {parts[0]}"
    return gettext(UNIT_NAMES[parts[2]], price=price) if len(parts) > 2 and parts[2] in UNIT_NAMES else price


def describe_subject(kind: FactKind, subject: str, country: str | None = None) -> str:
    """Describe what a fact is about: its subject, else its kind, with its country."""
    named = subject or gettext(KIND_NAMES[kind])
    return f"{named} ({country_name(country)})" if country else named
