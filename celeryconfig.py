"""Celery's configuration, each setting with its reason beside it. Redis holds names and ids, never lead data."""

from click import ClickException
from kombu import Exchange, Queue

from leads.call_times import CLINIC_ZONE
from leads.destinations import CRM_QUEUE, MESSAGES_QUEUE, worker_options
from leads.settings import SettingsError, read_settings
from worker.context import read_worker_settings

try:
    # Flower has read its own before, so what is missing here a worker is missing: it is told of all at once, and
    # Celery's command line shows the message alone.
    try:
        _settings = read_settings()
    except SettingsError:
        _settings = read_worker_settings()
except SettingsError as error:
    raise ClickException(str(error)) from error

broker_url = str(_settings.redis_url)
broker_transport_options = worker_options()
# Redis may be unavailable at start and for any length of time: the workers deliver without it (worker/fallback.py).
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
broker_connection_timeout = 2.0

# The work is mostly waiting for the CRM: threads suit that, and stop in a tenth of a second on request.
worker_pool = "threads"
worker_concurrency = _settings.crm_concurrency
task_default_queue = MESSAGES_QUEUE
# Named here too, so that Flower lists every queue before a worker has answered it.
task_queues = [Queue(name, Exchange(name), routing_key=name) for name in (CRM_QUEUE, MESSAGES_QUEUE)]
task_create_missing_queues = True
# The row is the truth: a lost task costs seconds, and one that comes twice finds nothing due.
task_acks_late = False
task_ignore_result = True
worker_prefetch_multiplier = 1

_look = _settings.look_seconds
# Each worker has a beat, in memory (worker/app.py): every job is harmless when doubled, or takes a lock. A job that
# finds no worker in time comes again by itself.
beat_schedule = {
    "enqueue what is due": {"task": "enqueue_due", "schedule": _look, "options": {"expires": 2 * _look}},
    "erase in the CRM": {"task": "erase", "schedule": 10.0, "options": {"expires": 20.0}},
    "let held rows go": {"task": "release_held", "schedule": 20.0, "options": {"expires": 40.0}},
    "tell staff": {"task": "tell_staff", "schedule": 30.0, "options": {"expires": 60.0}},
    "delete what is past its term": {"task": "retain", "schedule": 3600.0, "options": {"expires": 3600.0}},
    "check the CRM": {"task": "check_crm", "schedule": 600.0, "options": {"expires": 600.0}},
}

# JSON only: nothing that arrives through Redis can name code to run.
task_serializer = "json"
result_serializer = "json"
accept_content = ["json"]

# Events for Flower: sent, received, started, and how each try ended.
worker_send_task_events = True
task_send_sent_event = True
task_track_started = True

worker_hijack_root_logger = False
worker_redirect_stdouts = False
enable_utc = True
timezone = CLINIC_ZONE.key  # of the times on Flower's own pages
