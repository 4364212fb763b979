"""One row of a write: its checks, its record and its result. The call around it is in `writes`."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from tools.sandbox.ledger import Call
from tools.sandbox.records import LEADS_MODULE, USER, Stored
from tools.sandbox.replies import error
from tools.sandbox.state import Sandbox

Item = dict[str, Any]


class Done(NamedTuple):
    """A row that was stored; `field` is the one that matched an existing record, if any."""

    action: str
    record_id: str
    created: str
    field: str | None = None


@dataclass(slots=True)
class RowError(Exception):
    """A refused row; `item` is its part of the reply."""

    item: Item

    @classmethod
    def of(cls, code: str, message: str, **details: Any) -> Self:
        """Refuse with Zoho's error object."""
        return cls(error(code, message, **details))


@dataclass(slots=True)
class RowWriter:
    """Writes the rows of one call in order, so that each row sees the effect of those before it.

    `by` names the fields by which an upsert finds a record, in order; the `json_path` of a row is `$.data[index]`.
    `before`, if an upsert races, is the first record id that its duplicate check did not see.
    """

    sandbox: Sandbox
    call: Call
    at: str = ""
    by: tuple[str, ...] = ()
    before: int | None = None

    def __post_init__(self) -> None:
        self.at = self.sandbox.now()

    def fit(self, index: int, row: Any, *, is_new: bool | None) -> dict[str, Any]:
        """Return the known fields of a row. `is_new` None: not known yet, so mandatory fields are checked later."""
        if not isinstance(row, dict):
            raise RowError.of(
                "INVALID_DATA", "invalid data", expected_data_type="jsonobject", json_path=f"$.data[{index}]"
            )
        checks = self.sandbox.fields.checks
        dropped = self.sandbox.faults.params("read_only_field").get("field")
        renamed = tuple(self.sandbox.faults.params("renamed_choice").values())
        data: dict[str, Any] = {}
        for name, value in row.items():
            check = checks.get(name)
            if check is None or name == dropped:
                continue
            wrong = check(value) if value is not None else None
            if wrong is None and (name, value) == renamed:
                wrong = {"expected_data_type": "picklist"}
            if wrong is not None:
                raise RowError.of(
                    "INVALID_DATA", "invalid data", **wrong, api_name=name, json_path=f"$.data[{index}].{name}"
                )
            data[name] = value if value != "" else None
        if is_new is not None:
            self.complete(index, data, is_new=is_new)
        return data

    def complete(self, index: int, data: dict[str, Any], *, is_new: bool) -> None:
        """Refuse a new row without a mandatory field, or an update that would blank one."""
        more = self.sandbox.faults.params("mandatory_field").values()
        for name in (*self.sandbox.fields.mandatory, *more):
            if (is_new or name in data) and not str(data.get(name) or "").strip():
                path = f"$.data[{index}].{name}"
                raise RowError.of("MANDATORY_NOT_FOUND", "required field not found", api_name=name, json_path=path)

    def match(self, data: dict[str, Any]) -> tuple[Stored | None, str | None]:
        """Find the record a row belongs to, and the field that matched."""
        records = self.sandbox.records
        for name in self.by:
            value = data.get(name)
            found = records.holder(name, value, before=self.before) if isinstance(value, str) else None
            if found is not None:
                return records.stored(found), name
        return None, None

    def clashes(self, index: int, data: dict[str, Any], old: Stored | None, sure: tuple[str, ...]) -> None:
        """Refuse a row whose unique values belong to another record; `sure` fields have been looked up already."""
        found: list[Item] = []
        for name in self.sandbox.fields.marked_unique():
            value = None if name in sure else data.get(name)
            holder = self.sandbox.records.holder(name, value) if isinstance(value, str) else None
            if holder is not None and (old is None or holder != old.id):
                found.append(self._duplicate(index, name, holder))
        if len(found) == 1:
            raise RowError(found[0])
        if found:
            raise RowError(error("MULTIPLE_OR_MULTI_ERRORS", "Multiple errors in the request") | {"errors": found})

    @staticmethod
    def _duplicate(index: int, name: str, holder: int) -> Item:
        module = {"api_name": "Leads", "id": LEADS_MODULE}
        other = {"id": str(holder), "Owner": {"name": USER["name"], "id": USER["id"]}, "module": module}
        where = {"api_name": name, "json_path": f"$.data[{index}].{name}", "id": str(holder)}
        return error("DUPLICATE_DATA", "duplicate data", **where, duplicate_record=other, more_records=False)

    def insert(self, index: int, data: dict[str, Any], sure: tuple[str, ...] = ()) -> Done:
        """Store a new record."""
        self.clashes(index, data, None, sure if self.before is None else ())
        self._choose(data)
        kept = {name: value for name, value in data.items() if value is not None}
        record_id = self.sandbox.records.insert(kept, self.keys(kept), self.call.id, self.at)
        return Done("insert", str(record_id), self.at)

    def update(self, index: int, old: Stored, data: dict[str, Any], field: str | None = None) -> Done:
        """Store a newer version; null or empty blanks a field. `field`: the one that matched the record."""
        self.clashes(index, data, old, (field,) if field else ())
        self._choose(data)
        kept = {name: value for name, value in {**old.data, **data}.items() if value is not None}
        keys = (self.keys(old.data), self.keys(kept))
        self.sandbox.records.update(old, kept, keys, self.call.id, self.at)
        return Done("update", str(old.id), old.created, field)

    def _choose(self, data: dict[str, Any]) -> None:
        for name, known in self.sandbox.fields.picklists.items():
            value = data.get(name)
            if isinstance(value, str) and value not in known:
                self.sandbox.fields.add_choice(name, value)

    def keys(self, data: dict[str, Any]) -> list[tuple[str, str]]:
        """Return field and value of every checked field of a record."""
        values = ((name, data.get(name)) for name in ("Email", "Phone", *self.sandbox.fields.unique))
        return [(name, value.lower()) for name, value in values if isinstance(value, str)]
