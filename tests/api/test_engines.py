"""The engine that a User-Agent names: those of real browsers, and what is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.engines import FIRST_VERSIONS, BrowserEngine, read_engine

ENGINE_TS = Path(__file__).parents[2] / "frontend/src/lib/engine.ts"
LINUX = "Mozilla/5.0 (X11; Linux x86_64)"
APPLE = "(KHTML, like Gecko)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15"
ANDROID = f"Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 {APPLE}"
WINDOWS = f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 {APPLE}"


@pytest.mark.parametrize(
    ("agent", "engine", "version", "runs_app"),
    [
        (f"{WINDOWS} Chrome/156.0.0.0 Safari/537.36", "chromium", 156, True),
        (f"{WINDOWS} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0", "chromium", 156, True),
        (f"{WINDOWS} HeadlessChrome/147.0.7727.15 Safari/537.36", "chromium", 147, True),
        (f"{ANDROID} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36", "chromium", 115, True),
        (f"{ANDROID} Version/4.0 Chrome/104.0.5112.97 Mobile Safari/537.36 Instagram", "chromium", 104, False),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "firefox", 153, True),
        ("Mozilla/5.0 (Android 14; Mobile; rv:109.0) Gecko/109.0 Firefox/109.0", "firefox", 109, False),
        (f"{IPHONE} {APPLE} Version/16.4 Mobile/15E148 Safari/604.1", "webkit", 16, True),
        (f"{IPHONE} {APPLE} Version/16.3 Mobile/15E148 Safari/604.1", "webkit", 16, False),
        (f"{IPHONE} {APPLE} CriOS/156.0.1 Mobile/15E148 Safari/604.1", "webkit", 17, True),
        (f"{IPHONE} {APPLE} FxiOS/150.0 Mobile/15E148 Safari/605.1.15", "webkit", 17, True),
        (f"{IPHONE} {APPLE} Mobile/15E148 [FBAN/FBIOS;FBAV/450.0]", "webkit", 17, True),
        (f"{LINUX} AppleWebKit/605.1.15 {APPLE} Version/26.0 Safari/605.1.15", "webkit", 26, True),
        ("Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko", "other", 0, False),
        (f"{WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763", "other", 0, False),
        (f"{ANDROID} Chrome/150.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)", "other", 0, False),
        (f"{WINDOWS} Chrome/99999999999999999999.0 Safari/537.36", "other", 0, False),
        ("Mozilla/5.0 Chrome/0.0", "other", 0, False),
        ("curl/8.5.0", "other", 0, False),
        ("", "other", 0, False),
        ("Version/" * 100_000, "other", 0, False),
    ],
)  # fmt: skip
def test_a_browser_has_its_engine_and_major_version(agent, engine, version, runs_app):
    assert read_engine(agent) == BrowserEngine(engine, version, runs_app)


def test_the_script_is_expected_from_the_versions_on_for_which_it_is_built():
    (words,) = re.findall(r"Chrome and Edge ([\d.]+), Firefox ([\d.]+), Safari ([\d.]+)", ENGINE_TS.read_text())
    named = [tuple(int(part) for part in f"{version}.0".split(".")[:2]) for version in words]
    assert dict(zip(("chromium", "firefox", "webkit"), named, strict=True)) == FIRST_VERSIONS
