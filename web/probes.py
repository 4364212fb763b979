"""/healthz (the process lives) and /readyz (it can keep an enquiry: PostgreSQL answers). Redis is only reported."""

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
    """A question to a server, at most one in flight: a frozen server costs one thread, and no probe hangs."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._asking: threading.Thread | None = None
        self._answered = False

    def answers(self, seconds: float = ANSWER_SECONDS) -> bool:
        """Whether the server answers within `seconds`."""
        with self._lock:
            if self._asking is None or not self._asking.is_alive():
                self._answered = False
                self._asking = threading.Thread(target=self._run, name="probe", daemon=True)
                self._asking.start()
            asking = self._asking
        asking.join(seconds)
        return self._answered and not asking.is_alive()

    def _run(self) -> None:
        self._answered = self._ask()


def database_probe(engine: Engine) -> Probe:
    """Asks PostgreSQL for one row, on an engine of its own: a busy pool is no reason to take a server away."""

    def ask() -> bool:
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("SELECT 1")
        except SQLAlchemyError:
            return False
        return True

    return Probe(ask)


def redis_probe(redis_url: str) -> Probe:
    """Asks Redis for a pong."""

    def ask() -> bool:
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

    return Probe(ask)


def make_probes(database: Probe, redis: Probe) -> Blueprint:
    """The two addresses, as a blueprint."""
    blueprint = Blueprint("probes", __name__)

    def healthz() -> Response:
        return jsonify(ok=True)

    def readyz() -> tuple[Response, int]:
        ready = database.answers()
        redis_state = "up" if redis.answers() else "away"
        return jsonify(ready=ready, database="up" if ready else "away", redis=redis_state), 200 if ready else 503

    blueprint.add_url_rule("/healthz", view_func=healthz)
    blueprint.add_url_rule("/readyz", view_func=readyz)
    return blueprint
