"""The site: the API and the built pages as one application, its headers, health and metrics, and its web server."""
