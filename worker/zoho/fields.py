"""Field metadata: what a module has, and what a field to be made must look like."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field as the CRM describes it; length is in characters, 0 where the CRM gives none."""

    api_name: str
    data_type: str
    length: int
    unique: bool
    custom: bool
    label: str = ""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A custom field we need.

    The CRM derives the API name from the label (blanks become underscores), so the two must agree.
    data_type is Zoho's: "text" (255 at most), "textarea", "datetime", "boolean".
    """

    api_name: str
    label: str
    data_type: str
    length: int
    unique: bool = False
