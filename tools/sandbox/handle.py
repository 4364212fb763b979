"""The sandbox without a server: every call to Zoho's addresses, handled in this process.

The server and simulations use the same two functions over one `Sandbox`. With an injected clock and a seed they are
deterministic: no threads, no real time, no sockets.

    sandbox = Sandbox.open(None, clock=clock, seed=1)
    sandbox.change({"server_error": {"count": 1, "status": 500}, "limits": {"email_unique": True}})
    outcome = handle(sandbox, HttpRequest("POST", "/crm/v8/Leads/upsert", headers=headers, body=body))

`handle` skips waits. A simulation that interleaves calls runs `steps` itself: it resumes a call when its clock has
moved on by the seconds yielded, and closes the steps to end the sandbox in the middle of a call. What happened is
in `reports`, or straight in the sandbox's `records` and `ledger`.
"""

from tools.sandbox.crm_call import crm_steps
from tools.sandbox.exchange import HttpRequest, Outcome, Steps
from tools.sandbox.oauth import TOKEN_PATH, token_steps
from tools.sandbox.state import Sandbox


def steps(sandbox: Sandbox, http: HttpRequest) -> Steps:
    """Return the steps of one call. Nothing happens until the first one is asked for: that is its arrival."""
    return (token_steps if http.path.startswith(TOKEN_PATH) else crm_steps)(sandbox, http)


def handle(sandbox: Sandbox, http: HttpRequest) -> Outcome:
    """Handle one call at once, without its waits; return its outcome."""
    (outcome,) = (step for step in steps(sandbox, http) if isinstance(step, Outcome))
    return outcome
