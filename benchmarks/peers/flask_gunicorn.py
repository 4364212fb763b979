"""What a user would build first: Flask under gunicorn, SQLAlchemy's ORM, and a Celery task for each enquiry."""

from __future__ import annotations

import os
import re
from typing import Any
from uuid import uuid4

import phonenumbers
from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic.alias_generators import to_camel
from sqlalchemy import create_engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from benchmarks.peers.form import hand_over
from benchmarks.peers.rows import StoredDelivery, StoredLead
from leads.tables import leads
from leads.tables.columns import LONG_TRACKING, TRACKING

ENTERED = {"name": 80, "surname": 80, "email": 100, "country_code": 8, "phone": 250}
OPTIONAL = {"country_iso": 2, "message": 5000, **dict.fromkeys(TRACKING, 255), **dict.fromkeys(LONG_TRACKING, 2048)}
_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)+[A-Za-z]{2,63}")


app = Flask(__name__)
engine = create_engine(
    os.environ["DATABASE_URL"].replace("postgresql://", "postgresql+psycopg://"), pool_size=10, max_overflow=22
)


def read_form(body: dict[str, object]) -> tuple[dict[str, object], dict[str, str]]:
    """The columns of a lead, and what is wrong by field."""
    row: dict[str, object] = {}
    errors = {}
    for name, length in {**ENTERED, **OPTIONAL}.items():
        value = body.get(to_camel(name))
        text = value.strip() if isinstance(value, str) else ""
        if not text and name in ENTERED:
            errors[to_camel(name)] = "Please fill in this field"
        elif len(text) > length:
            errors[to_camel(name)] = f"At most {length} characters"
        row[name] = text or None
    if not errors and not _EMAIL.fullmatch(str(row["email"])):
        errors["email"] = "Please enter a valid e-mail address"
    try:
        number = phonenumbers.parse(str(row["phone"]), str(row["country_iso"]))
        if not phonenumbers.is_valid_number(number):
            errors["phone"] = "Please enter a valid phone number"
        row["phone_e164"] = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    except phonenumbers.NumberParseException:
        errors["phone"] = "Please enter a valid phone number"
    return row, errors


@app.post("/api/leads")
def post_lead() -> ResponseReturnValue:
    """Store an enquiry and start its delivery; a repeat gets the first receipt."""
    row, errors = read_form(request.get_json())
    if errors:
        return jsonify(errors=errors), 422
    key = request.headers.get("Idempotency-Key")
    lead: Any = StoredLead(**row, id=uuid4(), idempotency_key=key, ip_address=request.remote_addr)
    with Session(engine, expire_on_commit=False) as session:
        session.add_all([lead, StoredDelivery(id=lead.id, kind="lead")])
        try:
            session.commit()
        except IntegrityError:
            session.rollback()
            earlier: Any = session.scalars(select(StoredLead).where(leads.c.idempotency_key == key)).one()
            return jsonify(id=earlier.id, reference=earlier.reference), 201
    hand_over(lead.id)
    return jsonify(id=lead.id, reference=lead.reference), 201
