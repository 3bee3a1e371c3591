"""The current GPU of a process: which calls choose it or work on it, and groups that are used before one is chosen.

A call chooses a GPU (``set_device``), or works on whichever is the current one. The repair names the number of the
process on its machine, as it can be written where the group is started.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from trainlint.domains.process_groups.lifecycle import Start, starts
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import Failed, Led, walk_tested
from trainlint.ir.nodes import And, Attr, BoolOp, Call, Const, Global, LoopPhi, Not, Or, Param, Ref, Select, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Module
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.imports import imported
from trainlint.program.indirect_calls import Spawned
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject, Unresolved, Value


class Touch(Enum):
    """What a call does: it chooses a GPU, it puts something on the current one, the group meets on the current one.

    What it makes may also pin memory later, when somebody iterates it.
    """

    CHOOSES = "chooses"
    PUTS = "puts"
    PINS = "pins"
    MEETS = "meets"


def touches(program: Program, call: CallStep, frame: Context, led: Led) -> Touch | None:
    """What a call has to do with the current GPU; ``led`` are the tests that lead to it."""
    words = program.knowledge.tables["groups"]
    term = call.term
    name = (last_name(term.callee) or "").lower()
    targets = program.ask(CallGraph).targets(term, frame)
    libraries = {target.name for target in targets if isinstance(target, Library)}
    if not libraries.isdisjoint(words["chooses"]) or _sees(term, words["visible"]):
        return Touch.CHOOSES
    if any(word in name for word in words["choosing"]) and not any(isinstance(target, FunctionValue) for target in targets):
        return Touch.CHOOSES
    if not libraries.isdisjoint(words["meets_on_current"]) and words["told"][0] not in dict(term.kwargs):
        return Touch.MEETS
    if apart(program, led):
        return None
    if _is_bare(program, term, frame, libraries):
        return Touch.PUTS
    return Touch.PINS if _pins(program, term, libraries) else None


def sees(program: Program, function: Function) -> bool:
    """Whether a function says which GPUs a process sees."""
    variables = program.knowledge.tables["groups"]["visible"]
    return any(_sees(node.target, variables) for node in of_kind(function, Keep))


def _sees(term: Term, variables: Iterable[str]) -> bool:
    return any(isinstance(part, Const) and part.value in variables for part in parts_of(term))


def _is_bare(program: Program, term: Call, frame: Context, libraries: set[str]) -> bool:
    """Whether a call means the current GPU: ``x.cuda()``, ``x.to("cuda")``, ``device="cuda"``, ``x.pin_memory()``."""
    words = program.knowledge.tables["groups"]
    if not libraries.isdisjoint(words["asks_current"]):
        return not term.args and not term.kwargs
    named = dict(term.kwargs)
    name = term.callee.name if isinstance(term.callee, Attr) else None
    if name in words["puts_itself"] or name in words["pins"]:
        return not term.args and not named
    devices = [named[each] for each in words["device_parameters"] if each in named]
    if name in words["puts"]:
        devices += term.args[:1]
    return any(_stands_for_current(program, device, frame) for device in devices)


def _pins(program: Program, term: Call, libraries: set[str]) -> bool:
    """Whether a call makes a loader that pins its batches."""
    named, words = dict(term.kwargs), program.knowledge.tables["groups"]["pins"]
    return _loads(program, libraries) and any(
        isinstance(given := named.get(name), Const) and given.value is True for name in words
    )


def _stands_for_current(program: Program, term: Term, frame: Context) -> bool:
    """Whether a device is the current GPU, or the host where there is none; whatever the tests say that choose it."""
    words = program.knowledge.tables["groups"]
    found = {_device(program, value) for leaf in _leaves(term) for value in program.values(leaf, frame)}
    return not found.isdisjoint(words["bare"]) and found <= {*words["bare"], *words["beside"]}


def _leaves(term: Term) -> Iterable[Term]:
    if isinstance(term, Select):
        return (*_leaves(term.then), *_leaves(term.other))
    if isinstance(term, And):  # ``available and "cuda"``: the other parts are tests
        return _leaves(term.operands[-1])
    if isinstance(term, Or):
        return tuple(leaf for part in term.operands for leaf in _leaves(part))
    return (term,)


def _loads(program: Program, libraries: set[str]) -> bool:
    return any(program.knowledge.kinds.get(name) == "loader" for name in libraries)


def _device(program: Program, value: Value) -> str | None:
    """How a device is written; None for one that is computed."""
    words = program.knowledge.tables["groups"]
    if isinstance(value, Unresolved) and isinstance(value.term, Const) and isinstance(value.term.value, str):
        return value.term.value
    makes = isinstance(value, LibraryObject) and value.name in words["device_makers"]
    if (
        makes
        and isinstance(value, LibraryObject)
        and value.call
        and value.frame
        and len(value.call.args) == 1
        and not value.call.kwargs
    ):
        inner = {_device(program, each) for each in program.values(value.call.args[0], value.frame)}
        if inner and inner <= {*words["bare"], *words["beside"]}:
            return next((each for each in words["bare"] if each in inner), next(iter(inner)))
    return None


def apart(program: Program, led: Led) -> bool:
    """Whether a test may let in one process only, or the processes of runs that have only one."""
    groups = program.knowledge.tables["groups"]
    return any(isinstance(test, Failed) or _tells(test, arm, set(groups["apart"]), set(groups["together"])) for test, arm in led)


def _tells(test: Term, arm: bool, apart: set[str], together: set[str]) -> bool:
    if isinstance(test, (Not, BoolOp)):
        inner = (test.operand,) if isinstance(test, Not) else test.operands
        return any(_tells(each, arm is (not isinstance(test, Not)), apart, together) for each in inner)
    named = {word for part in parts_of(test) for word in _words(part)}
    return not named.isdisjoint(apart) or (not arm and not named.isdisjoint(together))


def _words(part: Term) -> Iterable[str]:
    if isinstance(part, (Param, Attr)):
        return part.name.lower().split("_")
    if isinstance(part, (Global, Ref, LoopPhi)):
        return part.name.lower().replace(".", "_").split("_")
    return ()


def set_device_statement(program: Program, start: Start) -> str | None:
    """A statement that chooses the GPU of the process; None where nothing is known to say which that is."""
    module = program.modules[start.site.module]
    words = program.knowledge.tables["groups"]
    call = reference(words["choice"][0], module)
    number = _parameter(program, start) or _variable(program, start, module)
    return f"{call}({number})" if call is not None and number is not None else None


def _parameter(program: Program, start: Start) -> str | None:
    """The parameter that numbers the processes of one machine: what starts them hands it on, and it is the rank."""
    given = start.given(program, "rank")
    function = start.function
    if given is None or not isinstance(given, Param) or given.function != function.qualname:
        return None
    name = given.name
    numbers = program.ask(Spawned)
    if name in numbers.numbers(function):
        return name
    sites = program.ask(CallGraph).callers(function)
    return name if sites and all(_hands_on(program, site, start, name) for site in sites) else None


def _hands_on(program: Program, site: CallSite, start: Start, name: str) -> bool:
    """Whether a call hands on the number that its own process was started with."""
    frame = program.frame(site.module, site.function)
    for target in program.ask(CallGraph).targets(site.call.term, frame):
        if isinstance(target, FunctionValue) and target.function is start.function:
            bound = program.enter(target, site.call.term, frame).arguments.get(name)
            if (
                not isinstance(bound, Argument)
                or not isinstance(bound.term, Param)
                or bound.term.function != site.function.qualname
            ):
                return False
            if bound.term.name not in program.ask(Spawned).numbers(site.function):
                return False
    return True


def _variable(program: Program, start: Start, module: Module) -> str | None:
    """The variable that launchers set, where the file counts on it or the framework asks for such a launcher."""
    words = program.knowledge.tables["groups"]
    variables = program.knowledge.tables["variables"]["environment"]
    environment = reference(variables[0], module)
    name = words["number"][0]
    if environment is None or not (start.name in words["on_gpus_by_default"] or _reads(module, variables[0], name)):
        return None
    return f'int({environment}["{name}"])'


def _reads(module: Module, variables: str, name: str) -> bool:
    """Whether a file takes a variable of the environment for granted: it asks for it by its key."""
    for function in module.functions.values():
        for node in statements_of(function):
            for root in (getattr(node, "term", None), getattr(node, "value", None), getattr(node, "condition", None)):
                if isinstance(root, Term) and any(_is_item(part, variables, name) for part in parts_of(root)):
                    return True
        for held in held_at_end(function).values():
            if any(_is_item(part, variables, name) for part in parts_of(held)):
                return True
    return any(_is_item(part, variables, name) for held in module.names.values() for part in parts_of(held))


def _is_item(part: Term, variables: str, name: str) -> bool:
    return bool(
        isinstance(part, Subscript)
        and isinstance(part.base, Ref)
        and part.base.name == variables
        and isinstance(part.key, Const)
        and part.key.value == name
    )


#: Functions of a name that may be meant by a call of which nobody knows what it runs.
_MOST_MEANT = 4


class EarlyUse(NamedTuple):
    """A call that works on the current GPU, in its file; ``touch`` says how."""

    module: str
    call: CallStep
    touch: Touch


class Unchosen(NamedTuple):
    """A start of the group after which ``used`` comes before any choice.

    ``way`` are the calls that lead to the start, the nearest first; ``later`` chooses too late, or leads to that.
    """

    start: Start
    used: EarlyUse
    way: tuple[CallSite, ...]
    later: CallStep | None


class _Order:
    """What functions do first with the current GPU; asked of each function once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)

    @remembered()
    def led(self, function: Function) -> dict[int, Led]:
        """The tests that lead to each call of a function, by the call's id."""
        return {id(node): led for node, led in walk_tested(function.body) if isinstance(node, CallStep)}

    @remembered(None)
    def after(self, module: str, function: Function, start: int) -> EarlyUse | None:
        """What comes first among the calls of a function from one on, and in what they call."""
        frame = self.program.frame(module, function)
        leads = self.led(function)
        own = leads.get(id(calls_of(function)[start - 1]), ()) if start else ()  # who comes to the start passes these
        made: EarlyUse | None = None
        for call in calls_of(function)[start:]:
            led = tuple(each for each in leads.get(id(call), ()) if each not in own)
            touch = touches(self.program, call, frame, led)
            if touch is Touch.PINS:
                made = made or EarlyUse(module, call, touch)
            elif touch is not None:
                return EarlyUse(module, call, touch)
            for path, inner, sure in self.meant(module, function, call):
                if sure:
                    found = self.after(path, inner, 0)
                    if found is not None and found.touch in (Touch.PUTS, Touch.PINS) and apart(self.program, led):
                        continue
                    if found is not None and found.touch is Touch.PINS:
                        made = made or found
                        continue
                else:  # what only may run may choose, and shows nothing else
                    found = EarlyUse(module, call, Touch.CHOOSES) if self.chooses(path, inner) else None
                if found is not None:
                    return found
        return made

    @remembered(False)
    def chooses(self, module: str, function: Function) -> bool:
        """Whether a function chooses a GPU somewhere, itself or in what it calls."""
        return sees(self.program, function) or self.chooses_before(module, function, None)

    def chooses_before(self, module: str, function: Function, end: int | None) -> bool:
        """Whether one of the calls of a function up to one (None: to the last) chooses a GPU, or what it runs does."""
        frame = self.program.frame(module, function)
        for call in calls_of(function)[:end]:
            if touches(self.program, call, frame, ()) is Touch.CHOOSES:
                return True
            if any(self.chooses(path, inner) for path, inner, _ in self.meant(module, function, call)):
                return True
        return False

    def meant(self, module: str, function: Function, call: CallStep) -> Iterator[tuple[str, Function, bool]]:
        """The functions of the project that a call runs, for certain; where nobody knows, the few methods that have its name."""
        frame = self.program.frame(module, function)
        targets = self.index.targets(call.term, frame)
        callee = call.term.callee
        # Of an object that nobody knows, a method is guessed by its name.
        sure = not isinstance(callee, Attr) or not all(
            isinstance(each, Unresolved) for each in self.program.values(callee.base, frame)
        )
        functions = [target for target in targets if isinstance(target, FunctionValue)]
        for target in functions:
            yield target.module, target.function, sure and len(functions) == 1
        if not targets and isinstance(call.term.callee, Attr):
            named = self.program.methods_named(call.term.callee.name, module)
            yield from ((path, method, False) for path, method in named if len(named) <= _MOST_MEANT)


