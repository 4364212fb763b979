# One image for the site, the worker, Flower and the migrations; the command selects one (see docker-compose.yml).

FROM node:24.19.0-trixie-slim AS pages
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --loglevel=error
COPY frontend ./
# The public address of the site; empty: the one in frontend/content/clinic.yaml.
ARG SITE_URL=
RUN npm run build

FROM python:3.13.14-slim-trixie AS packages
WORKDIR /build
COPY requirements/run.lock requirements/run.lock
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/run.lock

FROM python:3.13.14-slim-trixie
# A volume that is mounted there for the first time belongs to the user (KEPT_FILES_DIR in docker-compose.yml).
RUN useradd --uid 10001 --no-create-home --home-dir /app --shell /usr/sbin/nologin clinic \
    && install --directory --owner=clinic --group=clinic /var/lib/clinic/kept
WORKDIR /app
COPY --from=packages /opt/venv /opt/venv
COPY celeryconfig.py pyproject.toml ./
COPY migrations migrations
COPY leads leads
COPY api api
COPY web web
COPY worker worker
COPY docs/runbook.md docs/runbook.md
COPY --from=pages /build/frontend/dist frontend/dist
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ENVIRONMENT=production \
    HOST=0.0.0.0 \
    PORT=8000 \
    FLOWER_PORT=5555
USER clinic
EXPOSE 8000
# The same command as in the Procfile, which a developer's machine runs.
CMD ["python", "-m", "web"]
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/readyz', timeout=2)"]
