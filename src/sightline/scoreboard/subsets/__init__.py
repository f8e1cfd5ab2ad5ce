"""Figures of a part of a domain's answers: the filter of measuring pages, its choices, and the board of the part.

The board of all answers is in `scoreboard/`; lists of answers are in `scoreboard/answer_list/`.
"""
