"""`pause` and `resume`: the operator's control of the gate, the circuit breaker around calls to the CRM."""

from __future__ import annotations

import click

from leads.crm_state.gate import Reason, open_gate, shut_gate
from worker.cli.database import by_option, on_database


@click.command()
@click.option("--why", required=True, help="The reason; every operator sees it in `status`.")
@by_option
def pause(*, why: str, by: str) -> None:
    """Stop all calls to the CRM, on every worker, within one tick. Leads are still accepted and kept."""
    on_database(lambda engine: shut_gate(engine, Reason.PAUSED, why, by=by))
    click.echo("Paused. Leads are stored and wait until `resume`.")


@click.command(short_help="Open the gate, whatever shut it.")
@by_option
def resume(*, by: str) -> None:
    """Open the gate, whatever shut it, and make the rows that failed meanwhile due now."""
    on_database(lambda engine: open_gate(engine, by=by))
    click.echo("Open. Due rows are sent within one tick.")
