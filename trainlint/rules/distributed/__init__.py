"""TL1: every rank runs the same collectives."""
