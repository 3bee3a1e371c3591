"""Donated buffers: values given to a compiled function, which may overwrite their memory, and read afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.jax.async_dispatch import Dispatch
from trainlint.domains.traced.functions import Roots
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import (
    NAMED,
    Access,
    Attr,
    Call,
    Const,
    Element,
    Global,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.order import loops_around, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.inlining import Inlined, inlined
from trainlint.program.leading import Leading
from trainlint.program.loops import in_each_round, is_fixed
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject

_COMPILES = ("jit", "pmap")
_NUMBERS, _NAMES = "donate_argnums", "donate_argnames"
_HELD = (Param, Call, Subscript, LoopPhi)


class Donated(NamedTuple):
    """A call that reads what was given away; ``by`` is the call that it was given to, ``told`` where that is said.

    ``loop``: every round of it gives the same thing away.
    """

    module: str
    node: CallStep
    name: str | None
    by: tuple[str, Spot]
    told: tuple[str, Spot] | None
    loop: tuple[str, Spot] | None = None


class _Compiled(NamedTuple):
    """A compiled function that is given things: positions among the arguments of a call, and names."""

    positions: tuple[int, ...]
    names: tuple[str, ...]
    parameters: tuple[str, ...]
    told: tuple[str, Spot]


def donated(program: Program) -> Iterator[Donated]:
    """Each such call, once: also where it stands in several functions, as a helper of theirs."""
    found: dict[tuple[tuple[str, Spot], int], Donated] = {}
    for number, each in _donated(program):
        known = found.setdefault((each.by, number), each)
        if known.name is None and each.name is not None:
            found[each.by, number] = each
    yield from found.values()


def _giving(program: Program) -> Iterator[Function]:
    """The functions in which something may be given away: to a compiled function, or to one that calls what it is handed."""
    asked = program.ask(Dispatch)
    calling: list[Function] = []
    for path, function in program.functions():
        frame = program.frame(path, function)
        calls = calls_of(function) if asked.used(path) else ()
        if any(_compiled(program, node.term, frame) is not None for node in calls):
            yield function
        elif any(isinstance(node.term.callee, (Param, LoopPhi)) for node in calls):
            calling.append(function)
    for lead in program.ask(Leading).to(*calling).values():
        if any(_hands_compiled(program, site) for site in lead.sites):
            yield lead.function


def _hands_compiled(program: Program, site: CallSite) -> bool:
    """Whether a call is handed a compiled function."""
    frame, call = program.frame(site.module, site.function), site.call.term
    parts = parts_of(*call.args, *(value for _, value in call.kwargs))
    return any(isinstance(part, (Call, Nested, *NAMED)) and _is_compiled(program, part, frame) for part in parts)


def _donated(program: Program) -> Iterator[tuple[int, Donated]]:
    """Each with the number of what is given away among what the call gives away."""
    giving = program.ask(Leading).to(*_giving(program))
    for path, written in program.functions():
        if id(written) not in giving:
            continue
        whole = program.ask_of(inlined, (path, written, None))
        module, function, frame = whole.module, whole.function, whole.frame
        placed: list[tuple[CallStep, Led]] | None = None
        for node in calls_of(function):
            if not isinstance(node.term.callee, (Call, Global, Ref, Param, Access, Element, LoopPhi, Nested, Select)) or not (
                node.term.args or node.term.kwargs
            ):
                continue
            found = _compiled(program, node.term, frame)
            if found is None or tests_software(program, module, function):
                continue
            if placed is None:
                placed = [(each, led) for each, led in walk_tested(function.body) if isinstance(each, CallStep)]
            for number, given in enumerate(_given_away(program, found, node.term)):
                for each in _read(program, whole, placed, node, _buffer(program, given, frame), found):
                    yield number, each


def _compiled(program: Program, call: Call, frame: Context) -> _Compiled | None:
    """What a call runs, if that is a compiled function which is given things."""
    for value in program.values(call.callee, frame):
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            if program.ask(Roots).word(value) in _COMPILES and _hands_back(program, value.name):
                targets = list(program.ask(Roots).inner(value))
                parameters = _parameters(targets[0], bound=targets[0].receiver is not None) if len(targets) == 1 else ()
                return _options(program, value.call, targets, parameters, (value.frame.module, value.call.site), 0)
        elif isinstance(value, FunctionValue) and value.function.decorators:
            for root in program.ask(Roots).of(value.function):
                decorated = root.spot in value.function.decorator_spots
                if decorated and root.word in _COMPILES and root.call is not None and _hands_back(program, root.name):
                    bound = value.function.kind == "method" and value.receiver is not None
                    parameters = _parameters(value, bound=bound)
                    return _options(program, root.call, [value], parameters, (root.frame.module, root.spot), int(bound))
    return None


def _hands_back(program: Program, name: str) -> bool:
    """Whether a library leaves what was given away as it is; others write the result into the objects."""
    return name in program.knowledge.tables["donated.by"]["names"]


def _parameters(target: FunctionValue, *, bound: bool) -> tuple[str, ...]:
    return target.function.parameters[1:] if bound else target.function.parameters


def _options(
    program: Program,
    call: Call,
    targets: list[FunctionValue],
    parameters: tuple[str, ...],
    told: tuple[str, Spot],
    skip: int,
) -> _Compiled | None:
    given = dict(call.kwargs)
    positions = [each - skip for each in _constants(given.get(_NUMBERS)) if type(each) is int and each >= skip]
    names = [each for each in _constants(given.get(_NAMES)) if type(each) is str]
    if len(targets) == 1 and parameters:  # else nobody knows what is returned
        positions = [each for each in positions if each >= len(parameters) or _is_taken(program, targets[0], parameters[each])]
        names = [each for each in names if _is_taken(program, targets[0], each)]
    return _Compiled(tuple(positions), tuple(names), parameters, told) if positions or names else None


def _is_taken(program: Program, target: FunctionValue, name: str) -> bool:
    """Whether something that a function returns may be as large as a parameter: it is made of it, and not by a model."""
    asks: list[str] = program.knowledge.tables["donated.asks"]["names"]
    pending, seen = list(program.returns(target.function)), set[Term]()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        if isinstance(term, Param) and term.function == target.function.qualname and term.name == name:
            return True
        if isinstance(term, (Unknown, LoopPhi)):
            return True  # nobody knows
        if isinstance(term, Call) and last_name(term.callee) in asks:
            continue
        pending += term.subterms()
    return False


def _constants(term: Term | None) -> list[object]:
    if term is None:
        return []
    items = term.items if isinstance(term, SequenceDisplay) and type(term.items) is tuple else (term,)
    return [item.value for item in items if isinstance(item, Const)]


def _given_away(program: Program, found: _Compiled, call: Call) -> Iterator[Term]:
    """The arguments of a call that it may overwrite; data whose shape no result has are not."""
    words: list[str] = program.knowledge.tables["donated.data"]["names"]
    for index, given in enumerate(call.args):
        name = found.parameters[index] if index < len(found.parameters) else ""
        if (index in found.positions or name in found.names) and not any(word in name.lower() for word in words):
            yield given
    for keyword, given in call.kwargs:
        number = found.parameters.index(keyword) if keyword in found.parameters else -1
        if keyword in found.names or number in found.positions:
            yield given


def _read(
    program: Program,
    whole: Inlined,
    placed: list[tuple[CallStep, Led]],
    node: CallStep,
    given: Term,
    found: _Compiled,
) -> Iterator[Donated]:
    """The first call behind that reads what was given away, on a way that leads there; or the next round of a loop."""
    if not isinstance(given, _HELD):
        return
    function = whole.function
    start = next((number for number, (each, _) in enumerate(placed) if each is node), None)
    if start is None:
        return
    led = set(placed[start][1])
    loops = loops_around(function, node)
    for each, other in placed[start + 1 :]:
        if any((test, not arm) in led for test, arm in other) or each.term is given:
            continue
        if any(within(function, loop, each) for loop in loops) != bool(loops):
            continue  # behind the loop it may have had no round
        if _reads(program, each.term, given, whole.frame) and set(other) >= led:
            name = name_in(given, function) if whole.owns(each.term.site) else None
            yield Donated(whole.path(each.term.site), each, name, (whole.path(node.term.site), node.term.site), found.told)
            return
    inner = loops[-1] if loops else None
    if inner is not None and not isinstance(given, LoopPhi) and is_fixed(given, function, inner) and in_each_round(inner, node):
        name = name_in(given, function) if whole.owns(node.term.site) else None
        path = whole.path(node.term.site)
        yield Donated(path, node, name, (path, node.term.site), found.told, (whole.path(inner.spot), inner.spot))


def _reads(program: Program, call: Call, given: Term, frame: Context) -> bool:
    """Whether a call needs the numbers of a thing that it is given itself, or of a part of it."""
    parts = program.knowledge.tables["donated.parts"]["names"]
    if not any(_is_of(program, each, given, parts, frame) for each in (*call.args, *(value for _, value in call.kwargs))):
        return False
    prefixes = tuple(program.knowledge.tables["donated.reads"]["names"])
    if isinstance(call.callee, Ref) and call.callee.name.startswith(prefixes):
        return True
    targets = program.ask(CallGraph).targets(call, frame)
    if any(isinstance(target, Library) and target.name.startswith(prefixes) for target in targets):
        return True
    return _is_compiled(program, call.callee, frame)


def _is_compiled(program: Program, callee: Term, frame: Context) -> bool:
    """Whether something is compiled: what a call of it returns is never what it was given, but a buffer of its own."""
    return any(
        (isinstance(value, LibraryObject) and program.ask(Roots).word(value) in _COMPILES)
        or (isinstance(value, FunctionValue) and any(root.word in _COMPILES for root in program.ask(Roots).of(value.function)))
        for value in program.values(callee, frame)
    )


def _buffer(program: Program, term: Term, frame: Context) -> Term:
    """The term of the same activation that holds the buffer which a term stands for."""
    call = term.base if isinstance(term, Subscript) else term
    return term if isinstance(call, Call) and _is_compiled(program, call.callee, frame) else local_origin(program, term, frame)


def _is_of(program: Program, term: Term, given: Term, parts: list[str], frame: Context) -> bool:
    term = _buffer(program, term, frame)
    if term is given:
        return True
    if isinstance(term, SequenceDisplay) and type(term.items) is tuple:
        return any(_is_of(program, each, given, parts, frame) for each in term.items)
    if isinstance(term, Subscript) or (isinstance(term, Attr) and term.name in parts):
        return _is_of(program, term.base, given, parts, frame)
    return False


__all__ = ["Donated", "donated"]
