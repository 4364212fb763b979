"""The Flask application: composes the API, serves the built site, its headers, health and metrics."""
