"""The workers of a loader: what runs in them, what touches the device there, and which objects they hold copies of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

from trainlint.domains.loaders.dataloaders import Loader, Loaders, fewest
from trainlint.finding import Spot
from trainlint.ir.control_dependence import sure_among
from trainlint.ir.nodes import Access, Attr, Call, Const, Global, Nested, Ref, Self, SequenceDisplay, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Store
from trainlint.ir.terms import is_none, parts_of
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, called_elsewhere
from trainlint.program.consteval import constant_of
from trainlint.program.contexts import calling_contexts
from trainlint.program.heap import CONSTRUCTS
from trainlint.program.loops import BatchLoop, EpochLoop, Loops
from trainlint.program.memo import remembered
from trainlint.program.naming import reference, same
from trainlint.program.origins import origins
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import Ran, may_call, statements_run
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import arguments_of, innermost, reached
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
)

#: Methods of a dataset that its workers run.
READS = ("__getitem__", "__getitems__", "__iter__", "__next__")
_COLLATE, _INIT = "collate_fn", "worker_init_fn"


class Run(NamedTuple):
    """A function that runs in a worker, in one activation."""

    function: Function
    frame: Context


class Inside:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)

    def datasets(self, loader: Loader) -> Iterator[Value]:
        """The datasets that a loader reads, those in a library's ``Subset`` and its like in their place."""
        yield from innermost(self.program, loader.data(), self._around)

    def _around(self, value: Value) -> list[Argument] | None:
        """The datasets that a library's object reads, or of which it has some items; of a list of datasets these."""
        around = self.program.knowledge.tables["loaders"]["around"]
        if isinstance(value, LibraryObject) and value.name in around and value.call is not None and value.frame is not None:
            given = value.call.args[:1] or [each for name, each in value.call.kwargs if name in ("dataset", "datasets")]
            made = [each for term in given for each in origins(self.program, term, value.frame)]
            return [Argument(inner, each.frame) for each in made for inner in _items(each.term)]
        if isinstance(value, Unresolved) and isinstance(value.term, Subscript):  # an item of what ``random_split`` returns
            whole = self.program.values(value.term.base, value.frame)
            split = [each for each in whole if isinstance(each, LibraryObject)]
            if split and all(each.name in around for each in split):
                return [Argument(value.term.base, value.frame)]
        return None

    @remembered()
    def reading(self, dataset: Value) -> tuple[Run, ...]:
        """What runs when a worker reads samples of a dataset of the project."""
        if not isinstance(dataset, Instance):
            return ()
        cls = ClassValue(dataset.module, dataset.cls)
        methods = (self.program.method(cls, name) for name in READS)
        roots = [Run(each[1], self.program.instance_frame(dataset, *each)) for each in methods if each is not None]
        return tuple(self.closure(roots))

    def collating(self, loader: Loader) -> tuple[Run, ...]:
        """What runs when the samples of a batch are put together."""
        return tuple(self.closure(self._started(loader, _COLLATE)))

    def beginning(self, loader: Loader) -> tuple[Run, ...]:
        """What runs once when a worker begins."""
        return tuple(self.closure(self._started(loader, _INIT)))

    def _started(self, loader: Loader, name: str) -> Iterator[Run]:
        for value in loader.given(name).values:
            yield from starmap(Run, called_elsewhere(self.program, value))

    def closure(self, roots: Iterable[Run]) -> list[Run]:
        """Functions, and all that they call or hand on to be called, as far as that is known."""
        found: list[Run] = []
        seen: set[int] = set()
        pending = [*roots]
        while pending:
            run = pending.pop(0)
            if id(run.function) in seen:
                continue
            seen.add(id(run.function))
            found.append(run)
            pending += self._runs(run)
        return found

    def _runs(self, run: Run) -> Iterator[Run]:
        for call in calls_of(run.function):
            for target in self.index.targets(call.term, run.frame):
                if isinstance(target, FunctionValue) and not run.frame.runs(target.function):
                    yield Run(target.function, self.program.enter(target, call.term, run.frame))
            for given in (*call.term.args, *(value for _, value in call.term.kwargs)):
                if isinstance(given, (Nested, Global, Attr)):
                    for value in self.program.values(given, run.frame):
                        if isinstance(value, FunctionValue):
                            yield from starmap(Run, called_elsewhere(self.program, value))


