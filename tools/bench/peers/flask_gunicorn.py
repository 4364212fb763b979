"""What a user would build first: Flask under gunicorn, SQLAlchemy's ORM, and a Celery task for each enquiry."""

import os
from typing import Any

from flask import Flask, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import ValidationError
from sqlalchemy import create_engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from tools.bench.peers.form import Lead, hand_over
from tools.bench.peers.rows import StoredDelivery, StoredLead, leads

app = Flask(__name__)
engine = create_engine(
    os.environ["DATABASE_URL"].replace("postgresql://", "postgresql+psycopg://"), pool_size=10, max_overflow=22
)


@app.post("/api/leads")
def post_lead() -> ResponseReturnValue:
    """Store an enquiry and start its delivery; a repeat gets the first receipt."""
    key = request.headers.get("Idempotency-Key")
    try:
        row = Lead(**request.get_json()).row(key, request.remote_addr)
    except ValidationError as error:
        return jsonify(errors=error.errors(include_url=False, include_context=False)), 422
    lead: Any = StoredLead(**row)
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
