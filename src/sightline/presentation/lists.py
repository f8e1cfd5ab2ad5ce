"""Lists of names in a sentence."""

from collections.abc import Sequence

from sightline.presentation.language import gettext


def join_names(names: Sequence[str]) -> str:
    """Return names as in a sentence: "Anker", "Anker and JLab", "Anker, JLab and Sony"."""
    if len(names) < 2:
        return "".join(names)
    return gettext("%(first)s and %(last)s", first=", ".join(names[:-1]), last=names[-1])
