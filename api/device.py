"""What a User-Agent header says of the visitor's device, in the words of the browser's own script. Pure.

The script reads user agents by the same rules (frontend/src/lib/device.ts); tests/user_agents.json holds for both.
"""

from __future__ import annotations

import re
from typing import Any

# Nearly every user agent also names Chrome or Safari, and those within an app the app: the first that fits.
_BROWSERS = {
    "Facebook": r"\[FB(?:AN|_IAB)/(?:.*FBAV/([\d.]+))?",
    "Instagram": r"Instagram ([\d.]+)",
    "Google App": r"GSA/([\d.]+)",
    "Edge": r"Edg(?:e|A|iOS)?/([\d.]+)",
    "Opera": r"(?:OP[RTX]|OPiOS)/([\d.]+)",
    "Samsung Internet": r"SamsungBrowser/([\d.]+)",
    "Firefox": r"(?:Firefox|FxiOS)/([\d.]+)",
    "Android WebView": r"; wv\).*Chrome/([\d.]+)",
    "Chrome": r"(?:Chrome|CriOS)/([\d.]+)",
    "Safari": r"Version/([\d.]+).*Safari",
    "iOS WebView": r"iP(?:hone|ad|od).*AppleWebKit/([\d.]+)",
}
# iPhones name "like Mac OS X", Android names Linux.
_SYSTEMS = {
    "Windows": "Windows", "iOS": "iPhone|iPad|iPod", "MacOS": "Macintosh|Mac OS X", "Android": "Android",
    "Linux": "Linux|X11|CrOS",
}  # fmt: skip
_MAX_LENGTH = 512


def describe_device(user_agent: str) -> dict[str, str]:
    """Return device, browser, its version and system by column; an iPad that claims to be a Mac is one here."""
    agent = user_agent[:_MAX_LENGTH]
    name, version = "Unknown", ""
    for browser, pattern in _BROWSERS.items():
        if found := re.search(pattern, agent, re.ASCII):
            name, version = browser, found[1] or ""
            break
    is_tablet = re.search(r"iPad|Tablet(?! PC)|PlayBook|Silk", agent) or (
        "Android" in agent and "Mobile" not in agent
    )
    return {
        "device_type": "Tablet" if is_tablet else _first({"Mobile": "Mobi|iPhone|iPod|Android"}, agent, "Desktop"),
        "browser_name": name,
        "browser_version": version,
        "operating_system": _first(_SYSTEMS, agent, "Unknown"),
    }


def add_device(values: dict[str, Any], header: str) -> None:
    """Add the device to a payload that says nothing of it, by its own user agent or the request's header."""
    agent = values["user_agent"] or header
    if agent and not any(values[column] for column in describe_device("")):
        values |= describe_device(agent)


def _first(signs: dict[str, str], agent: str, other: str) -> str:
    return next((name for name, sign in signs.items() if re.search(sign, agent)), other)
