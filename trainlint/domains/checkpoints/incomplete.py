"""Incomplete checkpoints: without the state of the optimizer, of a scheduler, of a loss scaler, or of averaged weights.

Checkpoints that training goes on from without the state of its optimizer: only weights and a number are in them.

Schedulers, loss scalers and averaged weights that a checkpoint leaves out, though it brings their optimizer back.

Who saves the state of an optimizer and restores it wants to go on where the training stopped. A scheduler that then
begins anew gives the restored optimizer the learning rates of the first epochs. It is sure of things of which all is seen that is
done, and likely of others where nobody around takes a state that may be theirs.

States that are put into a new checkpoint only if they are in it already: they never are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.checkpoints.reads import Origins
from trainlint.domains.checkpoints.resume import Resumption, Resumptions, starts_at
from trainlint.domains.checkpoints.saves import Contents, Save, StateCall, States, Written
from trainlint.domains.checkpoints.training_state import Kept, Progress, class_of
from trainlint.domains.constructor_arguments import led_to
from trainlint.finding import Spot
from trainlint.flow.objects import Thing, Things
from trainlint.flow.roles import name_of, named
from trainlint.ir.bindings import carried_by, values_of
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import (
    VARIABLES,
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    LoopPhi,
    Nested,
    Param,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.order import before, belongs_to, loops_around, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import dotted_name, is_super, parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.def_use import Use, Uses, made_by
from trainlint.program.loops import Loops
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, FunctionValue, LibraryObject

_STEP = "step"


class Dropped(NamedTuple):
    """A save without the optimizer, in a loop that goes on from it, and the call where what is saved is put together."""

    resumption: Resumption
    save: Save
    frame: Context
    call: Call


def dropped(program: Program) -> Iterator[Dropped]:
    """Each such save, once for a loop."""
    seen: set[int] = set()
    for resumption in program.ask(Resumptions).found if program.ask(Written).saves else ():
        if id(resumption.loop) in seen or _is_kept_somewhere(program, resumption):
            continue
        found = _in_loop(program, resumption)
        if found is not None:
            seen.add(id(resumption.loop))
            yield found


def _is_kept_somewhere(program: Program, resumption: Resumption) -> bool:
    """Whether the state of some optimizer is saved or restored beside the loop, or beside what loads."""
    known = program.ask(States)
    near = {resumption.module, resumption.load.frame.module if resumption.load.frame is not None else resumption.module}
    if any(each.site.module in near for each in (*known.saved, *known.restored)):
        return True
    asked, names = program.ask(CallGraph), program.knowledge.tables["checkpoints.everything"]["names"]
    sites = (site for name in names for site in asked.sites.get(name, ()) if site.module in near)
    return any(
        isinstance(site.call.term.callee, Attr)
        and not any(
            isinstance(target, FunctionValue)
            for target in asked.targets(site.call.term, program.frame(site.module, site.function))
        )
        for site in sites
    )


def _in_loop(program: Program, resumption: Resumption) -> Dropped | None:
    optimizer = _steps(program, resumption)
    if optimizer is None or _forgets(program, optimizer):
        return None
    answers: list[Dropped] = []
    for save in program.ask(Written).saves:
        inside = [(frame, call) for frame, call in save.leading() if frame.function is resumption.function]
        if not inside or not within(resumption.function, resumption.loop, inside[0][1]):
            continue
        for contents in program.ask(Written).contents(save):
            if not contents.whole or resumption.key not in contents.items:
                if not answers and contents.whole:
                    continue
                return None
            if not _is_weights(program, contents) or _mentions_optimizer(program, contents):
                return None
            made = contents.made.frame.function
            where = next(((frame, call) for frame, call in save.leading() if frame.function is made), inside[0])
            answers.append(Dropped(resumption, save, *where))
    regular = (each for each in answers if not any(_compared(each.frame.function, each.call)))
    return next(regular, answers[0] if answers else None)


def _steps(program: Program, resumption: Resumption) -> Thing | None:
    """The optimizer that a loop steps, or hands to what it calls, or one that is stepped in its file."""
    frame, asked = program.frame(resumption.module, resumption.function), program.ask(Things)
    if not program.ask(Loops).says(resumption.module, resumption.function, resumption.loop.body, frozenset((_STEP,))):
        return None
    for node in calls_of(resumption.function):
        if not within(resumption.function, resumption.loop, node):
            continue
        own = (node.term.callee.base,) if isinstance(node.term.callee, Attr) and node.term.callee.name == _STEP else ()
        for term in (*own, *node.term.args, *(value for _, value in node.term.kwargs)):
            thing = asked.of(term, frame)
            if thing.kind == "optimizer":
                return thing
    for site in program.ask(CallGraph).sites.get(_STEP, ()):  # of the file, in a function that the loop calls
        callee = site.call.term.callee
        if site.module == resumption.module and isinstance(callee, Attr):
            thing = asked.of(callee.base, program.frame(site.module, site.function))
            if thing.kind == "optimizer":
                return thing
    return None


def _forgets(program: Program, optimizer: Thing) -> bool:
    """Whether an optimizer keeps nothing from step to step; of one whose maker is unknown, whether one of its file may."""
    if optimizer.made:
        known = [(each.name if isinstance(each, LibraryObject) else "", each.call) for each in optimizer.made]
        return all(call is not None and _keeps_nothing(program, name, call) for name, call in known)
    makers = (node.term for path, _, node, kind in program.ask(made_by) if kind == "optimizer" and path == optimizer.frame.module)
    return any(_keeps_nothing(program, program.knowledge.canonical(dotted_name(call.callee) or ""), call) for call in makers)


def _keeps_nothing(program: Program, name: str, call: Call) -> bool:
    """Whether a call makes an optimizer without a state."""
    told = program.knowledge.tables["checkpoints.forgetful"].get(name)
    if told is None or len(call.args) > 2:  # noqa: PLR2004 - parameters and the rate
        return False
    return all(keyword is not None and keyword != told for keyword, _ in call.kwargs)


def _is_weights(program: Program, contents: Contents) -> bool:
    """Whether the state of something that is no optimizer is in a dict."""
    return any(_holds_state(program, bound.term) for values in contents.items.values() for bound in values)


def _holds_state(program: Program, term: Term) -> bool:
    taking = program.ask(States).taking
    return any(isinstance(part, Call) and last_name(part.callee) in taking for part in parts_of(term))


def _mentions_optimizer(program: Program, contents: Contents) -> bool:
    """Whether something of an optimizer may be in a dict, or something of everything."""
    for key, values in contents.items.items():
        if named(program.knowledge, Param.new("", key)) == "optimizer":
            return True
        for bound in values:
            for part in parts_of(bound.term):
                if isinstance(part, VARIABLES) and named(program.knowledge, part) == "optimizer":
                    return True
                if isinstance(part, Call) and _is_of_several(program, part, bound.frame):
                    return True
    return False


def _is_of_several(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call takes the state of an object whose method puts one together that may have an optimizer's in it.

    What a class of the project gives for its state is what it says there: a trainer's is everything, that of a module around a
    module its weights.
    """
    if not isinstance(call.callee, Attr) or call.callee.name not in program.ask(States).taking:
        return False
    for target in program.ask(CallGraph).targets(call, frame):
        if not isinstance(target, FunctionValue) or not frame.follows(target.function):
            continue
        inner = program.enter(target, call, frame)
        for node in calls_of(target.function):
            callee = node.term.callee
            if not isinstance(callee, Attr) or callee.name not in program.ask(States).taking or is_super(callee.base):
                continue
            if (
                not isinstance(callee.base, (Self, Attr, Param, Global))
                or program.ask(Things).of(callee.base, inner).kind == "optimizer"
            ):
                return True
            if _is_of_several(program, node.term, inner):
                return True
    return False


