"""What a visitor is told of the clinic's call, and can choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from leads.call_times import CallTime, Hours, is_within_a_day, promise, slot_words

MOMENT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class CallDesk:
    """When the clinic calls (`hours`, None: not known), and the number that visitors see."""

    hours: Hours | None = None
    phone: str = ""

    def first_call(self) -> CallTime | None:
        """Return when the clinic calls whoever enquires now; None: not known."""
        return _first_call(self.hours, _this_minute()) if self.hours else None

    def describe(
        self, call: CallTime | None, timezone: str | None, accepted_at: datetime, *, is_chosen: bool = False
    ) -> dict[str, object]:
        """Return what `CallSchema` describes, on the visitor's clock."""
        now = datetime.now(UTC)
        words = promise(
            call, accepted_at=accepted_at, now=now, timezone=timezone, phone=self.phone, is_chosen=is_chosen
        )
        return {"text": words, "withinADay": call is None or is_within_a_day(call, accepted_at)}

    def say_now(self) -> str:
        """Return the words for a visitor who enquired just now, from a page without any script."""
        return str(self.describe(self.first_call(), None, datetime.now(UTC))["text"])

    def slots(self, timezone: str | None) -> Sequence[CallTime]:
        """Return the times that a visitor can choose from."""
        return self.hours.slots(_this_minute(), timezone) if self.hours else ()

    def describe_slots(self, timezone: str | None) -> Sequence[Mapping[str, str]]:
        """Return what `SlotSchema` describes, on the visitor's clock."""
        return _describe_slots(self.hours, _this_minute(), timezone) if self.hours else ()


def name_of(slot: CallTime) -> str:
    """Return the name by which the browser chooses a slot: its end in UTC."""
    return slot.end.astimezone(UTC).strftime(MOMENT)


def _this_minute() -> datetime:
    return datetime.now(UTC).replace(second=0, microsecond=0)


# Their results are the same within a minute; computing one each time would cost an eighth of an enquiry.
_first_call = lru_cache(maxsize=1)(Hours.first_call)


@lru_cache(maxsize=64)
def _describe_slots(hours: Hours, now: datetime, timezone: str | None) -> list[dict[str, str]]:
    found = []
    for slot in hours.slots(now, timezone):
        day, words = slot_words(slot, now, timezone)
        found.append({"until": name_of(slot), "day": day, "time": words})
    return found
