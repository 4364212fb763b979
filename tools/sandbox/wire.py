"""The server's side of a call: read it, run its steps, and deliver the outcome on the real connection."""

import asyncio
import json
from contextlib import closing, suppress
from http import HTTPStatus
from typing import Final

from tornado.iostream import StreamClosedError
from tornado.web import RequestHandler

from tools.sandbox.exchange import HttpRequest, Outcome
from tools.sandbox.handle import steps
from tools.sandbox.replies import Reply
from tools.sandbox.state import Sandbox

JSON_TYPE: Final = "application/json;charset=UTF-8"


class WireHandler(RequestHandler):
    """A handler that can reply normally, badly or not at all."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Take the sandbox that all handlers share."""
        self.sandbox = sandbox

    def send(self, reply: Reply) -> None:
        """Send the reply."""
        self.set_status(reply.status)
        for name, value in reply.headers.items():
            self.set_header(name, value)
        if reply.body is None:
            self.clear_header("Content-Type")
            self.finish()
            return
        self.set_header("Content-Type", _content_type(reply))
        self.finish(_encoded(reply))

    async def deliver(self, outcome: Outcome) -> None:
        """End the call as its outcome says."""
        match outcome:
            case Outcome(reply=Reply() as reply, ending="reply"):
                self.send(reply)
            case Outcome(reply=Reply() as reply, ending="cut"):
                await self.cut(reply)
            case Outcome(reply=Reply() as reply, ending="drip"):
                await self.drip(reply, outcome.seconds)
            case Outcome(ending="hang"):
                await self.hang(outcome.seconds)
            case _:
                self.drop()

    def drop(self) -> None:
        """Close without sending a byte."""
        self.detach().close()

    async def cut(self, reply: Reply) -> None:
        """Send half of the reply, then close."""
        raw, stream = _raw(reply), self.detach()
        with suppress(StreamClosedError):
            await stream.write(raw[: len(raw) // 2])
        stream.close()

    async def drip(self, reply: Reply, seconds: float) -> None:
        """Send the body byte by byte, `seconds` apart, until it is complete or the client disconnects."""
        raw, stream = _raw(reply), self.detach()
        head = raw.index(b"\r\n\r\n") + 4
        with suppress(StreamClosedError):
            await stream.write(raw[:head])
            for position in range(head, len(raw)):
                await stream.write(raw[position : position + 1])
                await asyncio.sleep(seconds)
        stream.close()

    async def hang(self, seconds: float) -> None:
        """Send nothing until the client disconnects, at most for `seconds`."""
        stream, gone = self.detach(), asyncio.Event()
        stream.set_close_callback(gone.set)
        with suppress(TimeoutError, StreamClosedError):
            reading = asyncio.ensure_future(stream.read_until_close())
            await asyncio.wait_for(gone.wait(), seconds)
            reading.cancel()
        stream.close()


class ZohoHandler(WireHandler):
    """Zoho's API and accounts server."""

    async def _serve(self, *_: str) -> None:
        http = self.request
        origin = f"{http.protocol}://{http.host}"
        request = HttpRequest(http.method or "", http.path, http.query, http.headers, http.body, origin)
        with closing(steps(self.sandbox, request)) as call:
            for step in call:
                if isinstance(step, Outcome):
                    await self.deliver(step)
                else:
                    await asyncio.sleep(step)

    get = post = put = patch = delete = _serve


def _content_type(reply: Reply) -> str:
    return "text/html;charset=UTF-8" if isinstance(reply.body, str) else JSON_TYPE


def _encoded(reply: Reply) -> bytes:
    if reply.body is None:
        return b""
    text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body, ensure_ascii=False)
    return text.encode()


def _raw(reply: Reply) -> bytes:
    body = _encoded(reply)
    head = [
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
        f"Content-Type: {_content_type(reply)}",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in reply.headers.items()),
    ]
    return "\r\n".join((*head, "", "")).encode() + body
