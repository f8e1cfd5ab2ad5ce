"""The scan engine: how an accepted scan becomes answers and then results, on any number of workers, despite crashes.

What a request does with a scan is in `scans/`; asking one platform is in `platforms/`, analyzing one answer in
`answers/`, and the worker that runs the engine in `worker/`.
"""
