"""Brand facts: what is true of a brand, and what answers claim about it.

People write facts down or accept those that the brand's site declares. Code reads amounts, years and names in the words
of a claim and compares them (`compare`). What the editor is asked is in `insights/editor/claims.py`.
"""
