"""Paths through a training step: events on tracked objects, under correlated conditions."""
