"""A check: its plan, running it, and what its answers amount to. `results` and all that it uses are pure.

Asking one platform is in `platforms/`, reading one answer in `answers/`, every formula in `metrics/`.
"""
