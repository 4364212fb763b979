"""What the proofs' short sets share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofs.harness.servers import Servers
from proofs.simulation.server import make_template


@pytest.fixture(scope="module")
def servers(tmp_path_factory) -> Iterator[Servers]:
    """PostgreSQL, Valkey and the CRM sandbox, of the cases of one module."""
    with Servers(tmp_path_factory.mktemp("proofs") / "servers") as running:
        yield running


@pytest.fixture(scope="module")
def server_url(postgres) -> str:
    """A server with the database that every simulated run is copied from."""
    make_template(postgres.url)
    return postgres.url
