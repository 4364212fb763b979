"""The mail server in the simulation: each step of SMTP behind a network that loses things.

smtplib's lowest seam is replaced, the socket; everything above it is the real code.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from email.utils import parseaddr

from leads.destinations import STAFF_MAIL, VISITOR
from tools.simulation.scheduler import Scheduler
from worker.destinations.mail import REPLY_SECONDS

STAFF = "staff@clinic.example"
SETTINGS = {
    "SMTP_URL": "smtp://mail.example:25",
    "MAIL_FROM": "Clinic <enquiries@clinic.example>",
    "STAFF_MAIL_TO": STAFF,
}
STEP_SECONDS = 0.02
END_OF_MESSAGE = b"\r\n.\r\n"
_REPLIES = {"connect": b"220 ready", "data": b"354 go on", "quit": b"221 bye"}


@dataclass(frozen=True, slots=True)
class StepFate:
    """What becomes of a step. refusal: the server's reply, in place of doing it. is_silent: no reply, no end."""

    is_done: bool = True
    is_answered: bool = True
    refusal: bytes = b""
    is_silent: bool = False


@dataclass(slots=True)
class SimulatedMail:
    """The mail server. told: the destination and the event of each message that it took."""

    scheduler: Scheduler
    fate_of: Callable[[str], StepFate]
    told: set[tuple[str, str]] = field(default_factory=set)

    def open_socket(self, *_: object) -> "_Socket":
        """See smtplib.SMTP._get_socket, which it replaces."""
        return _Socket(self)

    def take(self, message: bytes) -> None:
        """Put a message into its mailbox."""
        headers = message_from_bytes(message)
        to = parseaddr(headers["To"])[1]
        event = headers["Message-ID"].strip("<>").partition("@")[0].partition(".")[0]
        self.told.add((STAFF_MAIL if to == STAFF else VISITOR, event))


class _Socket:
    """One connection, as smtplib uses it: the server's side of each step runs when its reply is read."""

    def __init__(self, server: SimulatedMail) -> None:
        self._server, self._step, self._message = server, "connect", b""
        self._process = server.scheduler.running().process

    def sendall(self, data: bytes) -> None:
        """A command, or a whole message, which ends with a dot."""
        if data.endswith(END_OF_MESSAGE):
            self._step, self._message = "message", data
        else:
            self._step = data[:4].decode().strip().lower()

    def makefile(self, _mode: str) -> "_Socket":
        """Itself: only `readline` is called."""
        return self

    def readline(self, _limit: int) -> bytes:
        """Do the step, and return the reply; one line."""
        server = self._server
        if self._process.dead:  # another fiber may collect what it left
            raise ConnectionResetError
        server.scheduler.check_alive()
        fate = server.fate_of(self._step)
        server.scheduler.sleep(STEP_SECONDS)
        if fate.is_done and self._step == "message":
            server.take(self._message)
        if fate.is_silent:
            server.scheduler.sleep(REPLY_SECONDS)
            raise TimeoutError
        if not fate.is_answered:
            raise ConnectionResetError
        return (fate.refusal or _REPLIES.get(self._step, b"250 well")) + b"\r\n"

    def close(self) -> None:
        """Nothing is kept."""
