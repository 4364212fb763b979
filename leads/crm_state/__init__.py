"""CRM state that all workers share: the gate (circuit breaker), the concurrency limit and the access token."""
