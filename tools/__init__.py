"""What production never runs. The pictures have an environment of their own."""
