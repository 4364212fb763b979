"""Authenticated calls to the API: token, resend after a refused token. client.py defines the calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from worker.http import Deadline, HttpClient, NoReply, Reply, Request
from worker.zoho.auth import Authenticator
from worker.zoho.config import ZohoConfig
from worker.zoho.failures import code_of, failure_without_reply, top_of
from worker.zoho.tokens import AccessToken, TokenStore

API_PATH = "/crm/v8"
# The second is a gateway's, of a header that is too long: no other of ours can be.
_TOKEN_REFUSED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
# 401s that a new token does not cure: a missing scope, or an Authorization header that cannot be read.
_TOKEN_NOT_AT_FAULT = ("OAUTH_SCOPE_MISMATCH", "AUTHENTICATION_FAILURE")


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A call to make. path is relative to /crm/v8; call_id identifies the call in our log and in the CRM's."""

    method: str
    path: str
    call_id: str
    params: Mapping[str, str] | None = None
    json_body: object = None


class Api:
    """Sends ApiCalls; safe to share between threads."""

    def __init__(self, config: ZohoConfig, store: TokenStore) -> None:
        self._config = config
        self._http = HttpClient()
        self._auth = Authenticator(config, store, self._http)

    def token(self, deadline: Deadline) -> AccessToken:
        """Return a valid token; see Authenticator.token."""
        return self._auth.token(deadline)

    def renew_token(self, deadline: Deadline) -> bool:
        """Mint a token now, to try the credentials; see Authenticator.renew."""
        return self._auth.renew(deadline)

    def call(self, call: ApiCall, deadline: Deadline) -> Reply:
        """Send the call; when the token is refused, get another one and send once more.

        Returns any reply, whatever its status, and raises CallFailed when there is none.
        """
        token = self._auth.token(deadline)
        reply = self._send(call, call.call_id, token, deadline)
        if reply.status not in _TOKEN_REFUSED or code_of(top_of(reply.body)) in _TOKEN_NOT_AT_FAULT:
            return reply
        token = self._auth.token(deadline, refused=token.value)
        return self._send(call, f"{call.call_id}-2", token, deadline)

    def close(self) -> None:
        """Close idle connections."""
        self._http.close()

    def _send(self, call: ApiCall, request_id: str, token: AccessToken, deadline: Deadline) -> Reply:
        headers = {"Authorization": f"Zoho-oauthtoken {token.value}", "X-Request-ID": request_id}
        if call.json_body is not None:
            headers["Content-Type"] = "application/json"
        url = self._config.api_url.rstrip("/") + API_PATH + call.path
        request = Request(call.method, url, headers, call.params, call.json_body)
        try:
            reply = self._http.exchange(request, deadline)
        except NoReply as error:
            raise failure_without_reply(error) from error
        return reply
