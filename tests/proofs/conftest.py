"""What the proofs' short sets share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proofs.harness.servers import Servers


@pytest.fixture(scope="module")
def servers(tmp_path_factory) -> Iterator[Servers]:
    """PostgreSQL, Valkey and the CRM sandbox, of the cases of one module."""
    with Servers(tmp_path_factory.mktemp("proofs") / "servers") as running:
        yield running
