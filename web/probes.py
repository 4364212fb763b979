"""/healthz (which release runs) and /readyz (whether an enquiry can be stored; Redis is only reported)."""

import logging
import threading
import time
from collections.abc import Callable

from flask import Blueprint, Response, jsonify
from sqlalchemy import Engine

from leads.outbox.store import storage_problem
from leads.version import read_version

log = logging.getLogger(__name__)

KEEP_SECONDS = 3.0  # for the result of the trial insert, so that frequent checks do not load the database


class Readiness:
    """Whether an enquiry can be stored: a server that answers may be read-only, behind the code, or full."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._lock = engine, threading.Lock()
        self._problem, self._asked_at = "", float("-inf")

    def problem(self) -> str:
        """Return what is wrong, "" for nothing; the log has one line for each change."""
        with self._lock:
            if time.monotonic() - self._asked_at >= KEEP_SECONDS:
                before, self._problem = self._problem, storage_problem(self._engine)
                self._asked_at = time.monotonic()
                if self._problem and not before:
                    log.error("not ready: an enquiry cannot be stored (%s)", self._problem)
                elif before and not self._problem:
                    log.info("ready again: enquiries can be stored")
            return self._problem


def make_probes(engine: Engine, ask_redis: Callable[[], str | None]) -> Blueprint:
    """Return the two addresses as a blueprint. `engine` is not the visitors': a busy pool makes no site unready."""
    blueprint = Blueprint("probes", __name__)
    readiness = Readiness(engine)

    @blueprint.get("/healthz")
    def healthz() -> Response:
        return jsonify(ok=True, version=read_version())

    @blueprint.get("/readyz")
    def readyz() -> tuple[Response, int]:
        problem, trouble = readiness.problem(), ask_redis()
        told = {"database": "unavailable" if problem else "up", "redis": "unavailable" if trouble else "up"}
        return jsonify(ready=not problem, **told), 503 if problem else 200

    return blueprint
