"""The code blocks of documents, by document and language."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^ *```([^\n`]*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def list_blocks(document: Path) -> list[tuple[str, str]]:
    """Return the language and the text of every block of a document, in order."""
    return _BLOCK.findall(document.read_text())


def read_blocks(document: str, language: str) -> list[str]:
    return [text for found, text in list_blocks(ROOT / document) if found == language]


def as_script(blocks: list[str]) -> str:
    """Return shell blocks as one script that ends at the first failure and runs the command of this checkout."""
    command = f'sightline() {{ {sys.executable} -m sightline "$@"; }}'
    return f"set -eu\n{command}\n" + "".join(blocks).replace(".venv/bin/sightline", "sightline")
