# The book, its results and its tests. `make help` lists the targets.
PYTHON ?= python3
PYTHON_oldest ?= python3.11
PYTHON_newest ?= python3.13
PYTHON_renderer ?= $(PYTHON_newest)
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready
DOIT := $(BIN)/doit -f reproduction/pipeline/dodo.py
PYTEST := $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal --durations 10 --durations-min 2
BASE ?= HEAD
# Tests begin for so long; before and after that come style, collection and the last tests.
SECONDS_OF_CHECK := 25

# Files are UTF-8 whatever the locale says, and the project's own path may have any letter.
export PYTHONUTF8 := 1

# Processes that run side by side share the processor: one BLAS thread each.
export OMP_NUM_THREADS ?= 1
# Where LC_ALL=C forbids it, Python cannot choose UTF-8, and a folder's umlaut stops the set-up.
ifneq ($(filter C POSIX,$(LC_ALL)),)
unexport LC_ALL
endif
# Chapters run in book/, so a relative folder is resolved here.
ifdef OFER_DATA
export OFER_DATA := $(abspath $(OFER_DATA))
endif

define CHECK_PYTHON
command -v $(PYTHON) > /dev/null || { \
    echo "Python 3.11 or newer is needed, but there is no $(PYTHON). Install it (Debian and Ubuntu:" \
        "apt install python3 python3-venv), or name another: make PYTHON=python3.12" >&2; exit 1; }; \
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
    echo "Python 3.11 or newer is needed, but $(PYTHON) is `$(PYTHON) --version 2>&1`." \
        "Name another: make PYTHON=python3.12" >&2; exit 1; }; \
