"""Insights of a tracked domain: alerts, themes, recommendations, opportunities and prompt suggestions.

The rules are pure and live in `metrics/`; this package applies them to stored answers. Reports are in `reports/`.
"""
