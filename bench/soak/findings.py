"""What the samples of a soak say: which working tables grow, and what history costs per answer."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bench.soak.sizes import Relation

_MOST_GROWTH = 1.2
_SMALL = 256 * 1024
"""Bytes that a small table may grow by: the space that autovacuum waits for before it starts."""


class Sample(msgspec.Struct, frozen=True):
    minutes: float
    answers: int
    deliveries: int
    pages: int
    failures: int
    relations: list[Relation]
    megabytes: Mapping[str, float]
    """Memory by process."""


class Working(msgspec.Struct, frozen=True):
    """A working table or one of its indexes: bytes after the warm-up, halfway through the rest, and at the end."""

    relation: Relation
    early: int
    middle: int
    end: int

    @property
    def ratio(self) -> float:
        return self.end / self.early if self.early else 1.0

    @property
    def grows(self) -> bool:
        return self.end > _MOST_GROWTH * self.early + _SMALL and self.end > self.middle


class History(msgspec.Struct, frozen=True):
    """A table of history with its indexes: bytes per answer after the warm-up and at the end."""

    name: str
    early: float
    end: float
    size: int

    @property
    def grows_faster(self) -> bool:
        return self.end > _MOST_GROWTH * self.early and self.size > _SMALL


class Findings(msgspec.Struct, frozen=True):
    samples: list[Sample]
    warm_up: float
    working: list[Working]
    history: list[History]

    @property
    def growing(self) -> list[str]:
        return [
            *(each.relation.name for each in self.working if each.grows),
            *(each.name for each in self.history if each.grows_faster),
        ]


def judge(samples: Sequence[Sample]) -> Findings:
    """Compare the end with the state after the first sixth, when every table has been used."""
    end = samples[-1]
    warm_up = end.minutes / 6
    early = _at(samples, warm_up)
    middle = _at(samples, (warm_up + end.minutes) / 2)
    return Findings(list(samples), early.minutes, list(_compare(early, middle, end)), list(_divide(early, end)))


def _at(samples: Sequence[Sample], minutes: float) -> Sample:
    return min(samples, key=lambda sample: abs(sample.minutes - minutes))


def _compare(early: Sample, middle: Sample, end: Sample) -> Iterator[Working]:
    first, second = ({relation.name: relation.size for relation in sample.relations} for sample in (early, middle))
    for relation in end.relations:
        if not relation.is_history:
            yield Working(relation, first.get(relation.name, 0), second.get(relation.name, 0), relation.size)


def _divide(early: Sample, end: Sample) -> Iterator[History]:
    before, after = _sum_tables(early), _sum_tables(end)
    for name, size in after.items():
        yield History(name, before.get(name, 0) / max(1, early.answers), size / max(1, end.answers), size)


def _sum_tables(sample: Sample) -> dict[str, int]:
    sums: dict[str, int] = {}
    for relation in sample.relations:
        if relation.is_history:
            sums[relation.table] = sums.get(relation.table, 0) + relation.size
    return sums


def print_findings(findings: Findings) -> None:
    early, end = f"{findings.warm_up:.0f} min", f"{findings.samples[-1].minutes:.0f} min"
    print(f"\nWorking tables and indexes, kB\n{'':<44}{early:>10}{'middle':>10}{end:>10}", end="")
    print(f"{'ratio':>8}{'live':>9}{'dead':>9}")
    for each in findings.working:
        if each.end > _SMALL or each.grows:
            rows = f"{each.relation.live:>9,}{each.relation.dead:>9,}" if each.relation.kind == "table" else ""
            sizes = "".join(f"{size // 1024:>10,}" for size in (each.early, each.middle, each.end))
            print(f"{_label(each.relation):<44}{sizes}{each.ratio:>8.2f}{rows}{'  GROWS' * each.grows}")
    small = [each for each in findings.working if each.end <= _SMALL]
    print(f"{len(small)} more, of at most {_SMALL // 1024} kB, {sum(each.end for each in small) // 1024:,} kB in all")
    print(f"\nHistory, bytes per answer\n{'':<44}{early:>10}{end:>10}{'MB':>10}")
    for table in sorted(findings.history, key=lambda each: -each.size):
        mark = "  GROWS FASTER THAN ANSWERS" * table.grows_faster
        print(f"{table.name:<44}{table.early:>10,.0f}{table.end:>10,.0f}{table.size / 1e6:>10,.1f}{mark}")
    _print_memory(findings, early, end)
    print(f"\nGrowing: {', '.join(findings.growing) or 'none'}")


def _label(relation: Relation) -> str:
    return relation.name if relation.kind == "table" else f"  {relation.name}"


def _print_memory(findings: Findings, early: str, end: str) -> None:
    first, last = _at(findings.samples, findings.warm_up), findings.samples[-1]
    print(f"\nMemory, MB\n{'':<44}{early:>10}{end:>10}{'most':>10}")
    for name, megabytes in last.megabytes.items():
        most = max(sample.megabytes.get(name, 0) for sample in findings.samples)
        print(f"{name:<44}{first.megabytes.get(name, 0):>10,.0f}{megabytes:>10,.0f}{most:>10,.0f}")
    seconds = 60 * last.minutes
    print(
        f"\n{last.answers:,} answers ({last.answers / seconds:.1f} a second), {last.deliveries:,} webhooks, "
        f"{last.pages:,} pages in {last.minutes:.1f} minutes; {last.failures} failures"
    )
