"""`healthcheck`: is the worker of this machine well? For a container's health check; it asks no server."""

from __future__ import annotations

import click

from leads.settings import SettingsError, read_settings
from worker.cli.terminal import age
from worker.heartbeat import heartbeat_age, max_tick_seconds


@click.command(short_help="Does the worker beside this command tick?")
def healthcheck() -> None:
    """Whether the worker beside this command ticks, by its WORKER_HEARTBEAT_FILE. Exit code 1 when not.

    A tick counts once PostgreSQL has answered it. The CRM and Redis may be away: the worker lives through both.
    """
    try:
        settings = read_settings()
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    if settings.worker_heartbeat_file is None:
        raise click.ClickException("WORKER_HEARTBEAT_FILE is not set, so the worker leaves no pulse.")
    seconds = heartbeat_age(settings.worker_heartbeat_file)
    if seconds is None:
        raise click.ClickException("The worker has not ticked yet.")
    if seconds > max_tick_seconds(settings):
        raise click.ClickException(f"The worker last ticked {age(seconds)} ago.")
    click.echo(f"The worker ticked {age(seconds)} ago.")