_SCHEDULERS = ("scheduler", "plateau")


class Forgotten(NamedTuple):
    """A thing (``kind``: ``scheduler``, ``scaler`` or ``average``) that is used and not saved, beside an optimizer that is.

    ``code`` restores it behind ``statement``, which restores the optimizer; None where it has no name there. ``called`` is where
    a function that uses the thing calls another file's that saves the optimizer; None where that is saved beside the thing.
    ``sure``: all is seen that is done with the thing, and no other file knows its name; if not, nobody around takes a state that
    may be its own.
    """

    module: str
    node: CallStep
    kind: str
    saved: StateCall
    restored: StateCall
    code: str | None
    statement: Spot | None
    called: CallSite | None
    sure: bool


def forgotten(program: Program) -> Iterator[Forgotten]:
    """Each such thing, once for each optimizer state that is saved without it."""
    known = program.ask(States)
    if not known.saved or not known.restored:
        return
    seen: set[tuple[Term, str]] = set()
    for path, function, node, kind in _made(program):
        if tests_software(program, path, function):
            continue
        use, sure = _left_out(program, path, function, node, kind)
        if use is None or (kind in _SCHEDULERS and _is_told(program, use, kind)):
            continue
        files = {path, *(module for module, _ in use.functions)}
        components = {program.component(file) for file in files}
        restored = [each for each in known.restored if program.component(each.site.module) in components]
        saved = [each for each in known.saved if program.component(each.site.module) in components]
        word = kind if kind in ("scaler", "average") else "scheduler"
        own = _own_optimizer(program, path, function, node)
        beside = [each for each in saved if _is_beside(program, use, path, each) and _may_be(program, own, each)]
        called = None
        if not beside:
            beside = [each for each in saved if _call_of(program, use, each) is not None and _may_be(program, own, each)]
        place = min(beside, key=lambda each: _distance(program, use, own, each), default=None)
        if place is None:
            continue
        if not _is_beside(program, use, path, place):
            called = _call_of(program, use, place)
        near = [
            each
            for each in restored
            if _is_near(program, use, (path, function), place, each) and _may_be(program, place.thing, each)
        ]
        back = min(near, key=lambda each: _distance(program, use, place.thing, each), default=None)
        if back is not None and (place.site.call.term, word) not in seen:
            seen.add((place.site.call.term, word))
            cure = _cure(program, path, function, node, word, back) if word != "average" else (None, None)
            yield Forgotten(path, node, word, place, back, *cure, called, sure and not use.shared)


