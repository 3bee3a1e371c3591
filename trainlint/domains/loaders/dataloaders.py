"""DataLoaders: each with the constructor, what that is given, the kind of its dataset, how many workers it has.

How many workers a loader has: as it is written, or by the default of the option of the command line that it is read
from. And options that contradict each other: the constructor, or the first loop over the loader, raises an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Given, Options, Settled, led_to
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Tests, conditions
from trainlint.ir.nodes import Attr, Call, Const, Display, Nested, NestedClass, Subscript, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep
from trainlint.ir.terms import whole_number
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.callables import PARTIAL, partial_of
from trainlint.program.contexts import contexts_at
from trainlint.program.environment import defaults_of
from trainlint.program.heap import holds_none
from trainlint.program.loops import Loops
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import (
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
    names_class,
)

_LOADER = "loader"
_INIT = "__init__"
ITERABLE, BY_INDEX = "iterable", "by index"


class Constructed(NamedTuple):
    """The call of a library's constructor that makes a loader, in its activation, and what stands for its arguments."""

    library: str
    call: Call
    frame: Context


class Loader:
    """One loader, in one activation of the function that makes it.

    ``made`` is the object, with the call by which the program asks for it; ``constructed`` the constructor's own call, which for
    a class derived from a library's loader stands in its ``__init__``.
    """

    def __init__(
        self, program: Program, made: LibraryObject | Instance, constructed: Constructed, statement: Spot | None
    ) -> None:
        self.program = program
        self.made = made
        self.constructed = constructed
        self.statement = statement

    @property
    def module(self) -> str:
        """The file in which the constructor is called."""
        return self.constructed.frame.module

    @property
    def spot(self) -> Spot:
        """The constructor's call."""
        return self.constructed.call.site

    @remembered()
    def given(self, name: str) -> Given:
        """What the constructor is given for a parameter."""
        library, call, frame = self.constructed
        return self.program.ask(Options).given(call, frame, name, library)

    def settled(self, name: str) -> Settled:
        """The constants that a parameter is given."""
        return self.program.ask(Options).settled(self.given(name))

    def keyword(self, name: str) -> Term | None:
        """The argument that stands in the call under this very name."""
        return next((value for keyword, value in self.constructed.call.kwargs if keyword == name), None)

    def plain(self) -> bool:
        """Whether the constructor's call says itself all that it is given: a repair may add to it."""
        return all(name is not None for name, _ in self.constructed.call.kwargs)

    def is_set(self, name: str) -> bool:
        """Whether a parameter is surely given something that is not None."""
        given = self.given(name)
        return given.known and bool(given.values) and all(map(is_something, given.values))

    def tests(self) -> Tests:
        """The tests that lead to the constructor's call in its function."""
        return conditions(led_to(self.constructed.frame.function, self.constructed.call))

    def workers(self) -> bool | None:
        """Whether it has worker processes; None when that is not known."""
        given = self.given("num_workers")
        if given.known and given.term is None:
            return False
        found = self.settled("num_workers")
        if not found.sure or any(type(each) is not int for each in found.constants):
            return None
        answers = {bool(each) for each in found.constants}
        return answers.pop() if len(answers) == 1 else None

    def data(self) -> tuple[Value, ...]:
        """What its dataset may be; nothing when nobody can say."""
        given = self.given("dataset")
        return given.values if given.known else ()

    def kind(self) -> str | None:
        """Whether its dataset is iterable or read by index; None when that cannot be seen, or it may be either."""
        found = {kind_of(self.program, value) for value in self.data()}
        return found.pop() if len(found) == 1 else None


def is_something(value: Value) -> bool:
    """Whether a value is surely not None."""
    if isinstance(value, Unresolved):
        return bool(
            isinstance(value.term, (Display, Nested, NestedClass))
            or (isinstance(value.term, Const) and value.term.value is not None)
        )
    if isinstance(value, LibraryObject):
        return names_class(value.name)
    return isinstance(value, (Instance, FunctionValue, ClassValue))


def kind_of(program: Program, value: Value) -> str | None:
    """Whether a dataset is iterable or read by index; None when that cannot be seen."""
    if program.ask(Loops).library(value, "stream"):
        return ITERABLE
    if isinstance(value, Instance):
        cls = ClassValue(value.module, value.cls)
        above = program.lineage(cls)
        bases = program.knowledge.tables["loaders"]["bases"]
        plain = all(isinstance(each, ClassValue) or each.name in bases for each in above)
        return BY_INDEX if plain and program.method(cls, "__getitem__") is not None else None
    if isinstance(value, LibraryObject):
        names = program.knowledge.map_style
        named = any(value.name.startswith(name) if name[-1] == "." else value.name == name for name in names)
        return BY_INDEX if named else None
    if isinstance(value, Unresolved) and isinstance(value.term, Subscript):  # a part of what ``random_split`` returns
        whole, around = program.values(value.term.base, value.frame), program.knowledge.tables["loaders"]["around"]
        parts = whole and all(isinstance(each, LibraryObject) and each.name in around for each in whole)
        return BY_INDEX if parts and all(kind_of(program, each) == BY_INDEX for each in whole) else None
    return None


