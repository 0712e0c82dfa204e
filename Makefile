## make demo    a cited answer from the example documents, offline, in an environment of its own
## make test    lint, types and tests, as CI runs them
## make help    this list and the rest

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
DEMO_DB := $(VENV)/demo_db
SOURCES := core chains retrievers splitters prompts eval tests benchmarks examples notebooks

.DEFAULT_GOAL := help
.PHONY: help demo install dev lint types test test-wheel test-huggingface fix build clean

help:
	@sed -n 's/^## //p' Makefile
	@echo "make dev     the environment for working on youju, in $(VENV)"
	@echo "make fix     format, and mend what ruff can mend"
	@echo "make lint types build test-wheel test-huggingface clean"

$(VENV)/made:
	@echo "making an environment in $(VENV) and installing the dependencies; this takes a minute or two"
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'pip>=25' 'setuptools>=80'
	touch $@

# what is installed follows pyproject.toml; the package itself is linked anew each time, since new files need it
$(VENV)/runtime: $(VENV)/made pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e .
	touch $@

$(VENV)/development: $(VENV)/made pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/runtime

install: $(VENV)/runtime
	@$(PIP) install --no-deps --no-build-isolation -e .

dev: $(VENV)/development
	@$(PIP) install --no-deps --no-build-isolation -e .

demo: install
	@rm -rf $(DEMO_DB)
	@BIN=$(BIN) DB=$(DEMO_DB) sh examples/demo.sh

lint: dev
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)

types: dev
	$(BIN)/mypy

test: lint types
	$(BIN)/pytest

# the built wheel instead of the linked folders, with the dependencies already there
test-wheel: dev
	rm -rf dist $(VENV)/wheel
	$(BIN)/python -m build -q --wheel --no-isolation
	$(PYTHON) -m venv --without-pip $(VENV)/wheel
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" \
	  > $$($(VENV)/wheel/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/dependencies.pth
	$(PIP) --python $(VENV)/wheel/bin/python install --no-deps dist/*.whl
	$(VENV)/wheel/bin/python -m pytest -q $(TESTS)

# PyTorch is large; this CPU build is the version the tests were made with
test-huggingface: dev
	$(PIP) install 'torch==2.13.0'
	$(PIP) install -c constraints.txt -e '.[dev,huggingface]'
	$(BIN)/pytest -m huggingface

fix: dev
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

build: dev
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) build dist *.egg-info
