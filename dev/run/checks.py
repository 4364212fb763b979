"""Whether the given stores can be used, and when each part of the product counts as ready."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Mapping

import psycopg
import redis

from dev.run.plan import Plan, PlanError
from dev.servers.waiting import wait_until


def check_database(plan: Plan) -> None:
    """`PlanError` when the PostgreSQL of DATABASE_URL cannot be used; the address is shown without its password."""
    if not plan.database_url:
        return
    plain = plan.database_url.replace("postgresql+psycopg://", "postgresql://", 1)
    try:
        where = psycopg.conninfo.conninfo_to_dict(plain)
        psycopg.connect(plain, connect_timeout=5).close()
    except psycopg.ProgrammingError as error:
        raise PlanError("DATABASE_URL must look like postgresql://user:password@host:5432/name") from error
    except psycopg.OperationalError as error:
        at = f"{where.get('host', 'localhost')}:{where.get('port', 5432)}/{where.get('dbname', '')}"
        reason = str(error).strip().splitlines()[0].rpartition("failed: ")[2]
        raise PlanError(
            f"DATABASE_URL names the PostgreSQL {at}, which cannot be used: {reason}\n"
            "Start it, correct DATABASE_URL, or unset it to use the embedded PostgreSQL."
        ) from error


def redis_answers(url: str) -> bool:
    """Whether the Redis of REDIS_URL answers; without it the product only delivers later."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1) as client:
            return bool(client.ping())
    except ValueError as error:
        raise PlanError("REDIS_URL must look like redis://host:6379/0") from error
    except redis.RedisError:
        return False


def http_answers(port: int, path: str) -> bool:
    """Whether http://127.0.0.1:port/path returns 200 within 2 s."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait_ready(
    probes: Mapping[str, Callable[[], bool]],
    *,
    seconds: float,
    give_up: Callable[[], bool],
    say: Callable[[str], None],
) -> list[str]:
    """Wait until every part is ready.

    Args:
        probes: for each part, whether it is ready.
        seconds: how long to wait at most.
        give_up: whether to stop waiting early.
        say: gets a line when a part has become ready.

    Returns:
        The names of the parts that are not ready.
    """
    begun = time.monotonic()
    waiting = dict(probes)

    def look() -> bool:
        for name in [name for name, probe in waiting.items() if probe()]:
            del waiting[name]
            say(f"  {name:<12} ready after {time.monotonic() - begun:.1f} s")
        return not waiting or give_up()

    wait_until(look, seconds, every=0.1)
    return list(waiting)