def _left_out(program: Program, path: str, function: Function, node: CallStep, kind: str) -> tuple[Use | None, bool]:
    """What is done with a thing that no checkpoint has; and whether all of that is seen. None of one that may be saved."""
    use = program.ask(Uses).of(path, function, node, named=True)
    if kind != "average" and _is_lost(program, use):
        return use, True
    places = program.knowledge.tables["checkpoints.places"]["names"]
    if not use.methods.isdisjoint(places) or (kind == "average" and use.to_libraries):
        return None, False  # the program sets where a scheduler is, or a library may take the state of an average
    kept, users = program.ask(Kept), program.ask(Progress).users.get(node.term)
    if users is None or node.term in kept.made:
        return None, False
    return use._replace(functions=(*users, *use.functions)), False


def _made(program: Program) -> Iterator[tuple[str, Function, CallStep, str]]:
    """The calls that make a scheduler, a scaler or averaged weights with a state that matters."""
    knowledge = program.knowledge
    memoryless = frozenset(knowledge.tables["checkpoints.memoryless"]["names"])
    places = frozenset(knowledge.tables["checkpoints.places"]["names"])
    for path, function, node, kind in program.ask(made_by):
        if kind not in _SCHEDULERS or knowledge.canonical(dotted_name(node.term.callee) or "") in memoryless:
            continue
        told = any(name is None or (name in places and not isinstance(value, Const)) for name, value in node.term.kwargs)
        if not told and not _knows_start(program, path, function, node.term):
            yield path, function, node, kind
    for path, function in program.functions():
        for node in calls_of(function):
            dotted = dotted_name(node.term.callee)
            if dotted is None or knowledge.kinds.get(knowledge.canonical(dotted)) != "scaler":
                continue
            if not any(name == "enabled" and isinstance(value, Const) and not value.value for name, value in node.term.kwargs):
                yield path, function, node, "scaler"
    for path, function, made in program.ask(Progress).averages:
        for node in calls_of(function):
            if node.term is made:
                yield path, function, node, "average"


