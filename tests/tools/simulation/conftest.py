"""The database server of simulated runs."""

import pytest

from tools.simulation.server import make_template


@pytest.fixture(scope="module")
def server_url(postgres) -> str:
    """A server with the database that every simulated run is copied from."""
    make_template(postgres.url)
    return postgres.url
