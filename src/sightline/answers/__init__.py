"""The analysis of an answer: preparing the text, finding names, stance, rank, citations, sentiment.

All of it is pure. How answers are obtained is in `platforms/`, how they are stored in `scans/`, and what they amount to
in `metrics/`.
"""
