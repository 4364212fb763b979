"""`retain`: remove data past its retention period now, instead of in the workers' next daily run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict

import click

from leads.privacy.retention import Ask, Terms, count_expired, list_runs
from leads.privacy.retention import retain as run_now
from leads.settings import Settings, SettingsError, read_settings
from worker.cli.database import by_option, json_option, on_database
from worker.cli.terminal import say, show
from worker.context import make_context
from worker.jobs.retention import make_ask

COLUMNS = ["at", "by", "leads", "clicks", "addresses", "converted", "finished_at"]


@click.command(short_help="Remove data past its retention period.")
@click.option("--dry-run", is_flag=True, help="Report how much would be removed; change nothing.")
@click.option("--runs", is_flag=True, help="List the newest runs instead.")
@by_option
@json_option
def retain(*, dry_run: bool, runs: bool, by: str, as_json: bool) -> None:
    """Remove leads and clicks older than RETENTION_MONTHS, and network addresses older than ADDRESS_DAYS.

    Workers do this once a day by themselves. Rows that still have to reach the CRM stay, and so do those of
    customers: the CRM is asked about each row that it may have. Records in the CRM stay.
    """
    if runs:
        show(on_database(list_runs), COLUMNS, as_json=as_json, empty="No runs yet.")
        return
    try:
        settings = read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    terms = Terms(settings.retention_months, settings.address_days)
    with _open_ask(settings) as ask:
        if dry_run:
            done = on_database(lambda engine: count_expired(engine, terms, ask))
        else:
            done = on_database(lambda engine: run_now(engine, terms, by=by, ask=ask))
    click.echo("Would be removed:" if dry_run else "Removed:", err=True)
    show([asdict(done)], ["leads", "clicks", "addresses", "converted", "unasked"], as_json=as_json, empty="")
    kept = "converted: kept, they are customers in the CRM. unasked: kept, the CRM could not be asked."
    say(kept, err=True)


@contextmanager
def _open_ask(settings: Settings) -> Iterator[Ask | None]:
    """The question to the CRM; None when no CRM is configured."""
    try:
        context = make_context(settings)
    except SettingsError:
        yield None
        return
    with closing(context):
        yield make_ask(context.access)
