"""Local servers with the wire formats of the providers, including their errors and outages.

They contain no product code: how the product handles the replies belongs to the tests that use them.
"""
