.PHONY: help setup tools check test steady harm demo bench bench-peers autoharness lock
.DEFAULT_GOAL := help
BIN := .venv/bin
ARGS ?=
JOBS ?= 4
RUNS ?= 10
STEADY := $(addprefix tests/apps/,test_views.py test_counts.py test_cache.py test_gate_consent.py test_reports.py test_undo.py \
  test_ownership.py test_x11_pasting.py test_refusals.py)

help:  ## Tell what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

setup:  ## Install whatever is missing: system packages, .venv, locked dependencies
	@scripts/setup

tools:  ## Fetch what only tests need from outside: wheels, uv, pipx, Node, MCP clients, cua-auto-harness
	@scripts/tools || echo "Without these, tests/clients, tests/install and tests/suites fail."

check: setup  ## Formatting, lint, types, direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict src tests examples $(if $(shell find benchmarks -name '*.py' 2>/dev/null),benchmarks)
	$(BIN)/lint-imports

test: setup tools  ## Run all tests, JOBS at once; ARGS="-k words" runs some
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --no-loadscope-reorder $(ARGS) || { \
	  echo "What failed is run once more: a test that fails twice has failed."; \
	  $(BIN)/python -m pytest $(ARGS) --last-failed --last-failed-no-failures none; }

steady: setup  ## Run a part of the tests on real applications RUNS times in a row, up to the first failure
	@for run in $$(seq $(RUNS)); do echo "run $$run of $(RUNS)"; \
	  $(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup --no-loadscope-reorder $(STEADY) $(ARGS) || exit 1; done

harm: setup  ## Observe every application 200 times while it works, and look at what it did to it
	$(BIN)/python -m pytest -n 2 --dist loadgroup tests/apps/test_abilities.py -k not_harmed --views 200 $(ARGS)

demo: setup  ## Run the main job on real applications in an isolated desktop
	$(BIN)/deskhand demo $(ARGS)

bench: setup  ## Measure against pyatspi; ARGS="mousepad act --rounds 5 --json" chooses
	$(BIN)/python -m benchmarks $(ARGS)

bench-peers: setup  ## Measure beside cua-driver, xa11y and pyatspi; ARGS="mousepad --rounds 3 --write FOLDER" chooses
	@$(BIN)/python -m benchmarks.peers $(ARGS)

autoharness: setup  ## Run all 100 runner cases of cua-auto-harness through input; ARGS="--reps 3 --only click_ --style claude" chooses
	@scripts/tools
	@.venv/deskhand-tools/autoharness/bin/python -u -m tests.suites.autoharness $(ARGS)

lock:  ## Write the lock files anew (needs uv)
	scripts/lock
