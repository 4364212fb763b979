"""`python -m web` serves the site and its API, and the metrics on a port of their own."""

from __future__ import annotations

import sys

from leads.settings import SettingsError, read_settings
from web.app import close_app, create_app, get_metrics, get_pages, get_plain
from web.kept import KeptFiles
from web.server.front import Front
from web.server.serve import serve

# Required in production: every page shows these numbers.
NEEDED = ("CLINIC_PHONE", "WHATSAPP_NUMBER")


def main() -> int:
    """Serve until told to stop; returns the exit code."""
    try:
        settings = read_settings(needed=NEEDED)
        app = create_app(settings)
        pages = get_pages(app)
        KeptFiles(settings.kept_files_dir).add(settings.frontend_dir)
        front = Front(
            pages,
            pages.is_in_memory,
            threads=settings.web_threads,
            clinic_phone=settings.clinic_phone,
            on_loop={"/api/leads"},
            full_pages=get_plain(app).when_full,
            proxies=settings.trusted_proxy_hops,
            count_turned_away=get_metrics(app).count_turned_away,
        )
        if settings.metrics_port:
            get_metrics(app).serve(settings.metrics_host, settings.metrics_port, settings.metrics_allowed_hosts)
        serve(front, settings.host, settings.port)
        close_app(app)
    except (SettingsError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
