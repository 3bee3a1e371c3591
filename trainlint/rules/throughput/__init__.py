"""TL8: throughput."""