def _knows_start(program: Program, path: str, function: Function, made: Call) -> bool:
    """Whether a scheduler is made with the number with which the training begins, also inside of a function.

    That is what was read from a file, what goes by the name of what a loop begins with (``range(args.first, args.epochs)``), or
    what a function that is given the number of a step adds to that: ``lambda step: rate(step + args.done)``.
    """
    asked, frame = program.ask(Origins), program.frame(path, function)
    starts = program.ask_of(_starts, program.component(path))
    given = (each for each in (*made.args, *(value for _, value in made.kwargs)) if not _is_optimizer(program, each, frame))
    pending: list[tuple[Term, Function | None]] = [(each, None) for each in given]
    functions = program.modules[path].functions
    seen: set[Term] = set()
    while pending:
        term, inside = pending.pop()
        for part in parts_of(term):
            if part in seen:
                continue
            seen.add(part)
            read = asked.read_key(part, frame)
            if (isinstance(part, VARIABLES) and name_of(part) in starts) or (inside is not None and _is_shifted(part, inside)):
                return True
            if read is not None and asked.loaded(read[0], frame) is not None:
                return True
            if isinstance(part, (Nested, Global)) and part.name in functions:
                pending += [(returned, functions[part.name]) for returned in program.returns(functions[part.name])]
    return False


def _is_optimizer(program: Program, term: Term, frame: Context) -> bool:
    return program.ask(Things).of(term, frame).kind == "optimizer"


def _is_shifted(term: Term, function: Function) -> bool:
    """Whether something that is no constant is added to what a function is given: a schedule begins where it says."""
    if not isinstance(term, BinOp) or term.op != "Add" or any(not isinstance(part, VARIABLES) for part in term.sides):
        return False
    return any(
        isinstance(part, Param) and part.function == function.qualname and part.name in function.parameters[:1]
        for part in term.sides
    )


def _starts(program: Program, component: str) -> set[str]:
    """The names of what the loops of a component begin with."""
    found: set[str] = set()
    asked, training = program.ask(Loops), program.knowledge.training
    for other, function in program.functions():
        if program.component(other) != component or not asked.may_say(function, training):
            continue
        for loop in of_kind(function, Loop):
            first = starts_at(program, loop, program.frame(other, function))
            starts = {name_of(part) for start in first for part in _summands(start.term) if isinstance(part, VARIABLES)}
            if starts and asked.says(other, function, loop.body, training):
                found |= starts
    return found


def _summands(term: Term) -> list[Term]:
    """What a number is, or what it is the sum of."""
    if isinstance(term, (BinOp, Select)):
        return [part for each in (term.arms if isinstance(term, Select) else term.sides) for part in _summands(each)]
    return [term]


def _is_lost(program: Program, use: Use) -> bool:
    """Whether a thing steps, and nobody can have saved it."""
    places = program.knowledge.tables["checkpoints.places"]["names"]
    taken = program.ask(States).taking | program.knowledge.takes_weights | {"__dict__", *places}
    harmless = program.knowledge.step_calls
    return (
        not use.escapes
        and _STEP in use.methods
        and taken.isdisjoint(use.methods)
        and all(_is_harmless(name, harmless) for name in use.given)
    )


def _is_harmless(name: str, calls_of_steps: Mapping[str, str]) -> bool:
    """Whether a library that is handed the thing saves nothing of it: another scheduler, say, that it is a part of, does."""
    return name.removesuffix("()").rpartition(".")[2] in calls_of_steps


