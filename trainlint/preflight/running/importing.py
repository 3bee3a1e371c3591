"""What runs because a file is imported: the statements at its top that nothing stands around.

What stands behind a test for ``__main__`` does not run then, nor may what stands behind other tests.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator

from trainlint.facts.components import module_of
from trainlint.facts.program import Program
from trainlint.ir.nodes import Ref
from trainlint.ir.sketch import CallStep, Function

TOP = "<module>"


def imported_tops(program: Program, script: str, files: Container[str]) -> dict[int, tuple[str, Function]]:
    """The tops (by id) of those of some files that run with a script: it imports them at its top, or they each other."""
    found: dict[int, tuple[str, Function]] = {}
    waiting, seen = [script], {script}
    while waiting:
        here = waiting.pop()
        for target in _runs_with(program, here):
            if target not in seen and target in files and target in program.modules:
                seen.add(target)
                waiting.append(target)
                top = program.modules[target].functions.get(TOP)
                if top is not None:
                    found[id(top)] = (target, top)
    return found


def stands_free(call: CallStep) -> bool:
    """Whether a call at the top of a file is a statement of its own that nothing stands around: no test, no loop, no ``try``.

    What is only kept for somebody, ``SMALL = Config(dtype="bfloat16")``, says nothing of the job: there may be many of them.
    """
    return call.statement.column == 0 and call.term.site == call.statement


def folders_of(path: str) -> Iterator[str]:
    """The folders around a file, from the inside."""
    while path := path.rpartition(os.sep)[0]:
        yield path


def _runs_with(program: Program, path: str) -> Iterator[str]:
    """The files that a file imports at its top: those that the names lead to, and the packages that they lie in."""
    module = program.modules[path]
    for dotted in (*(term.name for term in module.names.values() if isinstance(term, Ref)), *module.stars):
        target = module_of(program.finder, path, dotted)
        if target is None:
            continue
        yield target
        for folder in folders_of(target):
            package = f"{folder}{os.sep}__init__.py"
            if package not in program.modules:
                break
            yield package
