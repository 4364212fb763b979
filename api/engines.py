"""The browser engine that a User-Agent header names, and whether it is new enough for the site's script. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

OTHER = "other"

# From these versions on the app runs: frontend/src/lib/engine.ts.
FIRST_VERSIONS = {"chromium": (105, 0), "firefox": (110, 0), "webkit": (16, 4)}
MAX_VERSION = 999

# Neither visitors' browsers nor engines that run any script of ours.
_NONE = re.compile(r"bot\b|crawl|spider|lighthouse|\bEdge/|\bTrident/|\bPresto/", re.IGNORECASE)
# The first that fits: many engines also name those that they descend from. All browsers of iOS are WebKit; those
# that do not name its version have that of the system.
_ENGINES = (
    ("chromium", re.compile(r"\b(?:Headless)?Chrom(?:e|ium)/(\d+)(?:\.(\d+))?", re.ASCII)),
    ("firefox", re.compile(r"\bFirefox/(\d+)(?:\.(\d+))?", re.ASCII)),
    ("webkit", re.compile(r"\bAppleWebKit/.*\bVersion/(\d+)(?:\.(\d+))?.*\bSafari/", re.ASCII)),
    ("webkit", re.compile(r"\bOS (\d+)(?:_(\d+))?.* like Mac OS X\).*\bAppleWebKit/", re.ASCII)),
)
ENGINES = (*FIRST_VERSIONS, OTHER)
_MAX_LENGTH = 512


@dataclass(frozen=True, slots=True)
class BrowserEngine:
    """`name`: chromium, firefox, webkit or other. `version`: the major one, 0 when unknown."""

    name: str
    version: int = 0
    runs_app: bool = False


def read_engine(user_agent: str) -> BrowserEngine:
    """Return the engine of a browser; "other" for what names none of those that the app is built for."""
    header = user_agent[:_MAX_LENGTH]
    if not _NONE.search(header):
        for name, pattern in _ENGINES:
            if found := pattern.search(header):
                major, minor = int(found[1]), int(found[2] or 0)
                if not 0 < major <= MAX_VERSION:
                    break
                return BrowserEngine(name, major, (major, minor) >= FIRST_VERSIONS[name])
    return BrowserEngine(OTHER)