def unchosen(program: Program) -> Iterator[Unchosen]:
    """Each such start of a group, with what is used too early."""
    order = _Order(program)
    for start in program.ask(starts):
        site = start.site
        if not start.on_gpus(program) or tests_software(program, site.module, site.function):
            continue
        if _sees_one(program, start) or _is_alone(program, start):
            continue
        found = _used_early(order, start)
        if found is not None:
            yield found


def _sees_one(program: Program, start: Start) -> bool:
    """Whether the process may be one of a framework that shows each of its processes one GPU: an object of such, or beside it."""
    packages = program.knowledge.tables["groups"]["one_each"]
    if start.function.cls is not None:
        return not program.packages(start.site.module).isdisjoint(packages)
    return any(dotted.partition(".")[0] in packages for dotted in imported(program.modules[start.site.module]))


def _is_alone(program: Program, start: Start) -> bool:
    """Whether the group is one of a single process."""
    size = start.given(program, "world_size")
    return size is not None and isinstance(size, Const) and size.value == 1


def _used_early(order: _Order, start: Start) -> Unchosen | None:
    """What is used first after a start, on the way from it up to where the program begins."""
    site = start.site
    if sees(order.program, site.function):
        return None
    number = _number(site)
    first = None if order.chooses_before(site.module, site.function, number) else order.after(*_behind(site))
    if first is not None and _counts(order.program, start, first):
        later = _later(order, site, number)
        if later is not None:  # whoever calls this function leaves the choice to it
            return Unchosen(start, first, _clear(order, site, (), set()) or (), later)
    known = _early(order, start, site, (), set())
    if known is None:
        return None
    choices = (_later(order, each, _number(each)) for each in known[1] if each.module == site.module)
    return Unchosen(start, known[0], known[1], next((each for each in choices if each is not None), None))


