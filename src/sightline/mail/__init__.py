"""Outgoing e-mail: the queued message, and its transport by a mail server or, where none is set, as files.

The text of an e-mail belongs to the feature that sends it.
"""
