"""The destinations that these settings name. A new one is a folder or module of its own, and a line here."""

from __future__ import annotations

from sqlalchemy import Engine

from leads.destinations import CRM, STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.outbox.permit import CallLimits
from leads.settings import Settings
from worker.crm.access import CrmAccess
from worker.crm.fields import mapping_config
from worker.crm.port import MAX_ROWS
from worker.destinations.crm import CrmDestination
from worker.destinations.details import CrmDetails
from worker.destinations.mail import CONNECTIONS, Acknowledgements, StaffMail
from worker.destinations.port import MESSAGE_LEASE_SECONDS, Destination
from worker.destinations.webhook import StaffWebhook

# A slot outlives the lease of its rows by as much, so that its holder has given up before another takes it.
SLOT_GRACE_SECONDS = 10.0


def crm_limits(settings: Settings) -> CallLimits:
    """The limits of calls to the CRM: those of deliveries, and of the jobs and commands beside them."""
    return CallLimits(settings.crm_calls_in_flight, settings.crm_lease_seconds + SLOT_GRACE_SECONDS)


def crm_destination(settings: Settings, access: CrmAccess) -> CrmDestination:
    """The CRM, for deliveries."""
    crm = access.crm
    return CrmDestination(
        engine=access.engine,
        crm=crm,
        mapping=mapping_config(settings),
        limits=access.limits,
        max_rows=min(settings.crm_batch_rows, MAX_ROWS),
        lease_seconds=settings.crm_lease_seconds,
    )


def crm_details(settings: Settings, access: CrmAccess) -> CrmDetails:
    """What visitors add to records of the CRM; owed from a visitor's tap on."""
    return CrmDetails(
        engine=access.engine,
        crm=access.crm,
        mapping=mapping_config(settings),
        limits=access.limits,
        lease_seconds=settings.crm_lease_seconds,
    )


def message_destinations(settings: Settings, engine: Engine) -> list[Destination]:
    """The others that are owed something by these settings: each has a thread of its own in every worker."""
    owed = {*settings.lead_destinations, *settings.click_destinations} - {CRM}
    known = {destination.name: destination for destination in adapters(settings, engine)}
    return [known[name] for name in sorted(owed)]


def adapters(settings: Settings, engine: Engine) -> list[Destination]:
    """All but the CRM's, whether the settings use them or not."""

    def limits(name: str) -> CallLimits:
        return CallLimits(CONNECTIONS, MESSAGE_LEASE_SECONDS + SLOT_GRACE_SECONDS, destination=name)

    return [
        Acknowledgements(settings, engine, limits(VISITOR)),
        StaffMail(settings, limits(STAFF_MAIL)),
        StaffWebhook(settings, limits(STAFF_WEBHOOK)),
    ]
