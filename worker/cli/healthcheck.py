"""`healthcheck`: whether this machine's worker is alive. For a container's health check; it calls no server."""

from __future__ import annotations

import click

from leads.durations import age
from leads.settings import SettingsError, read_settings
from worker.heartbeat import heartbeat_age, max_tick_seconds


@click.command(short_help="Check that this machine's worker ticks.")
def healthcheck() -> None:
    """Check by its WORKER_HEARTBEAT_FILE that this machine's worker ticks. Exit code 1 when it does not.

    A tick counts once PostgreSQL has answered. The CRM and Redis may be unavailable: the worker tolerates both.
    """
    try:
        settings = read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    if settings.worker_heartbeat_file is None:
        raise click.ClickException("WORKER_HEARTBEAT_FILE is not set, so the worker writes no heartbeat.")
    seconds = heartbeat_age(settings.worker_heartbeat_file)
    if seconds is None:
        raise click.ClickException("The worker has not ticked yet.")
    if seconds > max_tick_seconds(settings):
        raise click.ClickException(f"The worker last ticked {age(seconds)} ago.")
    click.echo(f"The worker ticked {age(seconds)} ago.")
