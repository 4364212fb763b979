"""A thread for each destination but the CRM, so that a slow or dead one delays no other."""

from __future__ import annotations

import logging
import threading

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.due import find_due
from worker.delivery.deliver import DeliveryContext, deliver
from worker.destinations.port import Destination

log = logging.getLogger(__name__)


class DestinationThread:
    """Delivers what is due to one destination when it is woken: by the tick, and by a new record in the CRM."""

    def __init__(self, context: DeliveryContext, destination: Destination) -> None:
        self.destination = destination
        self._context = context
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self.run, name=destination.name, daemon=True)

    def start(self) -> None:
        """Start waiting."""
        self._thread.start()

    def wake(self) -> None:
        """Look for due rows now, or again after those that are being sent."""
        self._woken.set()

    def join(self, seconds: float) -> None:
        """Wait for a message that is being sent, after `stopping` was set."""
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def run(self) -> None:
        """Deliver whenever it is woken, until the process is to stop."""
        while not self._context.stopping.is_set():
            self._woken.wait()
            self._woken.clear()
            try:
                for lane in find_due(self._context.engine, self.destination.name):
                    deliver(self._context, self.destination, lane, seconds=self._context.turn_seconds)
            except DATABASE_ERRORS as error:
                log.warning("the database failed a delivery to %s (%s)", self.destination.name, error_name(error))
            except Exception:  # whatever happened, the next message must be sent
                log.exception("a delivery to %s failed", self.destination.name)
