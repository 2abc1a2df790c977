# Everything a newcomer runs. `make` lists the targets.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# An interpreter of your choice: make setup PYTHON=/opt/python3.12/bin/python3
PYTHON ?=
# The lock compiler: make lock UV=/somewhere/uv LOCK_FLAGS=--upgrade
UV ?= uv
LOCK_FLAGS ?=

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--no-deps --require-hashes --only-binary :all:
COMPILE := pip compile --quiet --config-file requirements/uv.toml $(LOCK_FLAGS)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: setup
setup: $(VENV)/.run ## install the locked run environment into .venv

.PHONY: setup-test
setup-test: $(VENV)/.test ## add the locked test tools to .venv

.PHONY: reproduce
reproduce: setup ## run the demonstration: every table and figure at small scale
	$(BIN)/snakemake --cores all

.PHONY: published
published: setup ## recompute the printed numbers from the released records; no model
	$(BIN)/snakemake --cores all --configfile config/published.yaml
	@echo "Read results/published/audit/README.md, and results/published/README.md."

.PHONY: plan-paper
plan-paper: setup ## show the jobs of a paper-scale run, without running any
	$(BIN)/snakemake -n --configfile config/paper.yaml --quiet rules host

.PHONY: report
report: setup ## write results/report.html about the finished run
	$(BIN)/snakemake --report results/report.html

.PHONY: test
test: setup-test ## run the quick tests
	$(BIN)/python -m pytest tests -q -m "not heavy"

.PHONY: test-heavy
test-heavy: setup-test ## run the slow tests
	$(BIN)/python -m pytest tests -q -m heavy

.PHONY: bench
bench: setup-test $(VENV)-bench/.bench ## measure speed and memory: tables here, one line of JSON each in benchmarks/
	@for one in $$(grep -l '^if __name__' tests/bench/*.py); do \
	  echo "== $$(basename "$$one" .py)"; $(BIN)/python "$$one"; \
	done

.PHONY: lint
lint: lint-python lint-types lint-workflow ## check style, types and the workflow's form

.PHONY: lint-python
lint-python: setup-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check

.PHONY: lint-types
lint-types: setup-test
	$(BIN)/mypy scripts/babelmath

.PHONY: lint-workflow
lint-workflow: setup-test
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/snakemake --lint

.PHONY: format
format: setup-test ## rewrite Python and rules into the house format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/snakefmt Snakefile rules

.PHONY: config
config: setup ## rewrite config/schema.json and the comments of config/config.yaml from the types
	PYTHONPATH=scripts $(BIN)/python -m babelmath.confdocs config

.PHONY: overview
overview: setup ## rewrite the pipeline's stages and its picture from the rules
	$(BIN)/python scripts/stages.py
	$(BIN)/snakemake --cores 1 --nolock results/figures/overview.png
	cp results/figures/overview.png resources/overview.png

.PHONY: lock
lock: ## recompile requirements/*.txt from requirements/*.in (needs uv)
	@command -v "$(UV)" >/dev/null || { \
	  echo "make lock needs uv: install the package 'uv', or name it with UV=/path/to/uv." >&2; exit 1; }
	"$(UV)" $(COMPILE) --output-file requirements/run.txt requirements/run.in
	"$(UV)" $(COMPILE) --output-file requirements/test.txt requirements/test.in
	"$(UV)" $(COMPILE) --output-file requirements/bench.txt requirements/bench.in

.PHONY: clean
clean: ## remove results/ and logs/; the journal of model answers stays
	rm -rf results logs

# 3.14 is too new: some locked packages have no wheels for it.
$(VENV)/pyvenv.cfg:
	@if [ -n "$(PYTHON)" ]; then candidates=("$(PYTHON)"); else candidates=(python3.11 python3 python3.12 python3.13); fi; \
	for python in "$${candidates[@]}"; do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then \
	    echo "Creating $(VENV) with $$("$$python" --version)"; \
	    exec "$$python" -m venv --clear $(VENV); \
	  fi; \
	done; \
	echo "No Python 3.11, 3.12 or 3.13 found as: $${candidates[*]}. Name one: make setup PYTHON=/path/to/python3.11" >&2; \
	exit 1

# A stamp is newer than its lock file when the environment holds what the lock says.
$(VENV)/.run: requirements/run.txt $(VENV)/pyvenv.cfg
	$(INSTALL) -r requirements/run.txt
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.run
	$(INSTALL) -r requirements/test.txt
	@touch $@

# What the project is measured against, apart from what it runs with.
$(VENV)-bench/.bench: requirements/bench.txt $(VENV)/pyvenv.cfg
	$(BIN)/python -m venv --clear $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	  --no-deps --require-hashes --only-binary :all: -r requirements/bench.txt
	@touch $@
