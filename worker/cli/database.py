"""What the commands share: the database behind them, and the options that mean the same everywhere."""

from __future__ import annotations

import getpass
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click
from sqlalchemy.exc import OperationalError

from leads.db import connect_engine
from leads.settings import SettingsError, read_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

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
        engine = connect_engine(read_settings().database_url, pool=1, name="operator")
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    try:
        return work(engine)
    except OperationalError as error:
        raise away(error) from error
    finally:
        engine.dispose()


def away(error: OperationalError) -> click.ClickException:
    """The one line that says that the database is away."""
    return click.ClickException(f"PostgreSQL does not answer: {str(error.orig).splitlines()[0]}")


def rows_of(count: int) -> str:
    """A number of rows in words."""
    return f"{count:,} {'row' if count == 1 else 'rows'}"
