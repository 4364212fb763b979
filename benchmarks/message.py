"""HTTP/1.1 messages with a Content-Length, cut from a stream of bytes. Nothing else of HTTP.

This keeps the load generator and the CRM stand-in cheap: they share the machine with the measured processes.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import Any, NamedTuple


class Message(NamedTuple):
    """One whole message, and what came after it."""

    head: bytes
    body: bytes
    rest: bytes


class MessageProtocol(asyncio.Protocol):
    """One connection; its peer sends a message only after the reply to the one before."""

    def __init__(self) -> None:
        self._received = b""
        self._transport: Any = None

    @abstractmethod
    def take(self, message: Message) -> None:
        """Take a message that has arrived."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        self._received += data
        message = cut_message(self._received)
        if message is not None:
            self._received = message.rest
            self.take(message)


def cut_message(received: bytes) -> Message | None:
    """The first message in `received`; None while it is incomplete."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = received[:end]
    lowered = head.lower()
    at = lowered.find(b"content-length:")
    length = int(lowered[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    end += 4
    if len(received) < end + length:
        return None
    return Message(head, received[end : end + length], received[end + length :])
