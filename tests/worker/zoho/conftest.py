"""The client against the sandbox over HTTP."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tests.support.token_store import MemoryTokenStore
from tools.sandbox import credentials
from tools.sandbox.process import SandboxProcess
from worker.zoho.client import ZohoClient
from worker.zoho.config import ZohoConfig


@pytest.fixture
def make_config(sandbox: SandboxProcess) -> Callable[..., ZohoConfig]:
    def make(**changes: object) -> ZohoConfig:
        given = {
            "client_id": credentials.CLIENT_ID,
            "client_secret": credentials.CLIENT_SECRET,
            "refresh_token": credentials.REFRESH_TOKEN,
            "accounts_url": sandbox.url,
            "api_url": sandbox.url,
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
