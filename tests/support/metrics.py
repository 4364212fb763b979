"""The metrics of an application as Prometheus would read them."""

from flask import Flask
from prometheus_client import generate_latest


def metrics_of(app: Flask) -> str:
    """The text of a scrape."""
    from web.app import get_metrics

    return generate_latest(get_metrics(app).registry).decode()
