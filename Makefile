# Everything a newcomer or a contributor does with the project. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/sh
BIN := .venv/bin
PYTHON ?= python3
export PYTHON
LOCK = .tools/bin/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --no-emit-find-links
# Three test processes for two cores: some tests wait more than they work.
WORKERS ?= $(shell $(PYTHON) -c "import os; print(max(2, (os.cpu_count() or 1) * 3 // 2))")

.PHONY: help setup serve demo test test-slow test-all check fmt bench chaos screenshots lock clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 12

setup: .venv/.runtime ## prepare .venv with the sightline command
serve: .venv/.runtime ## run the whole service: PostgreSQL, API, docs, worker
	@exec $(BIN)/sightline serve
demo: .venv/.runtime ## build the demonstration world and print its credentials
	@$(BIN)/sightline demo

test: .venv/.dev ## all tests (under ten minutes on two cores)
	$(BIN)/pytest -n $(WORKERS) -m "not slow"
test-slow: .venv/.dev ## simulations, many processes, the whole contract, huge input: what `make test` leaves out
	$(BIN)/pytest -n $(WORKERS) -m slow
test-all: test test-slow ## both
check: .venv/.dev ## lint, format, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
fmt: .venv/.dev ## format and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
bench: .venv/.bench ## measure speed, as ratios of things measured side by side
	$(BIN)/python -m bench

SEED ?= $(shell date +%s)
SECONDS ?= 60
chaos: .venv/.dev ## clients submit and cancel while processes and PostgreSQL are killed; then everything is checked
	$(BIN)/python -m chaos --seed $(SEED) --seconds $(SECONDS)
screenshots: .venv/.dev ## take the README's pictures anew, with Chromium, of the demonstration world
	$(BIN)/python -m scripts.screenshots

lock: .venv/.runtime ## write requirements/*.txt anew from pyproject.toml
	$(LOCK) pyproject.toml --extra build -o requirements/runtime.txt
	$(LOCK) pyproject.toml --extra build --extra dev -c requirements/runtime.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml --extra build --extra dev --extra bench -c requirements/dev.txt -o requirements/bench.txt
	$(LOCK) pyproject.toml --extra training -c requirements/runtime.txt -o requirements/training.txt
clean: ## remove what set-up and tests made here (no data of yours)
	rm -rf .venv .tools .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist

.venv/.%: requirements/%.txt requirements/uv.txt pyproject.toml scripts/setup
	@echo "Setting up .venv ($*) …" && scripts/setup $*
	@touch $@
