"""The same domain, prompt, platform, country and day give the same bytes in any process."""

import json
import os
import subprocess
import sys
from datetime import timedelta

import msgspec

from sightline.platforms.models import Question
from sightline.platforms.sandbox.answers import answer_question
from sightline.platforms.sandbox.market import SandboxRival, Subject
from sightline.platforms.sandbox.prompts import suggest_prompts
from tests.platforms.sandbox.samples import ACME, DAY, PLATFORMS, PROMPTS

PROGRAM = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from tests.platforms.sandbox.test_determinism import fingerprints
print(json.dumps(fingerprints()))
"""


def fingerprints() -> list[str]:
    subject = Subject("acme.com", "Acme", (SandboxRival("Globex", "globex.com"),), ("アクメ",))
    found = [
        msgspec.json.encode(answer_question(subject, Question(prompt, "DE", language), platform, DAY)).hex()
        for language, prompt in PROMPTS.items()
        for platform in PLATFORMS
    ]
    return [*found, *suggest_prompts(subject, "de")]


def test_another_process_gives_the_same_bytes(request):
    root = str(request.config.rootpath)
    child = subprocess.run(
        [sys.executable, "-c", PROGRAM, root],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(child.stdout) == fingerprints()


def test_each_input_changes_the_answer():
    def text(subject=ACME, prompt="best crm", country="US", platform="chatgpt", day=DAY):
        return answer_question(subject, Question(prompt, country, "en"), platform, day).text

    other = Subject("zenith.com", "Acme")
    changed = [text(other), text(prompt="best cheap crm"), text(country="GB"), text(platform="claude")]
    changed.append(text(day=DAY + timedelta(1)))
    assert text() == text()
    assert len({text(), *changed}) == 6
