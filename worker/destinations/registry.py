"""The destinations that these settings name. A new one is a module of its own, and a line here."""

from __future__ import annotations

from sqlalchemy import Engine

from leads.settings import Settings
from worker.crm.fields import fields_of
from worker.crm.port import Crm
from worker.destinations.crm import CrmDestination
from worker.destinations.mail import Acknowledgements, StaffMail
from worker.destinations.port import Destination
from worker.destinations.webhook import StaffWebhook


def make_destinations(settings: Settings, engine: Engine, crm: Crm) -> dict[str, Destination]:
    """Return the adapters of all that are owed something by these settings, by name."""
    known: list[Destination] = [
        CrmDestination(crm, fields_of(settings)),
        Acknowledgements(settings, engine),
        StaffMail(settings),
        StaffWebhook(settings),
    ]
    owed = settings.lead_destinations
    return {each.name: each for each in known if each.name in owed}
