"""Reading the bytes of an uploaded file as text, in the encodings that spreadsheets write. Pure."""

import codecs
from typing import NamedTuple

from sightline.kit.text import has_control_characters
from sightline.presentation.language import gettext

MAX_BYTES = 1_000_000
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class DecodedFile(NamedTuple):
    text: str
    guessed: bool
    """Whether the encoding is a guess, so that somebody should look at the accents."""


def decode_file(content: bytes) -> DecodedFile:
    """Return the text of a file. Raises `ValueError` with a sentence for people if it is not text.

    It accepts UTF-8, UTF-16 with a byte order mark, and otherwise Windows-1252.
    """
    if len(content) > MAX_BYTES:
        raise ValueError(gettext("The file has more than 1 MB. Split it into smaller files."))
    if content.startswith(_WORKBOOKS):
        raise ValueError(
            gettext("This is a workbook, not a CSV file. In your spreadsheet, choose Save as, then CSV UTF-8.")
        )
    decoded = _decode(content)
    if decoded is None or has_control_characters(decoded.text):
        raise ValueError(gettext("This is not a text file. In your spreadsheet, choose Save as, then CSV UTF-8."))
    if not decoded.text.strip():
        raise ValueError(gettext("The file is empty."))
    return decoded


def _decode(content: bytes) -> DecodedFile | None:
    encodings = [name for mark, name in _MARKS if content.startswith(mark)] or ["utf-8", "cp1252"]
    for encoding in encodings:
        try:
            return DecodedFile(content.decode(encoding), encoding == "cp1252")
        except UnicodeDecodeError:
            continue
    return None
