"""What makes TensorFlow trace a function again: Python numbers that are others each time, and ``tf.function`` made anew.

A Python number is part of what a trace is kept by, also with ``reduce_retracing``; a tensor, a number of NumPy and what a
signature turns into a tensor are not (TensorFlow 2.21, run).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.domains.tensorflow.traced_functions import WORDS, Traced, called, runs_in_trace
from trainlint.domains.traced.functions import Roots, is_about_round
from trainlint.edits.changes import Change, Rewrite, SetKeyword
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    LITERALS,
    BinOp,
    Call,
    Const,
    Dict,
    Element,
    Kwargs,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Self,
    SequenceDisplay,
    Term,
)
from trainlint.ir.order import is_step, loops_around, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Loop, Store
from trainlint.ir.terms import mentions, parts_of, whole_number
from trainlint.ir.walk import of_kind, statements_of, stored
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import own_then_called
from trainlint.program.induction import is_range, round_number
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import leading_step
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, Library

Kind = Literal["counter", "number", "made"]
#: So many traces are no storm.
_FEW = 10
_SIGNATURE = "input_signature"
_DISPLAY = Applicability.DISPLAY
_NUMBERS = frozenset(("builtins.int", "builtins.float"))
_STEADY = frozenset(("Mod", "FloorDiv"))


class Retraced(NamedTuple):
    """A call that traces again: of a function, with a number (``name``), or of ``tf.function`` itself; and the loop around it."""

    module: str
    node: CallStep
    kind: Kind
    name: str | None
    loop: tuple[str, Spot] | None
    change: Change | None


def retraced(program: Program) -> Iterator[Retraced]:
    """Each such call."""
    seen: set[tuple[str, Spot]] = set()
    for site in _sites(program):
        module, function, node = site
        if (module, node.term.site) in seen or tests_software(program, module, function) or runs_in_trace(program, function):
            continue
        seen.add((module, node.term.site))
        loops = [each for each in of_kind(function, Loop) if each.kind in ("for", "while") and _is_long(each)]
        around = [each for each in loops if within(function, each, node)]
        found = _made_anew(program, module, function, node, around) or _handed_back(program, module, function, node, around)
        traced = called(program, node.term, program.frame(module, function)) if found is None else None
        if traced is not None and not traced.has(_SIGNATURE):
            found = _numbered(program, site, traced)
        if found is not None:
            yield found
    yield from _nested(program)


def _nested(program: Program) -> Iterator[Retraced]:
    """A function that is defined and decorated in another one, which calls it and is itself called by a loop.

    One that uses what the other was given has to be another function each time, for all that can be seen.
    """
    index = program.ask(CallGraph)
    for each in program.ask(Roots).all().values():
        for root in each:
            inner, module = root.target.function, root.target.module
            outer = program.modules[module].functions.get(inner.outer or "")
            if root.word not in WORDS or root.spot not in inner.decorator_spots or outer is None or outer.kind == "module":
                continue
            uses = [
                node
                for node in calls_of(outer)
                if isinstance(node.term.callee, Nested) and node.term.callee.name == inner.qualname
            ]
            if not uses or _is_kept(outer, uses[0].term.callee) or _uses_parameters(program, module, inner, outer):
                continue
            if tests_software(program, module, outer) or runs_in_trace(program, outer):
                continue
            if any(loops_around(outer, node) for node in uses):
                continue  # a trace for many calls
            for site in index.callers(outer):
                loops = [loop for loop in of_kind(site.function, Loop) if loop.kind in ("for", "while") and _is_long(loop)]
                loop = next((loop for loop in loops if within(site.function, loop, site.call.term)), None)
                if loop is not None and not tests_software(program, site.module, site.function):
                    yield Retraced(module, uses[0], "made", None, (site.module, loop.spot), None)
                    break


def _is_kept(outer: Function, inner: Term) -> bool:
    """Whether a function leaves the one in which it is defined: returned, stored, handed over."""
    values: list[Term | None] = [node.value for node in of_kind(outer, Store)]
    values += [node.value for node in of_kind(outer, Keep)]
    values += [node.value for node in of_kind(outer, Exit)]
    given = [each for node in calls_of(outer) for each in (*node.term.args, *(value for _, value in node.term.kwargs))]
    return any(value is not None and _stands_in(value, inner) for value in (*values, *given))


def _stands_in(value: Term, inner: Term) -> bool:
    """Whether a function is a part of a value otherwise than as what is called."""
    if value is inner:
        return True
    for part in parts_of(value):
        parts = (*part.args, *(given for _, given in part.kwargs)) if isinstance(part, Call) else part.subterms()
        if any(each is inner for each in parts):
            return True
    return False


def _uses_parameters(program: Program, module: str, inner: Function, outer: Function) -> bool:
    """Whether a function uses what the one around it was given, or what that has computed."""
    for name, function in program.modules[module].functions.items():
        if inner.qualname not in (name, function.outer):
            continue
        for node in statements_of(function):
            for term in (part for part in node if isinstance(part, Term)):
                for part in parts_of(term):
                    around = isinstance(part, (Param, Kwargs)) and part.function == outer.qualname
                    made = isinstance(part, Call) and is_step(outer, part)
                    if around or made or isinstance(part, Self):
                        return True
    return False


def _sites(program: Program) -> Iterator[CallSite]:
    """The calls of what has the name of a traced function, of what holds one, and of what traces."""
    index = program.ask(CallGraph)
    names = {dotted.rpartition(".")[2] for dotted in program.knowledge.tables["tensorflow"]["traces"]}
    for target in (root.target.function for each in program.ask(Roots).all().values() for root in each if root.word in WORDS):
        names.update(index.names_of(target))
    for name in sorted(names):
        yield from index.sites_named(name)


def _is_long(loop: Loop) -> bool:
    """Whether a loop has more than a few rounds, for all that is written there."""
    subject = loop.subject
    if isinstance(subject, LITERALS) and loop.kind == "for":
        return False
    if is_range(subject):
        ends = map(whole_number, subject.args)
        return not all(end is not None and end <= _FEW for end in ends)
    return True


def _numbered(program: Program, site: CallSite, traced: Traced) -> Retraced | None:
    """A Python number that is another one in each round, or at each call, among the arguments."""
    module, function, node = site
    arguments: list[tuple[int, str | None, Term]] = [(index, None, each) for index, each in enumerate(node.term.args)]
    arguments += [(index, name, each) for index, (name, each) in enumerate(node.term.kwargs)]
    for frame in own_then_called(program, site):
        for index, name, given in arguments:
            loop = _changing(program, given, frame, node)
            if loop is not None:
                spelling = name_in(given, function)
                change = _converted(program, module, node, spelling, index, name)
                return Retraced(module, node, "counter", spelling, loop, change)
    for index, name, given in arguments:
        if isinstance(given, Param) and _bounds(program, given, function, node, index, name, traced):
            change = _converted(program, module, node, given.name, index, name)
            return Retraced(module, node, "number", given.name, None, change)
    return None


def _changing(program: Program, given: Term, frame: Context, node: CallStep) -> tuple[str, Spot] | None:
    """The loop around a call whose rounds a Python number counts that the call is given, or one that is reckoned from it."""
    for part in reached(program, given, frame, _reckoned_from):
        number = round_number(program, *part)
        lead = leading_step(frame, node, number.frame) if number is not None and number.frame in frame.active() else None
        if number is not None and lead is not None and _is_long(number.loop) and within(number.frame.function, number.loop, lead):
            return number.frame.module, number.loop.spot
    return None


def _reckoned_from(given: Term, frame: Context) -> list[Argument] | None:
    """The numbers that arithmetic changes with."""
    if isinstance(given, BinOp):
        return [Argument(side, frame) for side in given.sides] if given.op not in _STEADY else []
    if isinstance(given, Call) and isinstance(given.callee, Ref):
        return [Argument(each, frame) for each in given.args[:1]] if given.callee.name in _NUMBERS else []
    return [] if isinstance(given, (Element, LoopPhi)) else None


def _bounds(
    program: Program, given: Param, function: Function, node: CallStep, index: int, name: str | None, traced: Traced
) -> bool:
    """Whether a number that callers choose bounds a loop of TensorFlow in the traced function: meant to be a tensor."""
    default = function.defaults.get(given.name) if given.function == function.qualname else None
    if default is None or not isinstance(default, Const) or type(default.value) is not int or function.kind != "method":
        return False  # what a function is told once for a run is one number
    if loops_around(function, node) or _few_values(program, function, given):
        return False
    target = traced.target.function
    own = target.parameters[1:] if target.kind in ("method", "classmethod") else target.parameters
    parameter = name if name is not None else own[index] if index < len(own) else None
    ranges = program.knowledge.tables["tensorflow"]["ranges"]
    for inner in calls_of(target):
        values = program.values(inner.term.callee, program.frame(traced.target.module, target))
        if any(isinstance(value, Library) and value.name in ranges for value in values):
            parts = [part for each in inner.term.args for part in parts_of(each)]
            if any(isinstance(part, Param) and part.function == target.qualname and part.name == parameter for part in parts):
                return True
    return False


def _few_values(program: Program, function: Function, given: Param) -> bool:
    """Whether those who call a function are in sight, and choose one number among two for this parameter."""
    sites = program.ask(CallGraph).callers(function)
    said: set[object] = set()
    for site in sites:
        passed = dict(site.call.term.kwargs).get(given.name)
        places = function.parameters[1:] if function.kind == "method" else function.parameters
        position = places.index(given.name) if given.name in places else len(places)
        if passed is None and len(site.call.term.args) > position:
            passed = site.call.term.args[position]
        if passed is not None:
            said.add(passed.value if isinstance(passed, Const) else passed)
    return bool(sites) and len(said) <= 1 and not any(isinstance(each, Term) for each in said)


def _converted(
    program: Program, module: str, node: CallStep, spelling: str | None, index: int, name: str | None
) -> Change | None:
    """The number as a tensor."""
    constant = reference(program.knowledge.tables["tensorflow"]["constant"][0], program.modules[module])
    if constant is None or spelling is None:
        return None
    message = "Pass it as a tensor"
    if name is not None:
        return SetKeyword(_DISPLAY, message, call=node.term.site, keyword=name, value=f"{constant}({spelling})")
    paths: list[tuple[tuple[str, int | str], ...]] = [(("function", 0),)]
    paths += [(("argument", place),) for place in range(index + 1)]
    before = "".join(f"{{{place + 1}}}, " for place in range(index))
    code = f"{{0}}({before}{constant}({{{index + 1}}}){{,{index + 2}}})"
    return Rewrite(_DISPLAY, message, spot=node.term.site, code=code, paths=(*paths, (("arguments", index + 1),)))


def _made_anew(program: Program, module: str, function: Function, node: CallStep, around: list[Loop]) -> Retraced | None:
    """A ``tf.function`` that is made in each round of a loop and called there."""
    if not around or not node.term.args:
        return None
    frame: Context = program.frame(module, function)
    table = program.knowledge.tables["tensorflow"]
    if not program.may_be_one_of(node.term.callee, frame, table["traces"]):
        return None
    loop = around[-1]
    uses = [each for each in calls_of(function) if each.term.callee is node.term and within(function, loop, each)]
    if any(not within(function, each, node) for use in uses for each in loops_around(function, use)):
        return None  # a trace for many calls
    if (
        not uses
        or _is_stored(function, node.term)
        or is_about_round(program, module, node.term, node.term.args[0], function, loop)
    ):
        return None
    return Retraced(module, node, "made", None, (module, loop.spot), None)


def _handed_back(program: Program, module: str, function: Function, node: CallStep, around: list[Loop]) -> Retraced | None:
    """A traced function that a helper defines and hands back in each round of a loop, where it is called."""
    frame = program.frame(module, function)
    traced = called(program, node.term, frame) if around else None
    made = traced.target.closure if traced is not None else None
    call = made.call if made is not None and made.caller is frame else None
    step = next((each for each in calls_of(function) if each.term is call), None)
    if call is None or step is None or not within(function, around[-1], step) or _is_stored(function, call):
        return None
    if any(not within(function, each, step) for each in loops_around(function, node)):
        return None  # a trace for many calls
    if is_about_round(program, module, call, call.callee, function, around[-1]):
        return None
    return Retraced(module, step, "made", None, (module, around[-1].spot), None)


def _is_stored(function: Function, made: Call) -> bool:
    """Whether a function stores what a call makes."""
    return any(_is_held(value, made) for value in stored(function))


def _is_held(value: Term, made: Term) -> bool:
    """Whether a value is what a call made, by itself or in a display."""
    return value is made or (isinstance(value, (SequenceDisplay, Dict)) and mentions(value, made))


__all__ = ["Kind", "Retraced", "retraced"]
