"""Idempotency keys: what a repeated press of the same button sends. Pure."""

from __future__ import annotations

import hashlib


def hash_key(idempotency_key: str) -> bytes:
    """What stays of an erased lead's idempotency key: its SHA-256, 32 bytes. Browsers make the key at random."""
    return hashlib.sha256(idempotency_key.encode()).digest()
