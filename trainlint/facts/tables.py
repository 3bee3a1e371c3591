"""Tables of classes: functions that make a decorator by which a class is put into a table (``MODELS[name] = cls``)."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.ir.nodes import Param, Subscript
from trainlint.ir.sketch import Function, Keep, Module, Store
from trainlint.ir.walk import statements_of


def enrolling(module: Module) -> Iterator[Function]:
    """The functions of a file with a function in them that sets an item to what it is given; no methods."""
    for function in module.functions.values():
        if function.outer is not None and _keeps_parameter(function):
            outer = module.functions.get(function.outer)
            if outer is not None and outer.cls is None:
                yield outer


def _keeps_parameter(function: Function) -> bool:
    return any(
        isinstance(node, (Keep, Store))
        and isinstance(node.target, Subscript)
        and isinstance(node.value, Param)
        and node.value.function == function.qualname
        for node in statements_of(function)
    )
