"""Clocks and devices: what a device does by itself, when the host waits for it, and what is timed meanwhile."""
