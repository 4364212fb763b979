"""The API as part of a Flask application: resources, errors, limits and the OpenAPI document."""

from typing import Any

import orjson
from flask import Flask, Response
from flask.json.provider import DefaultJSONProvider

from api.context import ApiContext
from api.errors import JsonErrorApi, register_errors
from api.parser import MAX_BODY_BYTES
from api.resources import clicks, details, forms, geo, leads, page_failures, start

DESCRIPTION = (
    "What the clinic's site sends to its server: enquiries from the form, and taps on the WhatsApp buttons. A 201 "
    "means that the data is on disk, even while other services are down, and will reach the clinic's CRM."
)


def init_api(app: Flask, context: ApiContext, *, clinic_phone: str, docs: bool = True) -> None:
    """Serve /api and the forms' own addresses from `app`; with `docs`, the OpenAPI document too.

    clinic_phone: the number that visitors see when nothing can be stored.
    """
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        API_TITLE="Clinic enquiries",
        API_VERSION="1",
        OPENAPI_VERSION="3.0.3",
        OPENAPI_URL_PREFIX="/api" if docs else None,  # the document: /api/openapi.json
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION}, "servers": [{"url": "/"}]},
    )
    app.json = _FastAnswers(app)
    context.attach(app)
    api = JsonErrorApi(app)
    for module in (leads, details, clicks, page_failures, geo, start):
        api.register_blueprint(module.blueprint)
    app.register_blueprint(forms.blueprint)
    register_errors(app, clinic_phone)


class _FastAnswers(DefaultJSONProvider):
    """Flask's own way takes three times as long, which is 4 % of an enquiry."""

    def response(self, *args: Any, **kwargs: Any) -> Response:
        """Return the answer, in the order of its schema."""
        return Response(orjson.dumps(self._prepare_response_obj(args, kwargs)), mimetype=self.mimetype)
