# The book, its tables and its tests: `make help`
PYTHON ?= python3
PYTHON_oldest ?= python3.11
PYTHON_newest ?= python3.13
# Processes that work side by side.
JOBS ?= 2
BIN := .venv/bin
READY := .venv/.ready
DOIT := $(BIN)/python -m reproduction.pipeline -n $(JOBS) -P thread
PYTEST := $(BIN)/python -m pytest -q -n $(patsubst 1,0,$(JOBS))

# Files are UTF-8 whatever the locale says, and the project's own path may have any letter.
export PYTHONUTF8 := 1
# Processes side by side have one BLAS thread each.
export OMP_NUM_THREADS ?= 1
# LC_ALL=C keeps Python from UTF-8, and a folder's umlaut would stop the set-up.
ifneq ($(filter C POSIX,$(LC_ALL)),)
unexport LC_ALL
endif
# Chapters run in book/, so a relative folder is resolved here.
ifdef OFER_DATA
export OFER_DATA := $(abspath $(OFER_DATA))
endif

# A chapter is executed with the code beside it, also where .venv is a link to that of another checkout.
export PYTHONPATH := $(CURDIR)$(if $(PYTHONPATH),:$(PYTHONPATH))

GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
KNOWN := NAME PARAMS ID FRESH VERIFY PROFILE JOBS PYTHON PYTHON_oldest PYTHON_newest BIN OMP_NUM_THREADS OFER_DATA
ifneq ($(filter-out $(KNOWN),$(GIVEN)),)
$(error $(filter-out $(KNOWN),$(GIVEN)) must be among $(KNOWN))
endif

# By the environment a value reaches the command with its spaces and quotes.
export PARAMS

.PHONY: help book chapter paper results data test test-quick test-processors test-versions benchmarks format lock dist clean
help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1: \2/p' Makefile

book: $(READY) ## execute the chapters that have changed and render the pages
	@$(DOIT)
	@echo "The book: $(CURDIR)/_build/html/index.html"

chapter: $(READY) ## execute one chapter: NAME=06_4_2_drug_activity [PARAMS="profile=quick"]
	@$(BIN)/python -m reproduction.pipeline.execute $(NAME) --assign "$$PARAMS"

paper: $(READY) ## write numbers and figures of the report in paper/, and set it if TeX is there
	@$(BIN)/python -m reproduction.pipeline.paper

results: $(READY) ## compute stale tables in their chapters [ID=ofer-table-09] [FRESH=1: all] [VERIFY=1: compare] [PROFILE=check: what moved] [PROFILE=quick]
	@$(BIN)/python -m reproduction.pipeline.results $(ID) --jobs $(JOBS) \
	    --profile $(if $(VERIFY),verify,$(if $(FRESH),fresh,$(or $(PROFILE),full)))

data: $(READY) ## download the data that are not in the checkout [VERIFY=1: convert again, compare]
	@$(BIN)/python -m reproduction.datasets $(if $(VERIFY),--verify)

test: $(READY) ## style, unit tests, every chapter against its stored outputs, the rendered pages
	@echo "--- style"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/actionlint -shellcheck= -pyflakes= .github/workflows/*.yml
	@if git rev-parse 2> /dev/null; then $(BIN)/reuse lint --lines; else echo "no git checkout: licences are not checked"; fi
	@echo "--- unit tests"
	@$(PYTEST) --dist worksteal --durations 5 -m "not html and not quick" tests
	@echo "--- chapters"
	@$(DOIT) last_bits
	@$(DOIT) --continue --single 'cells:*'
	@echo "--- pages"
	@$(DOIT) --single pages
	@$(PYTEST) --dist worksteal --durations 5 -m html tests/book

test-quick: $(READY) ## compute a part of every stored table in its chapter and compare; interrupt long commands
	@$(PYTEST) --dist worksteal -m quick tests/book tests/sabotage

# Kernels that a processor lacks are replaced by those that it has.
test-processors: $(READY) ## every chapter with the numerical code for three kinds of x86-64 processors
	@for kernels in Nehalem Haswell SkylakeX; do \
	    echo "--- $$kernels"; \
	    export LAST_BITS=$$((LAST_BITS + 1)) OPENBLAS_CORETYPE=$$kernels; \
	    test $$kernels = Nehalem && export NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL" || unset NPY_DISABLE_CPU_FEATURES; \
	    $(DOIT) --db-file "$(CURDIR)/.cache/$$kernels.db" last_bits || exit 1; \
	    $(DOIT) --db-file "$(CURDIR)/.cache/$$kernels.db" --continue --single 'cells:*' || failed=1; \
	done; test -z "$$failed"

test-versions: $(READY) .cache/versions/oldest/.ready .cache/versions/newest/.ready ## the package and check slices with the oldest and newest numpy, scipy, scikit-learn
	@for set in oldest newest; do \
	    echo "--- $$set: `.cache/versions/$$set/bin/python --version`"; \
	    OFER_VERSIONS=$$set PYTHONPATH=$(CURDIR) .cache/versions/$$set/bin/python -m pytest -q \
	        -n $(JOBS) tests/ofer tests/versions/slices.py || exit 1; \
	done

benchmarks: $(READY) ## measure speed beside peers and store it [NAME=kernel_ridge]
	@$(BIN)/python benchmarks/run.py $(NAME)

format: $(READY) ## put all Python files in the common style
	@$(BIN)/ruff check --fix && $(BIN)/ruff format
COMPILE := uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --quiet
lock: ## resolve all requirements anew (needs uv)
	@mkdir -p .cache && $(COMPILE) --python-version 3.11 requirements/all.in -o requirements/all.lock
	@$(COMPILE) --python-version 3.11 --resolution lowest-direct pyproject.toml -o .cache/bounds.txt
	@$(COMPILE) --python-version 3.11 requirements/versions.in -c .cache/bounds.txt -o requirements/oldest.lock
	@$(COMPILE) --python-version 3.13 --upgrade requirements/versions.in -o requirements/newest.lock

dist: $(READY) ## wheel and source archive of the package, and an archive of the whole project
	@$(BIN)/python -m build --no-isolation --outdir dist .
	@git archive --prefix=ofer-project/ --output=dist/ofer-project.tar.gz HEAD

clean: ## remove what was made, but not the executed chapters and the tables
	rm -rf .venv .cache _build dist build

# An older pip leaves the lock for what is asked for with an extra, unless it is a constraint too.
LOCKED := -r requirements/all.lock -c requirements/all.lock
$(READY): requirements/all.lock pyproject.toml reproduction/pyproject.toml
	@$(PYTHON) -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer" \
	    "with venv is needed (Debian and Ubuntu: apt install python3 python3-venv), or name one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up .venv (a minute, once)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes $(LOCKED)
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e . -e ./reproduction
	@$(BIN)/python -c 'import matplotlib.font_manager' 2> /dev/null # lists the fonts, or the first chapter says that it does
	@touch $(READY)

.cache/versions/%/.ready: requirements/%.lock
	@$(PYTHON_$*) -m venv --clear $(@D)
	@$(@D)/bin/pip install -qq --disable-pip-version-check --require-hashes -r $<
	@touch $@
