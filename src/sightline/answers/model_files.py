"""Opens the files of the models that ship: one thread, on the CPU, without a network."""

from functools import lru_cache
from pathlib import Path
from typing import Any


def open_onnx_session(path: Path) -> Any:
    """Open a model that computes on one core."""
    import onnxruntime  # heavy, and needed only once a model reads something

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@lru_cache(maxsize=1)
def open_tokenizer(path: Path) -> Any:
    """Open a tokenizer for which square brackets in a text are text. The models that ship share one."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.encode_special_tokens = True
    return tokenizer
