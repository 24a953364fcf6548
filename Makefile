# The book, its results and its tests. `make help` lists the targets.
PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready
DOIT := $(BIN)/doit -f reproduction/pipeline/dodo.py
PYTEST := $(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile

# Processes that run side by side share the processor: one BLAS thread each.
export OMP_NUM_THREADS ?= 1
# Chapters run in book/, so a relative folder is resolved here.
ifdef OFER_DATA
export OFER_DATA := $(abspath $(OFER_DATA))
endif

.DELETE_ON_ERROR:
.PHONY: help book chapter results data test test-quick benchmarks format lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1: \2/p' Makefile

book: $(READY) ## execute what is stale and render the pages
	@$(DOIT) -n $(JOBS) -P thread
	@echo "The book: $(CURDIR)/_build/html/index.html"

chapter: $(READY) ## execute one chapter: NAME=06_4_2_drug_activity [PARAMS="profile=quick"]
	@$(BIN)/python -m reproduction.pipeline.execute $(NAME) $(foreach pair,$(PARAMS),-p $(subst =, ,$(pair)))

results: $(READY) ## compute stale results in their chapters [ID=ofer-table-09] [FRESH=1: all] [VERIFY=1: compare] [PROFILE=quick]
	@$(BIN)/python -m reproduction.pipeline.results $(ID) --jobs $(JOBS) \
	    --profile $(if $(VERIFY),verify,$(if $(FRESH),fresh,$(or $(PROFILE),full)))

data: $(READY) ## download the data that are not in the checkout [VERIFY=1: convert again, compare]
	@$(BIN)/python -m reproduction.datasets $(if $(VERIFY),--verify)

test: $(READY) ## style, unit tests, every chapter against its stored outputs, the rendered pages
	@echo "--- style"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/reuse lint --quiet
	@echo "--- unit tests"
	@$(PYTEST) tests -m "not html and not quick"
	@echo "--- chapters"
	@$(PYTEST) book/*.ipynb --nbval --nbval-current-env --nbval-sanitize-with reproduction/pipeline/nbval.cfg
	@echo "--- pages"
	@$(DOIT) --single pages
	@$(PYTEST) tests -m html

test-quick: $(READY) ## compute a part of every stored table in its chapter and compare
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests -m quick --durations=0 --durations-min=1

benchmarks: $(READY) ## measure speed beside peers and store it [NAME=kernel_ridge]
	@$(BIN)/python benchmarks/run.py $(NAME)

format: $(READY) ## put all Python files in the common style
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

lock: ## resolve requirements.in anew (needs uv)
	@uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-header --quiet requirements.in -o requirements.lock

clean: ## remove what was made, but not the executed chapters and the results
	rm -rf .venv .cache _build

$(READY): requirements.lock pyproject.toml reproduction/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is \
	needed, but $(PYTHON) is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12")'
	@echo "Setting up .venv (a few minutes, once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . -e ./reproduction
	@touch $(READY)
