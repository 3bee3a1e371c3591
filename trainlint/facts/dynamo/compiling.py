"""All that rules ask about the compiler of PyTorch."""

from trainlint.facts.dynamo.again import compiled_again
from trainlint.facts.dynamo.breaks import breaks
from trainlint.facts.dynamo.prefixed import prefixed
from trainlint.facts.dynamo.recorded import recorded
from trainlint.facts.dynamo.settings import hidden

__all__ = ["breaks", "compiled_again", "hidden", "prefixed", "recorded"]
