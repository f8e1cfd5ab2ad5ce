"""Lists of names in a sentence."""

from collections.abc import Sequence


def join_names(names: Sequence[str]) -> str:
    """Return names as in a sentence: "Anker", "Anker and JLab", "Anker, JLab and Sony"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
