"""The worker's other jobs: erasure, retention, reconciliation, the check of the CRM's fields."""
