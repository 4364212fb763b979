"""Property 46: what people do in the CRM's own pages, and what its administrators change, while leads flow."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.operations import operate
from proofs.harness.case import require

KEY = "Website_Event_ID"
LEADS = 8  # of each season
# Long enough ago for staff to have found the record.
TRIED = "last_retry_at = now() - interval '6 min'"
BERYL = {"id": "488800000000012009", "name": "Beryl"}


class Season(NamedTuple):
    """What happens meanwhile: `act` to one of the leads, whose reply was lost; `faults` of the organisation.

    shuts: what the gate must say; then the leads wait until the faults are over.
    """

    name: str
    act: Callable[[DrillEnvironment, str], None] | None = None
    faults: dict[str, Any] = {}  # noqa: RUF012 - never changed
    shuts: str = ""


def _record(env: DrillEnvironment, event: str) -> str:
    (found,) = env.sandbox.records(Website_Event_ID=event)
    return str(found["id"])


def _assign(env: DrillEnvironment, event: str) -> None:
    """Sales take the lead, call, and correct the number."""
    env.sandbox.act("change", _record(env, event), Owner=BERYL, Phone="+447900000000")
    env.accepted[event]["Phone"] = "+447900000000"


def _convert(env: DrillEnvironment, event: str) -> None:
    env.sandbox.convert(_record(env, event))


def _restore(env: DrillEnvironment, event: str) -> None:
    record = _record(env, event)
    for action in ("delete", "restore"):
        env.sandbox.act(action, record)


def _merge(env: DrillEnvironment, _: str) -> None:
    """Of two leads that have arrived, the first keeps its record and its fields, and gets the other's event id."""
    first, second = env.store(2)
    env.wait_all("zoho_status = 'sent'", [first, second], 30, "two leads to merge")
    env.sandbox.act("merge", _record(env, second), into=_record(env, first), take=[KEY])
    env.excused[first] = "merged"
    env.accepted[second] = env.accepted[first]


YEAR = (
    Season("assigned to another owner", _assign),
    Season("converted", _convert),
    Season("restored from the recycle bin", _restore),
    Season("merged", _merge),
    Season("no search in this edition", faults={"top_level_error": {"path": "search", "code": "NOT_SUPPORTED"}}),
    Season("a choice renamed", faults={"renamed_choice": {}}),
    Season("a field read-only", faults={"read_only_field": {"field": "UTM_Source"}}),
    Season("the end of the version announced", faults={"sunset": {}}),
    Season("clocks go back", faults={"limits": {"utc_offset_min": 120}}),
    Season(
        "module renamed",
        faults={"top_level_error": {"path": "/Leads", "code": "INVALID_MODULE"}},
        shuts="INVALID_MODULE (Leads has another API name now",
    ),
    Season("only reads work", faults={"server_error": {"path": "upsert", "status": 503}}, shuts="HTTP_503"),
)


@drill("46", "A year of the CRM's own life: nothing lost, doubled, undone or buried, and no gap afterwards")
def years_life(env: DrillEnvironment) -> None:
    """Each season a reply is lost, so that a row is sent again after staff or administrators did something."""
    env.fleet(2, CRM_BATCH_ROWS="10")
    for season in YEAR:
        _pass(env, season)
    env.pause(1)
    dead = env.count("zoho_status = 'dead'")
    require(dead == 0, f"{dead} leads are dead")
    compared = json.loads(operate(env, "reconcile", "--json"))
    require(not compared["gaps"], f"reconcile finds gaps: {compared['gaps']}")
    env.note(f"{len(YEAR)} seasons: {', '.join(season.name for season in YEAR)}; {compared['rows']} rows compared")


def _pass(env: DrillEnvironment, season: Season) -> None:
    env.sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    (lost,) = env.store(1)
    env.wait_all("retry_count > 0", [lost], 30, "a reply to be lost")
    env.forward("next_retry_at = now() + interval '1 h'", "id = %s", lost)
    if season.act is not None:
        season.act(env, lost)
    env.sandbox.faults(**season.faults)
    ids = env.store(LEADS)
    if season.shuts:
        _wait_shut(env, season, ids)
    env.forward(f"next_retry_at = now(), {TRIED}", "id = %s AND zoho_status = 'retrying'", lost)
    _settle(env, [*ids, lost])


def _wait_shut(env: DrillEnvironment, season: Season, ids: list[str]) -> None:
    """The gate shuts, and says why; then what was changed is changed back."""

    def is_shut() -> bool:
        env.make_due()
        return bool(env.rows("SELECT 1 FROM crm_gate WHERE state = 'shut'"))

    env.wait(is_shut, 60, f"the gate to shut ({season.name})", every=0.5)
    (gate,) = env.rows("SELECT detail FROM crm_gate")
    require(season.shuts in gate["detail"], f"{season.name}: the gate says {gate['detail']}")
    require(not env.records_of(ids), f"{season.name}: leads arrived")
    env.sandbox.only_faults()


def _settle(env: DrillEnvironment, ids: list[str]) -> None:
    """Wait until these are sent; a probe is due at once."""

    def are_sent() -> bool:
        env.change("UPDATE crm_gate SET until_at = now() WHERE state = 'shut'")
        return env.count("zoho_status = 'sent'", ids) == len(ids)

    env.wait(are_sent, 60, "the leads of a season", every=0.5)
    env.sandbox.only_faults()
