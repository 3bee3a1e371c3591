"""Process groups: where they start, on which devices, and where they end."""
