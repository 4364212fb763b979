"""The guard in front of the resources: it counts a request, and lets it through, has it held or refuses it."""

import hashlib
import hmac
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn
from uuid import UUID

from api.limits import rules
from api.limits.counts import Counts
from api.limits.rules import LIMITS, Limit, Limits
from api.limits.start_token import StartTokens
from leads.addresses import mailbox_of, network_of
from leads.ids import created_at
from leads.outbox.holds import Held

log = logging.getLogger(__name__)


class TooMany(Exception):
    """The request is refused. `wait`: seconds until another one may be accepted."""

    def __init__(self, wait: int) -> None:
        super().__init__()
        self.wait = wait


class Guard:
    """Decides about each request; `TooMany` for those that are refused.

    secret: the key of hashes of what is personal. note(kind, result) is called for each request that is held, with
    the reason, or refused.
    """

    def __init__(
        self, tokens: StartTokens, secret: bytes, note: Callable[[str, str], None], limits: Limits = LIMITS
    ) -> None:
        self.tokens = tokens
        self._secret = secret
        self.note = note
        self._limits = limits
        self._counts = Counts()

    def hash(self, kind: str, value: str) -> str:
        """Return a keyed hash of something about a person."""
        text = f"{kind}\0{value}".encode(errors="surrogatepass")
        return hashlib.blake2b(text, key=self._secret, digest_size=12).hexdigest()

    def check_lead(
        self, values: Mapping[str, Any], *, address: str | None, token: str | None, key: str | None, honeypot: bool
    ) -> Held | None:
        """Return why an enquiry is held, None when it is let through; `TooMany` when it is refused.

        values: the loaded body. token: as sent. key: the idempotency key; a repeat is not counted again.
        """
        start, client, limits = self.tokens.read(token), network_of(address), self._limits
        by = 0 if key is not None and self._counts.add(("key", key), rules.DAY)[0] > 1 else 1
        reason = Held.HONEYPOT if honeypot else start.problem
        if reason is None:
            # By network, so that nobody uses up another person's limit.
            people = ((limits.person, (client, who)) for who in (mailbox_of(values["email"]), values["phone_e164"]))
            counted = ((limits.token, start.nonce), *people, (limits.leads_of_address, client), (limits.all, ""))
            reason = self._first_beyond("lead", counted, by)
        return reason and self._hold("lead", reason, client, by)

    def check_click(self, *, address: str | None, honeypot: bool) -> Held | None:
        """Return why a click is held, None when it is let through; `TooMany` when it is refused."""
        client, limits = network_of(address), self._limits
        counted = ((limits.clicks_of_address, client), (limits.all, ""))
        reason = Held.HONEYPOT if honeypot else self._first_beyond("click", counted, 1)
        return reason and self._hold("click", reason, client, 1)

    def takes_page_failure(self, address: str | None) -> bool:
        """Return whether a failure on a page is counted; one too many is not, without a word to the page."""
        names = ((network_of(address), rules.PAGE_FAILURES_PER_ADDRESS), ("", rules.PAGE_FAILURES_PER_HOUR))
        takes = all(self._counts.add(("page", name), rules.HOUR)[0] <= most for name, most in names)
        if not takes:
            self.note("page-failure", "refused")
        return takes

    def details_token(self, lead_id: UUID) -> str:
        """Return what lets its holder add details to a lead."""
        return f"{lead_id.hex}.{self.hash('details', lead_id.hex)}"

    def check_details(self, token: str) -> UUID | None:
        """Return the lead that a token is for, None for one that is not ours or too old; `TooMany` for too many."""
        name, _, _ = token.partition(".")
        try:
            lead_id = UUID(hex=name)
        except ValueError:
            return None
        if not hmac.compare_digest(token.encode(errors="replace"), self.details_token(lead_id).encode()):
            return None
        if time.time() - created_at(lead_id) > rules.DETAILS_SECONDS:
            return None
        count, wait = self._counts.add(("details", lead_id), rules.HOUR)
        if count > rules.DETAILS_PER_ENQUIRY:
            self._refuse("details", wait)
        return lead_id

    def _first_beyond(self, kind: str, counted: Iterable[tuple[Limit, object]], by: int) -> Held | None:
        """Count a request under one limit after the other, until it is beyond one; return that one's reason."""
        for limit, name in counted:
            count, _ = self._counts.add((kind, limit, name), limit.seconds, by)
            if count > limit.most:
                if by and count == limit.most + 1:
                    words = "limits: over %d %ss in %d s; further ones are held for %s"
                    log.warning(words, limit.most, kind, limit.seconds, limit.reason)
                return limit.reason
        return None

    def _hold(self, kind: str, reason: Held, client: str, by: int) -> Held:
        """Count a row that is to be held; return the reason that is stored, `TooMany` far beyond the limits.

        So what is held never uses up what is let through.
        """
        for limit, name in ((self._limits.held_of_address, client), (self._limits.held, "")):
            count, wait = self._counts.add((kind, "held", name), limit.seconds, by)
            if count > rules.FAR * limit.most:
                self._refuse(kind, wait)
            if count > limit.most and reason is not Held.HONEYPOT:
                reason = limit.reason
        self.note(kind, reason)
        return reason

    def _refuse(self, kind: str, wait: int) -> NoReturn:
        self.note(kind, "refused")
        raise TooMany(wait)
