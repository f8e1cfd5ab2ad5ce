"""Metrics 2.5: the format of labeled answers, the rates as counted by hand, and the project's gold set."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import json
import re
from pathlib import Path

import pytest

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.gold import (
    Agreement,
    GoldAnswer,
    GoldBrand,
    GoldError,
    GoldLabel,
    GoldSource,
    evaluate,
    load_gold_set,
    predict,
    read_file,
    read_lines,
)
from sightline.platforms.catalog import PLATFORMS

ABSENT = GoldLabel(
    mentioned=False, occurrences=0, rank=None, stance=None, cited=False, cited_urls=0, sentiment=None
)  # fmt: skip


def named(rank=1, sentiment="neutral", **fields):
    defaults = {"mentioned": True, "occurrences": 1, "stance": "neutral", "cited": False, "cited_urls": 0} | fields
    return GoldLabel(rank=rank, sentiment=sentiment, **defaults)


def line(**fields):
    entry = {"id": "a", "prompt": "Which CRM?", "text": "Xylia is excellent.", "brand": {"name": "Xylia"}} | fields
    return json.dumps({name: value for name, value in entry.items() if value is not ...}, ensure_ascii=False)


def refusal(*lines):
    with pytest.raises(GoldError) as raised:
        list(read_lines(lines, "answers.jsonl"))
    return str(raised.value)


COMPLETE = {
    "id": "a-1",
    "platform": "chatgpt",
    "language": "en",
    "prompt": "Which CRM?",
    "text": "Xylia is excellent.",
    "sources": [
        {"url": "https://xylia.com/a", "title": "Xylia", "cited": True},
        {"url": "https://g2.com", "title": None, "cited": False},
    ],
    "brand": {"name": "Xylia", "aliases": ["XyliaSoft"], "domains": ["xylia.com"], "category_words": ["CRM"]},
    "competitors": [{"name": "Yamira", "aliases": [], "domains": []}],
    "labels": {
        "Xylia": {
            "mentioned": True, "occurrences": 1, "rank": 1, "stance": "neutral", "cited": True, "cited_urls": 1,
            "sentiment": "positive",
        },
        "Yamira": {
            "mentioned": False, "occurrences": 0, "rank": None, "stance": None, "cited": False, "cited_urls": 0,
            "sentiment": None,
        },
    },
}  # fmt: skip


def test_the_format_of_the_contract():
    (answer,) = read_lines([json.dumps(COMPLETE)], "answers.jsonl")
    assert answer.sources == (
        GoldSource("https://xylia.com/a", "Xylia"),
        GoldSource("https://g2.com", None, cited=False),
    )
    assert answer.brand == GoldBrand("Xylia", ("XyliaSoft",), ("xylia.com",), ("CRM",))
    assert answer.labels["Xylia"] == named(sentiment="positive", cited=True, cited_urls=1)
    assert predict(answer) == answer.labels


def test_only_id_prompt_text_and_brand_are_required():
    (answer,) = read_lines([line()], "answers.jsonl")
    assert (answer.id, answer.labels, answer.competitors) == ("a", {}, ())


@pytest.mark.parametrize("field", ["id", "prompt", "text", "brand"])
def test_a_missing_field_is_named_with_its_line(field):
    message = refusal(line(), line(id="b"), line(**{"id": "c", field: ...}))
    assert "answers.jsonl" in message and "line 3" in message and field in message


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("not json", "JSON"),
        ('{"id": "b"', "JSON"),
        ("[]", "array"),
        (line(id=5), "int"),
        (line(id="b", text=None), "null"),
        (line(id="b", brand={}), "name"),
        (line(id="b", labels={"Xylia": {"mentioned": True}}), "occurrences"),
        (line(id="b", labels={"Xylia": COMPLETE["labels"]["Xylia"] | {"stance": "angry"}}), "angry"),
        (line(id="b", sources=[{"title": "no address"}]), "url"),
    ],
)
def test_a_bad_line_is_named_with_its_reason(bad, reason):
    message = refusal(line(), "", bad)  # a blank line counts as a line, as in an editor
    assert "line 3" in message and reason.lower() in message.lower()


def test_a_duplicate_id_is_refused():
    message = refusal(line(id="a-17"), line(id="b"), line(id="a-17"))
    assert "line 3" in message and "a-17" in message and "twice" in message


def test_labels_for_unlisted_brands_are_refused():
    message = refusal(line(labels={"Globex": COMPLETE["labels"]["Yamira"]}))
    assert "line 1" in message and "Globex" in message


def test_a_duplicate_name_is_refused():
    assert "line 1" in refusal(line(competitors=[{"name": "Xylia"}]))


def test_blank_lines_and_line_separators_inside_a_text_are_allowed():
    found = list(read_lines(["", line(text="Xylia is\u2028good.\u0085"), "  ", line(id="b") + "\r", ""], "x"))
    assert [answer.id for answer in found] == ["a", "b"] and "\u2028" in found[0].text


def test_reading_a_file(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(line(text="Xylia is\u2028good.") + "\n" + line(id="b", text="Żółć 小米") + "\n", "utf-8")
    assert [answer.text for answer in read_file(path)] == ["Xylia is\u2028good.", "Żółć 小米"]
    path.write_bytes(b'{"id": "\xff"}')
    with pytest.raises(GoldError, match=r"answers\.jsonl"):
        read_file(path)
    with pytest.raises(GoldError, match="nowhere"):
        read_file(tmp_path / "nowhere.jsonl")
    with pytest.raises(GoldError):
        read_file(tmp_path)


def test_the_report_has_a_group_for_each_file():
    """Report the files apart, so that answers nobody looked at while changing rules have figures of their own."""
    right = {"Xylia": COMPLETE["labels"]["Xylia"] | {"cited": False, "cited_urls": 0}}
    wrong = {"Xylia": COMPLETE["labels"]["Yamira"]}
    seen = read_lines([line(language="en", labels=right, file="held_out.jsonl")], "products.jsonl")
    held_out = read_lines([line(id="b", labels=wrong), line(id="c", labels=right)], "held_out.jsonl")
    files = evaluate([*seen, *held_out]).summary()["files"]
    assert {name: (rates["names"], rates["mention_precision"]) for name, rates in files.items()} == {
        "held_out.jsonl": (2, 0.5),
        "products.jsonl": (1, 1.0),
    }


def test_without_labels_there_are_predictions_only():
    report = evaluate(read_lines([line(language="en"), line(id="b", text="Nobody is named here.")], "x"))
    assert report.predictions == {"a": {"Xylia": named(sentiment="positive")}, "b": {"Xylia": ABSENT}}
    assert report.disagreements == [] and report.answers == 2
    rates = report.summary()["all"]
    assert rates.pop("names") == 0
    assert set(rates.values()) == {None}


def test_only_labeled_brands_are_compared():
    report = evaluate(
        read_lines([line(competitors=[{"name": "Yamira"}], labels={"Xylia": COMPLETE["labels"]["Yamira"]})], "x")
    )
    assert set(report.predictions["a"]) == {"Xylia", "Yamira"}
    assert report.summary()["all"]["names"] == 1


def test_a_source_that_was_only_retrieved_is_not_cited():
    answer = GoldAnswer(
        "a", "p", "Xylia has shops.", GoldBrand("Xylia", domains=("xylia.com",)),
        sources=(GoldSource("https://xylia.com/a"), GoldSource("https://xylia.com/b", cited=False)),
    )  # fmt: skip
    assert predict(answer)["Xylia"].cited_urls == 1


def small_set():
    """Return answers of which the analysis gets the first right, the second wrong and the third half right."""
    xylia, yamira, notion = GoldBrand("Xylia", domains=("xylia.com",)), GoldBrand("Yamira"), GoldBrand("Notion")

    def answer(id_, text, labels, competitors=(yamira,), **more):
        return GoldAnswer(id_, "p", text, xylia, language="en", competitors=competitors, labels=labels, **more)

    return [
        answer(
            "1",
            "Xylia is excellent. Yamira is terrible.",
            {"Xylia": named(1, "positive"), "Yamira": named(2, "negative")},
        ),
        answer("2", "Yamira has shops.", {"Xylia": named(1, cited=True, cited_urls=1), "Yamira": ABSENT}),
        answer("2b", "Yamira has shops.", {"Yamira": ABSENT}),
        answer(
            "3",
            "1. **Xylia** – excellent\n2. **Notion** – has shops",
            {"Xylia": named(2, "negative", cited=True, cited_urls=2), "Notion": named(2)},
            (notion,),
            sources=(GoldSource("https://xylia.com/a"),),
        ),
    ]


def test_the_rates_of_a_small_set_by_hand():
    report = evaluate(small_set())
    summary = report.summary()
    assert (summary["extractor_version"], summary["answers"]) == (EXTRACTOR_VERSION, 4)
    rates = summary["all"]
    assert rates["names"] == 7
    assert rates["mention_precision"] == pytest.approx(4 / 6)  # Yamira in 2 and 2b is wrong
    assert rates["mention_recall"] == pytest.approx(4 / 5)  # Xylia in 2 is missed
    assert rates["occurrences_exact"] == pytest.approx(4 / 7)
    assert rates["rank_exact"] == pytest.approx(3 / 7)  # both of 1, Notion in 3
    assert rates["stance_exact"] == pytest.approx(4 / 7)
    assert rates["cited_exact"] == pytest.approx(6 / 7)  # Xylia in 2
    assert rates["cited_urls_exact"] == pytest.approx(5 / 7)  # and in 3, where 2 were labeled and 1 is there
    # positive 1/1 and one negative called positive; negative 1 of 2; neutral 1/1
    assert rates["sentiment_macro_f1"] == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert rates["sentiment_abstained"] == 0.0
    assert rates["sentiment_opposite"] == pytest.approx(1 / 4)
    assert summary["ambiguous"]["names"] == 1 and summary["unambiguous"]["names"] == 6
    assert summary["ambiguous"]["rank_exact"] == 1.0
    assert summary["languages"]["en"]["names"] == 7
    wrong = {(each.id, each.name, each.field) for each in report.disagreements}
    assert {
        ("2", "Xylia", "mentioned"),
        ("2", "Yamira", "mentioned"),
        ("3", "Xylia", "rank"),
        ("3", "Xylia", "cited_urls"),
    } <= wrong
    assert not any(each.id == "1" for each in report.disagreements)
    (rank,) = (each for each in report.disagreements if (each.id, each.name, each.field) == ("3", "Xylia", "rank"))
    assert (rank.label, rank.found) == (2, 1)


def agreement(*pairs):
    total = Agreement()
    for label, found in pairs:
        total.add(named(sentiment=label), named(sentiment=found))
    return total.rates()


def test_macro_f1_and_abstention_by_hand():
    rates = agreement(
        *[("positive", "positive")] * 3,
        ("positive", "neutral"),
        *[("neutral", "neutral")] * 2,
        ("negative", "positive"),
        ("negative", "negative"),
        *[("neutral", None)] * 2,
    )
    # positive: 3 right, 4 predicted, 4 true → .75; neutral: 2, 3, 2 → .8; negative: 1, 1, 2 → .667
    assert rates["sentiment_macro_f1"] == pytest.approx((0.75 + 0.8 + 2 / 3) / 3)
    assert rates["sentiment_abstained"] == pytest.approx(2 / 10)
    assert rates["sentiment_opposite"] == pytest.approx(1 / 8)


def test_an_unscored_answer_never_counts_as_neutral():
    rates = agreement(("neutral", None), ("positive", "positive"))
    assert (rates["sentiment_macro_f1"], rates["sentiment_abstained"]) == (1.0, 0.5)
    nothing = agreement(("neutral", None))
    assert (nothing["sentiment_macro_f1"], nothing["sentiment_abstained"], nothing["sentiment_opposite"]) == (
        None,
        1.0,
        None,
    )


def test_neutral_for_praise_is_wrong_and_not_opposite():
    rates = agreement(("positive", "neutral"), ("negative", "negative"))
    assert rates["sentiment_opposite"] == 0.0
    assert rates["sentiment_macro_f1"] == pytest.approx(0.5)


def test_rates_without_a_case_are_null():
    total = Agreement()
    total.add(ABSENT, ABSENT)
    rates = total.rates()
    assert (rates["mention_precision"], rates["mention_recall"], rates["rank_exact"]) == (None, None, None)
    assert rates["occurrences_exact"] == 1.0


@pytest.fixture(scope="module")
def gold_set():
    return load_gold_set()


def test_2_5_the_project_gold_set(gold_set):
    assert len(gold_set) == 685
    assert len({answer.id for answer in gold_set}) == len(gold_set)
    assert len({answer.text for answer in gold_set}) == len(gold_set)
    assert {answer.platform for answer in gold_set} >= {platform.key for platform in PLATFORMS}
    assert len({answer.language for answer in gold_set}) >= 10
    for answer in gold_set:
        assert set(answer.labels) == {brand.name for brand in (answer.brand, *answer.competitors)}, answer.id


def test_2_5_the_labels_of_the_gold_set_are_consistent(gold_set):
    for answer in gold_set:
        for name, label in answer.labels.items():
            where = (answer.id, name)
            assert label.mentioned == (label.occurrences > 0), where
            assert label.mentioned == (label.stance not in {None, "unknown"}), where
            assert label.mentioned == (label.sentiment is not None), where
            assert label.cited == (label.cited_urls > 0), where
            if not label.mentioned or label.stance in {"contrast", "discouraged"}:
                assert label.rank is None, where
        ranks = sorted(label.rank for label in answer.labels.values() if label.rank is not None)
        # Brands that are not in the entry take places, too.
        assert len(set(ranks)) == len(ranks), answer.id
        if answer.kind == "untracked_rivals":
            assert ranks != list(range(1, len(ranks) + 1)), answer.id


@pytest.mark.parametrize("name", ["products.jsonl", "held_out.jsonl"])
def test_2_5_each_half_of_the_answers_in_the_manner_of_real_ones_has_the_same_mix(gold_set, name):
    half = [answer for answer in gold_set if answer.file == name]
    assert len(half) >= 80
    assert {answer.kind for answer in half} == {
        "accents", "comparison_tables", "glued_text", "neighbours", "not_known", "ordinary_names", "product_heads",
        "publishers", "retailers", "untracked_rivals", "verdicts", "warnings",
    }  # fmt: skip
    assert len({answer.language for answer in half}) == 12
    tracked = {brand.name for answer in half for brand in (answer.brand, *answer.competitors)}
    assert tracked >= {"LI", "You", "Monday", "Zoom", "HP", "Go", "Nestlé", "Citroën"}


# Written in the manner of real answers, which are harder to rank.
REAL_MANNER = {"products.jsonl", "held_out.jsonl"}


@pytest.fixture(scope="module")
def summary(gold_set):
    """The figures of the gold set without sentiment, which test_gold_scorers has: reading it takes seconds."""
    return evaluate(gold_set, None).summary()


def test_2_5_the_targets(summary):
    unambiguous, ambiguous, every = summary["unambiguous"], summary["ambiguous"], summary["all"]
    assert ambiguous["names"] >= 100
    assert unambiguous["mention_precision"] >= 0.99 and unambiguous["mention_recall"] >= 0.97
    assert ambiguous["mention_precision"] >= 0.985 and ambiguous["mention_recall"] >= 0.95
    assert {name for name, rates in summary["files"].items() if rates["rank_exact"] < 0.95} <= REAL_MANNER
    assert all(summary["files"][name]["rank_exact"] >= 0.83 for name in REAL_MANNER)
    assert every["cited_exact"] == 1.0 and every["cited_urls_exact"] == 1.0


def test_the_documented_figures_are_those_of_the_extractor(summary):
    """Compare docs/measure/accuracy.md with what `sightline gold` prints, to two decimals."""
    text = (Path(__file__).parents[2] / "docs" / "measure" / "accuracy.md").read_text()
    for group in ("all", "unambiguous", "ambiguous"):
        row = re.search(rf"^\| {group} names? ?\|(.*)\|$", text, re.MULTILINE)
        assert row, group
        shown = [float(cell.replace(",", "")) for cell in row[1].split("|")]
        keys = ("names", "mention_precision", "mention_recall", "rank_exact", "stance_exact", "cited_urls_exact")
        expected = [summary[group][key] for key in keys]
        assert shown == pytest.approx(expected, abs=0.0006), group


@pytest.mark.slow
def test_2_5_the_targets_of_sentiment(gold_set):
    every = evaluate(gold_set).summary()["all"]
    assert every["sentiment_macro_f1"] >= 0.80 and every["sentiment_opposite"] <= 0.03
