# Every target makes .venv and installs what it needs when missing or stale.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
JOBS   ?= 2

.DEFAULT_GOAL := check
.PHONY: install check test lint bench manual api constraints clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; say which with PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

check: $(STAMP)  ## judge every claim, at profile quick
	$(BIN)/theorems check --jobs $(JOBS)

test: $(STAMP)  ## test the code itself, and a sample of the claims
	PYTHONHASHSEED=0 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)  ## accuracy and speed tables
	$(BIN)/python -m benchmarks

manual: $(STAMP)  ## write the outputs in the tour anew
	$(BIN)/python tests/support/console_pages.py manual/tour.md

api: $(STAMP)  ## the reference of the functions, in build/api
	$(BIN)/python -m manual.reference

constraints:  ## pin anew (needs uv)
	uv pip compile pyproject.toml --extra dev --universal --generate-hashes --python-version 3.11 \
	  --no-header --no-annotate --no-emit-index-url --upgrade -q -o constraints.txt

clean:
	rm -rf $(VENV)
