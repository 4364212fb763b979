"""Security headers of every answer. The configured tags determine what a page may load."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from leads.settings import Settings

Headers = list[tuple[str, str]]
Sources = dict[str, Sequence[str]]  # hosts by directive

POLICY = "policy.json"  # of the build: what its pages hold or embed
_GOOGLE_TAG, _META_PIXEL = "https://www.googletagmanager.com", "https://connect.facebook.net"
# What each kind of tag needs, according to Google's and Meta's own pages on content security policies.
_ANALYTICS: Sources = {
    "img-src": ("https://*.google-analytics.com",),
    "connect-src": ("https://*.google-analytics.com", "https://*.analytics.google.com", "https://www.google.com"),
}
_ADS: Sources = {
    "script-src": (
        "https://www.googleadservices.com",
        "https://googleads.g.doubleclick.net",
        "https://www.google.com",
        "https://pagead2.googlesyndication.com",
    ),
    "img-src": (
        "https://www.googleadservices.com",
        "https://googleads.g.doubleclick.net",
        "https://www.google.com",
    ),
    "connect-src": (
        "https://www.googleadservices.com",
        "https://googleads.g.doubleclick.net",
        "https://www.google.com",
        "https://google.com",
        "https://pagead2.googlesyndication.com",
    ),
    "frame-src": ("https://td.doubleclick.net", "https://www.googletagmanager.com"),
}
_META: Sources = {"img-src": ("https://www.facebook.com",), "connect-src": ("https://www.facebook.com",)}


def shown_folder(settings: Settings) -> Path:
    """Return the folder of the pages that are shown: with samples, or without."""
    samples = settings.frontend_dir / "with-samples"
    return samples if settings.samples_shown and samples.is_dir() else settings.frontend_dir


def content_security_policy(settings: Settings) -> str:
    """Return the policy: our own files, what is configured, and what the pages hold or embed."""
    file = shown_folder(settings) / POLICY
    pages: Sources = json.loads(file.read_text()) if file.is_file() else {}
    sources: dict[str, list[str]] = {"img-src": ["data:"]}
    for configured, host, needed in (
        (settings.analytics_id, _GOOGLE_TAG, _ANALYTICS),
        (settings.google_ads_conversion, _GOOGLE_TAG, _ADS),
        (settings.meta_pixel_id, _META_PIXEL, _META),
    ):
        if configured:
            script_host = (host,)
            _allow(sources, {"script-src": script_host, "img-src": script_host, "connect-src": script_host})
            _allow(sources, needed)
    _allow(sources, {name: allowed for name, allowed in pages.items() if allowed})
    fixed = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    loaded = [" ".join(dict.fromkeys((name, "'self'", *hosts))) for name, hosts in sources.items()]
    return "; ".join([fixed, *loaded])


def _allow(sources: dict[str, list[str]], more: Sources) -> None:
    for name, hosts in more.items():
        sources.setdefault(name, []).extend(hosts)


def security_headers(settings: Settings) -> Headers:
    """Return the headers of every answer, for pages and API."""
    headers = [
        ("Content-Security-Policy", content_security_policy(settings)),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),  # for browsers that do not know frame-ancestors
    ]
    if settings.environment == "production":
        headers.append(("Strict-Transport-Security", "max-age=31536000"))
    return headers


def add_headers(app: WSGIApplication, headers: Headers) -> WSGIApplication:
    """Return `app` with `headers` on every answer, and `no-store` unless the answer says otherwise."""

    def with_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, app_headers: Headers, *error: object) -> Callable[[bytes], object]:
            says = any(name.lower() == "cache-control" for name, _ in app_headers)
            kept = [] if says else [("Cache-Control", "no-store")]
            return start_response(status, app_headers + kept + headers, *error)  # type: ignore[arg-type]

        return app(environ, start)

    return with_headers