class Loaders:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.asked = program.ask(Loops)
        self._of: dict[tuple[Term, Context], Loader | None] = {}

    @remembered()
    def all(self) -> tuple[Loader, ...]:
        """Every loader that the program makes, once for each activation in which it does."""
        found = {id(loader): loader for loader in self._made()}
        return tuple(found.values())

    def _made(self) -> Iterator[Loader]:
        seen: set[Term] = set()
        for name in sorted(self._names()):
            for site in list(self.index.sites_named(name)):
                if site.call.term in seen or not self._may_make(site):
                    continue
                seen.add(site.call.term)
                for frame in contexts_at(self.program, site):
                    for value in self._results(site.call.term, frame):
                        loader = self.of(value)
                        if loader is not None:
                            yield loader

    def _names(self) -> set[str]:
        """What the constructors of loaders are called, those of the project among them."""
        kinds = self.program.knowledge.kinds
        names = {name.rpartition(".")[2] for name, kind in kinds.items() if kind == _LOADER}
        for path, module in self.program.modules.items():
            for cls in module.classes.values():
                if any(isinstance(each, Library) and kinds.get(each.name) == _LOADER for each in self._above(path, cls.qualname)):
                    names.add(cls.qualname.rpartition(".")[2])
        return {*names, PARTIAL.rpartition(".")[2]}

    def _above(self, path: str, name: str) -> tuple[ClassValue | Library, ...]:
        return self.program.lineage(ClassValue(path, self.program.modules[path].classes[name]))

    def _may_make(self, site: CallSite) -> bool:
        frame = self.program.frame(site.module, site.function)
        return any(self.asked.library(value, _LOADER) for value in self._results(site.call.term, frame))

    def _results(self, call: Call, frame: Context) -> Iterator[LibraryObject | Instance]:
        """The loaders that a call makes: of a class, or of what ``functools.partial`` made of one."""
        for callee in self.program.values(call.callee, frame):
            if isinstance(callee, Library):
                yield LibraryObject(callee.name, call, frame)
            elif isinstance(callee, ClassValue):
                yield Instance(callee.module, callee.cls, call, frame)
            elif (partial := partial_of(callee)) is not None and partial.frame is frame:
                for inner in self.program.values(partial.callee, frame):
                    if isinstance(inner, Library):
                        yield LibraryObject(inner.name, _joined(partial.call, call), frame)

    def of(self, made: LibraryObject | Instance) -> Loader | None:
        """The loader that is made somewhere; None for what is none, or whose constructor is out of sight."""
        if made.call is None or made.frame is None:
            return None
        key = (made.call, made.frame)
        if key not in self._of:
            constructed = self._constructed(made)
            if constructed is None:
                self._of[key] = None
            else:
                statement = _statement(constructed.frame, constructed.call)
                self._of[key] = Loader(self.program, made, constructed, statement)
        return self._of[key]

    def _constructed(self, made: LibraryObject | Instance) -> Constructed | None:
        library = self.asked.library(made, _LOADER)
        if library is None or made.call is None or made.frame is None:
            return None
        if isinstance(made, LibraryObject):
            return Constructed(library, made.call, made.frame)
        own = self.program.method(ClassValue(made.module, made.cls), _INIT)
        if own is None:
            return Constructed(library, made.call, made.frame)
        return self._in_constructor(library, self.program.instance_frame(made, *own))

    def _in_constructor(self, library: str, frame: Context) -> Constructed | None:
        """The one call in an ``__init__`` that hands on to the library's."""
        found: list[Constructed | None] = []
        for call in calls_of(frame.function):
            if not isinstance(call.term.callee, Attr) or call.term.callee.name != _INIT:
                continue
            for target in self.index.targets(call.term, frame):
                if isinstance(target, Library):
                    shifted = not isinstance(call.term.callee.base, Call)  # ``DataLoader.__init__(self, …)``
                    found.append(None if shifted else Constructed(library, call.term, frame))
                elif frame.follows(target.function):
                    inner = self.program.enter(target, call.term, frame)
                    found.append(self._in_constructor(library, inner))
        return found[0] if len(found) == 1 else None


