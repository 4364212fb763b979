"""`python -m dev.run` runs the product until Ctrl-C; `--ephemeral -- COMMAND…` runs it around one command."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType


def main() -> int:
    """Run as the command line says; returns the exit code."""
    # From the start of the product on, a Ctrl-C stops that instead.
    signal.signal(signal.SIGINT, _stop_early)
    return _run(_read_arguments())


def _stop_early(_number: int, _frame: FrameType | None) -> None:
    """End at once. An exception would be lost where Python is in the middle of an import's clean-up."""
    print("\nStopped before anything was started", file=sys.stderr, flush=True)
    os._exit(130)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m dev.run", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="only look for what would stop a start; needs no package"
    )
    parser.add_argument("--ephemeral", action="store_true", help="use free ports and a temporary data directory")
    parser.add_argument(
        "--env-file",
        type=Path,
        default=Path(__file__).parents[2] / ".env",
        help="settings (default: .env beside the Makefile)",
    )
    parser.add_argument(
        "--image", type=Path, help="with --ephemeral: run site, worker and Flower in this root folder of an image"
    )
    parser.add_argument("command", nargs="*", help="with --ephemeral: what to run against the product")
    options = parser.parse_args()
    if bool(options.command) != options.ephemeral:
        parser.error("--ephemeral needs a command, and a command needs --ephemeral")
    if options.image and not options.ephemeral:
        parser.error("--image needs --ephemeral")
    return options


def _run(options: argparse.Namespace) -> int:
    # Imported here: a Ctrl-C meanwhile gets its sentence, and --check runs where no package is installed yet.
    from dev.run.plan import PlanError  # noqa: PLC0415
    from dev.servers.server_process import ServerError  # noqa: PLC0415

    try:
        if options.check:
            from dev.run.preflight import check_start  # noqa: PLC0415

            check_start(options.env_file)
            return 0
        from dev.run.launch import launch, launch_around  # noqa: PLC0415

        return launch_around(options.command, options.image) if options.ephemeral else launch(options.env_file)
    except (PlanError, ServerError) as error:
        print(f"\n{error}\n", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
