"""What people say a cited site is: a competitor, one of the brand's own, or one to ignore.

How often a site is cited is in `breakdowns/`; competitors themselves are in `competitors/`.
"""
