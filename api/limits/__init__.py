"""The limits on visitors: counts, the start token, the rules, and the guard that applies them."""
