"""What the product is measured beside; each runs in its own process."""
