"""Invented people: what they type into the form, what is stored for them, what the CRM must hold in the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who enquires; no two numbers give the same person."""

    number: int
    word: str = ""

    @property
    def surname(self) -> str:
        """A surname of their own; `word` (say, what the CRM refuses) stands in front."""
        return f"{self.word}Sample{self.number}"

    @property
    def email(self) -> str:
        """An address of their own."""
        return f"ada{self.number}@example.com"

    @property
    def e164(self) -> str:
        """A number of their own, in a range that exists."""
        return f"+44740{self.number % 10_000_000:07d}"

    def payload(self) -> dict[str, str]:
        """What the form posts."""
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
        """What the CRM's record must say."""
        return {
            "First_Name": f"Ada{self.number}",
            "Last_Name": self.surname,
            "Email": self.email,
            "Phone": self.e164,
            "Website_Reference": reference,
        }
