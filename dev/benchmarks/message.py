"""Where an HTTP/1.1 message with a Content-Length ends, in what has come so far. Nothing else of HTTP."""

from __future__ import annotations

from typing import NamedTuple


class Message(NamedTuple):
    """One whole message, and what came after it."""

    head: bytes
    body: bytes
    rest: bytes


def cut_message(received: bytes) -> Message | None:
    """The first message; None while it is not whole."""
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
