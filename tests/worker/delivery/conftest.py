"""Deliveries to a CRM in memory: no sandbox, so that a test decides each answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.support.crm import MemoryCrm
from worker.delivery.deliver import DeliveryContext


@pytest.fixture
def crm() -> MemoryCrm:
    from tests.support.crm import MemoryCrm

    return MemoryCrm()


@pytest.fixture
def delivery(database_url: str, crm: MemoryCrm) -> Iterator[DeliveryContext]:
    from leads.settings import read_settings
    from worker.context import make_context

    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "ZOHO_CLIENT_ID": "1000.NONE",
        "ZOHO_CLIENT_SECRET": "none",
        "ZOHO_REFRESH_TOKEN": "1000.none",
        "ZOHO_ACCOUNTS_URL": "http://127.0.0.1:1",
        "ZOHO_API_URL": "http://127.0.0.1:1",
    }
    context = make_context(read_settings(environment))
    yield replace(context.delivery, crm=crm)
    context.close()
