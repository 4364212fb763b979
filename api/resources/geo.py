"""GET /api/geo: the visitor's country, to preselect a calling code. No network address leaves this server."""

from flask import request
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from api.context import current_context

_UNKNOWN = {"XX", "T1"}  # what CDNs send for "unknown" and for Tor


def read_country() -> str | None:
    """Return the country of the present request, from the header that the CDN in front sets (`COUNTRY_HEADER`)."""
    header = current_context().country_header
    country = request.headers.get(header, "").strip().upper() if header else ""
    is_code = len(country) == len("GB") and country.isascii() and country.isalpha() and country not in _UNKNOWN
    return country if is_code else None


class CountrySchema(Schema):
    """`country_code` is null when no CDN in front of the site reports it."""

    country_code = fields.String(
        required=True, allow_none=True, metadata={"pattern": "^[A-Z]{2}$", "description": "ISO 3166-1."}
    )


blueprint = Blueprint("geo", __name__, url_prefix="/api", description="The visitor's country.")


@blueprint.get("/geo")
@blueprint.response(200, CountrySchema)
def get_country() -> ResponseReturnValue:
    """Return the visitor's country

    Read from the header that the CDN in front sets (`COUNTRY_HEADER`); null without one.
    """
    return {"country_code": read_country()}
