"""What makes XLA compile a training step again: batches of another size or length.

This is what the rules ask; the model behind it is in ``xla``, ``batches``, ``padding`` and ``dynamic``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Made
from trainlint.facts.xla.batches import Batches, makers, statement_of
from trainlint.facts.xla.dynamic import Dynamic, dynamic_shapes
from trainlint.facts.xla.padding import Padding
from trainlint.facts.xla.running import Loaded, Xla, XlaLoop
from trainlint.finding import Spot
from trainlint.ir.nodes import Call

__all__ = ["Dynamic", "PaddedBatches", "RaggedLoader", "dynamic_shapes", "padded_batches", "ragged_loaders"]


class RaggedLoader(NamedTuple):
    """A loader on XLA whose last batch may be short: the call that decides it, and the loop that trains on it.

    ``alone`` says that the call makes this loader only; ``keyword`` that ``drop_last`` can be set by keyword.
    """

    loop: XlaLoop
    call: Call
    frame: Frame
    statement: Spot
    alone: bool
    keyword: bool


class PaddedBatches(NamedTuple):
    """A call that pads the batches of a training loop on XLA to their longest item.

    ``length`` says that the call names a length it could pad to, ``chosen`` that its arguments decide how it pads.
    """

    loop: XlaLoop
    call: Call
    frame: Frame
    statement: Spot
    chosen: bool
    length: bool


def ragged_loaders(program: Program) -> Iterator[RaggedLoader]:
    """Every loader that trains on XLA and keeps a short last batch, once."""
    seen: set[tuple[str, Spot]] = set()
    for loop, loader in _loaders(program):
        if loader.prepared or not loop.evidence.certain or program.ask(Batches).skips(loop.body, loop.frame):
            continue  # who prepares loaders completes their batches; a script that may run on XLA may know about it
        made = program.ask(Batches).ragged(loader.loader)
        if made is None or made.call is None or made.frame is None:
            continue
        key = (made.frame.module, made.call.site)
        statement = statement_of(made.frame.function, made.call)
        if key in seen or statement is None:
            continue
        seen.add(key)
        keyword = isinstance(made, Made) and "drop_last" not in _positional(program, made)
        yield RaggedLoader(loop, made.call, made.frame, statement, makers(program, made) <= 1, keyword)


def _loaders(program: Program) -> Iterator[tuple[XlaLoop, Loaded]]:
    for loop in program.ask(Xla).training():
        for loader in loop.loaders:
            yield loop, loader


def _positional(program: Program, made: Made) -> list[str]:
    assert made.call is not None
    return program.knowledge.signatures.get(made.name, [])[: len(made.call.args)]


def padded_batches(program: Program) -> Iterator[PaddedBatches]:
    """Every call that pads the batches of a training loop on XLA to their longest item, once."""
    seen: set[tuple[str, Spot]] = set()
    asked = program.ask(Padding)
    for loop in program.ask(Xla).training():
        own = list(asked.in_loop(loop.body, loop.frame)) if loop.evidence.certain else []
        for padded in (*own, *(found for loaded in loop.loaders for found in asked.in_loader(loaded.loader))):
            key = (padded.frame.module, padded.call.site)
            statement = statement_of(padded.frame.function, padded.call)
            if key in seen or statement is None:
                continue
            seen.add(key)
            length = padded.length is not None and any(name == "padding" for name, _ in padded.call.kwargs)
            yield PaddedBatches(loop, padded.call, padded.frame, statement, padded.chosen, length)
