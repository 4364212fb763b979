#!/bin/sh
# Renew the locked requirements from pyproject.toml. Further words go to uv: `requirements/lock.sh --upgrade-package NAME`.
set -eu
cd "$(dirname "$0")/.."
lock() { # OUTPUT GROUP…
  output=$1
  shift
  .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate "$@" -o "$output"
}
lock requirements/run.lock pyproject.toml "$@"
lock requirements/dev.lock pyproject.toml --group dev "$@"
lock requirements/installer.lock --group installer "$@"
lock requirements/benchmarks.lock --group benchmarks "$@"
lock tools/pictures/requirements.lock --group pictures "$@"
