"""One connection of a visitor: uvicorn's HTTP/1.1 protocol with an end to every wait and a limit to every size."""

from __future__ import annotations

import asyncio
import socket
import struct
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from web.server.waits import Waits

MAX_HEAD_BYTES = 32 * 1024
MAX_HEADERS = 100
_RESET = struct.pack("ii", 1, 0)  # linger for 0 s
# After refusing a request early, read up to this much of its body: closing sooner would reset the connection and
# lose our answer.
MAX_REQUEST_BYTES = 1024 * 1024


class _HeadTooLarge(Exception):
    """Raised through the parser."""


class Connection(HttpToolsProtocol):
    """All share `waits`, an attribute of the class that `connection_class` makes."""

    waits: Waits

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._received = 0  # bytes since the last complete request
        self._head_complete = False
        self._complete = False
        self._refusal = HTTPStatus.BAD_REQUEST

    # The connection ------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in uvicorn
        """Start the clock: a visitor connects to send a request."""
        super().connection_made(transport)
        self.waits.unfinished.start(self)
        self.waits.make_room(len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.waits.unfinished.stop(self)
        self.waits.idle.stop(self)
        self.waits.stalled.stop(self)
        self._count(-self._received)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes, within the limits of one request."""
        self._unset_keepalive_if_required()
        self._count(len(data))
        if self.transport.is_closing():
            return
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Nothing else is spoken here: the request is answered, and what follows it is not read.
            self.cycle.keep_alive = False
        except httptools.HttpParserError:
            self._refuse(self._refusal)
            return
        if not self._head_complete and self._received > MAX_HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._received > MAX_REQUEST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def eof_received(self) -> bool | None:  # type: ignore[override] # uvicorn never keeps a half-closed connection
        """Refuse half a request; a visitor who has sent all of it may still read the answer."""
        if self._in_answer() and self._complete:
            self.cycle.keep_alive = False
            return True
        if self._received:
            self._refuse(HTTPStatus.BAD_REQUEST)
        return None

    def pause_writing(self) -> None:
        """Start the clock of a slow reader."""
        super().pause_writing()
        self.waits.stalled.start(self)

    def resume_writing(self) -> None:
        """Stop that clock, unless the connection is closing: then the clock limits how long that takes."""
        super().resume_writing()
        if not self.transport.is_closing():
            self.waits.stalled.stop(self)

    # The parser ----------------------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Start the clock of the request."""
        super().on_message_begin()
        self.scope["state"]["is_gone"] = self.transport.is_closing
        self._head_complete = self._complete = False
        self.waits.idle.stop(self)
        self.waits.unfinished.start(self)

    def on_headers_complete(self) -> None:
        """Pass the request on, unless its head is too large: one read may bring more than that."""
        size = len(self.url) + sum(len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        if size > MAX_HEAD_BYTES or len(self.headers) > MAX_HEADERS:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _HeadTooLarge
        self._head_complete = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the clock of the request."""
        super().on_message_complete()
        self._complete = True
        self._count(-self._received)
        self.waits.unfinished.stop(self)
        if not self._in_answer():
            self.waits.idle.start(self)

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the visitor to take the rest of this answer."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._wait_for_reader()
        elif self._complete and not self._in_answer():
            self.waits.idle.start(self)

    # The ends of waits ---------------------------------------------------------------------------------------

    def time_out(self) -> None:
        """End a request that is not complete in time; a client that sent nothing gets no reply."""
        if self._received and not self.transport.is_closing():
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.let_go()

    def let_go(self) -> None:
        """Close, once the visitor has taken what was written."""
        self.transport.close()
        self._wait_for_reader()

    def abort(self) -> None:
        """Close at once: not even the kernel keeps what a reader has not taken."""
        accepted = self.transport.get_extra_info("socket")
        if accepted is not None:
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's signature
        """Refuse with our own words; uvicorn calls this."""
        self._refuse(HTTPStatus.BAD_REQUEST)

    def _refuse(self, status: HTTPStatus) -> None:
        if self._in_answer():
            if not self._head_complete or self.cycle.response_started:
                self.let_go()  # another request is being answered, and this refusal must not come before its answer
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        text = f"{status.phrase}\n".encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(text)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + text)
        self.let_go()

    def _wait_for_reader(self) -> None:
        if self.transport.get_write_buffer_size():
            self.waits.stalled.start(self)

    def _in_answer(self) -> bool:
        # uvicorn declares it as always there; before the first request it is not.
        return self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr]

    def _count(self, received: int) -> None:
        self._received += received
        self.waits.count_bytes(received)


def connection_class(waits: Waits) -> type[Connection]:
    """Return the protocol for uvicorn, which creates it without arguments of ours."""
    return type("ConnectionWithWaits", (Connection,), {"waits": waits})
