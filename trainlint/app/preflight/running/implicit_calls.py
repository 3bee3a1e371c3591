"""What runs though no call names it: hooks of frameworks, overrides, callbacks, properties, commands.

The methods of an object that run without being called by name: a framework calls them, or they override a method.

Callbacks: classes that are handed over and made by somebody else, methods that a loop over ``self.callbacks`` calls.

What the files of a job speak of, and what libraries call without being asked.

Properties that a function reads: what stands in their bodies runs, though nothing calls them.

Commands: functions that a command line runs by their names, handed to it in a dict or a list, or put there by a
decorator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.app.preflight.values.methods import calls_nothing
from trainlint.app.preflight.values.words import calls_of_library, handed, known, split
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Const,
    Dict,
    Element,
    Global,
    ItemDisplay,
    Nested,
    NestedClass,
    Ref,
    Select,
    SequenceDisplay,
    Term,
)
from trainlint.ir.sketch import CallStep, Function, Statement
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import roots
from trainlint.program.call_graph import CallSite, last_name
from trainlint.program.imports import imported
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, Unresolved

#: What is handed to a trainer to be called back.
_HOOKS = frozenset(("callback", "callbacks", "hook", "hooks", "handler", "handlers", "cb", "cbs", "listener", "listeners"))
#: What asks about a class, or takes a callback away.
_ASKS = frozenset(("isinstance", "issubclass", "type", "super", "remove_callback", "pop_callback", "hasattr", "getattr"))
#: The methods of callbacks that are called again and again while the job trains.
_AGAIN = re.compile(r"(on|before|after|run)_\w*(step|batch|epoch|iter|iteration|save|log|evaluate|update|round|event)")
_CALLED = re.compile(r"(on|before|after)_\w+")


def is_hooking(text: str | None) -> bool:
    """Whether a name is one of callbacks."""
    return not _HOOKS.isdisjoint(split(text or ""))


def is_called_again(name: str) -> bool:
    """Whether a method of a callback is called again and again: ``on_save``, ``after_step``; not ``on_train_end``."""
    return _AGAIN.match(name) is not None


def handed_classes(program: Program, call: CallStep, frame: Context) -> Iterator[ClassValue]:
    """The classes of callbacks that a call is handed: ``Trainer(callbacks=[Save])``, ``trainer.add_callback(Save)``."""
    name = last_name(call.term.callee)
    if name in _ASKS:
        return
    given = [(name, each) for each in call.term.args] + [(f"{name} {keyword}", each) for keyword, each in call.term.kwargs]
    for called, term in given:
        for each in _items(term):
            for value in program.values(each, frame) if isinstance(each, (Global, Ref, NestedClass, Attr)) else ():
                if isinstance(value, ClassValue) and (is_hooking(called) or _is_derived(program, value)):
                    yield value


def _items(term: Term) -> Iterator[Term]:
    """What stands in lists, one of them or two that are added; anything else itself."""
    if isinstance(term, ItemDisplay):
        for each in term.items:
            yield from _items(each)
    elif isinstance(term, (BinOp, Select)):
        for each in term.sides if isinstance(term, BinOp) else term.arms:
            yield from _items(each)
    else:
        yield term


def _is_derived(program: Program, cls: ClassValue) -> bool:
    """Whether a class is derived from a library's class for callbacks."""
    return any(is_hooking(each.name.rpartition(".")[2]) for each in program.lineage(cls) if isinstance(each, Library))


def registers(callee: Term) -> bool:
    """Whether a function is handed over to be called again and again: a callback, a hook."""
    name = last_name(callee) or ""
    return is_hooking(name) or "on" in split(name)


def is_over_hooks(subject: Term) -> bool:
    """Whether a loop goes over callbacks: ``for hook in self.hooks``. It is no round of a training."""
    return is_hooking(last_name(subject)) or (
        isinstance(subject, Call) and any(is_hooking(last_name(each)) for each in parts_of(subject))
    )


