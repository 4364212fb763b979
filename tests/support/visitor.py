"""A test client that sends enquiries like a visitor who opened the page a minute ago, a new one each time."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from api.context import ApiContext
from api.limits.start_token import HEADER

_AGE_SECONDS = 60.0


class VisitorClient(FlaskClient):
    """Adds a good start token to each enquiry that names none. `tokens = False` turns that off."""

    tokens = True

    def open(self, *args: Any, **options: Any) -> TestResponse:
        """Send a request."""
        if self.tokens and options.get("method") == "POST":
            headers = Headers(options.pop("headers", None))
            if HEADER not in headers:
                context: ApiContext = self.application.extensions["context"]
                headers.set(HEADER, context.guard.tokens.issue(age=_AGE_SECONDS))
            options["headers"] = headers
        return super().open(*args, **{"buffered": True} | options)  # files are open until they are read
