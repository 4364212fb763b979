"""Valid access tokens: taken from the store, or minted when the store allows it."""

import logging
import re
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Protocol, TypeGuard

from worker.crm.port import CallFailed, FailureClass
from worker.http import Deadline, HttpClient, NoReply, Reply, Request
from worker.zoho.config import ZohoConfig
from worker.zoho.errors import class_of
from worker.zoho.replies import code_of, retry_after

log = logging.getLogger(__name__)

TOKEN_PATH = "/oauth/v2/token"  # noqa: S105 - a path
# Zoho mints at most 10 access tokens in 10 minutes for a refresh token; one per 90 s stays under 7.
MINT_SPACING_SECONDS = 90.0
REFRESH_EARLY_SECONDS = 60.0
OTHER_MINT_WAIT_SECONDS = 10.0
POLL_SECONDS = 0.1
# The endpoint blocks for the rest of a 10-minute window and names no time (Zoho Accounts: token expiry).
THROTTLE_SECONDS = 600.0
DEFAULT_LIFE_SECONDS, LONGEST_LIFE_SECONDS = 3600.0, 86_400.0
# What fits into a header, and what no gateway finds too long. The endpoint may be broken, or not be Zoho's.
_USABLE = re.compile(r"[!-~]{1,2000}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A bearer token of the CRM; the value does not print. expires_at is by this process's clock."""

    value: str = field(repr=False)
    expires_at: datetime
    scopes: tuple[str, ...] = ()


class TokenStore(Protocol):
    """One token for all callers, and the right to mint the next: one mint in a spacing.

    Every method is short and safe to call from any thread. A token is stored with the seconds that it is still
    valid, never with an instant of one machine's clock.
    """

    def read(self) -> tuple[str, float, str] | None:
        """The newest token, its seconds left (negative: expired) and its scopes; None before the first."""

    def begin_mint(self, stale: str | None, *, spacing: float) -> bool:
        """Whether only this caller mints now; not if another token than `stale` is there, or it is too early."""

    def finish_mint(self, value: str, life: float, scopes: str = "") -> None:
        """Publish the new token."""

    def fail_mint(self, *, wait_seconds: float | None, refusal: str | None = None) -> None:
        """End the mint without a token; the next may begin then (None: when the spacing is over)."""

    def refusal(self) -> tuple[str, float] | None:
        """The code with which our credentials were refused and how many seconds ago, until a mint succeeds."""

    def mint_wait(self) -> float:
        """Seconds until spacing and throttle allow a mint; 0.0 when they do."""


class Authenticator:
    """Access tokens for the API; all processes that share the store mint one at a time."""

    def __init__(self, config: ZohoConfig, store: TokenStore, http: HttpClient) -> None:
        self._config = config
        self._store = store
        self._http = http
        self._known: AccessToken | None = None

    def token(self, deadline: Deadline, *, refused: str | None = None) -> AccessToken:
        """Return a token to use now; refused is the value that the API has just rejected.

        Raises CallFailed: AUTH with retry_after_seconds when minting has to wait, CONFIGURATION when credentials
        are wrong, TRANSIENT when the token endpoint is unavailable.
        """
        # While the API takes it, a token need not be asked for again: each call would wait for the store.
        known = self._known
        if not _is_good(known, refused):
            known = self._known = self._find_token(deadline, refused)
        return known

    def _find_token(self, deadline: Deadline, refused: str | None) -> AccessToken:
        known = self._newest()
        if _is_good(known, refused):
            return known
        if self._begin_mint(known):
            return self._mint(deadline)
        return self._await_other_mint(refused)

    def _await_other_mint(self, refused: str | None) -> AccessToken:
        """A token that is still valid, even for seconds, or that of a mint that began a moment ago."""
        pause = threading.Event()
        while True:
            wait, known = self._store.mint_wait(), self._newest()
            if _is_usable(known, refused) and _seconds_left(known) > 0:
                return known
            has_just_begun = MINT_SPACING_SECONDS - OTHER_MINT_WAIT_SECONDS < wait <= MINT_SPACING_SECONDS
            if not has_just_begun or self._store.refusal() is not None:
                raise self._must_wait(wait)
            pause.wait(POLL_SECONDS)

    def renew(self, deadline: Deadline) -> bool:
        """Mint now, to try the credentials; False when that is not allowed yet.

        Raises CallFailed as token does, also with the refusal of a mint that has just been tried.
        """
        if not self._begin_mint(self._newest()):
            if self._store.refusal() is not None:
                raise self._must_wait(self._store.mint_wait())
            return False
        self._mint(deadline)
        return True

    def _must_wait(self, seconds: float) -> CallFailed:
        """No mint is allowed yet: after a refusal of our credentials that is the reason to name, not the wait."""
        refusal = self._store.refusal()
        if refusal is None:
            return CallFailed(FailureClass.AUTH, "TOKEN_BUDGET", retry_after_seconds=seconds)
        code, detail = refusal[0], "the last mint was refused"
        return CallFailed(class_of(code), code, detail=detail, retry_after_seconds=seconds)

    def _newest(self) -> AccessToken | None:
        found = self._store.read()
        if found is None:
            return None
        value, life, scopes = found
        return AccessToken(value, datetime.now(UTC) + timedelta(seconds=life), tuple(scopes.split()))

    def _begin_mint(self, stale: AccessToken | None) -> bool:
        """Whether this caller, and no other, may mint now."""
        return self._store.begin_mint(stale.value if stale else None, spacing=MINT_SPACING_SECONDS)

    def _mint(self, deadline: Deadline) -> AccessToken:
        try:
            token = _read_token(self._request_token(deadline))
        except CallFailed as failure:
            wait = 0.0 if failure.code == "TOKEN_CONNECT_FAILED" else None
            if failure.retry_after_seconds is not None:
                wait = max(MINT_SPACING_SECONDS, failure.retry_after_seconds)
            is_refusal = failure.failure is FailureClass.CONFIGURATION
            self._store.fail_mint(wait_seconds=wait, refusal=failure.code if is_refusal else None)
            raise
        self._store.finish_mint(token.value, _seconds_left(token), " ".join(token.scopes))
        log.info("minted an access token, valid for %.0f s", _seconds_left(token))
        return token

    def _request_token(self, deadline: Deadline) -> Reply:
        form = {
            "grant_type": "refresh_token",
            "client_id": self._config.client_id,
            "client_secret": self._config.client_secret,
            "refresh_token": self._config.refresh_token,
        }
        url = self._config.accounts_url.rstrip("/") + TOKEN_PATH
        try:
            return self._http.exchange(Request("POST", url, {}, data=form), deadline)
        except NoReply as error:
            code = f"TOKEN_{error.code}" if error.sent else "TOKEN_CONNECT_FAILED"
            # TRANSIENT even when the request left: whatever happened to the mint, no record was written.
            raise CallFailed(FailureClass.TRANSIENT, code, detail=error.detail) from error


def _is_good(token: AccessToken | None, refused: str | None) -> TypeGuard[AccessToken]:
    return _is_usable(token, refused) and _seconds_left(token) > REFRESH_EARLY_SECONDS


def _is_usable(token: AccessToken | None, refused: str | None) -> TypeGuard[AccessToken]:
    return token is not None and token.value != refused and _USABLE.fullmatch(token.value) is not None


def _seconds_left(token: AccessToken) -> float:
    return (token.expires_at - datetime.now(UTC)).total_seconds()


def _read_token(reply: Reply) -> AccessToken:
    """Read a reply. With access_token it is a success, whatever its status (200 also carries errors)."""
    body = reply.body if isinstance(reply.body, dict) else {}
    value = body.get("access_token")
    if not isinstance(value, str) or not value:
        raise _refusal(reply, code_of(body))
    # Some products send milliseconds in expires_in, and then seconds in expires_in_sec (Zoho Python SDK 7.0.0).
    life = body.get("expires_in_sec", body.get("expires_in"))
    life = DEFAULT_LIFE_SECONDS if life is None else life
    is_sane = isinstance(life, int | float) and not isinstance(life, bool) and 0 < life <= LONGEST_LIFE_SECONDS
    if _USABLE.fullmatch(value) is None or not is_sane:
        raise CallFailed(FailureClass.TRANSIENT, "TOKEN_UNUSABLE", http_status=reply.status)
    scope = body.get("scope")
    scopes = tuple(re.split(r"[ ,]+", scope.strip())) if isinstance(scope, str) and scope.strip() else ()
    return AccessToken(value, reply.received_at + timedelta(seconds=life), scopes)


def _refusal(reply: Reply, code: str) -> CallFailed:
    wait, status = retry_after(reply.headers, reply.received_at), reply.status
    if code == "Access Denied" or status == HTTPStatus.TOO_MANY_REQUESTS:
        wait = THROTTLE_SECONDS if wait is None else wait
        return CallFailed(FailureClass.AUTH, "TOKEN_THROTTLED", http_status=status, retry_after_seconds=wait)
    if code.startswith("invalid_client"):
        return CallFailed(FailureClass.CONFIGURATION, code, http_status=status)
    if code:
        return CallFailed(class_of(code), code, http_status=status)
    code = f"TOKEN_HTTP_{status}"
    return CallFailed(FailureClass.TRANSIENT, code, http_status=status, retry_after_seconds=wait)
