"""Drills: what delivery promises, shown with real processes that are killed, frozen, restarted and lied to."""