def _is_told(program: Program, use: Use, kind: str) -> bool:
    """Whether a scheduler is told the epoch, or is stepped again and again until it is where it was."""
    asked = program.ask(Things)
    for path, function in use.functions:
        frame = program.frame(path, function)
        for node in calls_of(function):
            callee = node.term.callee
            if not isinstance(callee, Attr) or callee.name != _STEP:
                continue
            if (
                asked.of(callee.base, frame).kind not in (*_SCHEDULERS, "unknown")
                and named(program.knowledge, callee.base) != "scheduler"
            ):
                continue
            if kind == "scheduler" and (node.term.args or node.term.kwargs):
                return True
            around = loops_around(function, node)
            if around and _only_steps(around[-1]) and not _is_drawn(around[-1], callee.base):
                return True
    return False


def _only_steps(loop: Loop) -> bool:
    """Whether a loop does nothing but call one thing."""
    return loop.kind == "for" and all(
        isinstance(node, CallStep) and isinstance(node.term.callee, (Attr, Param)) and node.term.callee.name == _STEP
        for node in walk(loop.body)
    )


def _is_drawn(loop: Loop, stepped: Term) -> bool:
    """Whether a loop steps one thing after the other, each once: ``for each in schedulers: each.step()``."""
    return any(isinstance(part, Element) and belongs_to(loop, part) for part in parts_of(stepped))


def _is_beside(program: Program, use: Use, path: str, saved: StateCall) -> bool:
    """Whether a thing is used in the file in which an optimizer's state is saved, or in the object whose method saves it."""
    site = saved.site
    if not name_of(saved.thing.term):
        return False
    users = [(path, None), *use.functions]
    if any(module == site.module for module, _ in users):
        return True
    saver = class_of(program, site.module, site.function)
    using = [class_of(program, module, function) for module, function in use.functions]
    return saver is not None and any(saver in program.lineage(each) for each in (*using, *use.classes) if each is not None)


def _call_of(program: Program, use: Use, saved: StateCall) -> CallSite | None:
    """Where a function that uses a thing calls the one that saves an optimizer's state."""
    users = {id(function) for _, function in use.functions}
    return next((site for site in program.ask(CallGraph).callers(saved.site.function) if id(site.function) in users), None)


def _own_optimizer(program: Program, path: str, function: Function, node: CallStep) -> Thing | None:
    """The optimizer that a scheduler is made with."""
    asked, frame = program.ask(Things), program.frame(path, function)
    given = (*node.term.args, *(value for _, value in node.term.kwargs))
    return next((thing for thing in (asked.of(each, frame) for each in given) if thing.kind == "optimizer"), None)


def _may_be(program: Program, own: Thing | None, call: StateCall) -> bool:
    """Whether nothing says that two optimizers are different ones."""
    return not program.ask(Things).apart(own, call.thing)


def _distance(program: Program, use: Use, own: Thing | None, call: StateCall) -> int:
    """How far a state is from a thing: 0 of its own optimizer or in its object, 1 in what uses it, 2 and 3 beyond."""
    saver = class_of(program, call.site.module, call.site.function)
    if (own is not None and program.ask(Things).same(own, call.thing)) or (saver is not None and saver in use.classes):
        return 0
    users = {id(function) for _, function in use.functions}
    callers = {id(site.function) for site in program.ask(CallGraph).callers(call.site.function)}
    if id(call.site.function) in users or not users.isdisjoint(callers):
        return 1
    return 2 if any(module == call.site.module for module, _ in use.functions) else 3


def _is_near(program: Program, use: Use, maker: tuple[str, Function], saved: StateCall, restored: StateCall) -> bool:
    """Whether an optimizer gets its state back in the files that save it or make and use the thing, or in what these call."""
    files = {maker[0], saved.site.module, *(module for module, _ in use.functions)}
    files |= {site.module for site in program.ask(CallGraph).callers(maker[1])}
    callers = {site.module for site in program.ask(CallGraph).callers(restored.site.function)}
    return restored.site.module in files or not callers.isdisjoint(files)


