"""The command line: the only place that composes the whole (settings, database, API, pages, worker).

What a command does is a function of a feature; here it is only called and its result shown.
"""
