"""`pause` and `resume`: the operator's control of the calls to a destination."""

from __future__ import annotations

import click

from leads.destinations import CRM
from leads.outbox import operate
from worker.cli.database import by_option, known_destination, on_database, why_option

destination_option = click.option(
    "--destination",
    callback=known_destination,
    default=CRM,
    show_default=True,
    help="Whose calls: zoho, visitor, or another that `status` names.",
)


@click.command(short_help="Stop all calls to the CRM, or to another destination.")
@click.option("--why", required=True, help="The reason; every operator sees it in `status`.")
@destination_option
@by_option
def pause(*, why: str, destination: str, by: str) -> None:
    """Stop all calls to the CRM, or to another destination, on every worker. Leads are still accepted and kept."""
    on_database(lambda engine: operate.pause(engine, by=by, why=why, destination=destination))
    click.echo("Paused. Leads are stored and wait until `resume`.")


@click.command(short_help="Let calls flow again, whatever paused them.")
@destination_option
@by_option
@why_option
def resume(*, destination: str, by: str, why: str) -> None:
    """Let calls flow again, whatever paused them, and make all rows due now that failed, refused ones too."""
    on_database(lambda engine: operate.resume(engine, by=by, why=why, destination=destination))
    click.echo("Resumed. Due rows are sent within seconds.")
