"""`python -m dev.run.operate COMMAND`: the operator's commands on the product that `make run` last started here.

In production the worker's own environment is enough: `python -m worker COMMAND`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dev.servers.state_files import load_environment


def main() -> None:
    """Become `python -m worker` with the kept environment; what is set here outranks it."""
    data = Path(os.environ.get("DATA_DIR") or ".data")
    kept = load_environment(data)
    if not kept and not os.environ.get("DATABASE_URL"):
        sys.exit(f"Nothing is known of a running product in {data}. Start one: make run (or set DATABASE_URL).")
    os.execve(sys.executable, [sys.executable, "-m", "worker", *sys.argv[1:]], kept | os.environ)


if __name__ == "__main__":
    main()
