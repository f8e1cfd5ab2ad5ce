"""What commands load before they do anything, for the process that they are forked from.

It is loaded once for each test process instead of once for each command: most of the time of a short command.
"""

import importlib
import pkgutil

import sightline.cli
from sightline.answers.stance_rules import RULES
from sightline.domains.names import clean_domain
from sightline.platforms.sandbox.market import sectors
from sightline.platforms.sandbox.phrasebook import load_phrasebook
from sightline.platforms.sandbox.prompts import LANGUAGES
from sightline.web.render import list_templates, load_template

for module in pkgutil.iter_modules(sightline.cli.__path__):
    importlib.import_module(f"sightline.cli.{module.name}")
# Commands import these when they need them.
for name in ("sightline.api.app", "sightline.scans.local_check", "sightline.web.app", "sightline.worker.run"):
    importlib.import_module(name)
clean_domain("acme.com", livemode=True)  # reads the public suffix list
for rule in RULES:
    assert rule.pattern  # compiles it
for template in list_templates():
    load_template(template)
for language in LANGUAGES:
    for sector in sectors():
        load_phrasebook(language, sector)
