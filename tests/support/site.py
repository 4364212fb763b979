"""The site's application for a test: it has no built pages and no Redis unless the test names them."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from api.limits.rules import Limits
from tests.support.visitor import VisitorClient
from tools.visitors import CROWDED

# Reading the real build takes two seconds, so none is found by default.
_FIXED = {"REDIS_URL": "redis://127.0.0.1:1/0", "FRONTEND_DIR": "no-such-build"}


@contextmanager
def running_site(limits: Limits = CROWDED, **environ: str) -> Iterator[Flask]:
    """An application with these environment variables; its test clients are visitors. It is closed at the end."""
    # Imported by the first test that needs them.
    from leads.settings import read_settings
    from web.app import close_app, create_app

    app = create_app(read_settings({**_FIXED, **environ}), limits)
    app.test_client_class = VisitorClient
    try:
        yield app
    finally:
        close_app(app)
