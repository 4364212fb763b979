"""The CRM's incidents: an outage, a revoked token, spent credits, a poison row, a field that may not be written."""

from __future__ import annotations

from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import require
from proofs.incidents.incident import incident
from proofs.incidents.scene import Scene


@incident(
    "outage", "The CRM does not answer, with one lead waiting: seen at once, and it ends by itself", short=False
)
def outage(env: DrillEnvironment) -> None:
    """Calls are reset. The alarm of a queue that grows waits ten minutes, so it is not waited for."""
    scene = Scene(env)
    env.sandbox.faults(outage=True)
    env.post(scene.site, env.people(1))
    scene.see(r"(?i)failing for")
    env.sandbox.only_faults()
    env.figure("well again by itself after", scene.wait_well(), "s")


@incident(
    "token",
    "The refresh token is revoked: the CRM's reason stands everywhere, and `check` and `resume` end it",
    short=False,
)
def token(env: DrillEnvironment) -> None:
    """It is refused when the next token is due."""
    scene = Scene(env)
    env.sandbox.faults(token_refused=True, expire_tokens=True)
    env.change("UPDATE crm_token SET next_mint_at = now(), minted_at = now() - interval '5 min'")
    env.post(scene.site, env.people(1))
    scene.see(r"Token:?\s+REFUSED .*invalid_code", "CredentialsRefused")
    scene.ring("CredentialsRefused")
    (said,) = scene.follow("The token is refused", ("check",))
    require("invalid_code" in said, "`check` does not say what is wrong")
    env.sandbox.only_faults()  # in place of a new token
    env.change("UPDATE crm_token SET next_mint_at = now()")
    scene.follow("The token is refused", ("resume",))
    env.figure("well again after", scene.wait_well(), "s")
    scene.end("CredentialsRefused")


@incident(
    "credits",
    "The day's API credits are spent: calls stop with that reason, and go on when there are more",
    short=False,
)
def credits_spent(env: DrillEnvironment) -> None:
    """The CRM answers 429 for credits."""
    scene = Scene(env)
    env.sandbox.faults(too_many_requests={"cause": "credits"})
    env.post(scene.site, env.people(1))
    scene.see(r"SHUT \(credits", "CallsStopped")
    env.sandbox.only_faults()
    scene.follow("The queue grows", ("resume",))
    env.figure("well again after", scene.wait_well(), "s")


@incident("poison", "One row that the CRM refuses: named with its code, and sent again when the cause is mended")
def poison(env: DrillEnvironment) -> None:
    """A rule of the CRM refuses a surname; others arrive meanwhile."""
    scene = Scene(env)
    env.sandbox.faults(reject_word={"word": "Poison", "field": "Last_Name"})
    env.post(scene.site, [*env.people(1, "Poison"), *env.people(1)])
    scene.see(r"Dead:?\s+rows are given up \(1 to zoho\)", "DeadRows")
    said = scene.follow("Rows are dead", ("dead",))
    require("INVALID_DATA: Last_Name" in said[0], "`dead` does not name code and field")
    env.sandbox.only_faults()
    scene.follow("Rows are dead", ("redrive", "--code", "INVALID_DATA", "--dry-run"))
    scene.follow("Rows are dead", ("redrive", "--code", "INVALID_DATA"))
    env.figure("well again after", scene.wait_well(), "s")


@incident(
    "field", "A field becomes read-only in the CRM: named by the day's check, and gone after `check`", short=False
)
def field(env: DrillEnvironment) -> None:
    """The check of the day is due now; else the cause is seen within a day. The seconds count from that check."""
    scene = Scene(env)
    env.sandbox.faults(read_only_field={"field": "UTM_Source"})
    env.change("UPDATE crm_fields SET check_at = now()")
    looked = "SELECT 1 FROM crm_fields WHERE missing <> '{}'"
    env.figure("the check that was due was made after", env.wait(lambda: bool(env.rows(looked)), 120, "it"), "s")
    scene.see(r"Fields:?\s+MISSING or unfit in the CRM: UTM_Source", "FieldsMissing")
    env.sandbox.only_faults()
    scene.follow("A field is missing", ("check",))
    env.figure("well again after", scene.wait_well(), "s")
