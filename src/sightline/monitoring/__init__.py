"""The state of the installation: health, readiness and the metrics for Prometheus, for the API and for workers.

A metric that one process counts is declared where it is counted, such as `platforms/call_metrics.py`. The product's
own figures, such as the Visibility Score, are in `metrics/`.
"""
