"""`python -m tools.run` runs the whole product on this machine until Ctrl-C."""

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from tools.run.plan import check_ports, ephemeral_environ, lock, read_environ
from tools.servers.server_process import ROOT, ServerError
from tools.servers.state_files import load_environment


def main() -> int:
    """Run as the command line says; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.run", description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="only look for what would stop a start")
    what.add_argument("--ephemeral", action="store_true", help="run it around COMMAND, on free ports and empty")
    what.add_argument("--operate", action="store_true", help="an operator's COMMAND on the running product")
    parser.add_argument("--env-file", type=Path, default=ROOT / ".env", help="settings (default: .env)")
    parser.add_argument("--script", type=Path, help="with --ephemeral: runs the Procfile's commands, each as $1")
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the product starts, a Ctrl-C just ends this
    try:
        if options.ephemeral:
            with tempfile.TemporaryDirectory(prefix="clinic-") as folder:
                return _run(ephemeral_environ(os.environ, Path(folder)), options.command, options.script)
        environ = read_environ(os.environ, options.env_file)
        if options.operate:
            _operate(Path(environ["DATA_DIR"]), options.command)
        if not options.check:
            return _run(environ, [])
        lock(data := Path(environ["DATA_DIR"])).close()
        if not (data / "processes.json").exists():  # the start ends what a killed launcher left there
            check_ports(environ)
    except ServerError as error:
        print(f"\n{error}\n", file=sys.stderr)
        return 1
    return 0


def _operate(data: Path, command: list[str]) -> None:
    """Become `python -m worker` with the environment that `make run` saved; variables set here take precedence."""
    saved = load_environment(data)
    if not saved and not os.environ.get("DATABASE_URL"):
        raise ServerError(f"No product was started in {data}. Start one: make run (or set DATABASE_URL).")
    os.execve(sys.executable, [sys.executable, "-m", "worker", *command], saved | os.environ)


def _run(environ: Mapping[str, str], command: list[str], script: Path | None = None) -> int:
    # Imported here: --check runs where no package is installed yet.
    from tools.run.product import Product, end_leftovers  # noqa: PLC0415

    data = Path(environ["DATA_DIR"])
    with lock(data):
        end_leftovers(data)
        check_ports(environ)
        product = Product(environ, quiet=bool(command), script=script)
        _interrupt_on_signals()
        try:
            print("Starting the product", flush=True)
            product.start()
            if command:
                return product.wrap(command)
            print(product.page(environ), flush=True)
            while not threading.Event().wait(0.2):
                product.watch()
        except KeyboardInterrupt:
            return 130 if command else 0
        finally:
            print("\nStopping the product (Ctrl-C again: kill at once)", flush=True)
            product.stop()
            print("Everything has stopped", flush=True)
    return 0


def _interrupt_on_signals() -> None:
    last_at = 0.0

    def interrupt(*_: object) -> None:
        nonlocal last_at
        if time.monotonic() - last_at > 1:  # make forwards a signal that a whole group gets: it comes twice
            last_at = time.monotonic()
            raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)


if __name__ == "__main__":
    sys.exit(main())
