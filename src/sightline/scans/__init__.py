"""Scans: submitting, planning, running and reading them, and computing their results (`results`, which is pure).

Asking one platform is in `platforms/`, analyzing one answer in `answers/`, every formula in `metrics/`.
"""
