"""Checks by a real language model, which we did not write: `make test-model`."""