def _joined(partial: Call, call: Call) -> Call:
    """``partial(f, a, k=b)(c, k=d)`` as the call ``f(a, c, k=d)``."""
    named = {name for name, _ in call.kwargs}
    kept = tuple((name, value) for name, value in partial.kwargs if name not in named)
    return Call.new(partial.args[0], (*partial.args[1:], *call.args), (*kept, *call.kwargs), call.site)


def _statement(frame: Context, call: Call) -> Spot | None:
    """The statement around a call of a function."""
    spot = call.site
    nodes = (node for node in statements_of(frame.function) if isinstance(node, CallStep))
    return next((node.statement for node in nodes if node.term.site == spot), None)


#: How many cores a machine has at least.
_CORES = 2


def fewest(loader: Loader) -> int | None:
    """The fewest workers that a loader may have with the program's own settings; None when that cannot be seen."""
    given = loader.given("num_workers")
    if not given.known:
        return None
    if given.term is None:
        return 0
    return _least(loader.program, given.values, loader.module)


def _least(program: Program, values: tuple[Value, ...], module: str, around: tuple[Value, ...] = ()) -> int | None:
    found = [_number(program, value, module, around) for value in values]
    known = [each for each in found if each is not None]
    return min(known) if known and len(known) == len(found) else None


def _number(program: Program, value: Value, module: str, around: tuple[Value, ...]) -> int | None:
    if isinstance(value, LibraryObject):
        return _computed(program, value, module, around)
    if isinstance(value, Library):
        return _default(program, value.name.rpartition(".")[2], module)
    if not isinstance(value, Unresolved):
        return None
    term = value.term
    if isinstance(term, Const):
        return whole_number(term)
    if isinstance(term, Attr):
        return _default(program, term.name, value.frame.module)
    return None


def _computed(program: Program, value: LibraryObject, module: str, around: tuple[Value, ...]) -> int | None:
    """``os.cpu_count()``, and the smallest or largest of several numbers."""
    if value.name in program.knowledge.tables["loaders"]["cores"]:
        return _CORES
    word = program.knowledge.rounding.get(value.name)
    if word not in ("min", "max") or value.call is None or value.frame is None or value in around:
        return None
    numbers = [_least(program, program.values(each, value.frame), module, (*around, value)) for each in value.call.args]
    known = [each for each in numbers if each is not None]
    if word == "max":
        return max(known) if known else None
    return min(known) if known and len(known) == len(numbers) else None


def _default(program: Program, name: str, module: str) -> int | None:
    """The default of the option of the command line of this name, where the program has one, and all of them the same."""
    found = defaults_of(program, name, module)
    numbers = [each for each in found if type(each) is int]
    return numbers[0] if len(found) == 1 and numbers else None


# -- options that contradict each other: read in torch 2.13 (``DataLoader.__init__``), and run there --------------------

#: Options that only a loader with workers can have; the one that is read when the loader is iterated.
_OF_WORKERS = ("prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout")
_LATE = "timeout"
_TRUE = "persistent_workers"
#: Options that a batch sampler decides, with the value that says nothing.
_OF_BATCHES: dict[str, object] = {"batch_size": 1, "shuffle": None, "sampler": None, "drop_last": None}
_SAMPLERS = ("sampler", "batch_sampler")


class Conflict(NamedTuple):
    """Options of a loader that cannot stand together.

    ``options`` are those that cannot stand, ``against`` what they cannot stand with (an option, or ``iterable``). ``late``: the
    error comes when the loader is iterated. ``test`` is an expression that is true where they may stand, for a repair (None: none
    is needed, they may go); ``plain`` the options that a repair can take from the call. ``always`` is False where a sampler is
    there in some runs only.
    """

    loader: Loader
    options: tuple[str, ...]
    against: str
    late: bool = False
    always: bool = True
    test: str | None = None
    plain: tuple[str, ...] = ()


def without_workers(program: Program) -> Iterator[Conflict]:
    """Each loader that has options of workers and no workers, once for its call."""
    for loader in _distinct(program):
        if loader.workers() is not False:
            continue
        found = tuple(name for name in _OF_WORKERS if _is_on(loader, name))
        if found:
            test, plain = _cure(loader, found)
            yield Conflict(loader, found, "num_workers", found == (_LATE,), True, test, plain)


def _is_on(loader: Loader, name: str) -> bool:
    """Whether an option of workers is surely set to something that needs them."""
    if name not in (_TRUE, _LATE):
        return loader.is_set(name)
    found = loader.settled(name)
    return found.sure and bool(found.constants) and all(found.constants)


