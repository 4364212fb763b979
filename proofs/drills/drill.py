"""The drills: each shows one property of delivery, by whose number it is called (a letter, if it takes several)."""

from __future__ import annotations

from proofs.harness.case import Cases

drill = Cases(
    "proofs.drills",
    "acceptance",
    "crashes",
    "broker",
    "database",
    "crm",
    "operations",
    "failover",
    "notices",
)
