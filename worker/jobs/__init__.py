"""The worker's other jobs: erasure, reconciliation, the check of the CRM's fields."""
