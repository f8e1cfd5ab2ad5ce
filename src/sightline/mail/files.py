"""E-mails as files, for an installation without a mail server. Any mail program can read them, but only their owner."""

import os
import uuid
from email.message import EmailMessage
from email.policy import SMTPUTF8
from pathlib import Path


def write_to_file(folder: Path, name: uuid.UUID, message: EmailMessage) -> Path:
    """Write the message atomically, and return its path. A second write of the same name replaces the first."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{name}.eml"
    draft = folder / f".{name}.{os.getpid()}.draft"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(message.as_bytes(policy=SMTPUTF8))
    draft.replace(path)
    return path
