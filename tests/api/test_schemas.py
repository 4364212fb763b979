"""No column is forgotten on the way in: a payload fills it, or the server does."""

from __future__ import annotations

import pytest

from api.schemas import ALIASES, ClickSchema, LeadSchema
from leads.tables import leads, whatsapp_clicks
from leads.tables.columns import review_columns

BY_THE_SERVER = {"id", "ip_address"} | {column.name for column in review_columns()}
ADDED_LATER = {"call_from", "call_until", "call_chosen", "interest", "already_has"}
OF_A_LEAD = {"reference", "phone_e164", "idempotency_key", "request_digest", *ADDED_LATER}
GUARDS = {"website"}


@pytest.mark.parametrize(
    ("schema", "table", "by_the_server"),
    [(LeadSchema(), leads, BY_THE_SERVER | OF_A_LEAD), (ClickSchema(), whatsapp_clicks, BY_THE_SERVER)],
)
def test_every_column_is_filled_by_the_payload_or_the_server(schema, table, by_the_server):
    loaded = set(schema.fields) - GUARDS - set(ALIASES)
    assert loaded - {"ip_address"} == {column.name for column in table.columns} - by_the_server
