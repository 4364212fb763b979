"""Puts the API into a Flask application: resources, errors, limits and the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from api.docs import DESCRIPTION, make_docs
from api.errors import JsonErrorApi, register_errors
from api.parser import LARGEST_BODY
from api.resources import clicks, complaints, geo, leads

if TYPE_CHECKING:
    from flask import Flask
    from flask_smorest import Api

    from api.context import Intake


def add_api(app: Flask, intake: Intake, *, clinic_phone: str) -> Api:
    """Serve /api from `app`. `clinic_phone` is what visitors are told when nothing can be stored.

    The returned `Api` takes further documented blueprints.
    """
    app.config.update(
        # One more than allowed: a body without a length is cut here in silence, and the excess byte tells.
        MAX_CONTENT_LENGTH=LARGEST_BODY + 1,
        API_TITLE="Clinic enquiries",
        API_VERSION="1",
        OPENAPI_VERSION="3.0.3",
        OPENAPI_URL_PREFIX="/api/docs",
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION}, "servers": [{"url": "/"}]},
    )
    app.json.sort_keys = False  # type: ignore[attr-defined] # receipts read better in their own order
    intake.attach(app)
    api = JsonErrorApi(app)
    for module in (leads, clicks, complaints, geo):
        api.register_blueprint(module.blueprint)
    register_errors(app, clinic_phone)
    app.register_blueprint(make_docs(api.spec.to_dict))
    return api
