"""Eight incidents, staged and timed: how soon operators see the cause, and whether the runbook ends it."""
