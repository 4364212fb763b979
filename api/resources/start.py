"""GET /api/start: the start token, which the browser sends with its enquiry, and when the clinic calls."""

from datetime import UTC, datetime

from flask import request
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from api.context import current_context
from api.fields import Ready
from api.limits.start_token import RENEW_SECONDS
from api.schemas import CallSchema


class StartSchema(Schema):
    """A token, and how to use it."""

    token = fields.String(required=True, metadata={"description": "Send it with the enquiry, as `Start-Token`."})
    wait_seconds = fields.Float(
        required=True,
        data_key="waitSeconds",
        metadata={"description": "An enquiry that comes sooner after this answer may wait for a person."},
    )
    renew_seconds = fields.Integer(
        required=True, data_key="renewSeconds", metadata={"description": "Fetch a new token after that time."}
    )
    call = Ready(
        CallSchema, required=True, metadata={"description": "When whoever sends an enquiry now is called."}
    )


TIMEZONE = {
    "in": "query",
    "name": "timezone",
    "description": "The visitor's time zone (IANA), on whose clock the call is told. It is not stored.",
    "schema": {"type": "string"},
}

blueprint = Blueprint("start", __name__, url_prefix="/api", description="The beginning of an enquiry.")


@blueprint.get("/start")
@blueprint.response(200, StartSchema)
@blueprint.doc(parameters=[TIMEZONE])
def get_start() -> ResponseReturnValue:
    """Return a start token

    Proof that a page was open before an enquiry was sent, and for how long. It says nothing about the visitor, and
    nothing is stored.
    """
    context = current_context()
    tokens = context.guard.tokens
    answer = {
        "token": tokens.issue(),
        "wait_seconds": tokens.wait_seconds,
        "renew_seconds": RENEW_SECONDS,
        "call": context.desk.describe(context.desk.first_call(), request.args.get("timezone"), datetime.now(UTC)),
    }
    return answer, 200, {"Cache-Control": "no-store"}
