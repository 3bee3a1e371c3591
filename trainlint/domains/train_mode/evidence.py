"""What the program as a whole says of a model: that it is trained, that something puts it into one mode or the other."""

from __future__ import annotations

from trainlint.ir.nodes import Attr, Call, Const, Global, Param, Select
from trainlint.ir.sketch import Function
from trainlint.ir.terms import closure
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.object_identity import Identities, Key, Keys
from trainlint.program.program import Program, calls_of
from trainlint.program.values import FunctionValue, names_class

#: Kinds of terms that may stand for a model from outside of a function.
_OUTER = (Global, Param, Call, Select)


def sources(program: Program, key: Key) -> Keys:
    """A model, and what those call it who pass it as a parameter."""
    asked = program.ask(Identities)
    return frozenset(closure((key,), lambda model: frozenset().union(*asked.passed(model))))


def is_trained(program: Program, key: Key) -> bool:
    """Whether something trains a model: puts it into training mode, or gives its parameters to an optimizer."""
    return not program.ask(trained).isdisjoint(sources(program, key))


def trained(program: Program) -> frozenset[Key]:
    """The models that are put into training mode, or whose parameters are given to an optimizer, as each function names them."""
    asked, found = program.ask(Identities), set[Key](program.ask(put_to_training))
    for site in program.ask(CallGraph).sites.get("parameters", ()):
        if isinstance(site.call.term.callee, Attr) and _optimized(site.call.term, site.function):
            found |= asked.of(site.call.term.callee.base, program.frame(site.module, site.function))
    return frozenset(found)


def put_to_training(program: Program) -> frozenset[Key]:
    """The models on which ``train()`` is called, as each function names them."""
    asked, found = program.ask(Identities), set[Key]()
    for name in program.knowledge.ends_evaluation:
        for site in program.ask(CallGraph).sites.get(name, ()):
            term = site.call.term
            if isinstance(term.callee, Attr) and not any(
                isinstance(given, Const) and given.value is False for given in term.args
            ):
                found |= asked.of(term.callee.base, program.frame(site.module, site.function))
    return frozenset(found)


def runs_outer_model(program: Program, target: FunctionValue) -> bool:
    """Whether a function runs a trained model that it is not given: one of the top level, or of a function around it."""
    return program.ask_of(_runs_outer_model, (target.module, target.function))


def _runs_outer_model(program: Program, about: tuple[str, Function]) -> bool:
    module, function = about
    frame, asked, every = program.frame(module, function), program.ask(Identities), program.ask(trained)
    return any(
        not every.isdisjoint(asked.of(node.term.callee, frame))
        for node in calls_of(function)
        if isinstance(node.term.callee, _OUTER)
        and not (isinstance(node.term.callee, Param) and node.term.callee.function == function.qualname)
    )


def put_to_evaluation(program: Program) -> Keys:
    """The models that something puts into evaluation mode, as each function names them."""
    asked, found = program.ask(Identities), set[Key]()
    for name in program.knowledge.evaluates:
        for site in program.ask(CallGraph).sites.get(name, ()):
            if isinstance(site.call.term.callee, Attr):
                found |= asked.of(site.call.term.callee.base, program.frame(site.module, site.function))
    return frozenset(found)


def _optimized(call: Call, function: Function) -> bool:
    """Whether what a call hands out is given to the constructor of an optimizer."""
    for node in calls_of(function):
        name = last_name(node.term.callee) or ""
        if node.term.args and node.term.args[0] is call and names_class(name):
            return True
        if any(value is call for _, value in node.term.kwargs) and names_class(name):
            return True
    return False
