"""`retain`: remove what has been kept for long enough, now instead of with the workers' next daily run."""

from __future__ import annotations

from dataclasses import asdict

import click

from leads.outbox.retain import Terms, count_expired, list_runs
from leads.outbox.retain import retain as run_now
from leads.settings import SettingsError, read_settings
from worker.cli.database import by_option, json_option, on_database
from worker.cli.tables import show

COLUMNS = ["at", "by", "leads", "clicks", "addresses", "finished_at"]


@click.command(short_help="Remove what has been kept for long enough.")
@click.option("--dry-run", is_flag=True, help="Say how much would be removed; change nothing.")
@click.option("--runs", is_flag=True, help="List the newest runs instead.")
@by_option
@json_option
def retain(*, dry_run: bool, runs: bool, by: str, as_json: bool) -> None:
    """Remove leads and clicks older than RETENTION_MONTHS, and network addresses older than ADDRESS_DAYS.

    Workers do this once a day by themselves. What still has to reach the CRM stays; records in the CRM stay.
    """
    if runs:
        show(on_database(list_runs), COLUMNS, as_json=as_json, empty="No runs yet.")
        return
    try:
        settings = read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    terms = Terms(settings.retention_months, settings.address_days)
    if dry_run:
        done = on_database(lambda engine: count_expired(engine, terms))
    else:
        done = on_database(lambda engine: run_now(engine, terms, by=by))
    click.echo("Would be removed:" if dry_run else "Removed:", err=True)
    show([asdict(done)], ["leads", "clicks", "addresses"], as_json=as_json, empty="")
