"""Generates the models and methods of the Python SDK from the operations that the server declares: `make sdk`."""
