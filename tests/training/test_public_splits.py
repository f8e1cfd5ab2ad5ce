"""The published test splits of targeted sentiment: both formats are read, and the shipped model is measured on them."""

import json

import pytest

from sightline.answers.sentiment_model import load_model
from training.sentiment.public_splits import measure_split, read_targets

NEWS = {
    "sentence_normalized": "Acme is a joy to use, but Globex is a disaster.",
    "targets": [{"from": 0, "to": 4, "polarity": 6.0}, {"from": 26, "to": 32, "polarity": 2.0}],
}
REVIEWS = """<?xml version="1.0" encoding="UTF-8"?>
<sentences><sentence><text>The soup was wonderful &amp; the waiter was rude.</text><aspectTerms>
<aspectTerm from="4" polarity="positive" term="soup" to="8"/>
<aspectTerm from="29" polarity="negative" term="waiter" to="35"/>
</aspectTerms></sentence></sentences>"""


@pytest.fixture(params=["news.jsonl", "reviews.xml"])
def split(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(json.dumps(NEWS) + "\n" if request.param == "news.jsonl" else REVIEWS, "utf-8")
    return path


def test_every_target_is_read_at_its_place_and_measured(split):
    targets = list(read_targets(split))
    names = [clause.text[clause.start : clause.end] for clause, _ in targets]
    assert names in (["Acme", "Globex"], ["soup", "waiter"])
    assert [label for _, label in targets] == [2, 0]
    found = measure_split(targets, load_model())
    assert found["every target"]["examples"] == 2 and found["every target"]["macro_f1"] == 1
    assert found["sure ones"]["opposite"] == 0


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "no file of either kind", "<sentences><sentence><aspectTerm from='x' to='2'/></sentence>",
             json.dumps(NEWS | {"targets": [{"from": 0, "to": 400, "polarity": 6}]})],
)  # fmt: skip
def test_another_file_is_refused(text, tmp_path):
    path = tmp_path / "other"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"not a|no target"):
        list(read_targets(path))
