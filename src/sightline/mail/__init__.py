"""Letters to people: by a mail server, or as files where none is configured.

What a letter says belongs to the feature that writes it.
"""
