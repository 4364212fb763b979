"""The CRM in the simulation: the sandbox's handlers behind a network that loses things.

The client's lowest seam is replaced, `HttpClient.exchange`; everything above it is the real code.
"""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from requests.structures import CaseInsensitiveDict

from tools.sandbox.exchange import HttpRequest, Outcome
from tools.sandbox.handle import steps
from tools.sandbox.lead_fields import EVENT_ID_FIELD
from tools.sandbox.replies import Reply as SentReply
from tools.sandbox.state import Sandbox
from tools.simulation.scheduler import SECOND, Fiber, Killed, Scheduler
from tools.simulation.stand_ins import EPOCH, moment
from worker.http import Deadline, NoReply, Reply, Request

HOST = "http://sandbox.example"
WEBHOOK = {
    "LEAD_WEBHOOK_URL": "https://staff.example/leads",
    "LEAD_WEBHOOK_SECRET": "whsec_c2FtcGxlIHNlY3JldCBvZiB0aGUgcHJvb2ZzIDEyMw==",
}
# How long a request can still take to arrive after its client gave up; an erasure watches the CRM for 120 s.
MAX_LATE_SECONDS = 80.0
KILLER = "Killer"


@dataclass(frozen=True, slots=True)
class NetworkFate:
    """What becomes of a call. Seconds each way; None: it never arrives. contradicts: the reply does, itself."""

    connects: bool = True
    there: float | None = 0.05
    back: float | None = 0.05
    contradicts: bool = False


@dataclass(eq=False, slots=True)
class SimulatedCall:
    """One call on its way: who waits for it, what it carries, and how it ended."""

    request: Request
    fiber: Fiber
    rows: list[dict[str, Any]]
    call_id: str
    outcome: Outcome | None = None
    is_over: bool = False

    @property
    def is_for_crm(self) -> bool:
        """Whether it goes to the CRM; else to the staff's webhook."""
        return self.request.url.startswith(HOST)

    @property
    def words(self) -> str:
        """What is called."""
        return f"{self.request.method} {self.request.url.removeprefix(HOST)}"

    @property
    def is_upsert(self) -> bool:
        """Whether it writes rows."""
        return self.request.url.endswith("/upsert")


