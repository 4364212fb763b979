"""Whole programs for a test: the product on servers that the test may kill, and sites for strangers to attack."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.process.product import Product
from tests.process.site import Site
from tests.process.strangers import FILM
from tools.sandbox import credentials
from tools.sandbox.process import SandboxProcess
from tools.servers.state_files import free_port
from tools.servers.valkey import EmbeddedValkey

PAGE = "<!doctype html><html><head><title>Home</title><!--settings--></head><body>Welcome</body></html>"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what has no short size, unless --long is given."""
    if not config.getoption("long"):
        items[:] = [
            item for item in items if not any(mark.kwargs.get("long") for mark in item.iter_markers("process"))
        ]


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether the tests have their long size."""
    return bool(request.config.getoption("long"))


@pytest.fixture
def open_product(sandbox: SandboxProcess, tmp_path: Path, is_long: bool) -> Iterator[Callable[..., Product]]:
    """Opens a product on a migrated database, with a Valkey and a CRM for this test alone.

    `setting`: the database's address for the product, where it is another one than libpq's.
    """
    with EmbeddedValkey(tmp_path / "valkey") as valkey, ExitStack() as stack:

        def open_one(database_url: str, setting: str = "") -> Product:
            stores = {"DATABASE_URL": setting or database_url, "REDIS_URL": valkey.url}
            product = Product(
                {**stores, **credentials.settings(sandbox.url), "FRONTEND_DIR": "no-such-build"},
                database_url=database_url,
                valkey=valkey,
                sandbox=sandbox,
                folder=tmp_path,
                is_long=is_long,
            )
            stack.callback(product.close)
            return product

        yield open_one


@pytest.fixture
def product(open_product: Callable[..., Product], database_url: str) -> Product:
    """A product on a database of its own."""
    return open_product(database_url)


@pytest.fixture(scope="module")
def start_site(module_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """Starts a site with these settings, which runs until the module ends; what its limits hold goes nowhere."""
    folder = tmp_path_factory.mktemp("sites")
    (folder / "dist/assets").mkdir(parents=True)
    for name in ("index.html", "404.html"):
        (folder / "dist" / name).write_text(PAGE)
    (folder / "dist/routes.json").write_text(json.dumps({"/": "index.html"}))
    (folder / f"dist{FILM}").write_bytes(bytes(24 * 1024 * 1024))
    stores = {"DATABASE_URL": module_database_url, "REDIS_URL": "redis://127.0.0.1:1/0"}
    with ExitStack() as stack:

        def start(*, crowded: bool = True, **settings: str) -> Site:
            given = {**stores, "FRONTEND_DIR": str(folder / "dist"), **settings}
            site = stack.enter_context(Site(free_port(), given, folder / "web.log", crowded=crowded))
            site.wait_ready()
            return site

        yield start
