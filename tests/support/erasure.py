"""Erasing a person in tests, and looking for what is left of them."""

from leads.privacy.erasure import Person, erase_person
from tests.support.database import change, rows_of
from tests.support.pipeline import read_crm
from worker.jobs.erasure import process_erasures

ANN = Person(email="ANN@example.COM")
KEY = "a key of sixteen or more"


def erase(context, person=ANN):
    return erase_person(context.engine, person, by="ann", key=KEY)


def work_off(context):
    return process_erasures(context.engine, context.access, may_continue=lambda: True)


def let_the_watch_end(context):
    change(context.engine, "UPDATE erased_rows SET check_at = now(), watch_until = now() WHERE done_at IS NULL")


def open_rows(context):
    return rows_of(context.engine, "SELECT count(*) AS n FROM erased_rows WHERE done_at IS NULL")[0]["n"]


def in_recycle_bin(context, sandbox):
    return read_crm(context, sandbox, "Leads/deleted?type=recycle")


def words_stored(context, *words):
    """Those of the words that some table holds. Short ones may be in an id or a time by chance."""
    tables = [
        row["tablename"]
        for row in rows_of(context.engine, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ]
    stored = " ".join(
        row["whole"]
        for table in tables
        for row in rows_of(context.engine, f"SELECT t::text AS whole FROM {table} AS t")
    ).lower()
    return [word for word in words if word.lower() in stored]
