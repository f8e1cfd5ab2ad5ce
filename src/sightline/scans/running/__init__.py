"""The engine: how an accepted scan becomes answers and then results, on any number of workers, and survives them.

What a request does with a scan is in the room above; asking and reading one answer is in `platforms/` and `answers/`.
"""
