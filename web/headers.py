"""Security headers of every answer. What a page may load follows from which tags are configured."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from leads.settings import Settings

Headers = list[tuple[str, str]]

# What the tags themselves ask for: Google's and Meta's own pages on content security policies.
_GOOGLE = {
    "script-src": ("https://www.googletagmanager.com", "https://googleads.g.doubleclick.net"),
    "img-src": (
        "https://www.googletagmanager.com",
        "https://*.google-analytics.com",
        "https://googleads.g.doubleclick.net",
        "https://www.google.com",
    ),
    "connect-src": (
        "https://www.googletagmanager.com",
        "https://*.google-analytics.com",
        "https://*.analytics.google.com",
        "https://googleads.g.doubleclick.net",
        "https://pagead2.googlesyndication.com",
        "https://www.google.com",
    ),
    "frame-src": ("https://td.doubleclick.net", "https://www.googletagmanager.com"),
}
_META = {
    "script-src": ("https://connect.facebook.net",),
    "img-src": ("https://www.facebook.com",),
    "connect-src": ("https://www.facebook.com", "https://connect.facebook.net"),
}


def content_security_policy(settings: Settings) -> str:
    """The policy: our own files only, and a configured tag's or geolocation service's addresses."""
    sources: dict[str, list[str]] = {"img-src": ["data:"]}
    if settings.google_ads_conversion or settings.analytics_id:
        _allow(sources, _GOOGLE)
    if settings.meta_pixel_id:
        _allow(sources, _META)
    geolocation = urlsplit(settings.geo_url)
    if geolocation.netloc:
        _allow(sources, {"connect-src": (f"{geolocation.scheme}://{geolocation.netloc}",)})
    fixed = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    loaded = [" ".join(dict.fromkeys((name, "'self'", *hosts))) for name, hosts in sources.items()]
    return "; ".join([fixed, *loaded])


def _allow(sources: dict[str, list[str]], more: dict[str, tuple[str, ...]]) -> None:
    for name, hosts in more.items():
        sources.setdefault(name, []).extend(hosts)


def security_headers(settings: Settings) -> Headers:
    """The headers of every answer, pages and API alike."""
    headers = [
        ("Content-Security-Policy", content_security_policy(settings)),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    if settings.environment == "production":
        headers.append(("Strict-Transport-Security", "max-age=31536000"))
    return headers


def add_headers(app: WSGIApplication, headers: Headers) -> WSGIApplication:
    """`app` with `headers` on every answer."""

    def with_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, own: Headers, *error: object) -> Callable[[bytes], object]:
            return start_response(status, own + headers, *error)  # type: ignore[arg-type]

        return app(environ, start)

    return with_headers
