# Two commands do everything: `make run` opens the watch screen, `make test` passes the tests. `make test-all` passes the
# thorough ones, `make test-long` the long trials, `make test-learn` those of training, which needs torch. All create
# .venv first and install into it what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

# This build of torch is small where it is offered for CPUs only, and learning needs no other.
TORCH ?= torch==2.13.0

.PHONY: run test test-all test-long test-learn lint types contracts kernels snapshots bench docs dist docs-figures clean
.DEFAULT_GOAL := run

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VENV)/installed-learn: $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,learn]'
	@touch $@

run: $(VENV)/installed
	@$(BIN)/bba-tui --layout open

# The kernels are compiled once, on the second core while the first checks types, and not by each process that tests.
# Three processes test on two cores: a seventh of the time they wait for other programs.
test: $(VENV)/installed-dev
	@$(MAKE) --no-print-directory --jobs=2 lint kernels types contracts
	$(BIN)/pytest -n 3 --dist worksteal -m "not long and not thorough"

# What `make test` leaves out: slow tests of lines that quicker ones reach, too, and all cases of exhaustive ones.
# Then clusters, one at a time: two that start beside each other keep each other from it.
test-all: $(VENV)/installed-dev kernels
	$(BIN)/pytest -n 3 --dist worksteal -m "thorough and not long"
	$(BIN)/pytest -n 0 tests/bench/test_ray_engine.py -m long

kernels: $(VENV)/installed-dev
	$(BIN)/bba-tui warm

# Many kills, many participants and long games, every size, theme and key; and thirty times as many random examples.
test-long: $(VENV)/installed-dev
	$(BIN)/pytest -n 2 -m "long or hypothesis" --hypothesis-profile=long

test-learn: $(VENV)/installed-learn
	$(BIN)/pytest tests/learning

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

contracts: $(VENV)/installed-dev
	$(BIN)/lint-imports

snapshots: $(VENV)/installed-dev
	$(BIN)/pytest tests/screens --snapshot-update

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

# The pages that are made from the code, and the site in site/. A link that leads nowhere is an error.
docs: $(VENV)/installed-dev
	$(BIN)/python docs/pages.py
	$(BIN)/zensical build --clean --strict

# Plays the games behind the figures in docs, some 15 minutes, and draws them. Two are drawn from stored results, since
# their games take hours: python -m benchmarks.commitment RESULTS and python -m benchmarks.knowledge --play make new ones.
docs-figures: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.pictures
	$(BIN)/python -m benchmarks.commitment
	$(BIN)/python -m benchmarks.knowledge
	$(BIN)/python -m benchmarks.ladder
	$(BIN)/python -m benchmarks.gates
	$(BIN)/python -m benchmarks.beliefs
	$(BIN)/python -m benchmarks.readings
	$(BIN)/python -m benchmarks.leaderboard

# A wheel and an archive of the sources, installed in an empty environment without extras, where a game is played.
dist: $(VENV)/installed-dev
	rm -rf dist
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv dist/venv
	dist/venv/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd dist && venv/bin/bba-tui --headless --horizon 60

clean:
	rm -rf $(VENV) build dist site *.egg-info
