"""What shows that the product keeps its promises. README.md says which instrument sees what."""
