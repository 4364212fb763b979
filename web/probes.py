"""/healthz (the process runs) and /readyz (an enquiry can be stored; Redis is only reported)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from flask import Blueprint, Response, jsonify
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from leads.db import error_name
from leads.outbox.store import storage_problem

log = logging.getLogger(__name__)

ANSWER_SECONDS = 1.0
PING_SECONDS = 0.3
# Cache the result of the trial insert this long, so that frequent health checks do not load the database.
KEEP_SECONDS = 3.0
NO_ANSWER = "no answer"


class Probe:
    """A check of a server, at most one in flight: a frozen server costs one thread, and no caller hangs.

    `check` returns what is wrong, "" for nothing.
    """

    def __init__(self, check: Callable[[], str], *, keep_seconds: float = 0.0) -> None:
        self._check = check
        self._keep_seconds = keep_seconds
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._problem = NO_ANSWER
        self._checked_at = float("-inf")

    def problem(self, seconds: float = ANSWER_SECONDS) -> str:
        """Return what is wrong, "" for nothing; `NO_ANSWER` when the server does not answer within `seconds`."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                if time.monotonic() - self._checked_at < self._keep_seconds:
                    return self._problem
                self._problem = NO_ANSWER
                self._thread = threading.Thread(target=self._run, name="probe", daemon=True)
                self._thread.start()
            thread = self._thread
        thread.join(seconds)
        return NO_ANSWER if thread.is_alive() else self._problem

    def answers(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problem()

    def _run(self) -> None:
        self._problem = self._check()
        self._checked_at = time.monotonic()


def database_probe(engine: Engine) -> Probe:
    """Return a probe that asks PostgreSQL for one row.

    `engine` belongs to the probes: a busy pool is no reason to take a server out of service.
    """

    def check() -> str:
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql("SELECT 1")
        except SQLAlchemyError as error:
            return error_name(error)
        return ""

    return Probe(check)


def storage_probe(engine: Engine) -> Probe:
    """Return a probe that tries to store an enquiry: a server that answers may be read-only, or its disk full."""
    return Probe(lambda: storage_problem(engine), keep_seconds=KEEP_SECONDS)


def redis_probe(redis_url: str) -> Probe:
    """Return a probe that pings Redis."""

    def check() -> str:
        client = Redis.from_url(
            redis_url,
            socket_timeout=PING_SECONDS,
            socket_connect_timeout=PING_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        try:
            client.ping()
        except (RedisError, OSError) as error:
            return type(error).__name__
        finally:
            client.close()
        return ""

    return Probe(check)


def make_probes(storage: Probe, redis: Probe) -> Blueprint:
    """Return the two addresses as a blueprint."""
    blueprint = Blueprint("probes", __name__)
    one_at_a_time, logged = threading.Lock(), ""

    def log_change(problem: str) -> None:
        nonlocal logged
        with one_at_a_time:
            if problem and not logged:
                log.error("not ready: an enquiry cannot be stored (%s)", problem)
            elif logged and not problem:
                log.info("ready again: enquiries can be stored")
            logged = problem

    def healthz() -> Response:
        return jsonify(ok=True)

    def readyz() -> tuple[Response, int]:
        problem = storage.problem()
        log_change(problem)
        state = "unavailable" if problem else "up"
        redis_state = "up" if redis.answers() else "unavailable"
        return jsonify(ready=not problem, database=state, redis=redis_state), 503 if problem else 200

    blueprint.add_url_rule("/healthz", view_func=healthz)
    blueprint.add_url_rule("/readyz", view_func=readyz)
    return blueprint
