"""What the commands share: the database behind them, and the options that mean the same everywhere."""

from __future__ import annotations

import getpass
import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click
from sqlalchemy.exc import DataError, DBAPIError, InternalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from leads.db import connect_engine
from leads.settings import SettingsError, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

# A person counts and lists all there is, and would rather wait than be told that it takes long.
STATEMENT_SECONDS = 60.0

json_option = click.option("--json", "as_json", is_flag=True, help="JSON for scripts instead of a table.")
by_option = click.option(
    "--by", default=getpass.getuser, show_default="your login", help="Who does this; written down."
)
ids_argument = click.argument("ids", nargs=-1, type=click.UUID)
all_option = click.option("--all", "everything", is_flag=True, help="All of them, not only those named.")

_AGO = re.compile(r"(\d+)\s*(m|min|h|d)", re.ASCII)
_UNITS = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days"}


class Moment(click.ParamType[datetime]):
    """A time as people type it: 2026-11-21, 2026-11-21T14:30, with an offset or UTC; or 90m, 2h, 3d for "ago"."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The aware moment; a usage error when it cannot be read."""
        if isinstance(value, datetime):
            return value
        ago = _AGO.fullmatch(value.strip())
        if ago:
            return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            self.fail(f"{value!r} is no time. Say 2026-11-21, 2026-11-21T14:30 (UTC), or 90m, 2h, 3d.", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def on_database(work: Callable[[Engine], Any]) -> Any:
    """Run work on the database; when it is away, say so in one line."""
    try:
        url = read_settings().database_url
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    engine = connect_engine(url, pool=1, name="operator", statement_seconds=STATEMENT_SECONDS)
    try:
        with plain_errors():
            return work(engine)
    finally:
        engine.dispose()


@contextmanager
def plain_errors(kind: type[click.ClickException] = click.ClickException) -> Iterator[None]:
    """Say in one line, as this `kind` of error, what the database did not do, and what to do about it."""
    try:
        yield
    except (DBAPIError, PoolTimeoutError) as error:
        raise kind(_plain(error)) from error


def _plain(error: DBAPIError | PoolTimeoutError) -> str:
    why = str(error.orig).splitlines()[0] if isinstance(error, DBAPIError) else "no connection is free"
    if isinstance(error, ProgrammingError | InternalError):
        doing = "See that DATABASE_URL names a server and a role that may write, and run `alembic upgrade head`"
        return f"PostgreSQL refuses: {why}. {doing}; then run the command again."
    if isinstance(error, DataError):
        return "PostgreSQL takes no such value; see --help."
    return (
        f"PostgreSQL does not answer: {why}. See that it runs where DATABASE_URL says; then run the command again."
    )


def rows_of(count: int) -> str:
    """A number of rows in words."""
    return f"{count:,} {'row' if count == 1 else 'rows'}"