def _early(
    order: _Order, start: Start, site: CallSite, way: tuple[CallSite, ...], seen: set[Function]
) -> tuple[EarlyUse, tuple[CallSite, ...]] | None:
    """What is used first from a call on, and the calls that lead to it from where the program begins, if none of them chose."""
    if order.chooses_before(site.module, site.function, _number(site)) or sees(order.program, site.function):
        return None
    first = order.after(*_behind(site))
    if first is not None:
        clear = _clear(order, site, way, set()) if _counts(order.program, start, first) else None
        return (first, clear) if clear is not None else None
    seen.add(site.function)
    for caller in _callers(order, site):
        known = _early(order, start, caller, (*way, caller), seen) if caller.function not in seen else None
        if known is not None:
            return known
    return None


def _clear(order: _Order, site: CallSite, way: tuple[CallSite, ...], seen: set[Function]) -> tuple[CallSite, ...] | None:
    """A way up to where the program begins, on which nothing chooses a GPU before; None when something does on all."""
    callers = _callers(order, site)
    if not callers:
        return way
    seen.add(site.function)
    for caller in callers:
        chooses = order.chooses_before(caller.module, caller.function, _number(caller)) or sees(order.program, caller.function)
        clear = _clear(order, caller, (*way, caller), seen) if not chooses and caller.function not in seen else None
        if clear is not None:
            return clear
    return None


