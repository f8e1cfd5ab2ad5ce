"""The look of what a client's people see: logo, color and sender in the place of Sightline's."""

import base64

import msgspec

from sightline.presentation.contrast import DARK_GROUND, find_readable_shade


class Look(msgspec.Struct, frozen=True):
    """The look of a client. Without sender, color and logo, it is that of Sightline."""

    sender_name: str | None = None
    color: str | None = None
    """Readable on white, and below white text."""
    logo: bytes | None = None
    """A PNG that we have drawn."""
    shows_maker: bool = True
    timezone: str | None = None
    """The zone of times in its reports; None for the one of the workspace."""

    @property
    def is_own(self) -> bool:
        """Return whether something else stands where Sightline's name and sign would, be it nothing."""
        return bool(self.sender_name or self.logo or not self.shows_maker)

    @property
    def name(self) -> str:
        """Return the name at the top; empty if there is only a logo, or nothing."""
        return self.sender_name or ("" if self.is_own else "Sightline")

    @property
    def dark_color(self) -> str | None:
        """Return the shade of the color that can be read on a dark page."""
        return self.color and find_readable_shade(self.color, ground=DARK_GROUND)

    @property
    def logo_url(self) -> str:
        """Return the logo as a data URL; empty if there is none."""
        return "" if self.logo is None else f"data:image/png;base64,{base64.b64encode(self.logo).decode()}"


SIGHTLINE = Look()
