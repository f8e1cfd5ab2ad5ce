"""`python -m bench.real_themes FILE`: Brand Themes of real answers, printed for judging.

The file is that of `bench.real_answers`. For each half of the markets, in alphabetical order, the ten brands that are
labeled most often are measured as `sightline analyze` does: each alone, with all rivals that its answers name. Rules
are changed while looking at the first half only.
"""

import argparse
import asyncio
import json
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from bench.real_answers import LabeledAnswer
from sightline.answers.candidates import merge_key
from sightline.answers.models import Brand
from sightline.answers.plain_text import strip_markdown
from sightline.insights.file_insights import find_file_insights
from sightline.scans.file_analysis import measure_file
from sightline.scans.file_survey import survey_file
from sightline.scans.models import ScanAnswer

_BRANDS = 10


def find_themes(answers: list[LabeledAnswer], brand: str, folder: Path) -> list[dict[str, Any]]:
    """Return the themes of a brand in the answers of its market."""
    path = folder / "answers.jsonl"
    lines = [
        msgspec.json.encode(
            {
                "id": answer.id,
                "prompt": answer.prompt,
                "platform": answer.platform,
                "text": answer.text,
                "language": "en",
                "sources": answer.sources,
            }
        )
        for answer in answers
    ]
    path.write_bytes(b"\n".join(lines))
    survey = survey_file(path)
    plan = survey.build_plan("", Brand(brand), ())
    settled: list[ScanAnswer] = []
    measure_file(path, survey, plan, sentiment=None, on_analyzed=lambda: None, on_settled=settled.append)
    return asyncio.run(find_file_insights(plan, settled)).themes


def list_brands(markets: dict[str, list[LabeledAnswer]]) -> list[tuple[str, str]]:
    """Return the markets and brands that are labeled in most answers."""
    counted: Counter[tuple[str, str]] = Counter()
    names: dict[tuple[str, str], str] = {}
    for market, answers in markets.items():
        for answer in answers:
            keys = {merge_key(name): name for name in answer.brands}
            for key, name in keys.items():
                names.setdefault((market, key), name)
            counted.update((market, key) for key in keys)
    ordered = sorted(counted, key=lambda each: (-counted[each], each))
    return [(market, names[market, key]) for market, key in ordered[:_BRANDS]]


def print_themes(market: str, brand: str, themes: list[dict[str, Any]]) -> None:
    print(f"\n## {brand} ({market})")
    for number, theme in enumerate(themes, start=1):
        print(
            f"{number}. {theme['descriptor']}: {theme['polarity_label']}, {theme['kind']}, {theme['answers']} answers "
            f"({theme['positive']}+ {theme['neutral']}0 {theme['negative']}-), {theme['prompts']} prompts"
        )
        for quote in theme["quotes"]:
            print(f"   > {' '.join(strip_markdown(quote['text']).split())}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", type=int, choices=(1, 2), required=True)
    parser.add_argument("--json", action="store_true", help="print one JSON document instead")
    options = parser.parse_args()
    markets: defaultdict[str, list[LabeledAnswer]] = defaultdict(list)
    for line in options.file.read_text("utf-8").splitlines():
        answer = msgspec.json.decode(line, type=LabeledAnswer)
        markets[answer.market].append(answer)
    names = sorted(markets)
    middle = (len(names) + 1) // 2
    half = {name: markets[name] for name in (names[:middle] if options.half == 1 else names[middle:])}
    found = []
    with TemporaryDirectory() as folder:
        for market, brand in list_brands(half):
            themes = find_themes(half[market], brand, Path(folder))
            found.append({"market": market, "brand": brand, "themes": themes})
            if not options.json:
                print_themes(market, brand, themes)
    if options.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
