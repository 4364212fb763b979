"""What the resources of one application share: stores, publisher, guard, metrics hook, settings of the API."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app
from sqlalchemy import Engine

from api.call import CallDesk
from api.limits.guard import Guard
from api.publisher import Publisher
from leads.outbox.store import Receipt, Submission

_EXTENSION = "context"


@dataclass(frozen=True, slots=True)
class ApiContext:
    """What every resource needs.

    record_lead stores an enquiry, as `leads.outbox.store.record_leads` does for several. count(kind, result) is
    called for each stored row; kind is "lead" or "click", result "accepted", "repeated" or "held".
    count_page_failure(kind, engine) is called for each failure that a page reports.
    lead_destinations: who is owed something for each lead, and after how many seconds.
    country_header: where a CDN in front of the site sends the visitor's country; "": no header is believed.
    desk: when the clinic calls. treatments: their names by id, which is in the address of a treatment's page.
    """

    engine: Engine
    record_lead: Callable[[Submission], Receipt]
    publisher: Publisher
    guard: Guard
    count: Callable[[str, str], None]
    count_page_failure: Callable[[str, str], None]
    lead_destinations: Mapping[str, float]
    desk: CallDesk
    treatments: Mapping[str, str]
    country_header: str = ""

    def attach(self, app: Flask) -> None:
        """Make this the context of `app`'s resources."""
        app.extensions[_EXTENSION] = self


def current_context() -> ApiContext:
    """Return the context of the application that handles the request."""
    return cast("ApiContext", current_app.extensions[_EXTENSION])
