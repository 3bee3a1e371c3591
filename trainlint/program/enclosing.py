"""What encloses a call in its function: open context managers, tests, loops, and the handler that catches an error."""

from __future__ import annotations

import builtins
from functools import reduce
from typing import NamedTuple

from trainlint.ir.control_dependence import positive
from trainlint.ir.nodes import Attr, Call, Entered, Term, Tuple
from trainlint.ir.sketch import CallStep, Function, If, Loop, Statement, Try, With, Yield
from trainlint.ir.walk import Region, threaded
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, Value

_BUILTIN = "builtins."


def catcher(program: Program, attempt: Try, frame: Context, error: Term, at: Context) -> int | None:
    """The number of the handler that catches an error raised in ``at``; -1 for none of them, None where that is not known."""
    raised = _classes(program, error, at)
    if len(raised) != 1 or len(attempt.caught) < len(attempt.handlers):
        return None
    for index, caught in enumerate(attempt.caught):
        if caught.kinds is None:
            return index
        kinds = caught.kinds.items if isinstance(caught.kinds, Tuple) else (caught.kinds,)
        for kind in kinds:
            known = _classes(program, kind, frame)
            fits = [_is_kind(program, raised[0], one) for one in known]
            if True in fits:
                return index
            if not fits or None in fits:
                return None
    return -1


def _classes(program: Program, term: Term, frame: Context) -> list[ClassValue | Library]:
    """The classes that a term names, or is an object of."""
    found: list[ClassValue | Library] = []
    for value in program.values(term, frame):
        cls = _class_of(value)
        if cls is None:
            return []
        found.append(cls)
    return found


def _class_of(value: Value) -> ClassValue | Library | None:
    if isinstance(value, (ClassValue, Library)):
        return value
    if isinstance(value, Instance):
        return ClassValue(value.module, value.cls)
    return Library(value.name) if isinstance(value, LibraryObject) else None


def _is_kind(program: Program, raised: ClassValue | Library, kind: ClassValue | Library) -> bool | None:
    """Whether an error of one class is one of the other; None where that is not known."""
    lineage: tuple[ClassValue | Library, ...] = program.lineage(raised) if isinstance(raised, ClassValue) else (raised,)
    unknown = False
    for cls in (raised, *lineage):
        if cls == kind:
            return True
        if isinstance(cls, Library):
            derived = _is_builtin(cls, kind)
            if derived:
                return True
            unknown = unknown or derived is None
    return None if unknown else False


def _is_builtin(raised: Library, kind: ClassValue | Library) -> bool | None:
    if isinstance(kind, ClassValue):
        return False if raised.name.startswith(_BUILTIN) else None
    one, other = (getattr(builtins, name.name.removeprefix(_BUILTIN), None) for name in (raised, kind))
    if isinstance(one, type) and isinstance(other, type):
        return issubclass(one, other)
    return None


#: Managers that are opened and closed by calls, not by ``with``: of a ``contextlib.ExitStack``, of the manager itself.
_OPENS, _OPENS_ITSELF, _CLOSES_ITSELF = "enter_context", "__enter__", "__exit__"


class Around(NamedTuple):
    """Outermost first: open managers, tests with the way that was taken, loops."""

    managers: tuple[Term, ...] = ()
    tests: tuple[tuple[Term, bool], ...] = ()
    loops: tuple[Loop, ...] = ()


NOWHERE = Around()


class Surroundings:
    """The surroundings of the calls and of the ``yield`` of one function; made once for each function that is asked about."""

    def __init__(self, function: Function) -> None:
        self.calls: dict[Term, Around] = {}
        self.places: list[tuple[CallStep, Around]] = []
        self.yields: Around | None = None
        self.left_open: tuple[Term, ...] = reduce(_behind, function.body, NOWHERE).managers
        for node, around in threaded(function.body, NOWHERE, _inside, _behind):
            if isinstance(node, CallStep):
                self.calls.setdefault(node.term, around)
                self.places.append((node, around))
            elif isinstance(node, Yield):
                self.yields = self.yields or around

    def of(self, call: Call) -> Around:
        """What stands around a call; nothing for a call of another function."""
        return self.calls.get(call, NOWHERE)


