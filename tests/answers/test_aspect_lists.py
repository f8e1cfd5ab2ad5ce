"""The list of aspects is consistent."""

import tomllib
from importlib.resources import files

from sightline.answers.characters import fold


def test_no_entry_says_two_things():
    """An entry that praises and blames, or that names two aspects, would be read by chance."""
    tables = tomllib.loads(files("sightline.answers").joinpath("data", "aspects.toml").read_text("utf-8"))
    names, signs = {}, {}
    for name, wordings in tables["aspects"].items():
        for entry in (name, *wordings):
            assert names.setdefault(fold(entry), name) == name, entry
    for table in ("praise", "blame"):
        said = {}
        for name, entries in tables[table].items():
            for entry in entries:
                assert said.setdefault(fold(entry), name) == name, entry
                assert signs.setdefault(fold(entry), table) == table, entry
    for sign, table in (("positive", "praise"), ("negative", "blame")):
        for entry in tables["opinions"][sign]:
            assert signs.setdefault(fold(entry), table) == table, entry
    assert not [entry for entry in (*names, *signs) if "*" in entry[:-1]]