def called_by_name(
    program: Program, callee: Term, made: Iterable[ClassValue], files: Iterable[str]
) -> Iterator[tuple[bool | None, FunctionValue]]:
    """The methods of the callbacks of a job (of the classes that are ``made``) that a call of an unknown one of them runs.

    ``for each in self.callbacks: each.on_step()``, and ``getattr(each, name)()``, by which any of them may be called of which
    calls in the ``files`` are handed the name: whether again and again, its name says then.
    """
    name, receiver = _asked(callee)
    if receiver is None or not _is_hook(receiver):
        return
    common = known(program, "common-methods")
    texts = _handed_texts(program, files) if name is None else ()
    for cls in made:
        above = [each for each in program.lineage(cls) if isinstance(each, ClassValue)]
        is_own = _is_derived(program, cls) or any(is_hooking(each.cls.qualname) for each in above)
        if name in common and not is_own:
            continue
        seen: set[str] = set()
        for each in above:
            for own, qualname in each.cls.methods.items():
                if own not in seen and (own == name if name is not None else own in texts and _CALLED.fullmatch(own)):
                    seen.add(own)
                    function = program.modules[each.module].functions[qualname]
                    again = is_called_again(own) if name is None else None
                    yield again, FunctionValue(each.module, function, Instance(cls.module, cls.cls))


def _handed_texts(program: Program, files: Iterable[str]) -> frozenset[object]:
    """The constants that calls in some files are handed."""
    found = (calls_of(each) for path in files for each in program.modules[path].functions.values())
    return frozenset(given.value for each in found for call in each for given in handed(call.term) if isinstance(given, Const))


def _asked(callee: Term) -> tuple[str | None, Term | None]:
    """The name of a method, where it stands there, and the object of which it is asked."""
    if isinstance(callee, Attr):
        return callee.name, callee.base
    if isinstance(callee, Call) and last_name(callee.callee) == "getattr" and len(callee.args) > 1:
        name = callee.args[1]
        return (name.value if isinstance(name, Const) else None), callee.args[0]
    return None, None


def _is_hook(receiver: Term) -> bool:
    """Whether an object is one of several callbacks, or is called so itself."""
    return is_over_hooks(receiver.of) if isinstance(receiver, Element) else is_hooking(last_name(receiver))


def spoken(program: Program, files: Iterable[str]) -> frozenset[str | None]:
    """The names of what is called or handed on anywhere in files."""
    called = [call.term for path in files for each in program.modules[path].functions.values() for call in calls_of(each)]
    return frozenset(
        last_name(part)
        for call in called
        for part in (call.callee, *parts_of(*handed(call)))
        if isinstance(part, (Global, Ref, Nested, Attr))
    )


def is_hook(program: Program, path: str, function: Function) -> bool:
    """Whether a method belongs to a class that is derived from one of a library, other than a plain module."""
    cls = program.modules[path].classes.get(function.cls) if function.cls is not None else None
    return cls is not None and not calls_nothing(program, program.lineage(ClassValue(path, cls)))


_PROPERTY = "property"


class Read(NamedTuple):
    """Where a property is read, what leads there, and the function that works it out."""

    spot: Spot
    led: Led
    target: FunctionValue


