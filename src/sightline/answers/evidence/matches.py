"""Places in the text of an answer that may name a brand."""

import msgspec

from sightline.answers.names import Pattern


class NameMatch(msgspec.Struct, gc=False):
    """A place where a spelling of a brand's name occurs. One that is `certain` needs no evidence."""

    start: int
    end: int
    pattern: Pattern
    certain: bool = False
    lost_capital: bool = False
    """Whether it is in lower case although the brand writes it with a capital. Such a word may be an ordinary one even
    if the list of ordinary words does not have it: "the acme of perfection"."""

    @property
    def needs_evidence(self) -> bool:
        """Return whether it may be an ordinary word."""
        return not self.certain and (self.pattern.doubt > 0 or self.lost_capital)

    @property
    def is_unambiguous(self) -> bool:
        """Return whether only one brand can be meant, and nothing else."""
        return self.certain or (not self.needs_evidence and len(self.pattern.brands) == 1)
