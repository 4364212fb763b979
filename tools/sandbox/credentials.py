"""The sandbox's published development credentials, and the settings that point the product at it."""

from typing import Final

CLIENT_ID: Final = "1000.SANDBOX"
CLIENT_SECRET: Final = "sandbox-secret"  # noqa: S105 - published
REFRESH_TOKEN: Final = "1000.sandbox.refresh"  # noqa: S105 - published


def settings(url: str) -> dict[str, str]:
    """Return the product's settings for a sandbox at this address."""
    return {
        "ZOHO_CLIENT_ID": CLIENT_ID,
        "ZOHO_CLIENT_SECRET": CLIENT_SECRET,
        "ZOHO_REFRESH_TOKEN": REFRESH_TOKEN,
        "ZOHO_URL": url,
    }
