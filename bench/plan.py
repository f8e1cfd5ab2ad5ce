"""How long and how often a benchmark measures."""

import msgspec


class Plan(msgspec.Struct, frozen=True):
    rounds: int
    """Of throughput; in each, every server has its turn."""
    seconds: float
    paced_rounds: int
    """Of latency at a constant rate."""
    paced_seconds: float
    warm_up_seconds: float
    connections: int = 16
    share: float = 1.0
    """Of the stored rows and the calls that a benchmark is about."""

    @property
    def engine_rounds(self) -> int:
        """The rounds of the benchmark `engine`, which take seconds each."""
        return max(1, self.rounds // 3)


# Short rounds, many of them: what is compared then lies a second apart, and the median has something to choose from.
FULL = Plan(rounds=15, seconds=1, paced_rounds=3, paced_seconds=4, warm_up_seconds=2)
QUICK = Plan(rounds=2, seconds=0.3, paced_rounds=1, paced_seconds=0.5, warm_up_seconds=0.2, share=0.01)
