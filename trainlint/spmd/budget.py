"""How much work the comparison of ranks may be for each file.

One function has limits of its own (statements to run through, steps to compare), but functions that call one another in many
ways can each be as much work as these allow, and machine-written files have thousands. So what all functions of a file take
together grows with the size of the file and no faster.
"""

from __future__ import annotations

from collections.abc import Mapping

from trainlint.ir.sketch import Module
from trainlint.ir.walk import walk

#: Statements to run through for each statement of a file, and those that any file may take. In real projects (accelerate,
#: torchtitan) files take 1.5 on the average and 7.5 at most.
_EACH, _LEAST = 25, 40_000


class Budget:
    """What is left for each file; ``limits`` are what there was, as far as anybody asked."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules
        self._left: dict[str, int] = {}
        self.limits: dict[str, int] = {}

    def spend(self, path: str, amount: int = 1) -> bool:
        """Take something away for the file at ``path``. False when nothing was left, or is."""
        left = self._left.get(path)
        if left is None:
            module = self._modules.get(path)
            size = 0 if module is None else sum(1 for function in module.functions.values() for _ in walk(function.body))
            left = self.limits[path] = _LEAST + _EACH * size
        self._left[path] = left = left - amount
        return left > 0
