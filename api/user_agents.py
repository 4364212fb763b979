"""What a User-Agent header says: the visitor's device, and the engine of the browser. Pure.

The browser's own script reads the device by the same rules (frontend/src/lib/device.ts); tests/user_agents.json
holds for both.
"""

import re
from dataclasses import dataclass
from typing import Any

_MAX_LENGTH = 512
# The first pattern that fits: nearly every user agent also names Chrome or Safari, and a browser in an app the app.
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
_DEVICE = ("device_type", "browser_name", "browser_version", "operating_system")

OTHER = "other"

# From these versions on the app runs: frontend/src/lib/engine.ts.
FIRST_VERSIONS = {"chromium": (105, 0), "firefox": (110, 0), "webkit": (16, 4)}

# Not visitors' browsers, or too old for any of our scripts.
_NONE = re.compile(r"bot\b|crawl|spider|lighthouse|\bEdge/|\bTrident/|\bPresto/", re.IGNORECASE)
# The first pattern that fits: many engines also name those that they descend from. Every browser on iOS is WebKit;
# where it names no version, the system's counts.
_ENGINES = (
    ("chromium", re.compile(r"\b(?:Headless)?Chrom(?:e|ium)/(\d{1,3})(?:\.(\d+))?", re.ASCII)),
    ("firefox", re.compile(r"\bFirefox/(\d{1,3})(?:\.(\d+))?", re.ASCII)),
    ("webkit", re.compile(r"\bAppleWebKit/.*\bVersion/(\d{1,3})(?:\.(\d+))?.*\bSafari/", re.ASCII)),
    ("webkit", re.compile(r"\bOS (\d+)(?:_(\d+))?.* like Mac OS X\).*\bAppleWebKit/", re.ASCII)),
)
ENGINES = (*FIRST_VERSIONS, OTHER)


def describe_device(user_agent: str) -> dict[str, str]:
    """Return device, browser, its version and system by column. An iPad that claims to be a Mac counts as a Mac."""
    agent = user_agent[:_MAX_LENGTH]
    name, version = "Unknown", ""
    for browser, pattern in _BROWSERS.items():
        if found := re.search(pattern, agent, re.ASCII):
            name, version = browser, found[1] or ""
            break
    is_tablet = re.search(r"iPad|Tablet(?! PC)|PlayBook|Silk", agent) or (
        "Android" in agent and "Mobile" not in agent
    )
    kind = "Tablet" if is_tablet else _first({"Mobile": "Mobi|iPhone|iPod|Android"}, agent, "Desktop")
    return dict(zip(_DEVICE, (kind, name, version, _first(_SYSTEMS, agent, "Unknown")), strict=True))


def add_device(values: dict[str, Any], header: str) -> None:
    """Add the device to a payload that says nothing of it, by its own user agent or the request's header."""
    agent = values["user_agent"] or header
    if agent and not any(values[column] for column in _DEVICE):
        values |= describe_device(agent)


def _first(signs: dict[str, str], agent: str, other: str) -> str:
    return next((name for name, sign in signs.items() if re.search(sign, agent)), other)


@dataclass(frozen=True, slots=True)
class BrowserEngine:
    """`name`: chromium, firefox, webkit or other. `version`: the major one, 0 when unknown."""

    name: str
    version: int = 0
    runs_app: bool = False


def read_engine(user_agent: str) -> BrowserEngine:
    """Return the engine of a browser; "other" for one that the app is not built for."""
    header = user_agent[:_MAX_LENGTH]
    if not _NONE.search(header):
        for name, pattern in _ENGINES:
            if found := pattern.search(header):
                version = int(found[1]), int(found[2] or 0)
                return BrowserEngine(name, version[0], version >= FIRST_VERSIONS[name])
    return BrowserEngine(OTHER)
