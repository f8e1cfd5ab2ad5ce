"""Setting up many domains at once, from a CSV file or the Data API, with another domain as their template.

All of them are created, or none. What they will ask and cost is shown before.
"""