$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { \
    echo "$(PYTHON) cannot make virtual environments: its modules venv or ensurepip are missing." \
        "Install them (Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
endef

.DELETE_ON_ERROR:
.PHONY: help writable book pdf chapter results data test test-quick take-away test-slice sabotage test-versions check mutants benchmarks times sums format lock dist clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1: \2/p' Makefile

book: $(READY) ## execute what is stale and render the pages
	@$(DOIT) -n $(JOBS) -P thread
	@echo "The book: $(CURDIR)/_build/html/index.html"

pdf: book ## print the pages into one PDF (needs chromium)
	@$(BIN)/python -m reproduction.pipeline.printing _build/ofer.pdf
	@echo "The book on paper: $(CURDIR)/_build/ofer.pdf"

chapter: $(READY) ## execute one chapter: NAME=06_4_2_drug_activity [PARAMS="profile=quick"]
	@$(BIN)/python -m reproduction.pipeline.execute $(NAME) $(foreach pair,$(PARAMS),-p $(subst =, ,$(pair)))

results: $(READY) ## compute stale results in their chapters [ID=ofer-table-09] [FRESH=1: all] [VERIFY=1: compare] [PROFILE=quick] [SCHEDULER=tcp://...: on a cluster]
	@$(BIN)/python -m reproduction.pipeline.results $(ID) --jobs $(JOBS) \
	    $(if $(SCHEDULER),--scheduler $(SCHEDULER)) \
	    --profile $(if $(VERIFY),verify,$(if $(FRESH),fresh,$(or $(PROFILE),full)))

data: $(READY) ## download the data that are not in the checkout [VERIFY=1: convert again, compare]
	@$(BIN)/python -m reproduction.datasets $(if $(VERIFY),--verify)

test: $(READY) ## style, unit tests, every chapter against its stored outputs, the rendered pages [FRESH=1: forget what was found before]
	@$(if $(FRESH)$(CI),rm -rf .cache/units .cache/reproduced)
	@echo "--- style"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@if git rev-parse 2> /dev/null; then $(BIN)/reuse lint --quiet || { $(BIN)/reuse lint --lines; exit 1; }; \
	    else echo "Not a git checkout: licences are not checked, since installed files are not told apart"; fi
	@echo "--- unit tests, unless nothing has changed since they passed"
	@$(DOIT) $(if $(FRESH)$(CI),--always-execute) --single unit jobs=$(JOBS)
	@echo "--- chapters; their pages are rendered meanwhile"
	@mkdir -p .cache; $(DOIT) --single pages > .cache/pages.log 2>&1 & pages=$$!; \
	    $(BIN)/python -m reproduction.pipeline.compare --jobs $(JOBS); status=$$?; \
	    wait $$pages || { cat .cache/pages.log; exit 1; }; exit $$status
	@echo "--- pages, unless these were looked at before"
	@$(DOIT) $(if $(FRESH)$(CI),--always-execute) --single visit jobs=$(JOBS)

test-quick: $(READY) ## compute a part of every stored table in its chapter and compare
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests/book -m quick --durations=0 --durations-min=1

take-away: $(READY) ## execute every chapter of the rendered pages in an empty environment (needs the package index; an hour)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests/book/test_take_away.py -m away --durations=0 --durations-min=1

sabotage: $(READY) ## damage copies of the project, one by one, and see that each damage is named
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal tests/sabotage -m sabotage --durations=5

test-slice: $(READY) ## compute the part of the stored tables that this commit chooses, as make test does where CI is set
	@CI=1 $(PYTEST) $(CURDIR)/tests/reproduction/engine/test_results.py -k moves_on

VERSIONS := oldest newest renderer
test-versions: $(READY) $(VERSIONS:%=.cache/versions/%/.ready) ## package and results with the oldest and newest numpy, scipy, scikit-learn; pages without jupyter-book [PYTHON_newest=python3.13]
	@for set in oldest newest; do \
	    echo "--- $$set: `.cache/versions/$$set/bin/python --version`"; \
	    OFER_VERSIONS=$$set PYTHONPATH=$(CURDIR) .cache/versions/$$set/bin/python -m pytest -q \
	        -n $(JOBS) tests/ofer tests/versions/slices.py || exit 1; \
	done
	@echo "--- renderer: `.cache/versions/renderer/bin/sphinx-build --version`"
	@$(DOIT) --single pages
	@$(BIN)/python -m pytest -q tests/versions/renderer.py

check: $(READY) ## what a change can affect, the nearest tests first, in a minute [BASE=origin/main: since that commit, not the last one]
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@tests=$$($(BIN)/python -m reproduction.pipeline.affected $(BASE)) && \
	    $(PYTEST) --dist load --maxschedchunk 8 --seconds $(SECONDS_OF_CHECK) \
	        -m "not html and not quick and not away and not sabotage and not recomputes and not long" $$tests

mutants: $(READY) ## change the code of what has changed, and see whether tests notice [BASE=origin/main] [ALL=1: everything, for the book; ALL=.2: a part of it]
	@$(BIN)/python -m reproduction.pipeline.mutants --base $(BASE) $(if $(ALL),--share $(ALL)) --jobs $(JOBS)

benchmarks: $(READY) ## measure speed beside peers and store it [NAME=kernel_ridge]
	@$(BIN)/python benchmarks/run.py $(NAME)
	@$(BIN)/python -m reproduction.pipeline.sums benchmarks.csv benchmarks.json

times: $(READY) ## store what the chapters took here, for the page on re-running
	@$(BIN)/python -m reproduction.pipeline.chapter_times
	@$(BIN)/python -m reproduction.pipeline.sums times.csv

sums: $(READY) ## store checksums of printed tables, after a change that is meant [NAME=paper/ofer-table-11.csv]
	@$(BIN)/python -m reproduction.pipeline.sums $(NAME)

format: $(READY) ## put all Python files in the common style
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

COMPILE := uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --quiet
lock: ## resolve all requirements anew (needs uv)
	@$(COMPILE) --python-version 3.11 requirements.in -o requirements.lock
	@mkdir -p .cache
	@$(COMPILE) --python-version 3.11 --resolution lowest-direct pyproject.toml -o .cache/bounds.txt
	@$(COMPILE) --python-version 3.11 requirements-versions.in -c .cache/bounds.txt \
	    -o requirements-oldest.lock
	@$(COMPILE) --python-version 3.13 --upgrade requirements-versions.in -o requirements-newest.lock
	@$(COMPILE) --python-version 3.13 --upgrade requirements-renderer.in -o requirements-renderer.lock

PARTS := .cache/dist
dist: $(READY) ## wheels, source archives and what they were tried with (CycloneDX) in dist, tried in an empty environment
	@rm -rf dist $(PARTS)
	@mkdir -p $(PARTS)/elsewhere
	@$(BIN)/python -m reproduction.pipeline.archives dist
	@$(PYTHON) -m venv $(PARTS)/venv
	@$(PARTS)/venv/bin/pip install -qq --disable-pip-version-check --require-hashes $(LOCKED)
	@$(PARTS)/venv/bin/pip install -qq --disable-pip-version-check --no-deps dist/*.whl
	@$(PARTS)/venv/bin/pip --disable-pip-version-check check
	@$(BIN)/python -m reproduction.pipeline.inventory $(PARTS)/venv/bin/python > dist/ofer.cdx.json
	@cd $(PARTS)/elsewhere; ../venv/bin/python -P -m doctest ../../../README.md && \
	    ../venv/bin/python -P -c 'import ofer, reproduction.engine; from ofer import *'
	@ls dist

clean: ## remove what was made, but not the executed chapters and the results
	rm -rf .venv .cache _build dist build mutants

writable:
	@for folder in . book book/results $(wildcard .cache _build); do \
	    test -w $$folder || { echo "Nothing can be written to $$folder of $(CURDIR):" \
	        "change its permissions, or work in a copy of the project." >&2; exit 1; }; \
	done

# Named as a constraint too: an older pip leaves the lock for a newer version of what is asked
# for with an extra.
LOCKED := -r requirements.lock -c requirements.lock
$(READY): requirements.lock pyproject.toml reproduction/pyproject.toml | writable
	@$(CHECK_PYTHON)
	@echo "Setting up .venv (a few minutes, once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes $(LOCKED)
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . -e ./reproduction
	@touch $(READY)

.cache/versions/%/.ready: requirements-%.lock
	@command -v $(PYTHON_$*) > /dev/null || { \
	    echo "There is no $(PYTHON_$*). Name another: make test-versions PYTHON_$*=..." >&2; exit 1; }
	@$(PYTHON_$*) -m venv --clear $(@D)
	@$(@D)/bin/pip install -qq --disable-pip-version-check --require-hashes -r $<
	@touch $@
