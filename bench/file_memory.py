"""`python -m bench.file_memory [answers …]`: the peak memory and the time of `sightline analyze` for files of any size.

The texts are those of the gold set, again and again, each time under another id; every tenth time as another prompt.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sightline.answers.gold import load_gold_set

_COMMAND = (
    sys.executable, "-m", "sightline", "analyze", "--json",
    "--brand", "Acme=acme.com", "--competitor", "Globex=globex.com", "--competitor", "Initech=initech.com",
)  # fmt: skip


def list_records(answers: int) -> Iterator[dict[str, object]]:
    """Yield as many answers as asked for, in the form of `sightline analyze`."""
    texts = [answer for answer in load_gold_set() if len(answer.text) >= 20]
    for number in range(answers):
        answer, repeat = texts[number % len(texts)], number // len(texts)
        yield {
            "id": f"answer {number}",
            "prompt": f"{answer.prompt} ({repeat // 10})",
            "platform": answer.platform or "chatgpt",
            "text": answer.text,
            "sources": [{"url": source.url, "title": source.title} for source in answer.sources],
            "run": repeat,
        }


def measure(answers: int, *options: str) -> tuple[float, float]:
    """Return the peak memory in megabytes and the seconds of one analysis."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        with path.open("w") as file:
            file.writelines(json.dumps(record) + "\n" for record in list_records(answers))
        began = time.monotonic()
        process = subprocess.Popen(
            [*_COMMAND, str(path), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # it has been waited for
        if process.returncode:
            raise RuntimeError(f"sightline analyze ended with {process.returncode}")
        return usage.ru_maxrss / 1024, time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", nargs="*", type=int, default=[1_000, 20_000])
    parser.add_argument("--sentiment", action="store_true", help="also score sentiment")
    arguments = parser.parse_args()
    for answers in arguments.answers:
        megabytes, seconds = measure(answers, *([] if arguments.sentiment else ["--no-sentiment"]))
        print(f"{answers:>8,} answers: {megabytes:6.0f} MB at most, {seconds:7.1f} s")


if __name__ == "__main__":
    main()
