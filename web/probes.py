"""/healthz (the process runs) and /readyz (it can store an enquiry: PostgreSQL answers; Redis is only reported)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from flask import Blueprint, jsonify
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response
    from sqlalchemy import Engine

ANSWER_SECONDS = 1.0
PING_SECONDS = 0.3


class Probe:
    """A check of a server, at most one in flight: a frozen server costs one thread, and no caller hangs."""

    def __init__(self, check: Callable[[], bool]) -> None:
        self._check = check
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._answered = False

    def answers(self, seconds: float = ANSWER_SECONDS) -> bool:
        """Return whether the server answers within `seconds`."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._answered = False
                self._thread = threading.Thread(target=self._run, name="probe", daemon=True)
                self._thread.start()
            thread = self._thread
        thread.join(seconds)
        return self._answered and not thread.is_alive()

    def _run(self) -> None:
        self._answered = self._check()


def database_probe(engine: Engine) -> Probe:
    """Return a probe that asks PostgreSQL for one row.

    `engine` belongs to the probe: a busy pool is no reason to take a server out of service.
    """

    def check() -> bool:
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("SELECT 1")
        except SQLAlchemyError:
            return False
        return True

    return Probe(check)


def redis_probe(redis_url: str) -> Probe:
    """Return a probe that pings Redis."""

    def check() -> bool:
        client = Redis.from_url(
            redis_url,
            socket_timeout=PING_SECONDS,
            socket_connect_timeout=PING_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        try:
            return bool(client.ping())
        except (RedisError, OSError):
            return False
        finally:
            client.close()

    return Probe(check)


def make_probes(database: Probe, redis: Probe) -> Blueprint:
    """Return the two addresses as a blueprint."""
    blueprint = Blueprint("probes", __name__)

    def healthz() -> Response:
        return jsonify(ok=True)

    def readyz() -> tuple[Response, int]:
        ready = database.answers()
        redis_state = "up" if redis.answers() else "unavailable"
        return jsonify(
            ready=ready, database="up" if ready else "unavailable", redis=redis_state
        ), 200 if ready else 503

    blueprint.add_url_rule("/healthz", view_func=healthz)
    blueprint.add_url_rule("/readyz", view_func=readyz)
    return blueprint
