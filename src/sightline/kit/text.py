"""What text may contain. Pure."""

import re

# PostgreSQL cannot store NUL; the others confuse terminals, logs, e-mails and files. Tab, line feed and carriage return
# are white space, which the features normalize.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
CONTROL_FAULT = "must not contain control characters"


def has_control_characters(text: str) -> bool:
    """Return whether the text contains a control character other than white space."""
    return _CONTROL.search(text) is not None
