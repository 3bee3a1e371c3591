"""Work that a device does by itself: clocks, streams, transfers, and what waits for it."""
