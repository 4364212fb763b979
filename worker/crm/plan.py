"""The fields of the CRM that hold a price plan. Each is empty where an enquiry has none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from leads.plan_words import line_of, teeth_of, xray_of
from worker.crm.fields import TEXT_LENGTH
from worker.crm.lines import fit_line

MAX_ESTIMATE = 999_999_999  # of Zoho's numbers; one of nine digits is its widest


def _text(name: str) -> Callable[[Mapping[str, Any]], str]:
    def read(row: Mapping[str, Any]) -> str:
        plan = row.get("plan")
        return fit_line(plan.get(name) or "", TEXT_LENGTH) if isinstance(plan, dict) else ""

    return read


def _estimate(row: Mapping[str, Any]) -> int:
    """The sum of listed prices, in whole units; 0, which is not sent, where only a dentist can say."""
    plan = row.get("plan")
    estimate = plan.get("estimate") if isinstance(plan, dict) else None
    return estimate if isinstance(estimate, int) and 0 < estimate <= MAX_ESTIMATE else 0


def _currency(row: Mapping[str, Any]) -> str:
    return _text("currency")(row) if _estimate(row) else ""


PLAN_FIELDS: dict[str, Callable[[Mapping[str, Any]], str | bool | int]] = {
    "plan": lambda row: fit_line(line_of(row.get("plan")), TEXT_LENGTH),
    "plan_teeth": lambda row: fit_line(teeth_of(row.get("plan")), TEXT_LENGTH),
    "plan_treatment": _text("treatment"),
    "plan_estimate": _estimate,
    "plan_currency": _currency,
    "plan_xray": lambda row: xray_of(row.get("plan")),
}