def _items(term: Term) -> tuple[Term, ...]:
    """The items of a list that is written down; else the term itself."""
    return term.items if isinstance(term, SequenceDisplay) else (term,)


_DEVICE = "device"


class OnDevice(NamedTuple):
    """A call in a worker of a loader that puts something on the device."""

    module: str
    call: CallStep
    loader: Loader


def in_workers(program: Program) -> Iterator[OnDevice]:
    """Each call that runs in workers and surely puts something on the device, where there is one; once."""
    seen: set[tuple[str, Spot]] = set()
    asked = program.ask(Inside)
    for loader in program.ask(Loaders).all():
        if not loader.given("multiprocessing_context").absent:
            continue
        workers = fewest(loader)
        if workers is None or workers < 1 or tests_software(program, loader.module, loader.constructed.frame.function):
            continue
        runs = [run for data in asked.datasets(loader) for run in asked.reading(data)]
        for run in (*runs, *asked.collating(loader)):
            for call in _moving(program, run):
                key = (run.frame.module, call.term.site)
                if key not in seen:
                    seen.add(key)
                    yield OnDevice(run.frame.module, call, loader)


def _moving(program: Program, run: Run) -> list[CallStep]:
    """The calls that put something on the device in each run of a function: a test may ask for the process."""
    found = sure_among(run.function.body, lambda node: isinstance(node, CallStep) and puts(program, node.term, run.frame))
    return [node for node in found if isinstance(node, CallStep)]


