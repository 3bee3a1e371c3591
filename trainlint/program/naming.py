"""What a value is called at a place of the program, so that a message or a repair can name it.

Also what the project, or a library whose source is in sight, is called by others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple

from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Ref, Select, Self, Term
from trainlint.ir.printer import model_in, name_in
from trainlint.ir.sketch import Module, Store
from trainlint.ir.walk import of_kind
from trainlint.program.heap import holds_none
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Instance, LibraryObject, Value

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words_in(name: str) -> list[str]:
    """The words that a name is made of, in lower case: `saveGPUMemory`, `save_gpu_memory` and `SAVE_GPU_MEMORY2` have three."""
    return [word.lower() for word in _WORD.findall(name)]


def speaks_of(name: str, beginnings: Iterable[str]) -> bool:
    """Whether a word in a name begins so: `loadWeights` and `init_model` with `load` and `init`, `payload` with neither."""
    words = words_in(name)
    return any(word.startswith(beginning) for beginning in beginnings for word in words)


def library_method(program: Program, frame: Context) -> str | None:
    """The dotted name of a method that all ranks have to call, if an activation that nobody in sight makes is one of it.

    That is told by the folders of its file, its class and its name: ``accelerate/accelerator.py``, ``Accelerator.save_state``.
    """
    function = frame.function
    if function.cls is None or frame.caller is not None:
        return None
    wanted, roots = program.ask(_run_by_all)
    return next((name for name in names_of_source(program, frame.module, function.qualname, roots) if name in wanted), None)


def _run_by_all(program: Program) -> tuple[frozenset[str], frozenset[str]]:
    """What libraries have that all ranks have to call, and their packages."""
    wanted = frozenset((*program.knowledge.collectives, *program.knowledge.job_hooks.values()))
    return wanted, frozenset(name.partition(".")[0] for name in wanted)


class Naming(NamedTuple):
    """An expression that holds a value here; ``always`` is False when it may hold something else, ``or_none`` says: only None."""

    text: str
    always: bool
    or_none: bool = True


def names_of(program: Program, frame: Context, wanted: LibraryObject | Instance) -> Iterator[Naming]:
    """The local names, globals and attributes of ``self`` that hold a value in an activation, locals first."""
    function = frame.function
    held = held_at_end(function)
    for name, term in held.items():
        yield from _fits(program, name, term, frame, wanted)
    for parameter in function.parameters:
        if parameter not in held and parameter in frame.arguments:
            bound = frame.arguments[parameter]
            if isinstance(bound, Argument):
                yield from _fits(program, parameter, bound.term, bound.frame, wanted)
    if function.kind == "method" and function.parameters:
        yield from _attributes(program, frame, wanted)
    if function.kind != "module":
        module = program.modules[frame.module]
        top = program.frame(frame.module, module.functions["<module>"])
        for name, term in module.names.items():
            if isinstance(term, (Call, Select)):
                yield from _fits(program, name, term, top, wanted)


def _attributes(program: Program, frame: Context, wanted: LibraryObject | Instance) -> Iterator[Naming]:
    owner = frame.owner()
    if not isinstance(owner, Instance):
        return
    own = frame.function.parameters[0]
    for qualname in owner.cls.methods.values():
        method = program.modules[owner.module].functions[qualname]
        inner = program.instance_frame(owner, owner.module, method)
        for node in of_kind(method, Store):
            if isinstance(node.target, Attr) and isinstance(node.target.base, Self):
                yield from _fits(program, f"{own}.{node.target.name}", node.value, inner, wanted)


def _fits(program: Program, name: str, term: Term, frame: Context, wanted: LibraryObject | Instance) -> Iterator[Naming]:
    values = program.values(term, frame)
    if any(same(value, wanted) for value in values):
        others = [value for value in values if not same(value, wanted)]
        none = all(holds_none(value) for value in others)
        yield Naming(name, not others, none)


def same(value: Value, wanted: LibraryObject | Instance) -> bool:
    """Whether two values come from the same call."""
    return isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.call is wanted.call


def receiver(call: Call) -> Term | None:
    """What a method is called on; None where what is called is no attribute of anything."""
    return call.callee.base if isinstance(call.callee, Attr) else None


def reference(dotted: str, module: Module) -> str | None:
    """How a library's thing can be written at the top level of a file, by the imports that are there."""
    names = {term.name: name for name, term in module.names.items() if isinstance(term, Ref) and name not in module.rebound}
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        known = names.get(".".join(parts[:count]))
        if known is not None:
            return ".".join((known, *parts[count:]))
    return None


def names_of_source(program: Program, path: str, qualname: str, roots: Collection[str]) -> Iterator[str]:
    """The canonical dotted names that something may have in a library, by the path of its file.

    ``roots`` are the names of the packages that are asked about, which are folders: ``horovod`` for ``horovod/torch/mpi_ops.py``.
    """
    if not any(root in path for root in roots):
        return
    place = PurePath(path).with_suffix("")
    for start, folder in enumerate(place.parts[:-1]):
        if folder in roots:
            parts = (*place.parts[start:], *qualname.split("."))
            yield program.knowledge.canonical(".".join(part for part in parts if part != "__init__"))


__all__ = ["Naming", "model_in", "name_in", "names_of", "receiver", "reference", "same"]
