"""`sightline gold`: its output for a file, for the set of the project, and for a malformed file."""

import json

import pytest

from tests.process.serving.processes import run, run_json

FIELDS = {"mentioned", "occurrences", "rank", "stance", "cited", "cited_urls", "sentiment"}
RIGHT = {
    "mentioned": True, "occurrences": 1, "rank": 1, "stance": "neutral", "cited": True, "cited_urls": 1,
    "sentiment": "positive",
}  # fmt: skip
ABSENT = {
    "mentioned": False, "occurrences": 0, "rank": None, "stance": None, "cited": False, "cited_urls": 0,
    "sentiment": None,
}  # fmt: skip


def entry(**fields):
    return {
        "id": "a",
        "platform": "chatgpt",
        "language": "en",
        "prompt": "Which CRM?",
        "text": "Xylia is excellent.",
        "sources": [{"url": "https://xylia.com/a", "title": None, "cited": True}],
        "brand": {"name": "Xylia", "aliases": [], "domains": ["xylia.com"], "category_words": ["CRM"]},
        "competitors": [{"name": "Yamira", "aliases": [], "domains": []}],
        "labels": {"Xylia": RIGHT, "Yamira": ABSENT},
    } | fields


@pytest.fixture
def write(tmp_path):
    def write(*entries, name="answers.jsonl"):
        path = tmp_path / name
        lines = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in entries]
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return str(path)

    return write


def refused(*arguments):
    done = run("gold", *arguments)
    assert done.returncode == 1 and done.stdout == ""
    assert "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


def test_json_holds_a_summary_and_every_prediction(write):
    printed = run_json("gold", write(entry(), entry(id="b", text="Yamira has shops.", sources=[])))
    assert set(printed) == {"summary", "predictions"}
    assert set(printed["predictions"]) == {"a", "b"}
    for names in printed["predictions"].values():
        assert set(names) == {"Xylia", "Yamira"}
        assert all(set(label) == FIELDS for label in names.values())
    assert printed["predictions"]["a"] == {"Xylia": RIGHT, "Yamira": ABSENT}
    assert printed["predictions"]["b"]["Yamira"] == RIGHT | {"cited": False, "cited_urls": 0, "sentiment": "neutral"}
    every = printed["summary"]["all"]
    assert (every["names"], every["mention_precision"], every["mention_recall"]) == (4, 0.5, 0.5)
    assert printed["summary"]["answers"] == 2
    assert printed["summary"]["files"] == {"answers.jsonl": every}


def test_labels_are_optional(write):
    bare = {"id": "a", "prompt": "Which CRM?", "text": "Xylia is excellent.", "brand": {"name": "Xylia"}}
    path = write(bare)
    printed = run_json("gold", path)
    assert printed["predictions"]["a"]["Xylia"]["mentioned"] is True
    assert printed["summary"]["all"]["mention_precision"] is None
    assert run("gold", path).returncode == 0


def test_an_empty_file_is_no_error(write):
    assert run_json("gold", write(""))["predictions"] == {}


def test_text_output(write):
    path = write(entry(), entry(id="b-17", text="Yamira has shops."))
    done = run("gold", path)
    assert done.returncode == 0
    for word in ("2 answers", "precision", "recall", "0.500", "unambiguous"):
        assert word in done.stdout
    assert "b-17" not in done.stdout
    listed = run("gold", path, "--confusions").stdout
    assert "b-17" in listed and "mentioned" in listed


def test_confusions_show_names_in_square_brackets_as_they_are(write):
    """Print square brackets literally: there is a brand that spells its name with them."""
    labels = {"[solidcore]": RIGHT, "Yamira": RIGHT}
    done = run("gold", write(entry(brand={"name": "[solidcore]"}, labels=labels)), "--confusions")
    assert done.returncode == 0 and "[solidcore]" in done.stdout


@pytest.mark.slow
def test_the_set_of_the_project():
    done = run("gold", "--confusions")
    assert done.returncode == 0
    assert "precision" in done.stdout and "recall" in done.stdout
    answers = int(done.stdout.split()[0])
    assert answers >= 300
    assert "held_out.jsonl" in done.stdout and "products.jsonl" in done.stdout
    # What is held out is counted and not shown: people who change rules look at the other answers.
    assert "product-0" in done.stdout and "held-out-" not in done.stdout


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param("not json", "json", id="not JSON"),
        pytest.param('{"id": "b",', "json", id="half of a line"),
        pytest.param({"id": "b", "prompt": "p", "text": "t"}, "brand", id="no brand"),
        pytest.param({"id": "b", "prompt": "p", "brand": {"name": "Xylia"}}, "text", id="no text"),
        pytest.param(entry(), "twice", id="id twice"),
        pytest.param(entry(id="b", labels={"Globex": RIGHT}), "globex", id="labels for a stranger"),
        pytest.param(entry(id="b", labels={"Xylia": RIGHT | {"rank": "first"}}), "rank", id="rank in words"),
        pytest.param(entry(id="b", labels={"[/red] Globex": RIGHT}), "globex", id="square brackets"),
    ],
)
def test_a_bad_line_is_one_sentence(write, bad, reason):
    told = refused(write(entry(), bad))
    assert "answers.jsonl" in told and "line 2" in told and reason in told.lower()


def test_a_file_that_cannot_be_read(tmp_path):
    assert "nowhere.jsonl" in refused(str(tmp_path / "nowhere.jsonl"), "--json")
    assert str(tmp_path) in refused(str(tmp_path))
    (tmp_path / "bytes.jsonl").write_bytes(b'{"id": "\xff\xfe"}\n')
    assert "bytes.jsonl" in refused(str(tmp_path / "bytes.jsonl"))
