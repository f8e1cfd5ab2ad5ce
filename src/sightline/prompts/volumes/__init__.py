"""Search volumes of prompts: the port, the vendor behind it, and the job that looks them up.

What the demand is worth in dollars is in `prompts/demand_value.py`.
"""
