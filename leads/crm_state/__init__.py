"""CRM state that all workers share: the gate (circuit breaker), the call slots, the permit to call, the token."""
