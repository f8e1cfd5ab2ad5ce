"""`python -m bench.real_themes FILE`: insights of real answers, for judging.

The file is that of `bench.real_answers`. For each half of the markets, in alphabetical order, the brand that is labeled
most often is measured as `sightline analyze` does: alone, with all rivals that its answers name, without an editor.
Rules are changed while looking at the first half only. Of a file with one market, the halves are those of its
questions. `--readers DIR` writes what a reader judges: the answers, the output, and how to judge it. `--categories
FILE` names what is sold in each market, as a user would: `{"tents-2": "family tents"}`. `--editor-dir DIR` writes the
output with an editor, too, from the requests and replies in a folder for each market. `--editions DIR` compares two
editions of each market: how many themes of all runs but the last the last run has under the same id.
"""

import argparse
import asyncio
import json
import shutil
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from bench.real_answers import LabeledAnswer
from sightline.answers.candidates import merge_key
from sightline.answers.models import Brand
from sightline.answers.plain_text import strip_markdown
from sightline.insights.editor.folder import FolderEditor
from sightline.insights.file_insights import FileInsights, find_file_insights
from sightline.scans.answer_files.columns import find_layout
from sightline.scans.answer_files.measure import measure_file
from sightline.scans.answer_files.survey import survey_file
from sightline.scans.models import ScanAnswer

_RUBRIC = """# How to judge

Read `answers.jsonl` first, then `output.json` and, with an editor, `edited.json`. Judge each entry on its own, from the
answers alone.

- `discovered`: **rival** if a buyer who asks these questions could choose it instead of the brand, else **none**
  (a standard, feature, kind of product, publisher, or a part of a name).
- `themes`: **useful** if a marketer of the brand could act on it, and it is what its quotes and answers say; **false**
  if the answers do not say it of the brand, or say the opposite; else **idle**.
- `recommendations`: **useful**, **false** (a fact in it is wrong) or **idle**, in the same way.
- `prompt_suggestions`: **usable** as it stands, **nonsense** if nobody would ask it, else **idle**.
"""


class Measured(msgspec.Struct, frozen=True):
    """What `sightline analyze` says of a brand in the answers of its market."""

    insights: FileInsights
    discovered: list[str]

    @property
    def output(self) -> dict[str, Any]:
        found = self.insights
        return {
            "discovered": self.discovered,
            "themes": found.themes,
            "recommendations": [
                {name: each[name] for name in ("kind", "action", "why", "quotes", "steps", "expected_summary")}
                for each in found.recommendations
            ],
            "prompt_suggestions": [each["prompt"] for each in found.prompt_suggestions],
        }


def measure_brand(
    answers: list[LabeledAnswer],
    brand: str,
    folder: Path,
    *,
    category: str | None = None,
    editor: FolderEditor | None = None,
) -> Measured:
    """Measure a brand in the answers of its market. The answers are written to the folder."""
    path = folder / "answers.jsonl"
    lines = [
        msgspec.json.encode(
            {
                "id": answer.id,
                "prompt": answer.prompt,
                "platform": answer.platform,
                "text": answer.text,
                "language": answer.language,
                "sources": answer.sources,
            }
        )
        for answer in answers
    ]
    path.write_bytes(b"\n".join(lines))
    survey = survey_file(path, find_layout(path))
    plan = survey.build_plan(Brand(brand), ())
    settled: list[ScanAnswer] = []
    found = measure_file(path, survey, plan, sentiment=None, on_analyzed=lambda: None, on_settled=settled.append)
    codebook = editor.read_codebook() if editor else ()
    insights = asyncio.run(find_file_insights(plan, settled, editor, codebook, category=category))
    rivals = insights.edition.rivals if insights.edition else found.rivals
    if editor is not None and insights.edition is not None and not editor.missing:
        editor.write_themes(insights.edition.codebook)
    return Measured(insights, [each.candidate.name for each in rivals])


