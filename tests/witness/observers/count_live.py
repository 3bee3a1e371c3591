"""``count_live.py PROGRAM FUNCTION COUNT...``: call a function with each count; print, as JSON, how much was alive at worst.

``nodes``: nodes of autograd graphs that a module made, seen by a hook that lives as long as its node.
``tensors``: tensors that graphs keep for their backward pass, seen by what they are packed into.
"""

from __future__ import annotations

import json
import runpy
import sys
import weakref
from collections.abc import Callable

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.modules.module import register_module_forward_hook


class Mark:
    """Hangs on a node of a graph."""

    def __call__(self, _gradients: object) -> None:
        """Let the gradients pass."""


class Packed:
    """Holds what a graph saves; detached, because an output that holds its own graph is never freed."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor.detach()


class Census:
    """Those of the things it was shown that are still alive, and the most there have been at one time."""

    def __init__(self) -> None:
        self.alive: weakref.WeakSet[object] = weakref.WeakSet()
        self.most = 0

    def show(self, thing: object) -> None:
        """Take notice of a new thing."""
        self.alive.add(thing)
        self.most = max(self.most, len(self.alive))


def most_alive(function: Callable[[int], object], count: int) -> dict[str, int]:
    """Nodes and tensors that were alive at one time, at most, while ``function(count)`` ran."""
    nodes, tensors = Census(), Census()

    def mark(_module: torch.nn.Module, _entering: object, output: object) -> None:
        if isinstance(output, torch.Tensor) and output.grad_fn is not None:
            nodes.show(hung := Mark())
            output.grad_fn.register_prehook(hung)

    def pack(tensor: torch.Tensor) -> Packed:
        tensors.show(packed := Packed(tensor))
        return packed

    handle = register_module_forward_hook(mark)
    with saved_tensors_hooks(pack, lambda packed: packed.tensor):
        function(count)
    handle.remove()
    return {"nodes": nodes.most, "tensors": tensors.most}


if __name__ == "__main__":
    called = runpy.run_path(sys.argv[1])[sys.argv[2]]
    print(json.dumps([most_alive(called, int(count)) for count in sys.argv[3:]]))
