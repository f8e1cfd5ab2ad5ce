"""The error of the embedded server."""


class EmbeddedError(Exception):
    """What went wrong and what to do about it, in one or two sentences that a person can act on."""


DATABASE_HINT = "Or point SIGHTLINE_DATABASE_URL at a PostgreSQL 15 or newer of your own."
