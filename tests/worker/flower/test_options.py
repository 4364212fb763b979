"""Flower's command line, as Flower itself reads it."""

from __future__ import annotations

import flower.options  # noqa: F401 - defines Flower's options
from tornado.options import options

from worker.flower.__main__ import MAX_TASKS
from worker.flower.__main__ import options as command_line


def read(arguments):
    """The number of tasks that Flower keeps with these arguments."""
    options.parse_command_line(command_line(arguments), final=False)
    return options.max_tasks


def test_flower_keeps_few_tasks_unless_an_operator_wants_more():
    assert read([]) == MAX_TASKS
    assert read(["--max_tasks=9000"]) == 9000
