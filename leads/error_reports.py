"""Reports of errors to Sentry, where SENTRY_DSN is set: where the code failed, and nothing about a person."""

from typing import Any

from leads.logs import trace_id
from leads.settings import Settings

# What is left of an event: requests, arguments, breadcrumbs, and the words of errors may hold personal data.
_KEPT = {"event_id", "timestamp", "platform", "level", "logger", "exception", "transaction", "environment", "sdk"}
_OURS = ("api.", "leads.", "web.", "worker.")  # the loggers that never name a person


def report_errors(settings: Settings) -> None:
    """From now on report what is logged as an error, and what tasks and requests raise; nothing without a DSN."""
    if not settings.sentry_dsn:
        return
    import sentry_sdk  # noqa: PLC0415 - costs memory, for those alone who use it
    from sentry_sdk.integrations.celery import CeleryIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.flask import FlaskIntegration  # noqa: PLC0415

    sentry_sdk.init(
        dsn=settings.sentry_dsn,
        environment=settings.environment,
        integrations=[CeleryIntegration(propagate_traces=False), FlaskIntegration()],
        auto_enabling_integrations=False,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        trace_propagation_targets=[],
        before_send=_strip,
    )


def _strip(event: Any, _hint: object) -> Any:
    for error in event.get("exception", {}).get("values", ()):
        error.pop("value", None)
    kept = _KEPT | ({"logentry"} if event.get("logger", "").startswith(_OURS) else set())
    return {name: event[name] for name in kept & event.keys()} | {"tags": {"trace_id": trace_id()}}
