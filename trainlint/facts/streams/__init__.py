"""Work that a device does in several streams, each of which waits for another only when it is told to."""
