"""Celery's configuration: bells and ticks only, never lead data. Each setting has its reason beside it."""

from click import ClickException
from kombu import Exchange, Queue

from leads.queue import QUEUES, worker_options
from leads.settings import SettingsError, read_settings

try:
    _settings = read_settings()
except SettingsError as error:
    raise ClickException(str(error)) from error  # Celery's command line shows the message alone

broker_url = str(_settings.redis_url)
broker_transport_options = worker_options()
# Redis may be unavailable at start and for any length of time: the workers' own tick delivers meanwhile.
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
broker_connection_timeout = 2.0

# The work is mostly waiting for the CRM: threads suit that, and stop in a tenth of a second on request.
worker_pool = "threads"
worker_concurrency = _settings.crm_concurrency
task_default_queue = QUEUES["fresh"]
# Named here too, so that Flower lists every queue before a worker has answered it.
task_queues = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES.values()]
task_create_missing_queues = True
# A lost bell costs seconds, because the tick rings again; a bell that is delivered twice finds nothing due.
task_acks_late = False
task_ignore_result = True
worker_prefetch_multiplier = 1

# JSON only: nothing that arrives through Redis can name code to run.
task_serializer = "json"
result_serializer = "json"
accept_content = ["json"]

# Events for Flower: sent, received, started, and succeeded with the summary of the batch.
worker_send_task_events = True
task_send_sent_event = True
task_track_started = True

worker_hijack_root_logger = False
worker_redirect_stdouts = False
enable_utc = True
timezone = "UTC"
