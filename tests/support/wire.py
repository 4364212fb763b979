"""What a browser posts, as the tests post it."""

from __future__ import annotations

# The least that makes a lead.
LEAD = {
    "name": "Ada",
    "surname": "Sample",
    "email": "ada@example.com",
    "countryCode": "+44",
    "phone": "07911 123456",
}