def _cure(loader: Loader, names: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """What a repair needs: the test for workers, where their number is not written in the call, and the options in the call."""
    call, function = loader.constructed.call, loader.constructed.frame.function
    if any(keyword is None for keyword, _ in call.kwargs):
        return None, ()
    count = loader.given("num_workers").term
    if count is None or isinstance(count, Const):
        return None, tuple(name for name in names if loader.keyword(name) is not None)
    text = name_in(count, function)
    plain = tuple(name for name in names if name == _TRUE and loader.keyword(name) is not None)
    return (f"{text} > 0", plain) if text is not None and plain == names else (None, ())


def _distinct(program: Program) -> Iterator[Loader]:
    """The loaders of a program that make something: not those of tests of software, where an error may be what is asked for."""
    for loader in program.ask(Loaders).all():
        if not tests_software(program, loader.module, loader.constructed.frame.function):
            yield loader


# -- samplers ----------------------------------------------------------------------------------------------------------


def of_samplers(program: Program) -> Iterator[Conflict]:
    """Each loader whose sampler, batch sampler or iterable dataset contradicts another option."""
    for loader in _distinct(program):
        found = _with_iterable(loader) or _with_batches(loader) or _with_sampler(loader)
        if found is not None:
            yield found


def _with_iterable(loader: Loader) -> Conflict | None:
    """An iterable dataset that is to be shuffled, or read in the order of a sampler."""
    data = loader.data()
    if not data or any(not _raises(loader.program, value) for value in data):
        return None
    found = tuple(name for name in _SAMPLERS if loader.is_set(name))
    if _shuffles(loader):
        found = ("shuffle", *found)
    if not found:
        return None
    plain = found if found == ("shuffle",) and loader.keyword("shuffle") is not None else ()
    return Conflict(loader, found, ITERABLE, plain=plain)


def _raises(program: Program, value: Value) -> bool:
    """Whether a dataset is iterable in the way that the loader objects to; pipes are told to shuffle instead."""
    if kind_of(program, value) != ITERABLE:
        return False
    pipes = program.knowledge.tables["loaders"]["pipes"]
    if isinstance(value, LibraryObject):
        return value.name not in pipes
    return isinstance(value, Instance) and not any(
        isinstance(each, Library) and each.name in pipes for each in program.lineage(ClassValue(value.module, value.cls))
    )


def _shuffles(loader: Loader) -> bool:
    found = loader.settled("shuffle")
    return found.sure and bool(found.constants) and all(found.constants)


def _with_batches(loader: Loader) -> Conflict | None:
    """A batch sampler, and an option that it decides."""
    if not _may_be(loader, "batch_sampler"):
        return None
    found = tuple(name for name in _OF_BATCHES if _says(loader, name))
    if not found:
        return None
    always = loader.is_set("batch_sampler")
    if not always and loader.tests():
        return None
    plain = found if always and all(loader.keyword(name) is not None for name in found) else ()
    return Conflict(loader, found, "batch_sampler", always=always, plain=plain)


def _says(loader: Loader, name: str) -> bool:
    """Whether an option is surely set to something that a batch sampler decides."""
    if name == "sampler":
        return loader.is_set(name)
    found = loader.settled(name)
    if not found.sure or not found.constants:
        return False
    if name == "batch_size":
        return all(each != 1 for each in found.constants)
    return all(found.constants)


def _with_sampler(loader: Loader) -> Conflict | None:
    """A sampler, in all runs or in some, and ``shuffle=True`` in all."""
    if not _shuffles(loader) or not _may_be(loader, "sampler"):
        return None
    always = loader.is_set("sampler")
    if not always and loader.tests():
        return None  # they may ask whether there is one
    shuffle = loader.keyword("shuffle")
    if shuffle is None or not isinstance(shuffle, Const):
        return Conflict(loader, ("shuffle",), "sampler", always=always)
    term = loader.given("sampler").term
    text = None if always or term is None else name_in(term, loader.constructed.frame.function)
    plain = ("shuffle",) if always or text is not None else ()
    return Conflict(loader, ("shuffle",), "sampler", always=always, test=None if text is None else f"{text} is None", plain=plain)


def _may_be(loader: Loader, name: str) -> bool:
    """Whether a sampler is surely there in some runs: every value is known to be one, or to be None."""
    given = loader.given(name)
    values = given.values if given.known else given.sometimes
    there = [value for value in values if is_something(value)]
    nothing = [value for value in values if holds_none(value)]
    return bool(there) and len(there) + len(nothing) == len(values)
