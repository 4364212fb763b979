"""What the product is measured beside; each runs in its own process."""

PRODUCT, BEFORE = "product", "version before"
SQLALCHEMY, ASYNCPG, FLASK = "FastAPI + SQLAlchemy", "FastAPI + asyncpg", "Flask + gunicorn"
