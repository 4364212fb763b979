"""Hypothesis under the project's profile: the same examples on every machine, and no verdict by the clock.

Tests import it from here: the profile is in force before any property is declared, and other tests never load it.
"""

from hypothesis import HealthCheck, Phase, given, settings  # noqa: TID251 - the profile is set here
from hypothesis import strategies as st

settings.register_profile("clinic", derandomize=True, deadline=None, print_blob=True, report_multiple_bugs=False)
settings.load_profile("clinic")

__all__ = ["HealthCheck", "Phase", "given", "settings", "st"]
