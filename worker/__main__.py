"""`python -m worker COMMAND`: the operator's command line, of which each subject has a module."""

from typing import Any

import click

from worker.cli.check import check
from worker.cli.outbox import pause, redrive, release_rows, resume, show_row, waiting
from worker.cli.privacy import erase, erasures, export
from worker.cli.reconcile import reconcile
from worker.cli.status import status
from worker.cli.terminal import protect_terminal


class _Commands(click.Group):
    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command; what it prints is safe, usage errors included."""
        protect_terminal()
        return super().main(*args, **options)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def operate() -> None:
    """Manage the leads on their way to the CRM.

    Reads the same environment as the worker (DATABASE_URL and the ZOHO_… variables).
    """


for command in (
    *(status, waiting, show_row, redrive, release_rows, pause, resume),
    *(check, reconcile, erase, erasures, export),
):
    operate.add_command(command)

if __name__ == "__main__":
    operate(prog_name="python -m worker")
