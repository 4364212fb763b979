"""The limits on visitors: counters, the start token, the flood breaker, and the verdicts drawn from them."""
