"""What commands load before they do anything, for the process that they are forked from.

It is loaded once for each test process instead of once for each command: most of the time of a short command.
"""

import importlib
import pkgutil

import sightline.cli
from sightline.answers.stance_rules import RULES
from sightline.domains.names import clean_domain
from sightline.platforms.sandbox.phrasebook import load_phrasebook
from sightline.platforms.sandbox.prompt_intent import LANGUAGES
from sightline.platforms.sandbox.sectors import sectors

for module in pkgutil.iter_modules(sightline.cli.__path__):
    importlib.import_module(f"sightline.cli.{module.name}")
# Commands import these when they need them.
for name in ("sightline.api.app", "sightline.scans.local_check", "sightline.web.app", "sightline.worker.run"):
    importlib.import_module(name)
clean_domain("acme.com", livemode=True)  # reads the public suffix list
for rule in RULES:
    assert rule.pattern  # compiles it
for language in LANGUAGES:
    for sector in sectors():
        load_phrasebook(language, sector)
