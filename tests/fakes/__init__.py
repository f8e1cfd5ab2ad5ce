"""Local servers that speak the providers' wire formats, their errors and their bad days included.

Nothing of the product is in here; what the product makes of the replies is for the tests that use them.
"""