class Properties:
    """Those that the functions of some files read."""

    def __init__(self, program: Program, files: Callable[[], Iterable[str]]) -> None:
        self.program = program
        self.files = files
        self._found: dict[int, list[Read]] = {}

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of all properties in the files."""
        functions = (each for path in self.files() for each in self.program.modules[path].functions.values())
        return frozenset(each.name for each in functions if each.kind == _PROPERTY)

    def of(self, path: str, function: Function) -> list[Read]:
        """Those that a function reads, of objects of which the class is known."""
        if id(function) not in self._found:
            self._found[id(function)] = list(self._reads(path, function))
        return self._found[id(function)]

    def _reads(self, path: str, function: Function) -> Iterator[Read]:
        frame = self.program.frame(path, function)
        for node, led in walk_tested(function.body):
            spot = _spot(node)
            for part, behind in _parts(node, led) if spot is not None else ():
                if isinstance(part, Attr) and part.name in self._names:
                    yield from (Read(spot, behind, each) for each in _of(self.program, part, frame) if spot is not None)


def _parts(node: Statement, led: Led) -> Iterator[tuple[Term, Led]]:
    """The terms of a statement, and those in them, each with what leads there: ``self.cached if args.cache else data``."""
    waiting = [(each, led) for each in roots(node)]
    seen = set(waiting)
    while waiting:
        term, behind = waiting.pop()
        yield term, behind
        if isinstance(term, Select):
            test = term.test
            more = [(test, behind), (term.then, (*behind, (test, True))), (term.other, (*behind, (test, False)))]
        elif isinstance(term, BoolOp):
            more = [
                (each, (*behind, *((one, isinstance(term, And)) for one in term.operands[:n])))
                for n, each in enumerate(term.operands)
            ]
        else:
            more = [(each, behind) for each in term.subterms()]
        fresh = [each for each in more if each not in seen]
        seen.update(fresh)
        waiting += fresh


def _spot(node: Statement) -> Spot | None:
    """Where a statement stands."""
    found = node.term.site if isinstance(node, CallStep) else getattr(node, "spot", None)
    return found if isinstance(found, Spot) else None


def _of(program: Program, term: Attr, frame: Context) -> Iterator[FunctionValue]:
    for base in program.values(term.base, frame):
        if not isinstance(base, Instance):
            continue
        found = program.method(ClassValue(base.module, base.cls), term.name)
        if found is None:
            continue
        path, method = found
        # one that can be set, too, has several functions of its name: what is read is worked out by the first
        same = (each for each in program.modules[path].functions.values() if (each.name, each.cls) == (method.name, method.cls))
        getter = next((each for each in same if each.kind == _PROPERTY), None)
        if getter is not None:
            yield FunctionValue(path, getter, base)


Commands = dict[str, list[FunctionValue]]


def commands(program: Program) -> Commands:
    """The functions that are commands of a command line, by the file that may be started to run them.

    ``CLI({"pretrain": setup})`` runs the one that is named, ``Fire()`` any of its file, ``Fire(Trainer)`` a method.
    """
    found: Commands = {}
    for site in calls_of_library(program, known(program, "commands")):
        for path, function in _handed(program, site):
            _add(found, path, function)
    for path, function in _decorated(program):
        _add(found, path, function)
    return found


def _add(found: Commands, path: str, value: FunctionValue) -> None:
    kept = found.setdefault(path, [])
    if all(each.function is not value.function for each in kept):
        kept.append(value)


def _handed(program: Program, site: CallSite) -> Iterator[tuple[str, FunctionValue]]:
    """What a command line is made of by a call, each with the file that it makes a script of."""
    term = site.call.term
    if not term.args:
        if not term.kwargs:
            for function in program.modules[site.module].functions.values():
                if function.cls is None and function.outer in (None, "<module>") and not function.name.startswith(("_", "<")):
                    yield site.module, FunctionValue(site.module, function, None)
        return
    for given in program.values(term.args[0], program.frame(site.module, site.function)):
        if isinstance(given, ClassValue | Instance):
            cls = given if isinstance(given, ClassValue) else ClassValue(given.module, given.cls)
            yield from ((site.module, each) for each in _methods(program, cls))
        if not isinstance(given, Unresolved) or not isinstance(given.term, (Dict, SequenceDisplay)):
            continue
        for part in given.term.values:
            for value in program.values(part, given.frame) if part is not None else ():
                if isinstance(value, FunctionValue):
                    yield value.module, FunctionValue(value.module, value.function, None)


def _methods(program: Program, cls: ClassValue) -> Iterator[FunctionValue]:
    """The methods of a class, and of those above it, that a command line can be told to run."""
    seen = set()
    for each in program.lineage(cls):
        for name, qualname in each.cls.methods.items() if isinstance(each, ClassValue) else ():
            if isinstance(each, ClassValue) and name not in seen and (name == "__init__" or not name.startswith("_")):
                seen.add(name)
                yield FunctionValue(each.module, program.modules[each.module].functions[qualname], Instance(cls.module, cls.cls))


def _decorated(program: Program) -> Iterator[tuple[str, FunctionValue]]:
    """The functions that a decorator makes commands: ``@app.command()``, in files that import a library of such command lines."""
    decorators, libraries = known(program, "command-decorators"), known(program, "command-libraries")
    for path, module in program.modules.items():
        if not any(dotted.partition(".")[0] in libraries for dotted in imported(module)):
            continue
        for function in module.functions.values():
            if function.cls is None and any(f".{last_name(each)}" in decorators for each in function.decorators):
                yield path, FunctionValue(path, function, None)
