"""Invented people: what they enter into the form, what is stored, and what the CRM's record must contain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from api.fields import wire_name

# Consecutive people have nothing in common: multiplied by this, their numbers lie far apart, and stay distinct.
SPACE, SCATTER = 10_000_000, 6_180_339


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who enquires; no two numbers below `SPACE` are the same person.

    `word`: the surname begins with it (for example one that the CRM refuses).
    """

    number: int
    word: str = ""

    @property
    def scattered(self) -> str:
        """Seven digits that are this person's alone."""
        return f"{self.number * SCATTER % SPACE:07d}"

    @property
    def surname(self) -> str:
        """A unique surname."""
        return f"{self.word}Sample{self.number}"

    @property
    def email(self) -> str:
        """A unique address."""
        return f"{self.scattered}.ada@example.com"

    def row(self) -> dict[str, str]:
        """The columns of `leads` that the API would store."""
        return {
            "name": f"Ada{self.number}",
            "surname": self.surname,
            "email": self.email,
            "country_code": "+44",
            "country_iso": "GB",
            "phone": f"0740{self.scattered}",
            "phone_e164": f"+44740{self.scattered}",
            "message": f"How long does an implant take, and when could I come? Question {self.number}.",
            "utm_source": "google",
        }

    def payload(self) -> dict[str, str]:
        """The body that the form posts."""
        return payload_of(self.row())

    def tap(self, words: str) -> dict[str, str]:
        """The body of this person's tap on WhatsApp, with this message."""
        return {
            "whatsappMessage": words,
            "buttonLocation": "hero",
            "uniqueCode": f"T{self.number:05d}",
            "sessionId": f"s-{self.number}",
        }

    def fields(self, reference: str) -> dict[str, str]:
        """The fields that the CRM's record must have."""
        row = self.row()
        return {
            "First_Name": row["name"],
            "Last_Name": row["surname"],
            "Email": row["email"],
            "Phone": row["phone_e164"],
            "Website_Reference": reference,
        }


def payload_of(row: Mapping[str, str]) -> dict[str, str]:
    """The body of which the API makes this row."""
    return {wire_name(column): value for column, value in row.items() if column != "phone_e164"}
