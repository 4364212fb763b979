"""`python -m dev.run.operate COMMAND`: the operator's commands on the product that `make run` last started here.

In production the worker's own environment is enough: `python -m worker COMMAND`.
"""

from __future__ import annotations

import os
import sys

from dev.run.plan import PlanError, read_plan
from dev.servers.server_process import ROOT
from dev.servers.state_files import load_environment


def main() -> None:
    """Become `python -m worker` with the saved environment; variables set here take precedence."""
    try:
        data = read_plan(os.environ, ROOT / ".env").data
    except PlanError as error:
        sys.exit(str(error))
    saved = load_environment(data)
    if not saved and not os.environ.get("DATABASE_URL"):
        sys.exit(f"No product was started in {data}. Start one: make run (or set DATABASE_URL).")
    os.execve(sys.executable, [sys.executable, "-m", "worker", *sys.argv[1:]], saved | os.environ)


if __name__ == "__main__":
    main()
