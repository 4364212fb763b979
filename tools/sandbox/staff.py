"""What people do to leads in Zoho's own pages: convert, delete, restore, merge and change."""

from collections.abc import Callable
from typing import Any, Final

from tools.sandbox.ledger import Call
from tools.sandbox.rows import RowError, RowWriter
from tools.sandbox.state import Sandbox

BY_HAND: Final = 0
"""Stands for the call in the history of a record: no call made it."""
Wanted = dict[str, Any]


def act(sandbox: Sandbox, record_id: int, action: str, wanted: Wanted) -> bool:
    """Do this to a lead; False if there is no such lead, or the page would refuse it."""
    try:
        with sandbox.ledger.transaction():
            return ACTIONS[action](sandbox, record_id, wanted)
    except RowError:
        return False


def _convert(sandbox: Sandbox, record_id: int, _: Wanted) -> bool:
    return sandbox.records.convert(record_id)


def _delete(sandbox: Sandbox, record_id: int, _: Wanted) -> bool:
    return sandbox.records.delete(record_id, BY_HAND, sandbox.now())


def _restore(sandbox: Sandbox, record_id: int, _: Wanted) -> bool:
    """Take a lead out of the recycle bin, unless a unique value of it belongs to another one by now."""
    data = sandbox.records.restore(record_id, sandbox.now())
    if data is None:
        return False
    writer, stored = _writer(sandbox), sandbox.records.stored(record_id)
    writer.clashes(0, data, stored, ())
    sandbox.records.index(record_id, writer.keys(data))
    return True


def _merge(sandbox: Sandbox, record_id: int, wanted: Wanted) -> bool:
    """Merge a lead into another, which keeps its id.

    The lead itself is deleted for good and not to the recycle bin (Zoho's help: Find and Merge Duplicates). `into`
    is the id of the other, and `take` the fields whose values come from the lead; its others only fill gaps.
    """
    lead, master = sandbox.records.stored(record_id), sandbox.records.stored(int(wanted["into"]))
    if lead is None or master is None:
        return False
    _delete(sandbox, lead.id, {})
    sandbox.records.purge(lead.id)
    gaps = {name: value for name, value in lead.data.items() if name not in master.data}
    taken = {name: lead.data.get(name) for name in wanted.get("take", ())}
    _writer(sandbox).update(0, master, {**gaps, **taken})
    return True


def _change(sandbox: Sandbox, record_id: int, wanted: Wanted) -> bool:
    """Change fields of a lead, such as `Owner`."""
    stored = sandbox.records.stored(record_id)
    if stored is not None:
        _writer(sandbox).update(0, stored, wanted)
    return stored is not None


def _writer(sandbox: Sandbox) -> RowWriter:
    return RowWriter(sandbox, Call("staff", "", "", sandbox.clock(), 0, id=BY_HAND))


ACTIONS: Final[dict[str, Callable[[Sandbox, int, Wanted], bool]]] = {
    "convert": _convert,
    "delete": _delete,
    "restore": _restore,
    "merge": _merge,
    "change": _change,
}
