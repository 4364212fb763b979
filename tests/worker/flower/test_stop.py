"""SIGTERM ends Flower wherever it comes."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import closing

import pytest
from flower import command

from worker.flower import __main__ as flower


@pytest.fixture
def sigterm():
    """The signal's handler is put back."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


class SignalInFinaliser:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)


def serve_until_stopped(handler):
    """Serve for a second at most, with the signal in the middle of a finaliser; return whether it ended."""
    signal.signal(signal.SIGTERM, handler)
    late = []
    with closing(asyncio.new_event_loop()) as loop:
        loop.call_later(1, lambda: (late.append(True), loop.stop()))
        loop.call_soon(SignalInFinaliser)
        loop.run_forever()
    return not late


@pytest.mark.usefixtures("sigterm")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_in_the_middle_of_a_finaliser_ends_it():
    assert serve_until_stopped(flower.stop)
    assert not serve_until_stopped(command.sigterm_handler)  # Flower's own, else ours is not needed


def test_before_it_serves_it_ends_at_once():
    with pytest.raises(SystemExit):
        flower.stop()
