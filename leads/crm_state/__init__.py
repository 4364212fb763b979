"""What all workers share about the CRM: the circuit breaker, the concurrency limit and the access token."""
