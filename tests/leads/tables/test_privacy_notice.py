"""The privacy notice describes every column that holds something about a visitor."""

from pathlib import Path

import pytest
import yaml

from leads.tables import leads, review_columns, whatsapp_clicks

NOTICE = Path(__file__).parents[3] / "frontend/content/text/privacy.yaml"
# Columns that say nothing about the visitor: keys, and what was decided about the row.
REVIEW = {"id"} | {column.name for column in review_columns()} - {"created_at"}
OF_A_LEAD = REVIEW | {"idempotency_key", "request_digest"}
# The notice describes these once, for leads.
SHARED_WITH_LEADS = {column.name for column in leads.columns}


@pytest.mark.parametrize(
    ("table", "left_out"),
    [(leads, OF_A_LEAD), (whatsapp_clicks, REVIEW | SHARED_WITH_LEADS)],
    ids=["leads", "whatsapp_clicks"],
)
def test_the_privacy_notice_describes_every_column_about_a_visitor(table, left_out):
    described = [
        column
        for section in yaml.safe_load(NOTICE.read_text())["sections"]
        for passage in (*section.get("items", ()), *section.get("after", ()))
        if isinstance(passage, dict)
        for column in passage["columns"].get(table.name, ())
    ]
    assert sorted(described) == sorted({column.name for column in table.columns} - left_out)
