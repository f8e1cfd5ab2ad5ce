"""`python -m chaos [--seed N] [--seconds 60]`: exits with 1 if something was lost, duplicated or left behind."""

import argparse
import asyncio
import secrets
import signal
import sys
import tempfile
from pathlib import Path

import msgspec

from chaos.run import OUTCOME, Outcome, run_chaos


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for processes in the background
    options = _parse_options()
    print(f"seed {options.seed}", flush=True)
    folder = Path(options.keep or tempfile.mkdtemp(prefix="sightline-chaos-kept-"))
    folder.mkdir(parents=True, exist_ok=True)
    outcome = asyncio.run(run_chaos(options.seed, options.seconds, settle=options.settle, folder=folder))
    (folder / OUTCOME).write_bytes(msgspec.json.encode(outcome))
    _print(outcome, folder)
    return 1 if outcome.violations else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000), help="the same troubles again")
    parser.add_argument("--seconds", type=float, default=60, help="how long everything breaks")
    parser.add_argument("--settle", type=float, default=90, help="how long it may take to come to rest afterwards")
    parser.add_argument("--keep", help="folder for the history and the logs")
    return parser.parse_args()


def _print(outcome: Outcome, folder: Path) -> None:
    for name, value in outcome.summary.items():
        print(f"{name:<10} {value}")
    for oddity in outcome.oddities:
        print(f"odd        {oddity}")
    for violation in outcome.violations:
        print(f"VIOLATION  {violation.kind}: {violation.detail}")
    print(f"history and logs are in {folder}")
    verdict = f"{len(outcome.violations)} violations" if outcome.violations else "nothing was lost, doubled or left"
    print(f"seed {outcome.seed}: {verdict}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