def puts(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call puts a tensor on the device, as far as what it is given is written down."""
    words = program.knowledge.tables["loaders"]
    callee = call.callee
    if isinstance(callee, Attr) and callee.name in words["puts"]:
        if any(isinstance(value, FunctionValue) for value in program.values(callee, frame)):
            return False
        if callee.name in words["devices"]:
            return True
        return any(is_device(program, each, frame) for each in (*call.args[:1], *_named(call)))
    if not isinstance(callee, (Ref, Attr)) or not any(is_device(program, each, frame) for each in _named(call)):
        return False
    makers = program.knowledge.tables["loaders"]["device_makers"]
    values = program.values(callee, frame)
    return not any(isinstance(value, FunctionValue) or (isinstance(value, Library) and value.name in makers) for value in values)


def _named(call: Call) -> list[Term]:
    return [value for name, value in call.kwargs if name == _DEVICE]


def is_device(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term names the device, where the machine has one."""
    words = program.knowledge.tables["loaders"]

    def around(value: Value) -> list[Argument] | None:
        makes = isinstance(value, LibraryObject) and value.name in words["device_makers"]
        return arguments_of(value)[:1] if makes else None

    names = (constant_of(value) for value in innermost(program, program.values(term, frame), around))
    return any(
        name is not None and isinstance(name.value, str) and name.value.partition(":")[0] in words["devices"] for name in names
    )


_GENERATOR = "generator"
_SEVERAL = 2
_SEEDS = ("seed", "manual_seed", "set_state", "setstate")
#: How the generator that a process has calls what objects call so.
_OTHERWISE = {"integers": "randint"}
_GETS = "__getitem__"


class Cloned(NamedTuple):
    """A number that every worker draws alike: the call that draws it, the call that makes the generator, and the loader.

    ``workers`` is how many there are; ``instead`` the function of the process that draws the same kind of number.
    """

    module: str
    call: CallStep
    made: LibraryObject
    loader: Loader
    workers: int
    instead: str | None
    keyword: bool


def cloned(program: Program) -> Iterator[Cloned]:
    """The first draw in a worker from each generator that was made outside of it; what draws elsewhere, too, is not mended."""
    by_origin: dict[tuple[str, Spot], list[Cloned]] = {}
    for found in _draws(program):
        origin = _origin(found.made) or (found.module, found.call.term.site)
        by_origin.setdefault(origin, []).append(found)
    for first, *others in by_origin.values():
        yield first._replace(instead=None, keyword=False) if others else first


def _draws(program: Program) -> Iterator[Cloned]:
    """Each draw in a worker from a generator that was made outside of it, once."""
    seen: set[tuple[str, Spot]] = set()
    for loader in program.ask(Loaders).all():
        if not loader.given("worker_init_fn").absent or tests_software(program, loader.module, loader.constructed.frame.function):
            continue
        workers = fewest(loader)
        if workers is None or workers < 1 or (workers < _SEVERAL and not loader.given("persistent_workers").absent):
            continue
        for runs in _closures(program, loader):
            if any(_asks(program, run) for run in runs):
                continue
            functions = {id(run.function) for run in runs}
            for run in runs:
                for call in calls_of(run.function):
                    key = (run.frame.module, call.term.site)
                    found = None if key in seen else _drawn(program, call, run.frame, functions, loader)
                    if found is not None:
                        seen.add(key)
                        made, keyword = found
                        instead = None if keyword else _instead(program, run.frame.module, made, call.term)
                        yield Cloned(run.frame.module, call, made, loader, workers, instead, keyword)


def _origin(made: LibraryObject) -> tuple[str, Spot] | None:
    """Where a generator is made: that is the mistake, however often it is drawn from."""
    return (made.frame.module, made.call.site) if made.call is not None and made.frame is not None else None


def _closures(program: Program, loader: Loader) -> Iterator[tuple[Run, ...]]:
    asked = program.ask(Inside)
    for data in asked.datasets(loader):
        if isinstance(data, Instance) and program.method(ClassValue(data.module, data.cls), _GETS) is not None:
            yield asked.reading(data)
    yield asked.collating(loader)


def _asks(program: Program, run: Run) -> bool:
    """Whether a function asks which worker it is in, or for the process."""
    asks = program.knowledge.tables["loaders"]["asks"]
    return any(program.may_be_one_of(call.term.callee, run.frame, asks) for call in calls_of(run.function))


def _drawn(
    program: Program, call: CallStep, frame: Context, functions: set[int], loader: Loader
) -> tuple[LibraryObject, bool] | None:
    """The generator that a call draws from, if it was made outside of the workers; whether it is handed it."""
    callee = call.term.callee
    if isinstance(callee, Attr) and callee.name not in _SEEDS:
        made = _made_outside(program, callee.base, frame, functions, loader)
        if made is not None:
            return made, False
    handed = next((value for name, value in call.term.kwargs if name == _GENERATOR), None)
    made = _made_outside(program, handed, frame, functions, loader) if handed is not None else None
    return (made, True) if made is not None else None


def _made_outside(program: Program, term: Term, frame: Context, functions: set[int], loader: Loader) -> LibraryObject | None:
    values = [
        value for value in program.values(term, frame) if not (isinstance(value, Unresolved) and isinstance(value.term, Const))
    ]
    if len(values) != 1 or not isinstance(values[0], LibraryObject):
        return None
    made = values[0]
    if made.name not in program.knowledge.generators or made.call is None or made.frame is None:
        return None
    if id(made.frame.function) in functions or any(
        _is_replaced(program, name, frame) for name in _names(program, term, frame, made)
    ):
        return None
    if made.frame.function.kind == "module" and not loader.given("multiprocessing_context").absent:
        return None
    return made


def _names(program: Program, term: Term, frame: Context, made: LibraryObject) -> set[Attr | Global]:
    """The attributes and names of the top level that hold a generator, on the way from where it is made or at that end."""
    held = [each.term for each in reached(program, term, frame, lambda _term, _frame: None)]
    assert made.frame is not None
    for function in program.modules[made.frame.module].functions.values():
        held += [node.target for node in of_kind(function, Store) if node.value is made.call]
    return {each for each in held if isinstance(each, (Attr, Global))}


def _is_replaced(program: Program, term: Attr | Global, frame: Context) -> bool:
    """Whether something stores another generator under a name, or seeds it, elsewhere than where the object is made."""
    if isinstance(term, Global):
        return any(
            isinstance(node.target, Global) and node.target.name == term.name
            for function in program.modules[frame.module].functions.values()
            if function.kind != "module"
            for node in of_kind(function, Store)
        )
    name = term.name
    for path, function in program.functions():
        if not program.together(path, frame.module):
            continue
        if function.name not in CONSTRUCTS and any(_stores(node, name) for node in of_kind(function, Store)):
            return True
        if any(_seeds(call, name) for call in calls_of(function)):
            return True
    return False


def _stores(node: Store, name: str) -> bool:
    return bool(isinstance(node.target, Attr) and node.target.name == name and not is_none(node.value))


def _seeds(call: CallStep, name: str) -> bool:
    callee = call.term.callee
    return bool(isinstance(callee, Attr) and callee.name in _SEEDS and isinstance(callee.base, Attr) and callee.base.name == name)


def _instead(program: Program, module: str, made: LibraryObject, call: Call) -> str | None:
    """How the process's own generator is asked for the same, if the file has a name for it."""
    sketch = program.modules[module]
    package = reference(made.name.rpartition(".")[0], sketch)
    assert isinstance(call.callee, Attr)
    method = _OTHERWISE.get(call.callee.name, call.callee.name)
    return None if package is None or program.knowledge.generators[made.name] == "fixed" else f"{package}.{method}"


_DATASET = "dataset"
_PERSISTS = "persistent_workers"


class Stale(NamedTuple):
    """A loader whose workers persist, and the statement in the loop over epochs that changes ``name`` of its dataset in vain."""

    loader: Loader
    module: str
    changed: Spot
    name: str
    read: tuple[str, Spot]


def stale(program: Program) -> Iterator[Stale]:
    """Each such loader, once."""
    asked = program.ask(Loops)
    persisting = [loader for loader in program.ask(Loaders).all() if _persists(loader)]
    if not persisting:
        return
    seen: set[tuple[str, Spot]] = set()
    for epoch, loader in _epochs(program, asked):
        key = (loader.module, loader.spot)
        if key in seen or not _persists(loader):
            continue
        found = _changed(program, epoch, loader)
        if found is not None:
            seen.add(key)
            yield found


def _persists(loader: Loader) -> bool:
    found = loader.settled(_PERSISTS)
    return found.sure and found.constants == (True,)


def _epochs(program: Program, asked: Loops) -> Iterator[tuple[EpochLoop, Loader]]:
    """The loops over epochs, with the loaders whose batches are read in them."""
    for found in asked.training_passes():
        for frame in calling_contexts(program, found.module, found.function):
            for made in asked.iterated(found.subject, frame):
                loader = program.ask(Loaders).of(made)
                epoch = asked.epoch_loop(BatchLoop(frame, found.subject, found.spot, found.around, made))
                if loader is not None and epoch is not None:
                    yield epoch, loader


def _changed(program: Program, epoch: EpochLoop, loader: Loader) -> Stale | None:
    for node, _, frame in _in_epoch(program, epoch, loader):
        for data, names in _changes(program, node, frame, loader):
            for name in names:
                read = _read(program, data, name)
                if read is not None:
                    spot = node.spot if isinstance(node, Store) else node.term.site  # type: ignore[union-attr]
                    return Stale(loader, frame.module, spot, name, read)
    return None


def _in_epoch(program: Program, epoch: EpochLoop, loader: Loader) -> Iterator[Ran]:
    """What an epoch runs, with the functions that are handed the loader's dataset, or may call a method of it."""
    own = [each for each in program.ask(Inside).datasets(loader) if isinstance(each, Instance)]
    named = may_call(program, {name for each in own for name in each.cls.methods if not name.startswith("__")})

    def enters(call: Call, frame: Context) -> bool:
        given = (*call.args, *(value for _, value in call.kwargs))
        if isinstance(call.callee, Attr) and _datasets(program, call.callee.base, frame, loader):
            return False  # its own method
        return named(call) or any(_datasets(program, each, frame, loader) for each in given)

    return statements_run(program, epoch.loop.body, epoch.frame, enters)


def changes(program: Program, epoch: EpochLoop, loader: Loader) -> bool:
    """Whether something in a loop over epochs may change the loader's dataset: methods and attributes of it do."""
    for node, _, frame in _in_epoch(program, epoch, loader):
        if any(True for _ in _changes(program, node, frame, loader)):
            return True
        changed = node.target if isinstance(node, Store) else node.term.callee if isinstance(node, CallStep) else None
        if changed is not None and isinstance(changed, Attr) and is_its_dataset(program, changed.base, frame, loader):
            return True
    return False


def is_its_dataset(program: Program, term: Term, frame: Context, loader: Loader) -> bool:
    """Whether a term is the dataset of a loader, or a part of it: ``loader.dataset`` of any loader, or what it was given."""
    data = loader.data()
    while True:
        if (isinstance(term, Attr) and term.name == _DATASET) or any(value in data for value in program.values(term, frame)):
            return True
        if not isinstance(term, Access):
            return False
        term = term.base


def _changes(program: Program, node: object, frame: Context, loader: Loader) -> Iterator[tuple[Instance, list[str]]]:
    """The dataset that a statement changes, and the attributes that get another value."""
    if isinstance(node, Store) and isinstance(node.target, Attr) and not isinstance(node.value, Const):
        for data in _datasets(program, node.target.base, frame, loader):
            yield data, [node.target.name]
    elif isinstance(node, CallStep) and isinstance(node.term.callee, Attr):
        for data in _datasets(program, node.term.callee.base, frame, loader):
            method = program.method(ClassValue(data.module, data.cls), node.term.callee.name)
            if method is not None:
                yield data, sorted(_stored(method[1]))


def _stored(method: Function) -> set[str]:
    """The attributes of its object that a method gives another value."""
    return {
        node.target.name
        for node in statements_of(method)
        if isinstance(node, (Store, Keep))
        and isinstance(node.target, Attr)
        and isinstance(node.target.base, Self)
        and not isinstance(node.value, Const)
    }


def _datasets(program: Program, term: Term, frame: Context, loader: Loader) -> list[Instance]:
    """The dataset of the loader, if it is what a term stands for: itself, or ``loader.dataset``."""
    own = [each for each in program.ask(Inside).datasets(loader) if isinstance(each, Instance)]
    values: tuple[Value, ...] = program.values(term, frame)
    found = [each for each in own if any(same(value, each) for value in values)]
    if not found and isinstance(term, Attr) and term.name == _DATASET:
        owners = program.values(term.base, frame)
        if any(isinstance(owner, (LibraryObject, Instance)) and same(owner, loader.made) for owner in owners):
            return [each for each in own if each in loader.data()]
    return found


def _read(program: Program, data: Instance, name: str) -> tuple[str, Spot] | None:
    """Where what runs in a worker reads an attribute of the dataset; None when it does not, or gives it a value itself."""
    found = None
    for run in program.ask(Inside).reading(data):
        owner = run.frame.owner()
        if not isinstance(owner, Instance) or owner.cls is not data.cls:
            continue
        for node in statements_of(run.function):
            if isinstance(node, Store) and isinstance(node.target, Attr) and node.target.name == name:
                return None
            terms = (part for part in node if isinstance(part, Term))
            if found is None and any(_is_read(part, name) for term in terms for part in parts_of(term)):
                spot = node.term.site if isinstance(node, CallStep) else getattr(node, "spot", None)
                found = (run.frame.module, spot) if spot is not None else None
    return found


def _is_read(part: Term, name: str) -> bool:
    return bool(isinstance(part, Attr) and part.name == name and isinstance(part.base, Self))
