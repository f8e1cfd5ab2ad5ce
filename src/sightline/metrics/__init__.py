"""What the answers amount to: every formula, interval, test and rule of a number that people see. Pure throughout.

Reading an answer is in `answers/`; which answers count today in `scoreboard/`; storing and telling in `insights/`.
"""
