"""Analyzing many answers one after another: in this process, or in several others at once."""

import multiprocessing
import multiprocessing.connection
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice
from threading import Thread

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.scorers import ScorerName
from sightline.kit.child_environment import build_child_environment
from sightline.kit.logging import configure_logging
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import ScanAnswer

_BATCH = 20  # answers that go to a process at once
_AHEAD = 2  # batches for each process that are in memory


class BatchAnalyzer:
    """Analyzes answers for the same brands and scores the sentiment of all of them. Failed answers stay as they are."""

    def __init__(self, brands: tuple[Brand, ...], sentiment: ScorerName | None) -> None:
        self._lexicon = Lexicon(brands)
        self._sentiment = sentiment

    def analyze(self, answers: Iterable[ScanAnswer]) -> list[ScanAnswer]:
        return [
            analyze_answer(answer, self._lexicon, sentiment=self._sentiment, scored=None)
            if answer.fault is None
            else answer
            for answer in answers
        ]


def analyze_in_order(
    answers: Iterable[ScanAnswer], brands: tuple[Brand, ...], sentiment: ScorerName | None, *, processes: int
) -> Iterator[ScanAnswer]:
    """Yield every answer with its analysis, in the given order. With 0 `processes`, this one does the work.

    Raises `concurrent.futures.BrokenExecutor` if a process dies.
    """
    batches = iter(partial(_take, iter(answers)), [])
    if processes == 0:
        analyzer = BatchAnalyzer(brands, sentiment)
        for batch in batches:
            yield from analyzer.analyze(batch)
        return
    # A forked child would share the locks and threads of this process.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, initializer=_start_child, initargs=(brands, sentiment))
    waiting: deque[Future[list[ScanAnswer]]] = deque()
    try:
        for batch in batches:
            waiting.append(pool.submit(_analyze_in_child, batch))
            if len(waiting) > _AHEAD * processes:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _take(answers: Iterator[ScanAnswer]) -> list[ScanAnswer]:
    return list(islice(answers, _BATCH))


_child: BatchAnalyzer | None = None
"""The analyzer of a child process: it is built once, and used for every batch."""


def _start_child(brands: tuple[Brand, ...], sentiment: ScorerName | None) -> None:
    global _child  # noqa: PLW0603 - the state of the child process
    allowed = build_child_environment()
    for name in set(os.environ) - set(allowed):
        del os.environ[name]  # the pool cannot start a process with another environment
    configure_logging(level="warning", as_json=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes, and the parent ends this one
    Thread(target=_end_with_parent, daemon=True).start()
    _child = BatchAnalyzer(brands, sentiment)


def _end_with_parent() -> None:
    """End this process when its parent is gone. The pool alone would wait for the next batch forever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel])
    os._exit(1)


def _analyze_in_child(answers: list[ScanAnswer]) -> list[ScanAnswer]:
    assert _child is not None
    return _child.analyze(answers)
