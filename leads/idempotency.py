"""Idempotency keys: repeats of the same submission send the same key. Pure."""

from __future__ import annotations

import hashlib


def hash_key(idempotency_key: str) -> bytes:
    """Return what is kept of an erased lead's idempotency key: its SHA-256, 32 bytes. Browsers send random keys."""
    return hashlib.sha256(idempotency_key.encode()).digest()
