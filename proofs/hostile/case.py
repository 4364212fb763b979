"""The attacks: each keeps a promise from being broken by what a stranger sends, and returns what was measured."""

from __future__ import annotations

from proofs.harness.case import Cases

case = Cases(
    "proofs.hostile",
    "protocol",
    "bodies",
    "headers",
    "floods",
    "crowds",
    "mail",
    "proxy",
    "operators",
)