def _callers(order: _Order, site: CallSite) -> list[CallSite]:
    """The calls that run the function of a call; of a method that nobody is seen to call, those that may mean it."""
    function = site.function
    if function.kind == "module":
        return []
    found = order.index.callers(function)
    if not found and function.cls is not None and not function.name.startswith("__"):
        named = [each for each in order.index.sites_named(function.name) if _is_near(order.program, each.module, site.module)]
        found = named if len(named) <= _MOST_MEANT else []
    return [each for each in found if each.function is not function]


def _is_near(program: Program, path: str, module: str) -> bool:
    """Whether two files belong together: by their imports, or since one is a script beside the package of the other.

    What leads from the one to the other may be a file that nobody had to read.
    """
    return program.together(path, module) or module.startswith(path.rpartition(os.sep)[0] + os.sep)


def _counts(program: Program, start: Start, found: EarlyUse) -> bool:
    """Whether it matters for this group: where nobody says that it is one of GPUs, a meeting shows nothing."""
    if found.touch is Touch.MEETS:
        parameter = program.knowledge.tables["groups.starts"][start.name]
        said = (
            start.given(program, parameter) is not None or start.name in program.knowledge.tables["groups"]["on_gpus_by_default"]
        )
        return said and start.given(program, "device_id") is None
    return found.touch in (Touch.PUTS, Touch.PINS)


def _number(site: CallSite) -> int:
    return next(number for number, call in enumerate(calls_of(site.function)) if call is site.call)


def _behind(site: CallSite) -> tuple[str, Function, int]:
    return site.module, site.function, _number(site) + 1


def _later(order: _Order, site: CallSite, number: int) -> CallStep | None:
    """The call behind the start, in its own function, that chooses a GPU, itself or in what it runs."""
    frame = order.program.frame(site.module, site.function)
    behind = calls_of(site.function)[number + 1 :]
    return next((call for call in behind if _is_choice(order, site, frame, call)), None)


def _is_choice(order: _Order, site: CallSite, frame: Context, call: CallStep) -> bool:
    if touches(order.program, call, frame, ()) is Touch.CHOOSES:
        return True
    return any(sure and order.chooses(path, inner) for path, inner, sure in order.meant(site.module, site.function, call))
