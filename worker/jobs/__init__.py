"""The worker's other jobs: erasure, retention, reconciliation, acknowledgements by e-mail."""
