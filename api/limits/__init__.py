"""What one stranger may use: counters, the start token, the flood breaker, and the verdicts drawn from them."""
