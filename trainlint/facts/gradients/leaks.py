"""What the rules about kept graphs ask: the leaks of one kind, in words and places for a message."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.gradients.graph_leaks import Kept, KeptGraphs
from trainlint.facts.program import Program
from trainlint.finding import Reason, Spot
from trainlint.ir.nodes import Self
from trainlint.ir.printer import holder_in


def leaks(program: Program, kind: str) -> Iterator[Kept]:
    """The sinks that keep graphs: "sum" (a running total) or "store" (a growing container)."""
    return (kept for kept in program.ask(KeptGraphs).found if kept.kind == kind)


def holder_name(kept: Kept) -> str | None:
    """What the holder is called where the graphs go in; None when it has no name there."""
    inner = kept.inner
    if inner is not None and isinstance(kept.sink.holder, Self) and inner.function.cls == kept.sink.function.cls:
        return holder_in(inner.holder, inner.function)
    return holder_in(kept.sink.holder, kept.sink.function)


def reasons(kept: Kept) -> tuple[Reason, ...]:
    """The places that explain a leak: the backward pass, the holder, the loop, the method that keeps."""
    own = kept.frame.module
    root = kept.proof.root
    why = "a backward pass runs on it here: it holds the graph of this iteration"
    if root.returned:
        why = "a backward pass runs on what is returned here: it holds the graph of this iteration"
    if kept.evaluated:
        why = "the model runs here with gradients recorded: no `torch.no_grad()` is around it"
    found = [Reason(root.frame.module, root.spot, why)]
    if kept.proof.item is not None:
        found.append(Reason(*kept.proof.item, "what is put into the dict here holds that graph"))
    if kept.inner is not None:
        found.append(Reason(kept.inner.module, kept.inner.statement, "the method keeps it here"))
    if kept.origin.kind == "made" and kept.origin.spot is not None:
        found.append(Reason(own, kept.origin.spot, "what keeps it is made here, outside the loop"))
    if kept.loop is not None:
        found.append(Reason(own, kept.loop.spot, "each iteration of this loop adds one more"))
    return tuple(reason for reason in found if reason.spot != kept.sink.spot)


def content(kept: Kept) -> str:
    """Which graphs a container keeps."""
    if kept.proof.item is not None:
        return "a graph in each dict that is put into it here"
    return "the autograd graph of everything that is put into it here"


def size(kept: Kept) -> str:
    """What stays of each graph. Measured with PyTorch 2.13: ``backward`` frees the tensors saved for it, not the nodes."""
    if kept.evaluated:
        return "all nodes stay, and the tensors saved for a backward pass that never comes"
    return "the nodes stay, though the backward pass has freed the tensors saved for it"


def detachable(kept: Kept) -> Spot | None:
    """The statement or call in which the graphs could be cut off; None when the parts cannot be named."""
    if not kept.paths:
        return None
    return kept.sink.spot


__all__ = ["Kept", "content", "detachable", "holder_name", "leaks", "reasons", "size"]