def _cure(
    program: Program, path: str, function: Function, node: CallStep, word: str, restored: StateCall
) -> tuple[str | None, Spot | None]:
    """What restores the thing from the file that brings its optimizer back, where both are at hand.

    Old files do not have its state, so that it is asked for.
    """
    call = restored.site.call.term
    if restored.site.module != path or restored.site.function is not function or len(call.args) != 1:
        return None, None
    read = program.ask(Origins).read_key(call.args[0], program.frame(path, function))
    thing = name_in(node.term, function)
    whole = name_in(read[0], function) if read is not None else None
    if thing is None or whole is None:
        return None, None
    return f'if "{word}" in {whole}:\n    {thing}.load_state_dict({whole}["{word}"])', restored.site.call.statement


class Record(NamedTuple):
    """A save that is decided by the best result so far, in a loop that resumes without it: the result begins with a constant.

    ``save`` is the call that the test leads to, in the file ``module``, ``other`` one that writes what training resumes from.
    """

    resumption: Resumption
    module: str
    save: Call
    other: Save


def lost_records(program: Program) -> Iterator[Record]:
    """Each such save, once for a loop."""
    seen: set[int] = set()
    for resumption in program.ask(Resumptions).found if program.ask(States).restored else ():
        found = next(_records(program, resumption), None) if id(resumption.loop) not in seen else None
        if found is not None:
            seen.add(id(resumption.loop))
            yield found


def _records(program: Program, resumption: Resumption) -> Iterator[Record]:
    """The saves in a loop that are decided by a result which no checkpoint of the training has."""
    saves = [each for each in program.ask(Written).saves if program.together(each.site.module, resumption.module)]
    written = [(save, found) for save in saves for found in program.ask(Written).contents(save) if resumption.key in found.items]
    if not written or not all(found.whole for _, found in written):
        return
    bound = [each for _, found in written for values in found.items.values() for each in values]
    saved = {part for each in bound for part in parts_of(each.term)}
    named = {part.name for part in saved if isinstance(part, Attr)}
    function, loop = resumption.function, resumption.loop
    copies = program.knowledge.tables["checkpoints.copies"]["names"]
    calls = [each for save in saves for each in _in_rounds(save, resumption)]
    here = (node.term for node in calls_of(function) if dotted_name(node.term.callee) in copies)
    calls += [(program.frame(resumption.module, function), call) for call in here if within(function, loop, call)]
    for frame, call in dict.fromkeys(calls):
        for best, new in _compared(frame.function, call):
            held = {each for each in values_of(frame.function) if best in (parts := set(parts_of(each))) and new in parts}
            if not saved.isdisjoint({best, new, *held}) or (isinstance(best, Attr) and best.name in named):
                continue
            if _begins_anew(program, resumption, best, {new, *held}):
                yield Record(resumption, frame.module, call, written[0][0])


def _in_rounds(save: Save, resumption: Resumption) -> list[tuple[Context, Call]]:
    """The save and the calls that lead to it, out to that which stands in the loop; none where none of them does."""
    found: list[tuple[Context, Call]] = []
    for frame, call in save.leading():
        found.append((frame, call))
        if frame.function is resumption.function:
            return found if within(resumption.function, resumption.loop, call) else []
    return []


def _compared(function: Function, call: Call) -> Iterator[tuple[Term, Term]]:
    """What holds a result, and what it is compared with: in a test that leads to a call, or in what the call is given."""
    given = (*call.args, *(value for _, value in call.kwargs))
    for part in parts_of(
        *(test for test, _ in conditions(led_to(function, call))), *(each for each in given if not isinstance(each, Dict))
    ):
        if isinstance(part, Compare) and part.op in ("Lt", "LtE", "Gt", "GtE"):
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, (LoopPhi, Attr, Global)) and not isinstance(other, Const):
                    yield one, other


