"""A stored price plan (leads/plan.py) in the words that staff read. Plans of an older release may lack a key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_XRAY = {"yes": "yes", "no": "no", "unsure": "not sure"}
HAS_XRAY = "X-ray"


def line_of(plan: object) -> str:
    """Return the plan as one readable line; "" without a plan."""
    if not isinstance(plan, dict):
        return ""
    said = (
        str(plan.get("topic") or ""),
        _sum_of(plan),
        teeth_of(plan),
        f"X-ray: {xray}" if (xray := xray_of(plan)) else "",
        f"price list {plan.get('list')} {plan.get('version')}",
        "the visitor saw another version of it" if plan.get("seen") else "",
    )
    return "; ".join(part for part in said if part)


def teeth_of(plan: object) -> str:
    """Return the marked teeth in FDI numbers: "missing 16, 17; to be replaced 24"."""
    if not isinstance(plan, dict):
        return ""
    marked = (("missing", plan.get("missing")), ("to be replaced", plan.get("replace")))
    return "; ".join(f"{name} {', '.join(map(str, teeth))}" for name, teeth in marked if teeth)


def xray_of(plan: object) -> str:
    """Return whether there is an X-ray, in words; "" where that was not answered."""
    return _XRAY.get(str(plan.get("xray")), "") if isinstance(plan, dict) else ""


def has_of(plan: object, already_has: str | None) -> str:
    """Return what the visitor has: what was tapped after sending, and the X-ray of the price plan."""
    tapped = already_has or ""
    said = isinstance(plan, dict) and plan.get("xray") == "yes" and HAS_XRAY not in tapped
    return ", ".join(part for part in (HAS_XRAY if said else "", tapped) if part)


def _sum_of(plan: dict[str, Any]) -> str:
    parts: Sequence[dict[str, Any]] = plan.get("parts") or ()
    if plan.get("estimate") is None:
        return "no sum"
    listed = ", ".join(
        f"{part['title']} {part['count']} x {part['price']}" for part in parts if part["price"] is not None
    )
    unlisted = ", ".join(f"{part['title']} {part['count']} x" for part in parts if part["price"] is None)
    total = f"listed {plan.get('currency')} {plan['estimate']} ({listed})"
    return f"{total}; not priced: {unlisted}" if unlisted else total
