"""Without a Python that has the model, as `make test-model` names it, there is nothing to test here."""

import os

collect_ignore_glob = [] if "SIGHTLINE_TEST_MODEL" in os.environ else ["test_*.py"]
