"""Schemas of themes, opportunities and analytics in the Data API. Figures are rounded only here."""
