"""What happens to an error nobody expected: one line for us without anybody's data, one JSON answer for them."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

from flask import request

from api.errors import error_response

if TYPE_CHECKING:
    from flask import Flask, Response

log = logging.getLogger(__name__)


def register_last_resort(app: Flask) -> None:
    """Answer every unexpected exception of a view with 500, logged once."""

    def answer(error: Exception) -> Response:
        # The message may quote what a visitor typed (database errors do), so only places are logged.
        frames = traceback.extract_tb(error.__traceback__)
        where = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
        log.error("%s in %s: %s", type(error).__name__, request.endpoint, where)
        return error_response(500)

    app.register_error_handler(Exception, answer)
