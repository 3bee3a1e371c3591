"""How a program that is being repaired lets all ranks wait: by a call that it can make at that place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainlint.facts.naming import names_of, reference
from trainlint.facts.values import Frame, Made
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, If
from trainlint.ir.walk import statements_of

if TYPE_CHECKING:
    from trainlint.facts.program import Program


def barrier_call(program: Program, frame: Frame, guard: If) -> str | None:
    """The source of a call that waits for all ranks, behind ``guard``; None when no name in sight leads to one."""
    knowledge = program.knowledge
    for node in statements_of(frame.function):
        if type(node) is not CallStep or not before(frame.function, node, guard):
            continue
        for value in program.values(node.term, frame):
            method = knowledge.barriers.get(value.name) if isinstance(value, Made) else None
            if isinstance(value, Made) and method is not None:
                for naming in names_of(program, frame, value):
                    if naming.always:
                        return f"{naming.text}.{method}()"
    for name, method in knowledge.barriers.items():
        if "." in method:
            text = reference(method, program.modules[frame.module])
            if text is not None and name in knowledge.jobs:
                return f"{text}()"
    return None