@dataclass(slots=True)
class SimulatedCrm:
    """The sandbox and the calls that are on their way to it."""

    scheduler: Scheduler
    seed: int
    fate_of: Callable[[SimulatedCall], NetworkFate]
    # Told of a call that is about to leave; it may kill the caller.
    on_send: Callable[[SimulatedCall], None]
    on_answer: Callable[[SimulatedCall], None]
    sandbox: Sandbox = field(init=False)
    in_flight: list[SimulatedCall] = field(default_factory=list)
    # The ids of the messages that the staff's webhook got, which is the other host of the product's calls.
    told: list[str] = field(default_factory=list)
    swapped: set[UUID] = field(default_factory=set)  # the rows of calls whose results came in another order

    def __post_init__(self) -> None:
        self.sandbox = Sandbox.open(None, clock=self.clock, seed=self.seed)

    def clock(self) -> float:
        """The CRM's time."""
        return EPOCH + self.scheduler.now / SECOND

    def exchange(self, request: Request, deadline: Deadline) -> Reply:
        """See worker.http.HttpClient.exchange, which it replaces."""
        self.scheduler.check_alive()
        rows = request.json_body.get("data", []) if isinstance(request.json_body, dict) else []
        call = SimulatedCall(request, self.scheduler.running(), rows, request.headers.get("X-Request-ID", "mint"))
        fate = self.fate_of(call)
        # Nothing may come between this look at the clock and the departure.
        if deadline.left() <= 0:
            raise NoReply("NO_TIME_LEFT", "nothing was sent", sent=False)
        if not fate.connects:
            self.scheduler.sleep(min(deadline.left(), self.scheduler.random.choice((0.01, 3.0))))
            raise NoReply("CONNECT_FAILED", "ConnectionError", sent=False)
        self.in_flight.append(call)
        try:
            self.on_send(call)
            if fate.there is not None:
                self.scheduler.run_task(self._serve(call, fate.there, fate.back))
            if call.fiber.process.dead:
                raise Killed  # the request has left all the same
            if not call.is_over:
                self.scheduler.park(deadline.left())
        finally:
            self.in_flight.remove(call)
        return self._reply(call, fate)

    def _serve(self, call: SimulatedCall, there: float, back: float | None) -> Generator[float, None, None]:
        """The call's way through network and CRM; it goes on when its client has given up or is dead."""
        yield there
        for step in steps(self.sandbox, _http(call.request)) if call.is_for_crm else self._tell(call):
            if isinstance(step, Outcome):
                call.outcome = step
                self.on_answer(call)
                if back is not None and step.ending not in {"hang", "drip"}:
                    self.scheduler.after(back, lambda: self._end(call))
            else:
                yield min(step, MAX_LATE_SECONDS)
        if call.outcome is None or call.outcome.ending == "drop":
            self.on_answer(call)

    def _tell(self, call: SimulatedCall) -> Iterator[float | Outcome]:
        self.told.append(call.request.headers["webhook-id"])
        yield Outcome(SentReply(HTTPStatus.NO_CONTENT, None))

    def _end(self, call: SimulatedCall) -> None:
        call.is_over = True
        if call in self.in_flight:
            self.scheduler.wake(call.fiber)

    def _reply(self, call: SimulatedCall, fate: NetworkFate) -> Reply:
        if not call.is_over:
            raise NoReply("TIMEOUT", "the deadline ended the call", sent=True)
        outcome = call.outcome
        if outcome is None or outcome.reply is None or outcome.ending != "reply":
            raise NoReply("CONNECTION_LOST", "ConnectionError", sent=True)
        sent = outcome.reply.body
        body = json.loads(json.dumps(sent)) if isinstance(sent, dict) else None  # a gateway's page is no JSON
        if fate.contradicts and body is not None and len(body.get("data") or ()) == len(call.rows) > 1:
            self._contradict(call, body["data"])
        headers = CaseInsensitiveDict(outcome.reply.headers)
        skew = int(call.fiber.process.skew * SECOND)
        return Reply(outcome.reply.status, headers, body, moment(self.scheduler.now + skew))

    def _contradict(self, call: SimulatedCall, results: list[dict[str, Any]]) -> None:
        """One result is missing, or there twice; all are for one record; or they are in another order."""
        match self.scheduler.random.choice(("missing", "twice", "one record", "order")):
            case "missing":
                results.pop()
            case "twice":
                results.append(results[0])
            case "one record":
                results[:] = [results[0]] * len(results)
            case "order":
                results.reverse()
                # Where all are successes nobody can see that, and each row has another's record from now on.
                self.swapped.update(UUID(row["Website_Event_ID"]) for row in call.rows)

    # For the oracle ---------------------------------------------------------------------------------------------

    def records_of(self, event_id: UUID, *, binned: bool = False) -> list[int]:
        """The records that hold an event id, live ones; binned: also those in the recycle bin."""
        statement = (
            "SELECT r.id FROM records r JOIN versions v ON v.id = r.version WHERE v.event_id = ? AND r.deleted <= ?"
        )
        return [int(record) for (record,) in self.sandbox.ledger.db.execute(statement, (str(event_id), binned))]

    def all_records(self) -> dict[str, dict[str, Any]]:
        """The live records by event id."""
        found = self.sandbox.ledger.db.execute(
            "SELECT v.data FROM records r JOIN versions v ON v.id = r.version WHERE r.deleted = 0"
        )
        records = (json.loads(data) for (data,) in found)
        return {str(record.get(EVENT_ID_FIELD)): record for record in records}

    def upserts(self) -> list[tuple[str, str]]:
        """The ledger's upserts: request id and row results."""
        found = self.sandbox.ledger.db.execute(
            "SELECT request_id, row_results FROM calls WHERE kind = 'api' AND path LIKE '%/upsert'"
        )
        return [(str(request_id), str(results)) for request_id, results in found]


def carries(call: SimulatedCall, marker: str) -> bool:
    """Whether a row of the call has the marker in its name."""
    return any(marker in str(row.get("Last_Name", "")) for row in call.rows)


def _http(request: Request) -> HttpRequest:
    path = urlsplit(request.url).path
    body = b""
    if isinstance(request.data, Mapping):
        body = urlencode(request.data).encode()
    elif request.json_body is not None:
        body = json.dumps(request.json_body).encode("ascii")
    return HttpRequest(request.method, path, urlencode(request.params or {}), dict(request.headers), body, HOST)
