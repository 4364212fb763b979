"""Leads as rows: an append-only list of versions, and a record that points at the newest. No rules of Zoho's."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from tools.sandbox.ledger import Ledger

FIRST_ID: Final = 488_800_000_000_100_001
LEADS_MODULE: Final = "488800000000002175"
USER: Final = {"name": "Sandbox User", "id": "488800000000012001", "email": "sandbox.user@example.com"}
Data = dict[str, Any]
Keys = Sequence[tuple[str, str]]
"""Field and lower-case value of every checked field."""
ENCODE: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
LIVE: Final = "FROM records r JOIN versions v ON v.id = r.version"
LEAD: Final = "record_id NOT IN (SELECT record_id FROM converted)"
OLDER: Final = (
    "FROM records r JOIN versions v ON v.id = (SELECT max(id) FROM versions"
    " WHERE record_id = r.id AND datetime(at) <= datetime('{}'))"
)
"""Records as they were at a time; those created later are missing. In winter times have another offset."""


class Stored(NamedTuple):
    """A live record: its id, when it was created, and its current fields."""

    id: int
    created: str
    data: Data


class View(NamedTuple):
    """Which records a read sees.

    `deleted`: live ones (0), those in the recycle bin (1), those purged from it (2). `as_of`: with the fields that
    they had at this time, as Zoho writes it; None: now.
    """

    deleted: Sequence[int] = (0,)
    as_of: str | None = None


PRESENT: Final = View()


class Records:
    """Reads and writes leads; writes belong inside `Ledger.transaction`."""

    def __init__(self, ledger: Ledger) -> None:
        self._db = ledger.db
        self.load()

    def load(self) -> None:
        """Find the next free id."""
        top = self._db.execute("SELECT max(id) FROM records").fetchone()[0]
        self.next_id = FIRST_ID if top is None else int(top) + 1

    def insert(self, data: Data, keys: Keys, call_id: int, at: str) -> int:
        """Add a record, found by the keys of its checked fields; return its id."""
        record_id = self.next_id
        self.next_id += 1
        version = self._version(record_id, call_id, "insert", data, at)
        self._db.execute("INSERT INTO records VALUES (?,?,?,?,0)", (record_id, version, at, at))
        self._add_keys(record_id, keys)
        return record_id

    def update(self, old: Stored, data: Data, keys: tuple[Keys, Keys], call_id: int, at: str) -> None:
        """Store a newer version; `keys` are the old and the new values of its checked fields."""
        version = self._version(old.id, call_id, "update", data, at)
        self._db.execute("UPDATE records SET version=?, modified_at=? WHERE id=?", (version, at, old.id))
        if keys[0] != keys[1]:
            self._drop_keys(old.id, keys[0])
            self._add_keys(old.id, keys[1])

    def delete(self, record_id: int, call_id: int, at: str) -> bool:
        """Mark a record deleted; its history stays. False if there is none."""
        stored = self.stored(record_id)
        if stored is None:
            return False
        data = stored.data
        version = self._version(record_id, call_id, "delete", data, at)
        self._db.execute(
            "UPDATE records SET version=?, modified_at=?, deleted=1 WHERE id=?", (version, at, record_id)
        )
        self._drop_keys(
            record_id, [(name, value.lower()) for name, value in data.items() if isinstance(value, str)]
        )
        return True

    def purge(self, record_id: int) -> bool:
        """Delete a record from the recycle bin for good; False if it is not there."""
        done = self._db.execute("UPDATE records SET deleted=2 WHERE id=? AND deleted=1", (record_id,))
        return done.rowcount == 1

    def restore(self, record_id: int, at: str) -> Data | None:
        """Take a record out of the recycle bin; return its fields, None if it is not there. `index` comes next."""
        changes = "UPDATE records SET deleted=0, modified_at=? WHERE id=? AND deleted=1"
        if self._db.execute(changes, (at, record_id)).rowcount != 1:
            return None
        stored = self.stored(record_id)
        return None if stored is None else stored.data

    def index(self, record_id: int, keys: Keys) -> None:
        """Let upserts find a record by the values of its checked fields."""
        self._add_keys(record_id, keys)

    def convert(self, record_id: int) -> bool:
        """Mark a record as one that became a contact; True."""
        self._db.execute("INSERT OR IGNORE INTO converted VALUES (?)", (record_id,))
        return True

    def _version(self, record_id: int, call_id: int, action: str, data: Data, at: str) -> int:
        cursor = self._db.execute(
            "INSERT INTO versions (record_id, call_id, action, at, data) VALUES (?,?,?,?,?)",
            (record_id, call_id, action, at, ENCODE(data)),
        )
        return int(cursor.lastrowid or 0)

    def _drop_keys(self, record_id: int, keys: Keys) -> None:
        for name, value in keys:
            self._db.execute("DELETE FROM keys WHERE field=? AND value=? AND record_id=?", (name, value, record_id))

    def _add_keys(self, record_id: int, keys: Keys) -> None:
        for name, value in keys:
            self._db.execute("INSERT OR IGNORE INTO keys VALUES (?,?,?)", (name, value, record_id))

    def holder(self, field: str, value: str, *, before: int | None = None) -> int | None:
        """Return the id of the oldest live lead with this value, in any case, or None; `before`: of smaller ids."""
        sql = (
            f"SELECT record_id FROM keys WHERE field=? AND value=? AND record_id < ? AND {LEAD}"  # noqa: S608
            f" ORDER BY record_id LIMIT 1"
        )
        found = self._db.execute(sql, (field, value.lower(), before or self.next_id)).fetchone()
        return None if found is None else int(found[0])

    def stored(self, record_id: int) -> Stored | None:
        """Return a live record, or None."""
        sql = f"SELECT r.created_at, v.data {LIVE} WHERE r.id=? AND NOT r.deleted"
        found = self._db.execute(sql, (record_id,)).fetchone()
        return None if found is None else Stored(record_id, found[0], json.loads(found[1]))

    def find(
        self, where: str, values: tuple[Any, ...], limit: int, offset: int = 0, *, view: View = PRESENT
    ) -> Iterator[Data]:
        """Yield records, newest first; `where` is SQL over `r` and `v`, never input."""
        source = LIVE if view.as_of is None else OLDER.format(view.as_of)
        states = ",".join(map(str, view.deleted))
        rows = self._db.execute(
            f"SELECT r.id, r.created_at, r.modified_at, v.data {source}"
            f" WHERE r.deleted IN ({states}) AND ({where})"
            " ORDER BY r.id DESC LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        for record_id, created, modified, data in rows:
            yield rendered(record_id, created, modified, json.loads(data))

    def count(self, where: str, values: tuple[Any, ...]) -> int:
        """Count live records."""
        sql = f"SELECT count(*) {LIVE} WHERE NOT r.deleted AND ({where})"
        return int(self._db.execute(sql, values).fetchone()[0])


def rendered(record_id: int, created: str, modified: str, data: Data) -> Data:
    """A record as Zoho shows it: the stored fields and those that Zoho sets itself."""
    names = (data.get("Salutation"), data.get("First_Name"), data.get("Last_Name"))
    author = {"name": USER["name"], "id": USER["id"], "email": USER["email"]}
    return {
        "id": str(record_id),
        **data,
        "Full_Name": " ".join(n for n in names if n),
        "Owner": data.get("Owner") or author,
        "Created_By": author,
        "Modified_By": author,
        "Created_Time": created,
        "Modified_Time": modified,
        "$approval_state": "approved",
        "$editable": True,
    }
