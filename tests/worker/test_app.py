"""The Celery application of a worker."""

from __future__ import annotations

import gc

import pytest
from celery.signals import worker_ready

from worker.app import app


@pytest.fixture
def unfrozen():
    gc.unfreeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("unfrozen")
def test_what_a_ready_worker_loaded_is_hidden_from_the_garbage_collector():
    worker_ready.send(app)
    assert gc.get_freeze_count() > 10_000
