"""Without the folder of npm's `oidc-provider`, as `make test-oidc` names it, its tests are left out."""

import os

collect_ignore_glob = [] if "SIGHTLINE_TEST_OIDC" in os.environ else ["test_npm_provider.py"]
