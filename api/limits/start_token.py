"""The start token: signed proof that a page of this site was open, and since when.

The browser fetches one when the visitor comes near the form (GET /api/start) and sends it with the enquiry. Nothing
is stored.
"""

import hashlib
import math
import secrets
import time
from dataclasses import dataclass

from itsdangerous import BadSignature, Signer

from leads.outbox.holds import Held

HEADER = "Start-Token"
# The browser renews its token long before; this limits how long a collected token can be used.
MAX_AGE_SECONDS = 24 * 3600
RENEW_SECONDS = 3600
# Clocks of two servers of the site may differ: the browser waits longer than the server demands.
CLOCK_MARGIN_SECONDS = 1.0
_NONCE_BYTES = 9


@dataclass(frozen=True, slots=True)
class Start:
    """What a token says. `problem`: why it proves nothing, None for a good one. `nonce`: "" without a signature."""

    problem: Held | None
    nonce: str = ""


class StartTokens:
    """Issues and reads the tokens. `secret`: a key that all processes of the site share."""

    def __init__(self, secret: bytes, min_seconds: float) -> None:
        signer = Signer(secret, salt="start token", key_derivation="hmac", digest_method=hashlib.sha256)
        # The signer would derive it again for each token.
        self._signer = Signer(signer.derive_key(), key_derivation="none", digest_method=hashlib.sha256)
        self._min_seconds = min_seconds

    @property
    def wait_seconds(self) -> float:
        """How long a browser must wait with a new token before it sends an enquiry."""
        return self._min_seconds + CLOCK_MARGIN_SECONDS

    def issue(self, *, age: float = 0.0) -> str:
        """Return a new token, issued `age` seconds ago."""
        tenths = math.floor((time.time() - age) * 10)  # rounded down: no token is from the future
        return self._signer.sign(f"{tenths / 10:.1f}.{secrets.token_urlsafe(_NONCE_BYTES)}").decode()

    def read(self, text: str | None) -> Start:
        """Return what a request's token says."""
        if not text:
            return Start(Held.NO_START)
        try:
            signed = self._signer.unsign(text).decode()
        except (BadSignature, UnicodeError):
            return Start(Held.FORGED)
        issued, _, nonce = signed.rpartition(".")
        age = time.time() - float(issued)
        if abs(age) > MAX_AGE_SECONDS:
            return Start(Held.EXPIRED, nonce)
        # A negative age means that a clock was set back, or that another server's is ahead: no reason to hold it.
        return Start(Held.TOO_FAST if 0 <= age < self._min_seconds else None, nonce)
