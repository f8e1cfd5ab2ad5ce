"""The version of a domain's data, which shows whether anything has changed without reading the data.

Pages that are kept in memory use it. What they show is read elsewhere.
"""
