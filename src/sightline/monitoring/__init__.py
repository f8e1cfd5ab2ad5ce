"""How the installation is: health, readiness and the metrics for Prometheus, for the API and for workers.

A metric that one process counts is declared where it is counted, such as `platforms/call_metrics.py`. What people read
of the product, such as the Visibility Score, is in `metrics/`.
"""