def write_for_readers(
    folder: Path,
    market: str,
    brand: str,
    answers: list[LabeledAnswer],
    category: str | None,
    editor: FolderEditor | None,
) -> None:
    """Write the answers, the output and the rubric to a folder of their own."""
    own = folder / f"{market}-{merge_key(brand)}"
    own.mkdir(parents=True, exist_ok=True)
    outputs = {"output": measure_brand(answers, brand, own, category=category)}
    if editor is not None:
        outputs["edited"] = measure_brand(answers, brand, own, category=category, editor=editor)
        print(f"{market}: {len(editor.missing)} replies are missing")
    for name, measured in outputs.items():
        document = {"market": market, "brand": brand, "category": category} | measured.output
        (own / f"{name}.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (own / "rubric.md").write_text(_RUBRIC, "utf-8")


def compare_editions(folder: Path, market: str, brand: str, answers: list[LabeledAnswer]) -> tuple[int, int]:
    """Return how many themes the edition of all runs but the last shows, and how many of them that of the last run."""
    last = max(answer.run for answer in answers)
    earlier, later = folder / market / "first", folder / market / "second"
    first = _list_edited_themes(earlier, brand, [answer for answer in answers if answer.run < last])
    if first is None:
        return 0, 0
    later.mkdir(exist_ok=True)
    shutil.copy(earlier / "themes.json", later / "codebook.json")
    second = _list_edited_themes(later, brand, [answer for answer in answers if answer.run == last])
    if second is None:
        return 0, 0
    print(f"{market}, {brand}: {len(first & second)} of {len(first)}; {', '.join(sorted(first - second))}")
    return len(first), len(first & second)


def _list_edited_themes(folder: Path, brand: str, answers: list[LabeledAnswer]) -> set[str] | None:
    editor = FolderEditor(folder)
    with TemporaryDirectory() as temporary:
        themes = measure_brand(answers, brand, Path(temporary), editor=editor).insights.themes
    if editor.missing:
        print(f"{folder}: {len(editor.missing)} replies are missing")
        return None
    return {theme["theme_key"] for theme in themes}


def choose_half(answers: list[LabeledAnswer], half: int) -> dict[str, list[LabeledAnswer]]:
    """Return the answers of the half by market; of a single market, those to every other question."""
    markets: defaultdict[str, list[LabeledAnswer]] = defaultdict(list)
    for answer in answers:
        markets[answer.market].append(answer)
    names = sorted(markets)
    if len(names) == 1:
        asked = sorted({answer.prompt for answer in answers})[half - 1 :: 2]
        return {names[0]: [answer for answer in answers if answer.prompt in asked]}
    middle = (len(names) + 1) // 2
    return {name: markets[name] for name in (names[:middle] if half == 1 else names[middle:])}


def list_brands(markets: dict[str, list[LabeledAnswer]]) -> list[tuple[str, str]]:
    """Return the markets, each with the brand that is labeled in most answers."""
    found = []
    for market, answers in markets.items():
        names: dict[str, str] = {}
        for answer in answers:
            for name in answer.brands:
                names.setdefault(merge_key(name), name)
        counted = Counter(key for answer in answers for key in {merge_key(name) for name in answer.brands})
        found.append((market, names[min(counted, key=lambda key: (-counted[key], key))]))
    return found


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
    parser.add_argument("--readers", type=Path, metavar="DIR", help="write the files that a reader judges")
    parser.add_argument("--editor-dir", type=Path, metavar="DIR", help="requests to an editor, and its replies")
    parser.add_argument("--categories", type=Path, metavar="FILE", help="what is sold in each market, as JSON")
    parser.add_argument("--editions", type=Path, metavar="DIR", help="requests for two editions, and the replies")
    options = parser.parse_args()
    categories = json.loads(options.categories.read_text("utf-8")) if options.categories else {}
    lines = options.file.read_text("utf-8").splitlines()
    half = choose_half([msgspec.json.decode(line, type=LabeledAnswer) for line in lines], options.half)
    if options.editions:
        compared = [compare_editions(options.editions, market, own, half[market]) for market, own in list_brands(half)]
        print(f"{sum(kept for _, kept in compared)} of {sum(first for first, _ in compared)}")
        return
    found = []
    with TemporaryDirectory() as folder:
        for market, brand in list_brands(half):
            if options.readers:
                editor = FolderEditor(options.editor_dir / market) if options.editor_dir else None
                write_for_readers(options.readers, market, brand, half[market], categories.get(market), editor)
                continue
            themes = measure_brand(half[market], brand, Path(folder)).insights.themes
            found.append({"market": market, "brand": brand, "themes": themes})
            if not options.json:
                print_themes(market, brand, themes)
    if options.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
