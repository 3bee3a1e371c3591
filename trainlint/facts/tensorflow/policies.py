"""Where a program asks TensorFlow to compute in float16: the policy of Keras for all layers, or the rewriting of graphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.leading import Leading, Leads
from trainlint.facts.values import Frame, Library, Made, Other
from trainlint.ir.nodes import Const, Dict, Term
from trainlint.ir.sketch import CallStep, Function

_DEEPEST = 3


class Half(NamedTuple):
    """A call that asks for float16, and the functions that lead to it.

    ``rewrites``: graphs are rewritten, and layers know nothing of it.
    """

    module: str
    function: Function
    node: CallStep
    leading: Leading
    rewrites: bool

    def holds(self, leading: Leading) -> bool:
        """Whether what these functions lead to runs in a program that asks so: one function leads to both.

        What is asked at the top level of a file holds for all of its functions.
        """
        if not leading.keys().isdisjoint(self.leading):
            return True
        return self.function.kind == "module" and any(module == self.module for module, _ in leading.values())


def halves(program: Program) -> list[Half]:
    """All such calls in a program (looked for once)."""
    return list(_halves(program))


def _halves(program: Program) -> Iterator[Half]:
    table = program.knowledge.tables["tensorflow"]
    sets, rewrites = frozenset(table["sets_policy"]), frozenset(table["rewrites"])
    index = program.ask(CallGraph)
    for name in sorted({dotted.rpartition(".")[2] for dotted in sets | rewrites}):
        for site in index.sites.get(name, ()):
            if tests_software(program, site.module, site.function) or not site.call.term.args:
                continue
            called = {
                value.name
                for value in program.values(site.call.term.callee, program.frame(site.module, site.function))
                if isinstance(value, Library)
            }
            if called.isdisjoint(sets | rewrites):
                continue
            leading: Leading = {}
            for frame in activations(program, site.module, site.function):
                if _asks(program, site.call.term.args[0], frame, rewrites=not called.isdisjoint(rewrites)):
                    leading.update(program.ask(Leads).to_frame(frame))
            if leading:
                yield Half(site.module, site.function, site.call, leading, not called.isdisjoint(rewrites))


def _asks(program: Program, given: Term, frame: Frame, *, rewrites: bool) -> bool:
    table = program.knowledge.tables["tensorflow"]
    if not rewrites:
        return not policies(program, given, frame).isdisjoint(table["half"])
    for value in program.values(given, frame):
        if isinstance(value, Other) and isinstance(value.term, Dict):
            for key, switched in value.term.items:
                if key is not None and isinstance(key, Const) and key.value in table["rewritten"]:
                    return not (isinstance(switched, Const) and not switched.value)
    return False


def policies(program: Program, given: Term, frame: Frame, depth: int = 0) -> set[str]:
    """The names of the policies that a term may stand for: the name itself, or a policy made of it."""
    found: set[str] = set()
    for value in program.values(given, frame):
        if isinstance(value, Other) and isinstance(value.term, Const) and isinstance(value.term.value, str):
            found.add(value.term.value)
        elif isinstance(value, Made) and value.call is not None and value.frame is not None and depth < _DEEPEST:
            named = value.call.args[:1] or tuple(term for name, term in value.call.kwargs if name == "name")
            if value.name in program.knowledge.tables["tensorflow"]["policies"] and named:
                found |= policies(program, named[0], value.frame, depth + 1)
    return found


__all__ = ["Half", "halves", "policies"]
