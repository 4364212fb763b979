"""The client against the sandbox over HTTP: one sandbox process for a file of tests, emptied before each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from sandbox import credentials
from sandbox.process import SandboxProcess
from tests.support.token_store import MemoryTokenStore
from worker.zoho.client import ZohoClient
from worker.zoho.config import ZohoConfig


@pytest.fixture(scope="module")
def sandbox_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxProcess]:
    with SandboxProcess.start(tmp_path_factory.mktemp("sandbox")) as process:
        yield process


@pytest.fixture
def crm(sandbox_process: SandboxProcess) -> SandboxProcess:
    sandbox_process.reset()
    return sandbox_process


@pytest.fixture
def make_config(crm: SandboxProcess) -> Callable[..., ZohoConfig]:
    def make(**changes: object) -> ZohoConfig:
        given = {
            "client_id": credentials.CLIENT_ID,
            "client_secret": credentials.CLIENT_SECRET,
            "refresh_token": credentials.REFRESH_TOKEN,
            "accounts_url": crm.url,
            "api_url": crm.url,
        }
        return ZohoConfig(**{**given, **changes})

    return make


@pytest.fixture
def make_client(make_config: Callable[..., ZohoConfig]) -> Iterator[Callable[..., ZohoClient]]:
    made: list[ZohoClient] = []

    def make(store: MemoryTokenStore | None = None, **changes: object) -> ZohoClient:
        client = ZohoClient(make_config(**changes), store or MemoryTokenStore())
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()


@pytest.fixture
def make_lead() -> Callable[..., dict[str, object]]:
    def make(**fields: object) -> dict[str, object]:
        return {"Last_Name": "Example", "Website_Event_ID": str(uuid4()), **fields}

    return make
