"""Recommendations: which actions the answers of a check suggest, what is said about each, and whether it worked."""
