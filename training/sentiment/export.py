"""Turns weights into the file that ships: ONNX, fused for the CPU, weights in 8 bits."""

import contextlib
import io
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from onnxruntime.transformers.fusion_options import FusionOptions

from sightline.answers.model_files import open_onnx_session
from training.sentiment.encoder import HEADS, WIDTH, TextEncoder
from training.sentiment.examples import Encoded
from training.sentiment.measure import Floats

_INPUTS = ["ids", "mask"]
_OPSET = 17
_WORDS = "words.weight"


def export(model: TextEncoder, path: Path) -> None:
    """Export in full precision."""
    model.eval().cpu()
    sample = model.make_sample()
    axes = {name: {0: "clauses", 1: "tokens"} for name in _INPUTS} | {model.output: {0: "clauses"}}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # the exporter tells that it will be replaced one day
        torch.onnx.export(
            model,
            (sample, torch.ones_like(sample)),
            str(path),
            input_names=_INPUTS,
            output_names=[model.output],
            dynamic_axes=axes,
            opset_version=_OPSET,
            dynamo=False,
        )


def fuse(path: Path, out: Path) -> dict[str, int]:
    """Fuse attention, normalization and activation into one operation each. Return how many of each there are."""
    options = FusionOptions("bert")
    options.enable_embed_layer_norm = False  # keeps the table of words a plain one, which 8 bits can hold
    fused = optimizer.optimize_model(
        str(path), "bert", num_heads=HEADS, hidden_size=WIDTH, optimization_options=options, opt_level=0
    )
    for node in fused.model.graph.node:
        if node.op_type == "BiasGelu":  # the usual approximation, which is faster than the exact one
            node.op_type = "FastGelu"
    fused.save_model_to_file(str(out))
    return {name: count for name, count in fused.get_fused_operator_statistics().items() if count}


def quantize(path: Path, out: Path, *, seven_bits: bool = True) -> None:
    """Quantize weights to 7 of the 8 bits: older processors would overflow and score differently."""
    quantize_dynamic(
        path,
        out,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        reduce_range=seven_bits,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},  # fused operations do not tell theirs
    )
    model = onnx.load(out)
    _quantize_words(model.graph)
    onnx.save(model, out)


def _quantize_words(graph: onnx.GraphProto) -> None:
    """Quantize the embedding table with a scale for each word: a single scale costs a point of macro-F1."""
    (table,) = [each for each in graph.initializer if each.name == _WORDS]
    (place, lookup) = next((at, node) for at, node in enumerate(graph.node) if _WORDS in node.input)
    rows = onnx.numpy_helper.to_array(table)
    scales = np.maximum(np.abs(rows).max(1, keepdims=True) / 127, 1e-8).astype(np.float32)
    small = np.round(rows / scales).astype(np.int8)
    graph.initializer.remove(table)
    for name, each in ((f"{_WORDS}.small", small), (f"{_WORDS}.scales", scales)):
        graph.initializer.append(onnx.numpy_helper.from_array(each, name))
    ids, found = lookup.input[1], lookup.output[0]
    graph.node.remove(lookup)
    nodes = [
        onnx.helper.make_node("Gather", [f"{_WORDS}.small", ids], [f"{found}.small"]),
        onnx.helper.make_node("Gather", [f"{_WORDS}.scales", ids], [f"{found}.scale"]),
        onnx.helper.make_node("Cast", [f"{found}.small"], [f"{found}.cast"], to=onnx.TensorProto.FLOAT),
        onnx.helper.make_node("Mul", [f"{found}.cast", f"{found}.scale"], [found]),
    ]
    for offset, node in enumerate(nodes):
        graph.node.insert(place + offset, node)


def run(path: Path, data: Encoded) -> Floats:
    """Return the logits of every example, as the product computes them: one at a time, on one core."""
    session = open_onnx_session(path)
    out = np.zeros((len(data), 3))
    for rows in torch.arange(len(data)).split(1):
        part = data.cut(rows)
        given = {"ids": part.ids.numpy(), "mask": part.mask.numpy()}
        out[rows.numpy()] = session.run(None, given)[0]
    return out
