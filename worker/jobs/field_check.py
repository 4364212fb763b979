"""The daily check that the CRM still has the fields that our mapping uses, and keeps none of them unique.

The CRM takes a record with an unknown field and drops the value, and overwrites the record that has a unique value:
without the check nobody would notice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from leads.crm_state import begin_field_check, record_field_check, record_missing_records
from leads.ids import short_id
from leads.outbox.pause import Paused
from worker.crm.access import CrmAccess
from worker.crm.port import CallFailed, CustomField
from worker.jobs.reconciliation import find_missing_of_sample

log = logging.getLogger(__name__)


def check_fields(access: CrmAccess, fields: Sequence[CustomField]) -> None:
    """Make the check if it is due and no other worker makes it; one that fails is due again in an hour.

    And look whether a sample of the day's rows has its records: nothing else reads back what was sent.
    """
    if not begin_field_check(access.engine):
        return
    try:
        with access.permitted() as crm:
            unfit = crm.unfit_fields(fields)
        record_field_check(access.engine, unfit)
        missing = find_missing_of_sample(access.engine, access)
        record_missing_records(access.engine, len(missing))
    except (Paused, CallFailed) as error:
        log.warning("the CRM's fields or records could not be checked: %s", error)
        return
    if unfit:
        words = "%d fields are missing in the CRM or do not fit; `check` says why: %s"
        log.error(words, len(unfit), ", ".join(unfit))
    if missing:
        ids = " ".join(short_id(row) for row in missing)
        log.error("%d sent rows have no record in the CRM; see `reconcile`: %s", len(missing), ids)
