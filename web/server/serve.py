"""`serve`: answers requests until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress

import uvicorn

from web.server.connection import connection_class
from web.server.front import Front
from web.server.listen import BACKLOG, listen, raise_file_limit
from web.server.waits import IDLE_SECONDS, Waits
from web.server.watchdog import CHECK_SECONDS, Watchdog

log = logging.getLogger(__name__)

STOP_SECONDS = 10  # for the requests that are being answered
SWEEP_SECONDS = 1.0
# Connections that one round of the event loop accepts: libuv accepts one for each handle; a crowd fills the queue.
ACCEPTED_AT_ONCE = 16


def serve(front: Front, host: str, port: int, *, check_seconds: float = CHECK_SECONDS) -> None:
    """Answer requests until the process is told to stop.

    Args:
        front: Answers them.
        host: The address to listen on.
        port: The port to listen on.
        check_seconds: The pause of the watchdog between two checks.

    Raises:
        OSError: The port cannot be listened on.
    """
    waits = Waits(raise_file_limit())
    public = listen(host, port)
    # The watchdog has a port of its own, so that no crowd at the public one keeps it out.
    private = listen("127.0.0.1", 0)
    watchdog = Watchdog(private.getsockname()[1], lambda: front.answered, check_seconds)
    server = make_server(front, waits)
    # uvicorn stops on the signal and then raises it again, which must not end the process before it has cleaned up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    watchdog.start()
    log.info("listening on %s port %d", host, port)
    with suppress(KeyboardInterrupt):
        server.run([*(public.dup() for _ in range(ACCEPTED_AT_ONCE - 1)), public, private])
    watchdog.stop()
    front.stop()
    log.info("the site has stopped")


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, waits: Waits) -> None:
        super().__init__(config)
        self._waits = waits

    async def main_loop(self) -> None:
        """Run uvicorn's loop, and end connections that have waited too long."""
        sweeping = asyncio.create_task(self._sweep())
        try:
            await super().main_loop()
        finally:
            sweeping.cancel()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            while self._waits.expire_late():  # noqa: ASYNC110 - no wait, but a turn for everybody else
                await asyncio.sleep(0)


def make_server(front: Front, waits: Waits) -> uvicorn.Server:
    """Return the server of `front`, whose connections share `waits`."""
    config = uvicorn.Config(
        front,
        http=connection_class(waits),
        loop="uvloop",
        ws="none",
        lifespan="off",
        interface="asgi3",
        backlog=BACKLOG,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        log_config=None,
        timeout_keep_alive=int(IDLE_SECONDS),
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    # What strangers send makes uvicorn log a warning each time.
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    return _Server(config, waits)
