"""Places in the text of an answer that may name a brand."""

import msgspec

from sightline.answers.names import Pattern


class NameMatch(msgspec.Struct, gc=False):
    """A place where a spelling of a brand's name occurs. One that is `certain` needs no evidence."""

    start: int
    end: int
    pattern: Pattern
    certain: bool = False

    @property
    def is_unambiguous(self) -> bool:
        """Return whether only one brand can be meant, and nothing else."""
        return self.certain or (self.pattern.doubt == 0 and len(self.pattern.brands) == 1)
