"""Property 43: stores as a provider runs them, behind TLS and two names; and stores that are not genuine."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlencode, urlsplit

import psycopg
import redis

from dev.servers.state_files import free_port
from proofs.drills.certificate import Certificate
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.failover import PgBouncer
from proofs.harness.case import Broken, require


class TlsPort:
    """Takes TLS connections on loopback and passes what they carry on to a port, as a provider's balancer does."""

    def __init__(self, certificate: Certificate, target: int) -> None:
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate.certificate, certificate.key)
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.port = free_port()

    def __enter__(self) -> Self:
        self._thread.start()
        listen = asyncio.start_server(self._serve, "127.0.0.1", self.port, ssl=self._context)
        self._server = asyncio.run_coroutine_threadsafe(listen, self._loop).result(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        """Stop listening, and end the connections that are still open."""
        self._server.close()
        connections = asyncio.all_tasks() - {asyncio.current_task()}
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError), _ended(writer):
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
            with _ended(back):
                await asyncio.gather(_pump(reader, back), _pump(there, writer))


@contextmanager
def _ended(writer: asyncio.StreamWriter) -> Iterator[None]:
    """Close the connection with the block: if it outlived its loop, its collection would warn in unrelated code."""
    try:
        yield
    finally:
        writer.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    with suppress(OSError):
        writer.close()


@drill("43", "Managed stores: TLS that is verified to PostgreSQL and Redis, two names, several hosts")
def managed(env: DrillEnvironment) -> None:
    """Two sites and three workers that share nothing but stores behind TLS; then a false certificate."""
    leads = 200 if env.short else 5000
    genuine, false = (Certificate.make(env.folder, name) for name in ("genuine", "false"))
    valkey = urlsplit(env.settings.redis_url).port or 0
    with (
        PgBouncer(env.folder / "pgbouncer", env.database_url, certificate=genuine) as postgres,
        TlsPort(genuine, valkey) as queue,
    ):
        through = _addresses(postgres, queue, genuine)
        sites = [env.site(**through) for _ in range(2)]
        fleet = env.fleet(3, **through)
        for site in sites:
            env.post(site, env.people(leads // 2))
        env.figure("delivered in", env.wait_delivered(120), "s")
        require(not env.possible, f"{len(env.possible)} posts were refused")
        for worker in fleet:
            require("Redis does not answer" not in worker.text, f"{worker.name} did not reach Redis over TLS")
        _refuse_false(_addresses(postgres, queue, false))
    env.note(f"{leads:,} leads by two sites, three workers; both clients refuse a false certificate")


def _addresses(postgres: PgBouncer, queue: TlsPort, trusted: Certificate) -> dict[str, str]:
    """The settings that docs/deployment.md names; the first of PostgreSQL's two names does not answer."""
    url = urlsplit(postgres.url)
    login = url.netloc.rpartition("@")[0]
    verified = {"sslmode": "verify-full", "sslrootcert": str(trusted.certificate)}
    more = urlencode({**verified, "target_session_attrs": "read-write"})
    names = f"localhost:{free_port()},localhost:{url.port}"
    tls = urlencode({"ssl_cert_reqs": "required", "ssl_ca_certs": str(trusted.certificate)})
    return {
        "DATABASE_URL": f"postgresql://{login}@{names}{url.path}?{more}",
        "REDIS_URL": f"rediss://localhost:{queue.port}/0?{tls}",
    }


def _refuse_false(addresses: dict[str, str]) -> None:
    """Fail the drill if a client talks to a server whose certificate it cannot verify."""
    try:
        psycopg.connect(addresses["DATABASE_URL"], connect_timeout=3).close()
    except psycopg.OperationalError as error:
        require("certificate verify failed" in str(error), f"PostgreSQL was refused for another reason: {error}")
    else:
        raise Broken("PostgreSQL was trusted with a false certificate")
    try:
        redis.Redis.from_url(addresses["REDIS_URL"], socket_timeout=3).ping()
    except redis.ConnectionError as error:
        require("CERTIFICATE_VERIFY_FAILED" in str(error), f"Redis was refused for another reason: {error}")
    else:
        raise Broken("Redis was trusted with a false certificate")
