"""The worker's other jobs: erasures, retention, reconciliation, acknowledgements by mail."""
