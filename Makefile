# Everything a newcomer or a contributor does with the project. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
PYTHON ?= python3
export PYTHON
# Tests start many processes: let Python keep compiled modules, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
LOCK = .tools/bin/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --no-emit-find-links
PURE_TESTS = tests/answers tests/api_keys tests/domains tests/http tests/kit tests/metrics tests/plans tests/platforms \
  tests/presentation tests/scans tests/training tests/usage tests/webhooks tests/test_errors.py tests/test_settings.py \
  --ignore=tests/scans/running/test_analyzers.py --ignore=tests/scans/test_scoring.py
# One test process per core: each of them collects all tests. Neighbors stay together, so that they share fixtures.
WORKERS ?= $(shell $(PYTHON) -c "import os; print(max(2, os.cpu_count() or 1) + $(SPARE))")
# Tests with a database wait for it, and for processes that they start, often enough to share the cores with one more.
SPARE = 0
test cover: SPARE = 1
PYTEST = $(BIN)/pytest -n $(WORKERS) --dist worksteal
# CI runs what failed once more, alone: 12,000 tests share two cores there, and some of them wait for other processes.
ifdef CI
ONCE_MORE = || { echo "Once more, alone, what failed above:" && $(BIN)/pytest -x --last-failed --last-failed-no-failures none; }
endif

.PHONY: help setup serve demo test test-fast test-slow test-upgrade test-model test-oidc test-all cover check fmt sdk schema fonts messages dist bench chaos chaos-seeds clients screenshots lock audit clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 12

setup: .venv/.runtime ## prepare .venv with the sightline command
serve: .venv/.runtime ## run the whole service: PostgreSQL, API, docs, worker
	@exec $(BIN)/sightline serve
demo: .venv/.runtime ## create demonstration data and print its credentials
	@$(BIN)/sightline demo

test: .venv/.dev ## all tests but the slow ones (under ten minutes on two cores)
	$(PYTEST) -m "not slow" $(ONCE_MORE)
test-fast: .venv/.dev ## tests of pure code, without a database or another process (under a minute)
	SIGHTLINE_TEST_PROPERTIES=10 $(PYTEST) -m "not slow and not database" $(PURE_TESTS)
test-slow: .venv/.bench .tools/clients/.done .tools/release/.done ## simulations, many processes, the whole contract, properties on more examples: the rest
	SIGHTLINE_TEST_PROPERTIES=100 $(PYTEST) -m "slow or property" $(ONCE_MORE)
test-upgrade: .venv/.dev ## the tests of the release before on the schema of this one; needs its commit in the clone
	$(BIN)/python -m chaos.release_tests -n $(WORKERS)
test-model: .venv/.dev .tools/model/.done ## checks by a real, small language model on loopback; installs 130 MB
	SIGHTLINE_TEST_MODEL=$(CURDIR)/.tools/model/bin/python $(BIN)/pytest -s tests/model
test-oidc: .venv/.dev .tools/oidc/node_modules ## single sign-on through an identity provider from npm; needs npm
	SIGHTLINE_TEST_OIDC=$(CURDIR)/.tools/oidc $(BIN)/pytest tests/accounts/single_sign_on/test_npm_provider.py
test-all: test test-slow ## both
cover: .venv/.dev ## `make test` with a report on which lines it runs, in build/coverage
	@mkdir -p build
	$(PYTEST) -m "not slow" --cov --cov-report=term:skip-covered --cov-report=html:build/coverage
check: .venv/.dev ## lint, format, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers $(WORKERS)
	$(BIN)/mypy --strict sdk/python/examples
	$(BIN)/lint-imports --no-logo
fmt: .venv/.dev ## format, and fix what can be fixed automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
sdk: .venv/.dev ## write the generated part of the Python SDK from the declared operations
	$(BIN)/python -m scripts.sdk
dist: .venv/.dev .tools/release/.done ## build wheels and source archives of the server and the SDK, an SBOM and checksums into dist/
	scripts/dist dist
schema: .venv/.dev ## write schema.sql from the migrations
	$(BIN)/python -m scripts.schema
fonts: .tools/fonts/.done ## write the bundled fonts from the npm package of Inter; needs npm
	.tools/fonts/bin/python -m scripts.fonts
messages: .venv/.dev ## collect the texts of pages, e-mails and reports for translation
	$(BIN)/python -m scripts.messages
bench: .venv/.bench ## compare the speed with minimal programs for the same work
	$(BIN)/python -m bench

SEED ?= $(shell date +%s)
SECONDS ?= 60
SEEDS ?= 300
AT_ONCE ?= 2
MINUTES ?= 600
chaos: .venv/.dev ## clients submit and cancel while processes and PostgreSQL are killed; then verify everything
	$(BIN)/python -m chaos --seed $(SEED) --seconds $(SECONDS)
chaos-seeds: .venv/.dev ## run those of the seeds 1 to SEEDS that have not passed yet, for at most MINUTES; the table is chaos/seeds.csv
	$(BIN)/python -m chaos.campaign --seeds $(SEEDS) --at-once $(AT_ONCE) --minutes $(MINUTES)
clients: .venv/.dev ## check the OpenAPI document with linters and a generator of the Node world; needs Node, which is no part of the set-up
	scripts/clients/check
screenshots: .venv/.dev ## take the README's pictures with Chromium, from the demonstration data
	$(BIN)/python -m scripts.screenshots

lock: .venv/.runtime ## write requirements/*.txt from pyproject.toml
	$(LOCK) pyproject.toml --extra build --extra mcp -o requirements/runtime.txt
	$(LOCK) pyproject.toml --extra build --extra mcp --extra dev -c requirements/runtime.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml --extra build --extra mcp --extra dev --extra bench -c requirements/dev.txt -o requirements/bench.txt
	$(LOCK) pyproject.toml --extra training -c requirements/runtime.txt -o requirements/training.txt
	$(LOCK) --group audit -o requirements/audit.txt
	$(LOCK) --group clients -o requirements/clients.txt
	$(LOCK) pyproject.toml --extra mcp --extra objects --extra otel --extra parquet --extra sealed -c requirements/dev.txt -o requirements/image.txt
	$(LOCK) --group fonts -o requirements/fonts.txt
	$(LOCK) --group wheels -c requirements/runtime.txt -o requirements/wheels.txt
	$(LOCK) --group release -o requirements/release.txt
	$(LOCK) --group model --no-deps -o requirements/model.txt
audit: .tools/audit/.done ## look for known vulnerabilities in all locked packages; needs the network, and a package that cannot be looked up is a failure
	for file in requirements/*.txt; do echo "$$file" && .tools/audit/bin/pip-audit --strict --require-hashes --disable-pip --progress-spinner off -r $$file || exit 1; done
clean: ## remove what setup and tests created here (none of your data)
	rm -rf .venv .tools .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist

.tools/oidc/node_modules:
	npm install --prefix .tools/oidc --ignore-scripts --no-audit --no-fund oidc-provider@8.8.1
.tools/%/.done: requirements/%.txt
	$(PYTHON) -m venv --clear .tools/$*
	.tools/$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/$*.txt
	@touch $@

.venv/.%: requirements/%.txt requirements/uv.txt pyproject.toml sdk/python/pyproject.toml scripts/setup
	@echo "Setting up .venv ($*) …" && scripts/setup $*
	@touch $@
