"""Models that are made anew after an optimizer took the parameters of the one before, which nobody uses any more."""

from __future__ import annotations

from trainlint.facts.modes.identity import Identities
from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.taken import Taken
from trainlint.facts.values import ClassValue, Frame, Instance, Library, Made
from trainlint.ir.bindings import values_of
from trainlint.ir.nodes import Attr, Call, Self, Term
from trainlint.ir.order import before, same_round
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Loop, Statement, Store, With
from trainlint.ir.terms import mentions, parts_through
from trainlint.ir.walk import of_kind, statements_of


def rebuilt(program: Program, taken: Taken) -> Call | None:
    """The call that makes the model anew, in the function in which the optimizer takes the parameters of the first."""
    function = taken.frame.function
    if len(taken.keys) != 1:
        return None
    maker = program.ask(Identities).makers.get(next(iter(taken.keys)))
    if maker is None or maker.call is None or maker.frame is None or maker.frame.function is not function:
        return None
    if not same_round(function, maker.call, taken.node.term) or _is_used(function, maker.call, taken):
        return None
    for node in calls_of(function):
        call = node.term
        if not before(function, taken.node, node) or call is maker.call or not _is_like(program, maker, call, taken.frame):
            continue
        if _takes_its_place(function, maker.call, call, taken.node.term):
            return call
    return None


def _is_like(program: Program, maker: Made | Instance, call: Call, frame: Frame) -> bool:
    """Whether a call makes a model of the same class, or in the same way."""
    values = program.values(call, frame)
    if len(values) != 1:
        return False
    value = values[0]
    if isinstance(maker, Instance):
        registers = program.knowledge.registers
        own = isinstance(value, Instance) and value.cls is maker.cls and value.call is call
        return own and any(
            isinstance(base, Library) and base.name in registers for base in program.lineage(ClassValue(maker.module, maker.cls))
        )
    if not isinstance(value, Made) or value.name != maker.name or value.call is not call:
        return False
    return not value.name.startswith(program.knowledge.written["layers"])  # many layers are made in one way


def _takes_its_place(function: Function, old: Term, new: Term, optimizer: Term) -> bool:
    """Whether a name, or an attribute, holds the new one and nothing holds the old one."""
    held = [*values_of(function), *function.ended.values()]
    kept = [*(node.value for node in of_kind(function, Store)), *(node.value for node in of_kind(function, Keep))]
    if any(_besides(term, old, optimizer) for term in held):
        return False
    targets = {node.target for node in of_kind(function, Store) if _besides(node.value, old, optimizer)}
    again = {node.target for node in of_kind(function, Store) if mentions(node.value, new)}
    if targets:
        return targets <= again
    return any(mentions(term, new) for term in (*held, *kept))


def _is_used(function: Function, old: Term, taken: Taken) -> bool:
    """Whether the first model is handed to anybody but the optimizer, or goes on to be used behind it."""
    stored = {node.target for node in of_kind(function, Store) if _besides(node.value, old, taken.node.term)}
    carried = [name for name, (before, _) in function.carried.items() if mentions(before, old)]
    for node in statements_of(function):
        for term in _terms(node):
            if any(mentions(term, name) for name in carried):
                return True
            if not mentions(term, old) or mentions(taken.node.term, term):
                continue
            if _spot(node) > taken.node.term.site[:2]:
                if _besides(term, old, taken.node.term):
                    return True
            elif not isinstance(node, Store) and not _is_own_method(term, old):
                return True
    return any(not isinstance(target, Attr) or not isinstance(target.base, Self) for target in stored)


def _besides(term: Term, old: Term, optimizer: Term) -> bool:
    """Whether a term mentions the model otherwise than through the optimizer that was made of it."""
    return any(part is old for part in parts_through(term, lambda each: [] if each in (old, optimizer) else each.subterms()))


def _is_own_method(term: Term, old: Term) -> bool:
    """Whether a term is a chain of methods of the model: ``model.to(device)``."""
    while isinstance(term, (Call, Attr)):
        if term is old:
            return True
        if isinstance(term, Call) and any(mentions(given, old) for given in term.args):
            return False
        term = term.stem
    return term is old


def _spot(node: Statement) -> tuple[int, int]:
    spot = node.term.site if isinstance(node, CallStep) else node.spot
    return (spot[0], spot[1])


def _terms(node: Statement) -> list[Term]:
    if isinstance(node, CallStep):
        return [node.term]
    if isinstance(node, Loop):
        return [node.subject]
    if isinstance(node, With):
        return list(node.items)
    value = node.value if isinstance(node, (Store, Keep, Exit)) else None
    return [value] if isinstance(value, Term) else []
