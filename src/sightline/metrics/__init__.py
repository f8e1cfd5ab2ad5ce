"""Every formula, interval, test and rule behind a number that people see. Pure throughout.

The analysis of an answer is in `answers/`, which answers count today in `scoreboard/`, and storing findings and
notifying people in `insights/`.
"""
