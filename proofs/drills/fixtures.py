"""Invented people: what they enter into the form, what is stored, and what the CRM's record must contain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A visitor who enquires; no two numbers are the same person."""

    number: int
    word: str = ""

    @property
    def surname(self) -> str:
        """A unique surname; it starts with `word` (for example one that the CRM refuses)."""
        return f"{self.word}Sample{self.number}"

    @property
    def email(self) -> str:
        """A unique address."""
        return f"ada{self.number}@example.com"

    @property
    def e164(self) -> str:
        """A unique number in a range that exists."""
        return f"+44740{self.number % 10_000_000:07d}"

    def payload(self) -> dict[str, str]:
        """The body that the form posts."""
        return {
            "name": f"Ada{self.number}",
            "surname": self.surname,
            "email": self.email,
            "countryCode": "+44",
            "phone": f"0{self.e164[3:]}",
            "message": f"Question {self.number}",
            "utmSource": "drill",
        }

    def row(self) -> dict[str, str]:
        """The columns of `leads` that the API would store."""
        return {
            "name": f"Ada{self.number}",
            "surname": self.surname,
            "email": self.email,
            "country_code": "+44",
            "phone": f"0{self.e164[3:]}",
            "phone_e164": self.e164,
            "message": f"Question {self.number}",
            "utm_source": "drill",
        }

    def fields(self, reference: str) -> dict[str, str]:
        """The fields that the CRM's record must have."""
        return {
            "First_Name": f"Ada{self.number}",
            "Last_Name": self.surname,
            "Email": self.email,
            "Phone": self.e164,
            "Website_Reference": reference,
        }
