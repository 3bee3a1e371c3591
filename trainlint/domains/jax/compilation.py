"""Compilation: functions that are compiled again in each round or call, and training steps that nobody compiles.

Functions that are compiled anew in each round or call: ``jit`` of something that is another object every time.

What ``jit`` compiled is kept by the function it was given. A lambda, a function defined inside, a ``partial``, a
bound method and what ``grad`` returns are other objects each time (jax 0.10, run).

Training steps that a loop runs one operation after another: nobody compiles them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.domains.jax.async_dispatch import Dispatch
from trainlint.domains.jax.binding_times import COMPILES, TracedFunctions
from trainlint.domains.traced.functions import Roots, is_about_round, reached
from trainlint.edits.changes import Change, InsertAfter, InsertBefore, Rewrite, Together
from trainlint.finding import Applicability, Spot
from trainlint.ir.nodes import (
    Access,
    Attr,
    Call,
    Element,
    Global,
    Nested,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.order import loops_around, made_within, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, roots, statements_of
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.callables import PARTIAL, partial_of
from trainlint.program.inlining import all_inlined, is_handed_on, runs_of, sites_of
from trainlint.program.loops import has_rounds
from trainlint.program.naming import reference, speaks_of
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, Library, LibraryObject

Kind = Literal["lambda", "function", "partial", "method", "transformed"]
#: What a repair calls the compiled function.
_COMPILED = "compiled"
_JIT = "jit"


class Fresh(NamedTuple):
    """A call that compiles something fresh, and the loop that runs it: here, or around a call of the function (``caller``).

    ``word`` is what it is called to say what compiles: ``jit`` or ``pmap``.
    """

    module: str
    node: CallStep
    kind: Kind
    loop: tuple[str, Spot]
    caller: tuple[str, Spot] | None
    change: Change | None = None
    word: str = _JIT


def fresh(program: Program) -> Iterator[Fresh]:
    """Each such call whose result is called where it was made."""
    words, starts = program.ask(Roots).words, _starts(program)
    yield from _decorated(program)
    seen: set[tuple[str, Spot]] = set()
    compilers = {name for name, word in words.items() if word in COMPILES}
    for whole in all_inlined(program, [*sites_of(program, compilers), *_sites_of_partials(program)]):
        module, function, frame = whole.module, whole.function, whole.frame
        made = [node for node in calls_of(function) if node.term.args and _compilers(program, node.term.callee, frame)]
        if (
            not made
            or program.ask(TracedFunctions).how(module, whole.written) is not None
            or tests_software(program, module, function)
        ):
            continue
        for node in made:
            given = _defined(program, node.term.args[0], frame)
            kind = _kind(program, given, frame)
            uses = [each for each in calls_of(function) if _is_made_by(node.term, local_origin(program, each.term.callee, frame))]
            path, home = whole.path(node.term.site), whole.home(node.term.site)
            if kind is None or not uses or _is_kept(function, node.term) or (path, node.term.site) in seen:
                continue
            # What such a helper makes for itself it makes a few times; what it hands back, as often as it is called.
            own = home is not whole.written and all(whole.home(each.term.site) is home for each in uses)
            if own and speaks_of(home.name, starts):
                continue
            word = next(iter(_compilers(program, node.term.callee, frame)))
            loop = _loop_of(function, node, uses)
            if loop is not None:
                if _is_made_in(program, module, node.term, given, function, loop) and not is_about_round(
                    program, module, node.term, given, function, loop
                ):
                    change = _before(program, module, function, node, uses, loop) if whole.function is whole.written else None
                    seen.add((path, node.term.site))
                    yield Fresh(path, node, kind, (whole.path(loop.spot), loop.spot), None, change, word)
                continue
            around = _called_in_a_loop(program, whole.written)
            if around is not None and not loops_around(function, node):
                seen.add((path, node.term.site))
                yield Fresh(path, node, kind, *around, word=word)


def _decorated(program: Program) -> Iterator[Fresh]:
    """Each call of a function defined inside that a decorator compiles, where what is around it runs again and again."""
    for known in program.ask(Roots).all().values():
        function, module = known[0].target.function, known[0].target.module
        outer = program.modules[module].functions.get(function.outer or "")
        if outer is None or outer.kind == "module" or function.cls is not None or speaks_of(outer.name, _starts(program)):
            continue
        if not any(root.word in COMPILES and root.spot in function.decorator_spots for root in known):
            continue
        if program.ask(TracedFunctions).how(module, outer) is not None or tests_software(program, module, outer):
            continue
        named = [part for node in statements_of(outer) for term in roots(node) for part in _mentions(term, function)]
        uses = [node for node in calls_of(outer) if _mentions(node.term.callee, function)]
        if not uses or any(part is not node.term.callee for part in named for node in uses):
            continue
        loops = [loop for loop in loops_around(outer, uses[0]) if has_rounds(loop)]
        inside = next((loop for loop in reversed(loops) if made_within(outer, loop, function.spot)), None)
        around = None if loops else _called_in_a_loop(program, outer)
        own = Nested.new(function.qualname)
        made = Call.new(uses[0].term.callee, (own,), (), uses[0].term.site)
        if inside is not None and not is_about_round(program, module, made, own, outer, inside):
            yield Fresh(module, uses[0], "function", (module, inside.spot), None)
        elif around is not None:
            yield Fresh(module, uses[0], "function", *around)


def _mentions(term: Term, function: Function) -> list[Term]:
    """The parts of a term that are a function defined inside."""
    return [part for part in parts_of(term) if isinstance(part, Nested) and part.name == function.qualname]


def _starts(program: Program) -> list[str]:
    names: list[str] = program.knowledge.tables["traced.starts"]["names"]
    return names


def _sites_of_partials(program: Program) -> Iterator[CallSite]:
    """Where something is called by a name that is given to a compiler with its options (``pmap = partial(jax.pmap, …)``)."""
    calls = program.ask(CallGraph)
    for made in calls.sites_named(PARTIAL.rpartition(".")[2]):
        frame = program.frame(made.module, made.function)
        name = name_in(made.call.term, made.function)
        if name is None or not any(_compilers(program, each, frame) for each in made.call.term.args[:1]):
            continue
        yield from calls.sites_named(name)


def _is_made_by(made: Call, origin: Term) -> bool:
    """Whether something is what a call made, also where a ``partial`` has put in the rest."""
    return origin is made or (isinstance(origin, Call) and origin.site == made.site)


def _compilers(program: Program, callee: Term, frame: Context) -> list[str]:
    """The words for what a call of this may be that compiles its argument, also by a ``partial`` of that."""
    words: list[str] = []
    for value in program.values(callee, frame):
        word, partial = program.ask(Roots).word(value), partial_of(value)
        if isinstance(value, Library) and word is not None and word in COMPILES:
            words.append(word)
        elif partial is not None:
            words += _compilers(program, partial.callee, partial.frame)
    return words


def _defined(program: Program, given: Term, frame: Context) -> Term:
    """The function defined inside that an argument stands for, whichever way it comes there; else the argument itself."""
    values = program.values(given, frame)
    inner = values[0] if len(values) == 1 else None
    if isinstance(inner, FunctionValue) and inner.module == frame.module:
        name = inner.function.qualname
        return Nested.new(name) if name.startswith(f"{frame.function.qualname}.") else given
    return given


def _kind(program: Program, given: Term, frame: Context) -> Kind | None:
    """What makes a function another object each time."""
    if isinstance(given, Nested):
        return "lambda" if "<lambda" in given.name else "function"
    for value in program.values(given, frame):
        if isinstance(value, FunctionValue) and value.closure is not None and value.closure.call is given:
            return "lambda" if "<lambda" in value.function.name else "function"  # defined in the function that this calls
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
    loops = (each for each in reversed(loops_around(function, node)) if has_rounds(each))
    return next((each for each in loops if any(within(function, each, use) for use in uses)), None)


def _is_made_in(program: Program, module: str, made: Call, given: Term, function: Function, loop: Loop) -> bool:
    """Whether what is compiled is made in a round, and not before the loop: then it is one object for all rounds."""
    inner = program.modules[module].functions.get(given.name) if isinstance(given, Nested) else None
    if inner is not None and (inner.outer != function.qualname or made.site.holds(inner.spot)):
        return True  # in a helper that the round runs, or where it is compiled
    place = inner.spot if inner is not None else given.site if isinstance(given, Call) else None
    return place is None or made_within(function, loop, place)


def _called_in_a_loop(program: Program, function: Function) -> tuple[tuple[str, Spot], tuple[str, Spot]] | None:
    """A loop that calls a function, and the call; None where something may keep what it returns, or it is traced there."""
    if function.decorators or function.kind == "module" or function.generator:
        return None
    if speaks_of(function.name, _starts(program)):
        return None
    for site in program.ask(CallGraph).callers(function):
        if site.function is function or program.ask(TracedFunctions).how(site.module, site.function) is not None:
            continue
        if tests_software(program, site.module, site.function):
            continue
        for loop in of_kind(site.function, Loop):
            if loop.kind in ("for", "while") and has_rounds(loop) and within(site.function, loop, site.call.term):
                return (site.module, loop.spot), (site.module, site.call.term.site)
    return None


_GRAD, _PLAIN = "grad", "call"


class Unjitted(NamedTuple):
    """A step, the call in a loop that runs it, and what compiles it."""

    module: str
    function: Function
    site: CallSite
    change: Change | None


def unjitted(program: Program) -> Iterator[Unjitted]:
    """Each such step, once."""
    words = frozenset(program.ask(Roots).words.values()) - {_GRAD, _PLAIN}
    asked = program.ask(Dispatch)
    for module, function in program.functions():
        if (
            function.kind == "module"
            or not asked.used(module)
            or not _steps(program, module, function)
            or tests_software(program, module, function)
        ):
            continue
        if id(function) in program.ask_of(reached, words) or function.decorators or is_handed_on(program, function):
            continue
        site = _looped(program, function, words)
        if site is not None:
            yield Unjitted(module, function, site, _compiled(program, module, function, site))


def _steps(program: Program, module: str, function: Function) -> bool:
    """Whether a function computes gradients of a loss that is not compiled, and applies them: once, or it is a whole training."""
    applies = program.knowledge.tables["reduces.applies"]["names"]
    if not any(isinstance(node.term.callee, Attr) and node.term.callee.name in applies for node in calls_of(function)):
        return False
    frame = program.frame(module, function)
    for node in calls_of(function):
        if not isinstance(node.term.callee, (Call, Global, Nested, Ref, Param, Access, Element, Select)) or loops_around(
            function, node
        ):
            continue
        for value in program.values(node.term.callee, frame):
            if isinstance(value, LibraryObject) and program.ask(Roots).word(value) == _GRAD:
                inner = list(program.ask(Roots).inner(value))
                return bool(inner) and not any(
                    root.word != _GRAD for each in inner for root in program.ask(Roots).of(each.function)
                )
    return False


def _looped(program: Program, function: Function, words: frozenset[str]) -> CallSite | None:
    """A call of a function in a loop that nothing traces."""
    traced = program.ask_of(reached, words)
    for site in runs_of(program, function):
        is_plain = id(site.function) not in traced and not tests_software(program, site.module, site.function)
        if is_plain and loops_around(site.function, site.call):
            return site
    return None


def _compiled(program: Program, module: str, function: Function, site: CallSite) -> Change | None:
    """The function compiled behind its definition."""
    compiles = reference(program.knowledge.written["compiles"], program.modules[module])
    if compiles is None or function.cls is not None or function.outer not in (None, "<module>") or site.module != module:
        return None
    code = f"{function.name} = {compiles}({function.name})"
    return InsertAfter(Applicability.DISPLAY, "Compile the step", statement=function.spot, code=code)
