"""The watchdog: ends a process that no longer answers its own health check, so that it is started again."""

from __future__ import annotations

import faulthandler
import http.client
import logging
import os
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

CHECK_SECONDS = 5.0  # between two checks, and how long an answer may take
MAX_FAILURES = 3
EXIT_CODE = 70  # EX_SOFTWARE


class Watchdog:
    """Asks for /healthz on `port` of loopback from a thread of its own.

    A process under load may answer its health check late. It is ended only if it answered no other request either:
    `answered` returns how many requests it has answered so far.
    """

    def __init__(self, port: int, answered: Callable[[], int], seconds: float = CHECK_SECONDS) -> None:
        self._port = port
        self._answered = answered
        self._seconds = seconds
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching."""
        self._stopping.set()
        faulthandler.cancel_dump_traceback_later()

    def _watch(self) -> None:
        failures, answered = 0, self._answered()
        while not self._stopping.wait(self._seconds):
            # For a process in which not even this thread can run: ends it too, with every thread's stack.
            faulthandler.dump_traceback_later(self._seconds * (MAX_FAILURES + 3), exit=True)
            if self._is_healthy() or self._answered() != answered:
                failures, answered = 0, self._answered()
                continue
            failures += 1
            if failures == MAX_FAILURES and not self._stopping.is_set():
                log.critical("no answer to /healthz %d times in a row: this process ends", failures)
                os._exit(EXIT_CODE)

    def _is_healthy(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._seconds)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
