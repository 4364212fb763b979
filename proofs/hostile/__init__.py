"""`python -m proofs.hostile`: what a stranger may send, sent to a running product while an honest visitor waits."""
