"""The incidents: each is staged, seen in Flower, `status` and an alarm, and ended by its section of the runbook."""

from __future__ import annotations

from proofs.harness.case import Cases

incident = Cases("proofs.incidents", "crm", "stores", "dashboard", "pictures")
