"""Functions that are compiled anew in each round or call: ``jit`` of something that is another object every time.

What ``jit`` compiled is kept by the function it was given. A lambda, a function defined inside, a ``partial``, a bound method and
what ``grad`` returns are other objects each time (jax 0.10, run).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.jax.traced import COMPILES, TracedFunctions
from trainlint.facts.loops import runs_once
from trainlint.facts.naming import reference
from trainlint.facts.partials import partial_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.traced.roots import Roots
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    LITERALS,
    Attr,
    Call,
    Display,
    Element,
    LoopPhi,
    Nested,
    Ref,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.order import loops_around, made_within, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.sites.changes import Change, InsertBefore, Rewrite, Together

Kind = Literal["lambda", "function", "partial", "method", "transformed"]
#: What a repair calls the compiled function.
_COMPILED = "compiled"


class Fresh(NamedTuple):
    """A call that compiles something fresh, and the loop that runs it: here, or around a call of the function (``caller``)."""

    module: str
    node: CallStep
    kind: Kind
    loop: tuple[str, Spot]
    caller: tuple[str, Spot] | None
    change: Change | None = None


def fresh(program: Program) -> Iterator[Fresh]:
    """Each such call whose result is called where it was made."""
    for module, function in program.functions():
        made = [node for node in calls_of(function) if node.term.args and _is_compiled(program, module, function, node)]
        if (
            not made
            or program.ask(TracedFunctions).how(module, function) is not None
            or tests_software(program, module, function)
        ):
            continue
        for node in made:
            kind = _kind(program, node.term.args[0], program.frame(module, function))
            uses = [each for each in calls_of(function) if each.term.callee is node.term]
            if kind is None or not uses or _is_kept(function, node.term):
                continue
            loop = _loop_of(function, node, uses)
            if loop is not None:
                if _is_made_in(program, module, node.term.args[0], function, loop) and not _is_about(
                    program, module, node.term, function, loop
                ):
                    yield Fresh(
                        module, node, kind, (module, loop.spot), None, _before(program, module, function, node, uses, loop)
                    )
                continue
            around = _called_in_a_loop(program, function)
            if around is not None and not loops_around(function, node):
                yield Fresh(module, node, kind, *around)


def _is_compiled(program: Program, module: str, function: Function, node: CallStep) -> bool:
    values = program.values(node.term.callee, program.frame(module, function))
    return any(isinstance(value, Library) and program.ask(Roots).word(value) in COMPILES for value in values)


def _kind(program: Program, given: Term, frame: Frame) -> Kind | None:
    """What makes a function another object each time."""
    if isinstance(given, Nested):
        return "lambda" if "<lambda" in given.name else "function"
    for value in program.values(given, frame):
        if partial_of(value) is not None:
            return "partial" if isinstance(given, Call) else None
        if (
            isinstance(value, FunctionValue)
            and isinstance(given, Attr)
            and isinstance(given.base, Self)
            and value.function.kind == "method"
        ):
            return "method"
        if isinstance(given, Call) and program.ask(Roots).is_same(value):
            return "transformed"
    return None


def _is_kept(function: Function, made: Term) -> bool:
    """Whether what is compiled is stored: in an attribute, a dict, a global."""
    stored = [each.value for each in of_kind(function, Store)]
    stored += [each.value for each in of_kind(function, Keep) if isinstance(each.target, Subscript)]
    return any(value is made for value in stored)


def _before(program: Program, module: str, function: Function, node: CallStep, uses: list[CallStep], loop: Loop) -> Change | None:
    """A bound method that is compiled before the loop, where the result is called at once."""
    call = node.term
    given = name_in(call.args[0], function)
    name = reference(call.callee.name, program.modules[module]) if isinstance(call.callee, Ref) else None
    if name is None or given is None or len(call.args) > 1 or call.kwargs or len(uses) != 1 or loop.kind not in ("for", "while"):
        return None
    if not isinstance(call.args[0], Attr) or uses[0].statement != node.statement or not uses[0].term.site.holds(call.site):
        return None
    message = "Compile it once, before the loop"
    insert = InsertBefore(Applicability.DISPLAY, message, statement=loop.spot, code=f"{_COMPILED} = {name}({given})")
    paths = ((("arguments", 0),),)
    use = Rewrite(Applicability.DISPLAY, message, spot=uses[0].term.site, code=f"{_COMPILED}({{0}})", paths=paths)
    return Together(Applicability.DISPLAY, message, changes=(insert, use))


def _loop_of(function: Function, node: CallStep, uses: list[CallStep]) -> Loop | None:
    """The innermost loop in each round of which it is compiled and called."""
    loops = (each for each in reversed(loops_around(function, node)) if repeats(each))
    return next((each for each in loops if any(within(function, each, use) for use in uses)), None)


def repeats(loop: Loop) -> bool:
    """Whether a loop has many rounds, for all that can be seen: it goes over nothing that is written down."""
    subject = loop.subject
    if loop.kind == "while":
        return True
    if isinstance(subject, LITERALS):
        return False
    if isinstance(subject, Call) and any(isinstance(each, Display) for each in subject.args):
        return False
    return not runs_once(loop)


def _is_made_in(program: Program, module: str, given: Term, function: Function, loop: Loop) -> bool:
    """Whether what is compiled is made in a round, and not before the loop: then it is one object for all rounds."""
    inner = program.modules[module].functions.get(given.name) if isinstance(given, Nested) else None
    made = inner.spot if inner is not None else given.site if isinstance(given, Call) else None
    return made is None or made_within(function, loop, made)


def _is_about(program: Program, module: str, made: Call, function: Function, loop: Loop) -> bool:
    """Whether what is compiled is about the round: another function each time, which must be compiled."""
    given = made.args[0]
    terms = [*made.args, *(value for _, value in made.kwargs)]
    functions = program.modules[module].functions
    own = given.name if isinstance(given, Nested) else ""
    for name, each in functions.items() if own in functions else ():
        if name == own or name.startswith(f"{own}."):
            for node in statements_of(each):
                terms += [part for part in node if isinstance(part, Term)]
    for term in terms:
        for part in parts_of(term):
            if isinstance(part, Element) and made_within(function, loop, part):
                return True
            if isinstance(part, LoopPhi) and (part.line, part.column) == loop.spot[:2]:
                return True
            if isinstance(part, Call) and part is not given and within(function, loop, part):
                return True
    return False


def _called_in_a_loop(program: Program, function: Function) -> tuple[tuple[str, Spot], tuple[str, Spot]] | None:
    """A loop that calls a function, and the call; None where something may keep what it returns, or it is traced there."""
    if function.decorators or function.kind == "module" or function.generator:
        return None
    if any(word in function.name.lower() for word in program.knowledge.tables["traced.starts"]["names"]):
        return None
    for site in program.ask(CallGraph).callers(function):
        if site.function is function or program.ask(TracedFunctions).how(site.module, site.function) is not None:
            continue
        if tests_software(program, site.module, site.function):
            continue
        for loop in of_kind(site.function, Loop):
            if loop.kind in ("for", "while") and repeats(loop) and within(site.function, loop, site.call.term):
                return (site.module, loop.spot), (site.module, site.call.term.site)
    return None


__all__ = ["Fresh", "Kind", "fresh", "repeats"]