def _begins_anew(program: Program, resumption: Resumption, best: Term, better: set[Term]) -> bool:
    """Whether a result begins with a constant, and is set to nothing but a better one."""
    function, loop = resumption.function, resumption.loop
    if isinstance(best, LoopPhi):
        carried = carried_by(function, best)
        at_loop = best.place[1:] == (loop.spot.line, loop.spot.column)
        return at_loop and carried is not None and _is_number(carried.entry) and not better.isdisjoint(parts_of(carried.back))
    stores = [
        node.value
        for path, other in program.functions()
        if program.together(path, resumption.module)
        for node in of_kind(other, Store)
        if isinstance(node.target, (Attr, Global)) and isinstance(best, (Attr, Global)) and node.target.name == best.name
    ]
    if isinstance(best, Global):
        stores.append(program.modules[resumption.module].names.get(best.name, best))
    begun = [each for each in stores if _is_number(each)]
    return bool(begun) and any(each in better for each in stores) and all(each in better or each in begun for each in stores)


def _is_number(term: Term) -> bool:
    """Whether something is written down as a number, such as ``-float("inf")``, or as None."""
    return not any(isinstance(part, (*VARIABLES, Subscript, Element)) for part in parts_of(term)) and all(
        last_name(part.callee) == "float" for part in parts_of(term) if isinstance(part, Call)
    )


class Unsaved(NamedTuple):
    """The statement that would put a state under a key, and the call that takes it."""

    module: str
    node: Keep
    key: str
    taken: Call


def unsaved(program: Program) -> Iterator[Unsaved]:
    """Each such statement."""
    taking = program.ask(States).taking
    if not any(name in program.ask(CallGraph).sites for name in taking):
        return
    for path, function in program.functions():
        if any(_state_call(node.value, taking) is not None for node in of_kind(function, Keep)):
            yield from _in_function(program, path, function)


def _in_function(program: Program, path: str, function: Function) -> Iterator[Unsaved]:
    if tests_software(program, path, function):
        return
    put = [(node, node.target) for node in of_kind(function, Keep) if isinstance(node.target, Subscript)]
    for node, led in walk_tested(function.body):
        if not isinstance(node, Keep) or not isinstance(node.target, Subscript) or not isinstance(node.target.base, Dict):
            continue
        whole, key = node.target.base, node.target.key
        taken = _state_call(node.value, program.ask(States).taking)
        if (
            taken is None
            or not isinstance(key, Const)
            or not isinstance(key.value, str)
            or not _asks(conditions(led), key, whole)
        ):
            continue
        written = any(not isinstance(name, Const) or name is key for name, _ in whole.items)
        elsewhere = any(other is not node and target.base is whole and target.key is key for other, target in put)
        if not written and not elsewhere and not _is_touched(program, path, function, whole, node):
            yield Unsaved(path, node, key.value, taken)


def _state_call(value: Term, taking: frozenset[str]) -> Call | None:
    return next((part for part in parts_of(value) if isinstance(part, Call) and last_name(part.callee) in taking), None)


def _asks(tests: tuple[tuple[Term, bool], ...], key: Term, whole: Term) -> bool:
    """Whether one of the tests asks for the key in the dict, and the way leads on where it is there."""
    for test, arm in tests:
        asked = test.operands if isinstance(test, And) and arm else (test,)
        if arm and any(
            isinstance(part, Compare) and part.op == "In" and part.left is key and part.right is whole for part in asked
        ):
            return True
    return False


def _is_touched(program: Program, path: str, function: Function, whole: Term, node: Keep) -> bool:
    """Whether somebody is handed the dict above the statement, or the statement runs again and again with it."""
    if loops_around(function, node):
        return True
    for parent, where in program.ask(Uses).parents(path).of.get(whole, ()):
        if where is not function or not isinstance(parent, Term):
            continue
        if isinstance(parent, Attr) or (isinstance(parent, Call) and parent.callee is not whole):
            uses = [each for each in of_kind(function, CallStep) if any(part is parent for part in parts_of(each.term))]
            if any(before(function, each, node) for each in uses):
                return True
    return False
