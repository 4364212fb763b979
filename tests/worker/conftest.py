"""One process's way to the CRM, on this test's own database and sandbox."""

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from werkzeug.test import TestResponse

from tests.support.receiver import Receiver
from tests.support.samples import WEBHOOK_SECRET
from tests.support.site import running_site
from tools.sandbox import credentials
from tools.sandbox.process import SandboxProcess
from tools.servers.state_files import free_port
from worker.context import WorkerContext


@pytest.fixture
def crm_environment(database_url: str, sandbox: SandboxProcess) -> dict[str, str]:
    """The environment of a worker; Redis is away unless a test names one."""
    return {
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        **credentials.settings(sandbox.url),
    }


@pytest.fixture
def environment(crm_environment: dict[str, str]) -> dict[str, str]:
    """The environment of `context` and `run`; tests that need more settings have one of their own."""
    return crm_environment


@pytest.fixture
def make_context(environment: dict[str, str]) -> Iterator[Callable[..., WorkerContext]]:
    """Make the context of a worker, with further settings; all are closed at the end."""
    from leads.settings import read_settings
    from worker.context import make_context

    made = []

    def make(**settings: str) -> WorkerContext:
        made.append(make_context(read_settings(environment | settings)))
        return made[-1]

    yield make
    for context in made:
        context.close()


@pytest.fixture
def context(make_context: Callable[..., WorkerContext]) -> WorkerContext:
    return make_context()


@pytest.fixture
def run(environment: dict[str, str]) -> Callable[..., Result]:
    """Run an operator's command, such as `run("status", "--json")`."""
    from worker.__main__ import operate

    def run(*words: str, env: Mapping[str, str] | None = None, **options: Any) -> Result:
        return CliRunner().invoke(operate, list(words), env=environment | (env or {}), **options)

    return run


@pytest.fixture(scope="session")
def mail_server(servers_dir: Path) -> Iterator[tuple[SandboxProcess, int]]:
    """A sandbox that receives mail, and the port of its mail server."""
    port = free_port()
    with SandboxProcess.start(servers_dir / "mail", mail_port=port) as process:
        yield process, port


@pytest.fixture
def mail_port(request: pytest.FixtureRequest) -> int:
    """Where this test's mail server may listen: the box's port, else one where nothing listens."""
    port: int = request.getfixturevalue("mail_server")[1] if "box" in request.fixturenames else free_port()
    return port


@pytest.fixture
def box(mail_server: tuple[SandboxProcess, int]) -> SandboxProcess:
    """A mail server on `mail_port`: the mailbox of a sandbox, empty."""
    process, _ = mail_server
    process.reset()
    return process


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver of webhooks."""
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def staff_environment(crm_environment: dict[str, str], mail_port: int, receiver: Receiver) -> dict[str, str]:
    """The environment of a worker that tells staff by mail, at `mail_port`, and by webhook."""
    return {
        **crm_environment,
        "MAIL_FROM": "enquiries@clinic.example",
        "SMTP_URL": f"smtp://127.0.0.1:{mail_port}",
        "STAFF_MAIL_TO": "sales@clinic.example",
        "LEAD_WEBHOOK_URL": receiver.url,
        "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET,
    }


@pytest.fixture
def post(crm_environment: dict[str, str]) -> Iterator[Callable[[str, str], TestResponse]]:
    """Posts a JSON text to the API on this test's own database."""
    with running_site(**crm_environment) as app:
        client = app.test_client()

        def send(path: str, body: str) -> TestResponse:
            return client.post(path, data=body, content_type="application/json")

        yield send


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Make a certificate for localhost; gives the files of it and of its key."""
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "localhost.pem"), str(folder / "localhost.key")
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    words += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate]
    subprocess.run(["openssl", *words, "-keyout", key], check=True, capture_output=True)
    return certificate, key
