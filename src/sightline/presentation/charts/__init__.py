"""Charts as Vega-Lite specs: plain dictionaries that a browser draws, or that `svg.py` renders on the server.

A chart gets figures and names; which ones belong on a page or in a report is decided there.
"""
