"""Erasing a person in tests, and looking for what is left of them."""

from __future__ import annotations

from leads.privacy.erasure import Person, erase_person
from tests.rows import change, rows_of
from worker.jobs.erasure import work_off_erasures

ANN = Person(email="ANN@example.COM")
KEY = "a key of sixteen or more"


def erase(crm, person=ANN):
    return erase_person(crm.engine, person, by="ann", key=KEY)


def work_off(crm):
    return work_off_erasures(crm, go_on=lambda: True)


def let_the_watch_end(crm):
    change(crm.engine, "UPDATE erased_rows SET check_at = now(), watch_until = now() WHERE done_at IS NULL")


def open_rows(crm):
    return rows_of(crm.engine, "SELECT count(*) AS n FROM erased_rows WHERE done_at IS NULL")[0]["n"]


def in_recycle_bin(crm):
    return [item["id"] for page in crm.client._pages("/Leads/deleted", {"type": "recycle"}, None) for item in page]


def is_nowhere(crm, *words):
    """Whether no table holds any of the words."""
    tables = [
        row["tablename"]
        for row in rows_of(crm.engine, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ]
    stored = " ".join(
        row["whole"]
        for table in tables
        for row in rows_of(crm.engine, f"SELECT t::text AS whole FROM {table} AS t")
    ).lower()
    return not any(word.lower() in stored for word in words)
