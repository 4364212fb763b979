"""GET /api/openapi.json: the OpenAPI document, compressed for who takes it so, and only where it is to be seen."""

from __future__ import annotations

import gzip
import json
from functools import cache

from flask import Flask, Response, request
from flask_smorest import Api

PATH = "/api/openapi.json"


def serve_document(app: Flask, api: Api) -> None:
    """Serve the document of `api` from `app`. It is made when first asked for, with all resources registered."""

    @cache
    def encode() -> dict[str, bytes]:
        document = json.dumps(api.spec.to_dict()).encode()
        return {"identity": document, "gzip": gzip.compress(document, mtime=0)}

    def get_document() -> Response:
        coding = "gzip" if request.accept_encodings["gzip"] > 0 else "identity"
        response = Response(encode()[coding], mimetype="application/json", headers={"Vary": "Accept-Encoding"})
        if coding != "identity":
            response.headers["Content-Encoding"] = coding
        return response

    app.add_url_rule(PATH, "openapi_document", get_document)
