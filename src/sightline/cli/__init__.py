"""The command line: it parses arguments, calls the features, and prints the results.

It also starts the service from its parts (settings, database, API, pages, worker). Rules of the product are in the
features; what the worker runs is in `worker/`.
"""
