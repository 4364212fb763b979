"""`user`: create a user, or set a user's password. No screen uses the users."""

from __future__ import annotations

import sys

import click

from leads.users import save_user
from worker.cli.database import on_database


@click.command(short_help="Create a user, or set a password.")
@click.argument("username")
def user(*, username: str) -> None:
    """Create a user, or set a user's password (prompted for, or read from standard input)."""
    password = (
        click.prompt("Password", hide_input=True, confirmation_prompt=True) if sys.stdin.isatty() else input()
    )
    try:
        created = on_database(lambda engine: save_user(engine, username, password))
    except ValueError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"User {username} {'created' if created else 'has a new password'}.")
