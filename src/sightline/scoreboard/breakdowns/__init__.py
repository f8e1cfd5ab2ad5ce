"""Counts of answers that name a competitor or cite a site, by platform, by prompt and by check.

Lists of the answers themselves are in `answer_list/`; figures of the brand are in `board.py`.
"""
