"""What follows from the checks of a tracked domain: alerts, themes, recommendations, opportunities, suggestions.

The rules themselves are pure and in `metrics/`; here they meet stored answers. Reports are in `reports/`.
"""
