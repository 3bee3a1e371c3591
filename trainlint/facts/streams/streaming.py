"""All that rules ask about streams and CUDA graphs."""

from trainlint.facts.streams.captured import waiting
from trainlint.facts.streams.unordered import unordered
from trainlint.facts.streams.unwarmed import unwarmed

__all__ = ["unordered", "unwarmed", "waiting"]
