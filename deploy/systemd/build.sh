#!/bin/sh
# Make the release in whose folder this stands ready to run: its Python packages, and its pages, which may have been built
# elsewhere. Nothing of a running product is touched.
set -eu
cd "$(dirname "$0")/../.."
set -a
. /etc/clinic/settings
set +a
if [ ! -e .venv/complete ]; then
  python3 -m venv --clear .venv
  .venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.lock
  touch .venv/complete
fi
if [ ! -e frontend/dist/routes.json ]; then
  npm --prefix frontend ci --loglevel=error
  npm --prefix frontend run --silent build
fi
