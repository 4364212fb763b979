"""`python -m worker COMMAND`: the operator's command line."""

from __future__ import annotations

from worker.cli.commands import operate

operate(prog_name="python -m worker")
