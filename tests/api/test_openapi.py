"""The OpenAPI document is true: its examples hold, its statuses are the ones given, no input makes a 5xx."""

import json

import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from api.schemas import LeadSchema
from tests.support.properties import HealthCheck, Phase, given, settings, st
from tests.support.site import running_site

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
# Left out: acceptance of generated payloads (a schema cannot say what a valid phone number is) and refusal of
# all that breaks the schema (tracking values of a wrong type are dropped, on purpose).


@pytest.fixture(scope="module")
def api_schema(module_database_url):
    with running_site(DATABASE_URL=module_database_url) as app:
        yield schemathesis.openapi.from_wsgi("/api/openapi.json", app)


@pytest.mark.slow
@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize("path", ["/api/leads", "/api/details", "/api/whatsapp-click", "/api/page-failures"])
def test_every_answer_is_one_that_the_document_promises(api_schema, path, mode):
    operation = api_schema[path]["POST"]

    @settings(max_examples=60, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        case.call_and_validate(checks=CHECKS)

    check()


@pytest.fixture(scope="module")
def document(app):
    return app.test_client().get("/api/openapi.json").json


def test_the_document_is_closed_in_production(site_of):
    assert site_of({}, ENVIRONMENT="production").get("/api/openapi.json").status_code == 404


def test_the_examples_are_accepted(client, document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
            # No example has a token that is good.
            wanted = {403} if path == "/api/details" else {200, 201, 204}
            assert client.open(path, method=method.upper(), json=body).status_code in wanted


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
TYPED = {"name", "surname", "email", "countryCode", "phone", "message"}
TRACKING_NAMES = sorted({field.data_key for field in LeadSchema().fields.values()} - TYPED)
PLAUSIBLE = st.sampled_from(["Ada", "ada@example.com", "+44", "07911 123456", "", "\x00", "\ud800", "x" * 9000])


@pytest.mark.slow
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(extra=st.dictionaries(st.sampled_from(TRACKING_NAMES) | st.uuids().map(str), junk | PLAUSIBLE, max_size=12))
def test_nothing_beside_the_visitors_words_costs_a_lead(client, lead, extra):
    response = client.post("/api/leads", data=json.dumps(extra | lead), content_type="application/json")
    assert response.status_code == 201, response.text
