"""What the launcher says when everything runs: addresses, the login of Flower, where the data is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dev.run.product import Product


def summary(product: Product, took: float) -> str:
    """The summary as lines of text; `took` is in seconds."""
    plan = product.plan
    user, _, password = product.flower_login.partition(":")
    center = plan.environ.get("ZOHO_DATA_CENTER") or "EU"
    sandbox = f"the sandbox (no Zoho credentials set): {plan.sandbox_url}"
    rows = [
        ("Site", plan.base_url),
        ("API docs", f"{plan.base_url}/api/docs"),
        ("Flower", f"{plan.flower_url}   user {user}, password {password}"),
        ("CRM", sandbox if plan.sandbox else f"Zoho CRM, data centre {center}"),
        ("Mail", f"{plan.sandbox_url}   (the sandbox receives it)" if plan.sandbox_mail else "as SMTP_URL says"),
        ("Queue", "make ops CMD=status   (also: dead, show ID, redrive, pause, resume, check)"),
        ("Data", f"{plan.data}   (logs in {plan.data / 'logs'})"),
    ]
    lines = "\n".join(f"  {name:<9} {value}" for name, value in rows)
    return f"\nThe product runs (ready in {took:.1f} s)\n\n{lines}\n\n  Ctrl-C stops everything.\n"
