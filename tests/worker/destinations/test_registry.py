"""Every destination that can be owed something has an adapter, and every adapter can be owed something."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace

from leads.destinations import CRM
from leads.settings import Settings, read_settings
from leads.tables.delivery import DESTINATION_LENGTH
from worker.destinations.registry import make_destinations

NOTHING_ON = read_settings({"DATABASE_URL": "postgresql://u:secret@h/d"})
# Whatever a destination is turned on by.
SET = {str: "set", tuple: ("set",)}
EMPTY = {one.name: one.default for one in fields(Settings) if one.default is not MISSING and not one.default}
EVERYTHING_ON = replace(
    NOTHING_ON,
    **{
        name: next(SET[kind] for kind in SET if isinstance(value, kind))
        for name, value in EMPTY.items()
        if isinstance(value, str | tuple) and name != "zoho_field_map"
    },
)


def test_each_that_is_owed_something_has_an_adapter_under_its_name():
    owed = {*EVERYTHING_ON.lead_destinations}
    made = make_destinations(EVERYTHING_ON, None, None)
    assert made.keys() == owed
    assert all(each.name == name and len(name) <= DESTINATION_LENGTH for name, each in made.items())


def test_without_settings_only_the_crm_is_owed_anything():
    assert make_destinations(NOTHING_ON, None, None).keys() == {CRM}
    assert {*NOTHING_ON.lead_destinations} == {CRM}
