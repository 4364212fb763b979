"""Every destination that can be owed something has an adapter, and every adapter can be owed something."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace

import pytest

from leads.destinations import CRM
from leads.settings import Settings, read_settings
from leads.tables.delivery import DESTINATION_LENGTH
from worker.destinations.registry import adapters, message_destinations

NOTHING_ON = read_settings({"DATABASE_URL": "postgresql://u:secret@h/d"})
# Whatever a destination is turned on by.
SET = {str: "set", tuple: ("set",)}
EMPTY = {one.name: one.default for one in fields(Settings) if one.default is not MISSING and not one.default}
EVERYTHING_ON = replace(
    NOTHING_ON,
    **{
        name: next(SET[kind] for kind in SET if isinstance(value, kind))
        for name, value in EMPTY.items()
        if isinstance(value, str | tuple)
    },
)


def test_each_that_is_owed_something_has_an_adapter_and_the_reverse():
    owed = {*EVERYTHING_ON.lead_destinations, *EVERYTHING_ON.click_destinations} - {CRM}
    assert owed == {adapter.name for adapter in adapters(EVERYTHING_ON, None)}
    assert {each.name for each in message_destinations(EVERYTHING_ON, None)} == owed


def test_without_settings_only_the_crm_is_owed_anything():
    assert message_destinations(NOTHING_ON, None) == []
    assert {*NOTHING_ON.lead_destinations, *NOTHING_ON.click_destinations} == {CRM}


@pytest.mark.parametrize("adapter", adapters(EVERYTHING_ON, None), ids=lambda adapter: adapter.name)
def test_an_adapter_keeps_to_its_own_name_and_to_the_length_of_the_column(adapter):
    assert adapter.limits.destination == adapter.name
    assert len(adapter.name) <= DESTINATION_LENGTH
