import json
from urllib.parse import urlencode

import pytest
import requests

from tools.sandbox import credentials
from tools.sandbox.exchange import HttpRequest
from tools.sandbox.handle import handle, steps
from tools.sandbox.process import SandboxProcess
from tools.sandbox.state import Sandbox

CREDENTIALS = {
    "grant_type": "refresh_token",
    "refresh_token": credentials.REFRESH_TOKEN,
    "client_id": credentials.CLIENT_ID,
    "client_secret": credentials.CLIENT_SECRET,
}


class Caller:
    """A plain HTTP client of one sandbox, with a token."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.session = requests.Session()
        self.session.trust_env = False
        self.token = self.mint().json()["access_token"]

    def mint(self):
        return self.session.post(f"{self.sandbox.url}/oauth/v2/token", data=CREDENTIALS, timeout=10)

    def __call__(self, method, path, **options):
        headers = {"Authorization": f"Zoho-oauthtoken {self.token}", **options.pop("headers", {})}
        url = f"{self.sandbox.url}/crm/v8/{path}"
        return self.session.request(method, url, headers=headers, timeout=10, **options)

    def upsert(self, *rows):
        return self("POST", "Leads/upsert", json=upsert_of(rows))


class LocalCaller:
    """Calls a sandbox in this process, without sockets; `time` is its clock."""

    def __init__(self, seed=1):
        self.time = 1_800_000_000.0
        self.sandbox = Sandbox.open(None, clock=lambda: self.time, seed=seed)
        self.token = self.mint().body["access_token"]

    def mint(self):
        return handle(
            self.sandbox, HttpRequest("POST", "/oauth/v2/token", body=urlencode(CREDENTIALS).encode())
        ).reply

    def request(self, method, path, body=None):
        path, _, query = path.partition("?")
        headers = {"Authorization": f"Zoho-oauthtoken {self.token}"}
        content = b"" if body is None else json.dumps(body).encode()
        return HttpRequest(method, f"/crm/v8/{path}", query, headers, content)

    def __call__(self, method, path, body=None):
        return handle(self.sandbox, self.request(method, path, body)).reply

    def upsert(self, *rows):
        return self("POST", "Leads/upsert", upsert_of(rows))

    def begin_upsert(self, *rows):
        """The steps of a call that goes on only when the test asks for the next one."""
        return steps(self.sandbox, self.request("POST", "Leads/upsert", upsert_of(rows)))

    def records(self):
        return list(self.sandbox.records.find("1", (), 1_000))


def upsert_of(rows):
    """The body of an upsert that finds records by our event id."""
    return {"data": list(rows), "duplicate_check_fields": ["Website_Event_ID"]}


def lead(number, **changes):
    return {
        "Last_Name": f"Sample {number}",
        "Email": f"sample{number}@example.com",
        "Website_Event_ID": f"event-{number}",
        **changes,
    }


@pytest.fixture(scope="session")
def _shared(tmp_path_factory):
    with SandboxProcess.start(tmp_path_factory.mktemp("sandbox")) as running:
        yield running


@pytest.fixture
def sandbox(_shared):
    """The shared sandbox, reset before each test."""
    _shared.reset()
    return _shared


@pytest.fixture
def crm(sandbox):
    caller = Caller(sandbox)
    yield caller
    caller.session.close()


@pytest.fixture
def local():
    caller = LocalCaller()
    yield caller
    caller.sandbox.ledger.close()