def _inside(around: Around, node: Region, number: int) -> Around:
    """What is around the statements in a block of a region."""
    if isinstance(node, With):
        return around._replace(managers=(*around.managers, *node.items))
    if isinstance(node, If):
        return around._replace(tests=(*around.tests, positive(node.condition, holds=number == 0)))
    return around._replace(loops=(*around.loops, node)) if isinstance(node, Loop) and number == 0 else around


def _behind(around: Around, node: Statement) -> Around:
    """What is around the statements behind one: a call may have opened or closed a manager, also in each iteration of a loop."""
    if isinstance(node, CallStep):
        return _opened(around, node.term)
    return reduce(_opened, _opening(node), around) if isinstance(node, Loop) else around


def _opening(loop: Loop) -> list[Call]:
    """The calls in the body of a loop that open managers."""
    calls = [each.term for each in loop.body if isinstance(each, CallStep)]
    return [call for call in calls if isinstance(call.callee, Attr) and call.callee.name == _OPENS]


def _opened(around: Around, call: Call) -> Around:
    """What is around the statements behind a call that opens or closes a manager."""
    callee = call.callee
    if not isinstance(callee, Attr):
        return around
    if callee.name == _OPENS and len(call.args) == 1:
        return around._replace(managers=(*around.managers, call.args[0]))
    if callee.name == _OPENS_ITSELF:
        return around._replace(managers=(*around.managers, callee.base))
    if callee.name == _CLOSES_ITSELF:
        return around._replace(managers=tuple(manager for manager in around.managers if manager is not callee.base))
    return around


def surroundings(_program: Program, function: Function) -> Surroundings:
    """The surroundings in a function."""
    return Surroundings(function)


#: What opens managers, and closes all of them where its ``with`` ends.
_STACKS = ("contextlib.ExitStack", "contextlib.AsyncExitStack")


class Opened(NamedTuple):
    """A manager that another one opens, in the activation that does; ``surely``: no test decides whether it does."""

    manager: Term
    frame: Context
    surely: bool = True


def opened_by(program: Program, manager: Value) -> list[Opened]:
    """The managers that one opens for the body of its ``with``, outermost first: a generator, an object, a stack of managers."""
    if isinstance(manager, LibraryObject) and manager.name in _STACKS and manager.call is not None and manager.frame is not None:
        return _put_on(program, manager.call, manager.frame)
    if isinstance(manager, Instance):
        method = program.method(ClassValue(manager.module, manager.cls), "__enter__")
        inner = program.instance_frame(manager, *method) if method is not None else None
        return [] if inner is None else [Opened(each, inner) for each in program.ask_of(surroundings, inner.function).left_open]
    found: list[Opened] = []
    if isinstance(manager, Unresolved) and isinstance(manager.term, Call):
        for callee in program.ask(CallGraph).targets(manager.term, manager.frame):
            if isinstance(callee, FunctionValue) and callee.function.generator and manager.frame.follows(callee.function):
                around = program.ask_of(surroundings, callee.function).yields or NOWHERE
                inner = program.enter(callee, manager.term, manager.frame)
                found += [Opened(each, inner) for each in around.managers]
    return found


def _put_on(program: Program, stack: Call, frame: Context) -> list[Opened]:
    """What the function that makes a stack of managers enters on it."""
    found = []
    for node, around in program.ask_of(surroundings, frame.function).places:
        callee = node.term.callee
        if isinstance(callee, Attr) and callee.name == _OPENS and len(node.term.args) == 1:
            holder = callee.base.manager if isinstance(callee.base, Entered) else callee.base
            if holder is stack:
                found.append(Opened(node.term.args[0], frame, surely=not around.tests))
    return found
