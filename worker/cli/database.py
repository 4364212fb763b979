"""What the commands share: access to the database, and the options that have one meaning everywhere."""

import getpass
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import click
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, DBAPIError, InternalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from leads.advice import advice_here
from leads.call_times import CLINIC_ZONE
from leads.db import connect_engine
from leads.durations import CITY
from leads.settings import SettingsError, read_settings

json_option = click.option("--json", "as_json", is_flag=True, help="JSON for scripts instead of a table.")
limit_option = click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(min=1), help="Maximum number of lines."
)
by_option = click.option(
    "--by", default=getpass.getuser, show_default="your login", help="Who runs the command; recorded."
)

_AGO = re.compile(r"(\d+)\s*(m|min|h|d)", re.ASCII)
_UNITS = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days"}


class Moment(click.ParamType[datetime]):
    """A time option: 2026-11-21, 2026-11-21T14:30, with an offset or on the clinic's clock; or 90m, 2h, 3d ago."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The aware time; a usage error when the value is not one."""
        if isinstance(value, datetime):
            return value
        ago = _AGO.fullmatch(value.strip())
        if ago:
            return datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            self.fail(
                f"{value!r} is not a time. Use 2026-11-21, 2026-11-21T14:30 ({CITY}), or 90m, 2h, 3d.", param, ctx
            )
        return moment if moment.tzinfo else moment.replace(tzinfo=CLINIC_ZONE)


def on_database(work: Callable[[Engine], Any]) -> Any:
    """Run `work` on the database; an error of it, or of the settings, becomes a message."""
    with plain_errors():
        url = read_settings().database_url
        engine = connect_engine(url, pool=2, name="operator")
        try:
            return work(engine)
        finally:
            engine.dispose()


@contextmanager
def plain_errors(kind: type[click.ClickException] = click.ClickException) -> Iterator[None]:
    """Turn an error of the settings or of the database into a message of this `kind`, with what to do about it."""
    try:
        yield
    except SettingsError as error:
        raise kind(str(error)) from error
    except (DBAPIError, PoolTimeoutError) as error:
        raise kind(_advice(error)) from error


def _advice(error: DBAPIError | PoolTimeoutError) -> str:
    reason = str(error.orig).splitlines()[0] if isinstance(error, DBAPIError) else "no connection is free"
    if isinstance(error, DataError):
        return "PostgreSQL does not accept this value; see --help."
    # libpq itself turns away from a server that takes no writes: an OperationalError, as of one that is down.
    refuses = isinstance(error, ProgrammingError | InternalError) or "read-only" in reason
    return f"PostgreSQL {'refuses' if refuses else 'does not answer'}: {reason}\n{advice_here('storage')}"
