"""Sightline measures how a brand appears in the answers of AI platforms."""

__version__ = "0.1.0"
