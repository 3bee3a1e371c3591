"""The methods of an object that run without being called by name: a framework calls them, or they override a method."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from trainlint.app.preflight.values.words import functions_of, known
from trainlint.ir.nodes import Self
from trainlint.ir.sketch import Function
from trainlint.ir.walk import is_abstract
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, FunctionValue, Instance, Library

#: Methods that are run without being called by their names.
BY_SYNTAX = frozenset(("forward", "__call__", "__getitem__", "__iter__", "__next__", "__enter__", "__exit__"))
#: The method that a library of submissions calls when a job is taken away, of an object that can be called.
_TAKEN_AWAY = "checkpoint"


def methods_of(
    program: Program,
    cls: ClassValue,
    files: Collection[str],
    speaks_of: Callable[[Function], bool],
    *,
    made_known: bool,
    is_plain: bool = False,
) -> Iterator[FunctionValue]:
    """The methods that run because an object is made: of a class that is derived from one of a library, or of another one.

    ``made_known``: what overrides a method is followed from that method; it is left out where calls of it are seen, or nothing
    in the files speaks of it (``speaks_of``), as what a library is known not to call is. ``is_plain``:
    what stands above a method does not register it.
    """
    above = program.lineage(cls)
    hooked = not calls_nothing(program, above)
    whole = hooked or sum(isinstance(each, ClassValue) for each in above) > 1  # what overrides a method runs in its place
    patterns = hooks_of(program, above)
    asked = _called_by_users(program, above)
    for each in above:
        if isinstance(each, ClassValue):
            for function in program.modules[each.module].functions.values():
                if function.cls != each.cls.qualname:
                    continue
                if patterns and not (function.decorators or speaks_of(function) or is_one_of(function.name, patterns)):
                    continue
                if function.name in asked:
                    continue
                unasked = function.name in BY_SYNTAX or (function.name == _TAKEN_AWAY and "__call__" in each.cls.methods)
                if not (whole or unasked):
                    continue
                plain = made_known and not hooked and not unasked and (is_plain or not function.decorators)
                if plain and (not speaks_of(function) or _is_called(program, above, function.name, files)):
                    continue
                yield FunctionValue(each.module, function, Instance(cls.module, cls.cls))


def _called_by_users(program: Program, above: Iterable[object]) -> frozenset[str]:
    """The methods by which whoever made a trainer has it train: no library calls what overrides them."""
    trainers = {each.name for each in above if isinstance(each, Library)}
    table: Mapping[str, str] = program.knowledge.tables["preflight.trains"]
    return frozenset(name.rpartition(".")[2] for name in table if name.rpartition(".")[0] in trainers)


def hooks_of(program: Program, above: Iterable[object]) -> list[str]:
    """The patterns of the methods that libraries call of a class; nothing where they, or names in its code, are not known."""
    table: Mapping[str, list[str]] = program.knowledge.tables["preflight.hooks"]
    plain = known(program, "bases-that-call-nothing")
    found: list[str] = []
    for each in above:
        if isinstance(each, Library) and each.name in table:
            found += table[each.name]
            found += [name.rpartition(".")[2] for name in program.knowledge.hooks if name.rpartition(".")[0] == each.name]
        elif isinstance(each, Library) and each.name not in plain:
            return []
        elif isinstance(each, ClassValue):
            functions = program.modules[each.module].functions.values()
            own = (call for function in functions if function.cls == each.cls.qualname for call in calls_of(function))
            if any(
                last_name(call.term.callee) == "getattr" and call.term.args and isinstance(call.term.args[0], Self)
                for call in own
            ):
                return []
    return found


def is_one_of(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name fits one of some patterns."""
    return any(fnmatchcase(name, each) for each in patterns)


def calls_nothing(program: Program, above: Iterable[object]) -> bool:
    """Whether no class of a lineage is of a library that calls the methods of what is derived from it."""
    plain = known(program, "bases-that-call-nothing")
    return all(each.name in plain for each in above if isinstance(each, Library))


def _is_called(program: Program, above: Iterable[object], name: str, files: Collection[str]) -> bool:
    """Whether calls of a method are seen in the files of the job: of one of the classes that have it."""
    return not name.startswith("__") and any(
        site.module in files
        for each in above
        if isinstance(each, ClassValue) and name in each.cls.methods
        for site in program.ask(CallGraph).callers(program.modules[each.module].functions[each.cls.methods[name]])
    )


def overriding(program: Program, made: Iterable[ClassValue]) -> dict[int, list[FunctionValue]]:
    """What runs in place of a method (by its id) of a class, in objects of the classes of which some are made."""
    found: dict[int, list[FunctionValue]] = {}
    for cls in made:
        first: dict[str, FunctionValue] = {}
        for each in program.lineage(cls):
            if isinstance(each, ClassValue):
                for name, qualname in each.cls.methods.items():
                    function = program.modules[each.module].functions[qualname]
                    nearest = first.setdefault(name, FunctionValue(each.module, function, Instance(cls.module, cls.cls)))
                    if nearest.function is not function and not name.startswith("__"):
                        found.setdefault(id(function), []).append(nearest)
    return found


def only_ones(program: Program, files: Iterable[str]) -> dict[str, list[FunctionValue]]:
    """By name the methods of some files whose name no other method has there, but for those that derived classes fill in."""
    common = known(program, "common-methods")
    found: dict[str, list[FunctionValue]] = {}
    for path, function in functions_of(program, files):
        if function.cls is not None and not function.name.startswith("__") and not stands_for_others(function):
            found.setdefault(function.name, []).append(FunctionValue(path, function, None))
    return {name: each for name, each in found.items() if len(each) == 1 and name not in common}


def stands_for_others(function: Function) -> bool:
    """Whether a method only says that derived classes have one."""
    return is_abstract(function) or any(last_name(each) == "abstractmethod" for each in function.decorators)
