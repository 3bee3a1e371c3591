"""Save policy: checkpoints written over the last one, saved too often, never removed, or while the GPUs wait.

Checkpoints that are written over the last one: whoever is stopped in a write has neither the old nor the new.

Saves that come too often, that pile up, or that let the GPUs wait: what a founder may want to know of a working
program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.domains.checkpoints.file_names import Names, Shape, base_of, is_numbered, is_one_file, is_set
from trainlint.domains.checkpoints.loading import tells_rank
from trainlint.domains.checkpoints.reads import Reads
from trainlint.domains.checkpoints.saves import Contents, Save, States, Written
from trainlint.domains.files import argument
from trainlint.finding import Spot
from trainlint.flow.rounds import Rounds
from trainlint.ir.control_dependence import Failed, Led, jointly, raising_arms, walk_tested, without_errors
from trainlint.ir.nodes import BinOp, Call, Compare, Comprehension, Const, Element, LoopPhi, Term
from trainlint.ir.order import before, loops_around, within
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, Loop
from trainlint.ir.terms import dotted_name, parts_of
from trainlint.program import naming
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.guards import guards
from trainlint.program.induction import gone_through, is_counting, round_number
from trainlint.program.loops import Loops
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import passed
from trainlint.program.values import Context, Library, LibraryObject, Unresolved

#: Keys that a load and a save have in common if the one reads what the other wrote.
_ENOUGH = 2
#: What both paths and texts have.
_OF_TEXTS = "replace"
#: The arguments of a save that a repair can rewrite: what is saved, and where.
_PLAIN = 2


class Overwritten(NamedTuple):
    """A save in a loop to one and the same file, the only one; ``path`` is how the file is written there, if that is short.

    ``copied`` is a call in the files that lead to the save that copies some file: an older state of this one may survive there.
    """

    save: Save
    loop: tuple[str, Call]
    path: str | None
    library: str | None
    read: tuple[str, Call]
    copied: tuple[str, Call] | None


def overwritten(program: Program) -> Iterator[Overwritten]:
    """Each such save."""
    seen: set[Term] = set()
    for save in program.ask(Written).saves:
        call = save.site.call.term
        if call in seen or tests_software(program, save.site.module, save.site.function) or save.path is None:
            continue
        around = training_loop(program, save.site, save.frame)
        tables = program.knowledge.tables
        if around is None or not _is_one_file(program, save) or _call_of(program, save, tables["checkpoints.moves"]["names"]):
            continue
        load = next(
            (found for contents in program.ask(Written).contents(save) if (found := _read_back(program, save, contents))), None
        )
        copied = _call_of(program, save, tables["checkpoints.copies"]["names"])
        if load is not None and _is_only_one(program, save) and not (copied is not None and _is_above(save, copied)):
            seen.add(call)
            yield Overwritten(
                save, around[:2], *_cure(program, save), load, None if copied is None else (copied.module, copied.call.term)
            )


def _shapes(program: Program, save: Save) -> list[Shape]:
    return program.ask(Names).shapes(save.path, save.frame) if save.path is not None else []


def _is_one_file(program: Program, save: Save) -> bool:
    shapes = _shapes(program, save)
    return len(shapes) == 1 and is_one_file(shapes[0])


def _call_of(program: Program, save: Save, names_: Collection[str]) -> CallSite | None:
    """A call of one of some functions on files, in the files that lead to a save: the last checkpoint may be kept that way."""
    paths = {frame.module for frame, _ in save.leading()}
    for last in dict.fromkeys(name.rpartition(".")[2] for name in names_):
        for site in program.ask(CallGraph).sites.get(last, ()):
            if site.module not in paths:
                continue
            dotted = dotted_name(site.call.term.callee)
            known = dotted is not None and program.knowledge.canonical(dotted) in names_
            # Of a path, or of a library of paths; a text's own method has two arguments.
            if known or last != _OF_TEXTS or (dotted is None and len(site.call.term.args) == 1):
                return site
    return None


def _is_above(save: Save, copied: CallSite) -> bool:
    """Whether a copy is made before the save: of the file that is there still."""
    return any(
        frame.function is copied.function and before(frame.function, copied.call.term, call) for frame, call in save.leading()
    )


def _read_back(program: Program, save: Save, contents: Contents) -> tuple[str, Call] | None:
    """The load that reads what the save writes, of a training: with an optimizer or a number among what it reads."""
    if not any(_is_optimizer(program, bound.term) for values in contents.items.values() for bound in values):
        return None
    by_load: dict[tuple[str, Call], set[str]] = {}
    same: set[tuple[str, Call]] = set()
    own = set(_shapes(program, save))
    near = {frame.module for frame, _ in save.leading()}
    for read in program.ask(Reads).all:
        if read.load.call is not None and read.load.frame is not None and program.together(read.module, save.site.module):
            if near.isdisjoint(_places(program, read.load.frame)):
                continue
            load = (read.load.frame.module, read.load.call)
            by_load.setdefault(load, set()).add(read.key)
            path = argument(read.load.call, "0", "f")
            if path is not None and own.issubset(program.ask(Names).shapes(path, read.load.frame)):
                same.add(load)
    # A load of this very file says whether training goes on from it; if there is none, any may be, not for what a setting names.
    fitting = {load: keys for load, keys in by_load.items() if load in same}
    if not fitting and not any(map(is_set, own)):
        fitting = by_load
    return next((load for load, keys in fitting.items() if len(keys & contents.items.keys()) >= _ENOUGH), None)


def _places(program: Program, frame: Context) -> set[str]:
    """The files in which something is loaded, and those that call the function in which it is."""
    return {frame.module, *(site.module for site in program.ask(CallGraph).callers(frame.function))}


def _is_optimizer(program: Program, term: Term) -> bool:
    taken = {state.site.call.term for state in program.ask(States).saved}
    return any(part in taken for part in parts_of(term))


def _is_only_one(program: Program, save: Save) -> bool:
    """Whether no other file is written in the functions that lead to the save: no second copy survives."""
    leading = {id(frame.function) for frame, _ in save.leading()}
    own = set(_shapes(program, save))
    for other in program.ask(Written).saves:
        if not any(id(frame.function) in leading for frame, _ in other.leading()):
            continue
        if other.site.call.term is not save.site.call.term or not own.issuperset(_shapes(program, other)):
            return False
    return True


def _cure(program: Program, save: Save) -> tuple[str | None, str | None]:
    """How the path is written at the save, as a text to be put into an f-string, and what ``os.replace`` is called there."""
    call, function = save.site.call.term, save.site.function
    library = naming.reference("os.replace", program.modules[save.site.module])
    if len(call.args) != _PLAIN or call.kwargs or save.path is None:
        return None, None
    return _spelled(save.path, function), library


def _spelled(path: Term, function: Function) -> str | None:
    if (
        isinstance(path, Const)
        and isinstance(path.value, str)
        and path.value.isprintable()
        and "{" not in path.value
        and '"' not in path.value
    ):
        return f'"{path.value}"'
    return name_in(path, function)


_LIMIT = "save_total_limit"
_ABOVE, _BELOW = ("Gt", "GtE"), ("Lt", "LtE")
#: Methods that lists, hooks and texts have, and paths do not or hardly.
_OF_OTHERS = frozenset(("remove", "replace"))


class Piling(NamedTuple):
    """A save to another file in each round; ``loop`` is the call in the loop, ``code`` what removes the oldest files.

    ``removed`` is where something in the program removes or moves a file, far from what leads to the save: maybe one of these.
    """

    save: Save
    loop: tuple[str, Call]
    code: str | None
    removed: tuple[str, Call] | None


class Constant(NamedTuple):
    """A save in each step of a training."""

    save: Save
    module: str
    loop: Spot


class Blocking(NamedTuple):
    """A save of a sharded state in a training loop."""

    site: CallSite
    module: str
    loop: Spot


def piling(program: Program) -> Iterator[Piling]:
    """The first save in each training loop whose files nobody ever removes: the others stand beside them."""
    seen, told = set[Term](), set[int]()
    for save in program.ask(Written).saves:
        call = save.site.call.term
        if call in seen or save.path is None or tests_software(program, save.site.module, save.site.function):
            continue
        around = training_loop(program, save.site, save.frame)
        shapes = program.ask(Names).shapes(save.path, save.frame)
        if (
            around is None
            or not _is_state(program, save)
            or _is_last(program, save)
            or not shapes
            or not all(is_numbered(shape) for shape in shapes)
            or _is_of_a_part(save, around[2], shapes)
            or _is_limited(program, save.site.module)
        ):
            continue
        removing = [site for site in program.ask(_removals) if program.together(site.module, save.site.module)]
        near = {frame.module for frame, _ in save.leading()}
        if any(site.module in near for site in removing):
            continue
        seen.add(call)
        if id(around[2]) not in told:
            told.add(id(around[2]))
            removed = (removing[0].module, removing[0].call.term) if removing else None
            yield Piling(save, around[:2], _pruning(program, save, shapes[0]), removed)


def _is_state(program: Program, save: Save) -> bool:
    """Whether a save surely is of a state, not of what a model computed."""
    taking = program.ask(States).taking
    dicts = [bound.term for found in program.ask(Written).contents(save) for values in found.items.values() for bound in values]
    given = program.values(save.given, save.frame)
    direct: list[Term] = [value.call for value in given if isinstance(value, LibraryObject) and value.call is not None]
    others = [value for value in given if isinstance(value, Unresolved)]
    direct += [value.term.of if isinstance(value.term, Comprehension) else value.term for value in others]
    return any(
        isinstance(part, Call) and last_name(part.callee) in taking for each in (*dicts, *direct) for part in parts_of(each)
    )


def _is_last(program: Program, save: Save) -> bool:
    """Whether a test around a save lets the last round in and no other, or those of a list."""
    for frame, call in save.leading():
        for guard in guards(program, frame.function).get(call, ()):
            for test, truth in guard.parts:
                if (truth and _is_once(program, test, frame)) or _is_listed(program, test, frame):
                    return True
    return False


def _is_listed(program: Program, test: Term, frame: Context) -> bool:
    """Whether a test asks whether a counter is among some numbers."""
    return any(
        isinstance(part, Compare) and part.op in ("In", "NotIn") and program.ask(Names).is_number(part.left, frame)
        for part in parts_of(test)
    )


def _is_of_a_part(save: Save, training: Loop, shapes: list[Shape]) -> bool:
    """Whether the only number of a name counts a loop within the training loop: the files are the same in each of its rounds."""
    node = next((each for each in calls_of(save.frame.function) if each.term is save.site.call.term), None)
    around = loops_around(save.frame.function, node) if node is not None else ()
    inner = [loop.subject for loop in around if within(save.frame.function, training, loop)]
    if not inner or save.path is None or all(sum(part.kind == "number" for part in shape) > 1 for shape in shapes):
        return False
    parts = [part for each in parts_of(save.path) for inside in (each, *each.pieces) for part in parts_of(inside)]
    return any(isinstance(part, Element) and any(part.of is subject for subject in inner) for part in parts)


def _is_once(program: Program, test: Term, frame: Context) -> bool:
    """Whether a test is true in one round: a counter equals something, here or where somebody passes what is asked."""
    test, frame = passed(test, frame)
    return isinstance(test, Compare) and test.op == "Eq" and any(program.ask(Names).is_number(side, frame) for side in test.sides)


def training_loop(program: Program, site: CallSite, frame: Context) -> tuple[str, Call, Loop] | None:
    """The file, the call and the loop: of a call, or of one that leads to it, which stands in a loop that trains."""
    here = frame
    call: Call = site.call.term
    while True:
        for loop in reversed(loops_around(here.function, call)):
            if program.ask(Loops).says(here.module, here.function, loop.body, program.knowledge.training):
                return here.module, call, loop
        if here.caller is None or here.call is None:
            return None
        call = here.call
        here = here.caller


def _removals(program: Program) -> list[CallSite]:
    """Where a program removes or moves files (found once)."""
    return list(_removing(program))


def _removing(program: Program) -> Iterator[CallSite]:
    removing = (*program.knowledge.file_removes, *program.knowledge.tables["checkpoints.moves"]["names"])
    for name in sorted({name.rpartition(".")[2] for name in removing}):
        for site in program.ask(CallGraph).sites.get(name, ()):
            dotted = dotted_name(site.call.term.callee)
            known = dotted is not None and program.knowledge.canonical(dotted) in removing
            if known or (dotted is None and name not in _OF_OTHERS):
                yield site


def _is_limited(program: Program, module: str) -> bool:
    """Whether somebody in a file says how many checkpoints there may be."""
    return any(
        keyword == _LIMIT
        for function in program.modules[module].functions.values()
        for node in calls_of(function)
        for keyword, _ in node.term.kwargs
    )


def _pruning(program: Program, save: Save, shape: Shape) -> str | None:
    """What keeps the last three files, where the path has a name and the modules are at hand."""
    sketch = program.modules[save.site.module]
    path = name_in(save.path, save.site.function) if save.path is not None else None
    glob, remove = naming.reference("glob.glob", sketch), naming.reference("os.remove", sketch)
    base = base_of(shape)
    if path is None or glob is None or remove is None or any(part.kind not in ("text", "number") for part in base):
        return None
    pattern = "".join(part.text if part.kind == "text" else "*" for part in base)
    library = remove.removesuffix(".remove")
    if library == remove or '"' in pattern:
        return None
    listed = f'{glob}({library}.path.join({library}.path.dirname({path}), "{pattern}"))'
    return f"for old in sorted({listed}, key={library}.path.getmtime)[:-3]:\n    {remove}(old)"


def constant(program: Program) -> Iterator[Constant]:
    """Each save that no test keeps from being made in every step."""
    seen: set[Term] = set()
    for found in program.ask(Rounds).around("step", "backward"):
        loop, frame = found.loop, found.frame
        if loop is None or tests_software(program, frame.module, frame.function):
            continue
        items = list(gone_through(program, loop, frame))
        if not items or any(is_counting(each.term) for each in items):
            continue  # it counts
        trained = frozenset.intersection(*(frozenset(event.arms) for event in found.of_kind("backward")))
        led = ((save, _led(program, save, frame, loop, trained)) for save in program.ask(Written).saves)
        ways = {save: way for save, way in led if way is not None}
        for save, way in ways.items():
            call = save.site.call.term
            either = len(way) == 1 and () in jointly([way, *(other for other in ways.values() if len(other) == 1)])
            if call not in seen and (not way or either):
                seen.add(call)
                yield Constant(save, frame.module, loop.spot)


def _led(program: Program, save: Save, frame: Context, loop: Loop, trained: frozenset[tuple[Term, bool]]) -> Led | None:
    """The tests that lead to a save in a round of a loop, less those that hold in all rounds from one on; None: it is in none.

    Nor those that lead to the backward passes, too (``trained``): a round that stops before them is no step.
    """
    found: list[tuple[Term | Failed, bool]] = []
    leading = [*save.leading()]
    if not any(here.function is frame.function and within(here.function, loop, call) for here, call in leading):
        return None
    for here, call in leading:
        inside = here.function is frame.function and within(here.function, loop, call)
        block = loop.body if inside else here.function.body
        led = next(
            (way for node, way in walk_tested(block, going_on=inside) if isinstance(node, CallStep) and node.term is call), ()
        )
        led = tuple(each for each in without_errors(led, raising_arms(block)) if each not in trained)
        found += [each for each in led if not _stays(program, *each, here, loop)]
        if inside:
            return tuple(found)
    return None


def _stays(program: Program, test: Term | Failed, arm: bool, frame: Context, loop: Loop) -> bool:
    """Whether a test comes out so in all rounds behind the first in which it does: of their number, or of the rank."""
    if not isinstance(test, Failed) and any(tells_rank(program, part) for part in parts_of(test)):
        return not any(isinstance(part, BinOp) for part in parts_of(test))
    if not isinstance(test, Compare) or test.op not in (*_ABOVE, *_BELOW):
        return False
    number, other = test.sides if (test.op in _ABOVE) == arm else reversed(test.sides)
    counted = round_number(program, number, frame)
    moves = any(isinstance(part, (Element, LoopPhi)) for part in parts_of(other))
    return counted is not None and counted.loop is loop and not moves


def blocking(program: Program) -> Iterator[Blocking]:
    """Each save of a sharded state in a training loop, where nobody saves in the background."""
    table = program.knowledge.tables["checkpoints.sharded"]
    index = program.ask(CallGraph)
    if any(index.sites.get(name) for name in table.values()):
        return
    for dotted in table:
        for site in index.sites_reaching(str(dotted).rpartition(".")[2]):
            targets = index.targets(site.call.term, program.frame(site.module, site.function))
            if Library(str(dotted)) not in targets or tests_software(program, site.module, site.function):
                continue
            for frame in contexts_at(program, site):
                around = training_loop(program, site, frame)
                if around is not None:
                    yield Blocking(site, around[0], around[2].spot)
                    break
