"""What people read and pass on: charts as Vega-Lite specs, and the report of a check as one HTML page.

The numbers come ready from `scans/`; no figure is computed here. Pages of the web app are in `web/`.
"""
