"""How the failure of a job is written down for operators."""

from sightline.kit.logging import omit_row_values

_LONGEST = 400


def describe_failure(error: BaseException) -> str:
    """Return the type, the message and the place of an error, without values of rows."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" ({at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno})" if at is not None else ""
    message = " ".join(omit_row_values(str(error)).split())
    printable = "".join(each if each.isprintable() else " " for each in message)[:_LONGEST]
    return f"{type(error).__name__}: {printable}{place}" if printable else f"{type(error).__name__}{place}"
