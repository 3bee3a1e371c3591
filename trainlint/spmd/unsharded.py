"""Training loops of a parallel model over a loader that gives every rank the same data.

Whether somebody gives each rank data of its own: asked to keep silent, so doubt counts as yes.

Besides samplers there are many ways: a dataset that is told the rank, a list that is cut by it, a library's ``shard``, data that
each rank makes or collects for itself. Their names speak of it (table ``shares.words``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from trainlint.domains.batch_sizes import Batches, statement_of
from trainlint.domains.data_parallel.models import Parallel
from trainlint.domains.nn.modules import model_of
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Element,
    Global,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Param,
    Ref,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import Block, CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import is_none, mentions, parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.consteval import deep
from trainlint.program.contexts import calling_contexts
from trainlint.program.enclosing import surroundings
from trainlint.program.handed_back import is_likely
from trainlint.program.library_uses import framework
from trainlint.program.loops import BatchLoop, EpochLoop, Loops, Pass, trains
from trainlint.program.memo import remembered
from trainlint.program.naming import names_of, reference
from trainlint.program.origins import expression_of
from trainlint.program.program import Program
from trainlint.program.running_calls import each_call, executed
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
from trainlint.spmd.seeds import Beginning, Seeds, is_test

_MADE_UP = "made-up"
_CONTAINERS = (Tuple, List, Dict, Subscript)


class Shares:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._elsewhere: dict[str, bool] = {}
        #: Datasets of libraries that read what a path leads to: an unknown argument of theirs is a text, no list.
        self._readers = tuple(name for name in self.knowledge.map_style if name[-1] == ".")
        self._paths: set[Term] = set()

    # -- names -----------------------------------------------------------------------------------------------------

    def names_share(self, name: str) -> bool:
        """Whether a name speaks of ranks and their parts."""
        low = name.lower()
        return any(word in low for word in self.knowledge.share_words)

    def speaks(self, term: Term) -> bool:
        """Whether a name in a term does, as it is written there."""
        return any(self.names_share(name) for part in parts_of(term) for name in _names(part))

    def asks_for_processes(self, test: Term) -> bool:
        """Whether a test is about how many processes there are, by the names in it."""
        names = [name.lower() for part in parts_of(test) for name in _names(part)]
        return any(word in name for name in names for word in self.knowledge.share_tests)

    # -- datasets --------------------------------------------------------------------------------------------------

    def by_index(self, data: Value, drawn: bool) -> bool:
        """Whether a dataset is read by index, and not made up; ``drawn``: a loader shuffles it, which no stream allows."""
        if self.program.ask(Loops).library(data, "stream"):
            return False
        if isinstance(data, Instance):
            cls = ClassValue(data.module, data.cls)
            items = self.program.method(cls, "__getitem__")
            if items is None or self.program.method(cls, "__iter__") is not None:
                return False
            frame = self.program.instance_frame(data, *items)
            return not any(self._made_up(term, frame) for term in self.program.returns(items[1]))
        if isinstance(data, LibraryObject):
            if data.call is None or data.frame is None or self._made_up(data.call, data.frame):
                return False
            return drawn or self._named(data, self.knowledge.map_style)
        if not isinstance(data, Unresolved):
            return False
        if isinstance(data.term, (Subscript, Call)):
            base = (
                data.term.base
                if isinstance(data.term, Subscript)
                else data.term.callee.base
                if isinstance(data.term.callee, Attr)
                else None
            )
            values = self.program.values(base, data.frame) if isinstance(base, Term) else ()
            return bool(values) and all(
                isinstance(value, (LibraryObject, Unresolved)) and self.by_index(value, drawn) for value in values
            )
        return False

    def _named(self, data: LibraryObject, names: tuple[str, ...]) -> bool:
        """Whether a name is among these, or begins with one that ends in a dot."""
        return any(data.name.startswith(name) if name[-1] == "." else data.name == name for name in names)

    def _made_up(self, term: Term, frame: Context) -> bool:
        """Whether a value is random numbers or constants, or has such in it: each rank makes its own."""
        kinds = self.knowledge.kinds

        def around(value: Value) -> list[Argument] | None:
            if isinstance(value, LibraryObject) and kinds.get(value.name) == "tensors":
                return arguments_of(value)
            if isinstance(value, Unresolved) and isinstance(value.term, _CONTAINERS):
                parts = value.term.subterms()[: 1 if isinstance(value.term, Subscript) else None]
                return [Argument(part, value.frame) for part in parts]
            return None

        found = innermost(self.program, self.program.values(term, frame), around)
        return any(isinstance(value, LibraryObject) and kinds.get(value.name) == _MADE_UP for value in found)

    def of_rank(self, term: Term, frame: Context) -> bool:
        """Whether anything that a dataset is made of may have to do with the rank: arguments, functions, its classes."""
        return any(self._speaks_of_rank(*each) for each in reached(self.program, term, frame, self._made_of))

    def _made_of(self, term: Term, frame: Context) -> list[Argument] | None:
        """What an expression is made of: its parts, and what made its values."""
        if isinstance(term, (Const, Param)):
            return None if isinstance(term, Param) and isinstance(frame.given(term), Argument) else []
        values = self.program.values(term, frame)
        for value in values:
            if isinstance(value, LibraryObject) and value.call is not None and self._named(value, self._readers):
                self._paths.update(argument for argument in value.call.args if isinstance(argument, Unknown))
        made = [each for each in map(expression_of, values) if each is not None and each.term is not term]
        return [*made, *(Argument(part, frame) for part in term.subterms())]

    def _speaks_of_rank(self, term: Term, frame: Context) -> bool:
        """Whether an expression has to do with the rank itself: by its names, its function, its class."""
        if isinstance(term, Const):
            return False
        if any(self.names_share(name) for name in _names(term)):
            return True
        if isinstance(term, (Param, Attr, Call, BinOp)) and self.program.ask(Seeds).differs(term, frame):
            return True
        if isinstance(term, Unknown) and (self._written(term, frame.function) or self._may_choose(term, frame)):
            return True
        objects = () if isinstance(term, Param) else self.program.values(term, frame)
        classes = [ClassValue(each.module, each.cls) for each in objects if isinstance(each, Instance)]
        if any(self._class_speaks(above) for cls in classes for above in self.program.lineage(cls)):
            return True
        callees = self.program.values(term.callee, frame) if isinstance(term, Call) else ()
        return any(isinstance(each, FunctionValue) and self._function_speaks(each.function) for each in callees)

    def _class_speaks(self, cls: ClassValue | Library) -> bool:
        if isinstance(cls, Library):
            return False
        functions = self.program.modules[cls.module].functions
        return any(self._function_speaks(functions[qualname]) for qualname in cls.cls.methods.values())

    @remembered()
    def _function_speaks(self, function: Function) -> bool:
        """Whether a function has to do with ranks, by the names in it."""
        known = any(self.names_share(name) for name in function.parameters)
        return known or any(self.speaks(term) for node in statements_of(function) for term in node if isinstance(term, Term))

    def _may_choose(self, unknown: Unknown, frame: Context) -> bool:
        """Whether an unknown value may be a comprehension, of whose tests nothing is kept, in a function that knows of ranks."""
        if unknown in self._paths:
            return False
        return self._function_speaks(frame.function)

    def _written(self, unknown: Unknown, function: Function) -> bool:
        """Whether what is written where a value is unknown (a comprehension, a text) speaks of the rank."""
        for node in statements_of(function):
            spot = node.statement if isinstance(node, CallStep) else node.spot
            if spot.line <= unknown.line <= spot.end_line:
                parts = [term for term in node if isinstance(term, Term)]
                if isinstance(node, (Loop, CallStep, Store)) and any(self.speaks(term) for term in parts):
                    return True
        return False

    def touched(self, data: Term, frame: Context, loader: Term) -> bool:
        """Whether the function that makes a loader does something with the data that has to do with the rank."""
        for node in statements_of(frame.function):
            if isinstance(node, (CallStep, Store)):
                terms = [term for term in node if isinstance(term, Term) and not mentions(term, loader)]
                if any(mentions(term, data) for term in terms) and any(self.speaks(term) for term in terms):
                    return True
        return False

    # -- the program around ----------------------------------------------------------------------------------------

    def in_loop(self, call: Call, frame: Context) -> bool:
        """Whether a call runs again and again: what it makes may hold what a rank just collected."""
        return bool(self.program.ask_of(surroundings, frame.function).of(call).loops)

    def elsewhere(self, frame: Context) -> bool:
        """Whether the program is one in which ranks may have to see the same batch, or one process is all there is."""
        component = self.program.component(frame.module)
        known = self._elsewhere.get(component)
        if known is None:
            known = self._elsewhere[component] = self._mixed(frame.module) or self._alone(frame.module)
        return known

    def _mixed(self, module: str) -> bool:
        names = self.knowledge.mixed_parallelism
        return any(self.program.together(site.module, module) for name in names for site in self.index.sites.get(name, ()))

    def _alone(self, module: str) -> bool:
        """A group of one process, written out."""
        for dotted, parameter in self.knowledge.launches.items():
            for site in self.index.sites_named(dotted.rpartition(".")[2]):
                given = [value for name, value in site.call.term.kwargs if name == parameter]
                if self.program.together(site.module, module) and any(
                    isinstance(term, Const) and term.value == 1 for term in given
                ):
                    return True
        return any(self.program.together(path, module) for path in self.program.ask(_set_alone))


def _set_alone(program: Program) -> frozenset[str]:
    """The files that set the number of processes in their environment to one, whatever the launcher said."""
    sizes = frozenset(name for name, word in program.knowledge.environment.items() if word == "world")
    stores = ((path, node) for path, function in program.functions() for node in function.body if type(node) is Keep)
    return frozenset(path for path, node in stores if _sets_to_one(node, sizes))


def _sets_to_one(node: Keep, variables: frozenset[str]) -> bool:
    """``os.environ["WORLD_SIZE"] = "1"``."""
    target, value = node.target, node.value
    if (
        not isinstance(target, Subscript)
        or not isinstance(target.base, Ref)
        or not isinstance(target.key, Const)
        or not isinstance(value, Const)
    ):
        return False
    return target.key.value in variables and str(value.value) == "1"


def _names(term: Term) -> Iterator[str]:
    """The names that a term itself is written with."""
    if isinstance(term, (Ref, Global)):
        yield term.name.rpartition(".")[2]
    elif isinstance(term, (Attr, Param, LoopPhi)):
        yield term.name
    elif isinstance(term, Call):
        yield from (str(name) for name, _ in term.kwargs if name is not None)


#: What each rank trains on data of its own.
_DATA_PARALLEL = frozenset(("ddp", "fsdp", "fsdp2"))
#: Parameters of a loader before `shuffle`: with more arguments than these it is not passed by its name.
_BEFORE_SHUFFLE = 2


class Forward(NamedTuple):
    """The forward pass of a parallel model; ``always`` is False where the model may also be the plain one."""

    frame: Context
    call: Call
    always: bool


class Unsharded(NamedTuple):
    """A loader that gives every rank all of its data, the loop that trains on it, and the forward pass in that loop."""

    loader: LibraryObject | Instance
    batches: BatchLoop
    forward: Forward
    statement: Spot
    repair: Repair | None


class Repair(NamedTuple):
    """How to split the data: the ``sampler`` argument, what goes (``shuffle``), and what tells the sampler the epoch."""

    sampler: str
    has_shuffle: bool
    has_sampler: bool
    loop: Spot | None
    reset: str | None


def unsharded(program: Program) -> Iterator[Unsharded]:
    """Every loader without a sharding sampler that feeds the training of a model wrapped for data parallelism, once."""
    if not program.ask(Parallel).active:
        return
    asked = program.ask(Loops)
    seen: set[Term] = set()
    for found in asked.training_passes():
        if is_test(found.module):
            continue
        for frame in calling_contexts(program, found.module, found.function):
            loaders = _loaders(program, asked, found, frame)
            if not loaders or not trains(program, found.body, frame):
                continue
            forward = _forward(program, found.body, frame)
            if forward is None or _splits_by_hand(program, found, frame):
                continue
            for loader in loaders:
                result = _judged(program, found, frame, loader, forward)
                if result is not None and loader.call not in seen:
                    seen.add(loader.call)  # type: ignore[arg-type]
                    yield result


def _loaders(program: Program, asked: Loops, found: Pass, frame: Context) -> list[LibraryObject | Instance]:
    """The loaders of a loop, if each of them gives all data to whoever iterates it and nothing else may be iterated."""
    loaders = list(asked.iterated(found.subject, frame))
    if not loaders or any(True for _ in asked.prepared(found.subject, frame)):
        return []
    return loaders if all(is_whole(program, asked, loader) for loader in loaders) else []


def is_whole(program: Program, asked: Loops, loader: LibraryObject | Instance) -> bool:
    """Whether a loader is made with nothing that could split its data: no sampler but one of all items."""
    batches, library = program.ask(Batches), asked.library(loader, "loader")
    if library is None or not isinstance(loader, LibraryObject) or loader.call is None or loader.frame is None:
        return False
    if is_test(loader.frame.module) or not batches.given(loader, "batch_sampler", library).absent:
        return False
    if not batches.given(loader, "generator", library).absent:
        return False
    sampler = batches.given(loader, "sampler", library)
    return sampler.known and all(_takes_all(program, value) for value in sampler.values)


def _takes_all(program: Program, sampler: Value) -> bool:
    """No sampler, or one that hands out every item once."""
    if isinstance(sampler, Unresolved):
        return is_none(sampler.term)
    if not isinstance(sampler, LibraryObject) or sampler.name not in program.knowledge.whole or sampler.call is None:
        return False
    return len(sampler.call.args) <= 1 and all(name == "data_source" for name, _ in sampler.call.kwargs)


# -- the training step -------------------------------------------------------------------------------------------------


def _forward(program: Program, block: Block, frame: Context) -> Forward | None:
    """The forward pass of a model wrapped for data parallelism, in a block or in what it calls."""
    models = program.ask(Parallel)
    for node, here in executed(block, frame, partial(deep, program), each_call(program)):
        if not isinstance(node, CallStep):
            continue
        callee = model_of(program, node.term)
        if not isinstance(callee, (Ref, Nested, NestedClass)) and node.term.args + node.term.kwargs:
            kinds = models.kinds(callee, here)
            if kinds and kinds <= _DATA_PARALLEL and not _never_wrapped(program, callee, here):
                return Forward(here, node.term, _always(program, callee, here))
    return None


def _never_wrapped(program: Program, model: Term, frame: Context) -> bool:
    """Whether the tests around every wrapping of a model are known to fail: ``if world_size > 1`` where it is 1."""
    models = program.ask(Parallel)
    found = False
    for value in program.values(model, frame):
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            if not models.kinds(value.call, value.frame):
                continue
            found = True
            tests = program.ask_of(surroundings, value.frame.function).of(value.call).tests
            if all(program.ask(Seeds).truth(test, value.frame) in (None, way) for test, way in tests):
                return False
    return found


def _always(program: Program, model: Term, frame: Context) -> bool:
    """Whether the model is wrapped in every run: all that it may be is, and no test decides it."""
    models = program.ask(Parallel)
    values = program.values(model, frame)
    calls = [value.call for value in values if isinstance(value, (LibraryObject, Instance)) and value.call is not None]
    if len(calls) != len(values) or len(set(calls)) != 1:
        return False
    value = values[0]
    assert isinstance(value, (LibraryObject, Instance))
    if value.frame is None or value.call is None or not models.kinds(value.call, value.frame):
        return False
    return not program.ask_of(surroundings, value.frame.function).of(value.call).tests


def _splits_by_hand(program: Program, found: Pass, frame: Context) -> bool:
    """Whether a step takes the rank's part of each batch itself: ``x[rank::world]``."""
    asked = program.ask(Shares)
    for node in deep(program, found.body, frame):
        for term in parts_of(*(term for term in node if isinstance(term, Term))):
            if (
                isinstance(term, Subscript)
                and not isinstance(term.key, Const)
                and asked.speaks(term.key)
                and _of_batch(term.base)
            ):
                return True
            if not isinstance(term, Call) or isinstance(term.callee, Call):
                continue
            if asked.names_share(last_name(term.callee) or "") and any(map(_of_batch, term.args)):
                return True
    return False


def _of_batch(term: Term) -> bool:
    """Whether something that a loop hands out is in a term."""
    return any(isinstance(part, Element) for part in parts_of(term))


# -- the loader --------------------------------------------------------------------------------------------------------


def _judged(
    program: Program, found: Pass, frame: Context, loader: LibraryObject | Instance, forward: Forward
) -> Unsharded | None:
    assert loader.call is not None
    assert loader.frame is not None
    asked, batches = program.ask(Shares), program.ask(Batches)
    library = program.ask(Loops).library(loader, "loader")
    data = batches.given(loader, "dataset", library)
    statement = statement_of(loader.frame.function, loader.call)
    if not data.known or data.term is None or statement is None or asked.elsewhere(loader.frame):
        return None
    order = batches.given(loader, "shuffle", library)
    shuffled = order.constants() == [True] or not batches.given(loader, "sampler", library).absent
    if not all(asked.by_index(value, shuffled) for value in data.values):
        return None
    sampler = batches.given(loader, "sampler", library).term
    if any(is_likely(program, each, loader.frame) for each in (data.term, sampler) if each is not None):
        return None  # what is unknown may be what divides the data
    if asked.of_rank(data.term, loader.frame) or asked.touched(data.term, loader.frame, loader.call):
        return None
    levels = list(_levels(loader, forward))
    if any(asked.in_loop(call, level) for call, level in levels) or _tested(program, levels):
        return None
    drawn = not order.absent and order.constants() != [False]
    if (drawn or shuffled) and not _drawn_alike(program, found, loader):
        return None
    loop = BatchLoop(frame, found.subject, found.spot, found.around, loader)
    return Unsharded(loader, loop, forward, statement, _repair(program, loop, data.term, forward))


def _levels(loader: LibraryObject | Instance, forward: Forward) -> Iterator[tuple[Call, Context]]:
    """The call that makes a loader and the calls that lead to it, up to the function that leads to the forward pass too."""
    shared = set()
    frame: Context | None = forward.frame
    while frame is not None:
        shared.add(id(frame.function))
        frame = frame.caller
    call, frame = loader.call, loader.frame
    while frame is not None and call is not None:
        yield call, frame
        if id(frame.function) in shared:
            return
        call, frame = frame.call, frame.caller


def _tested(program: Program, levels: list[tuple[Call, Context]]) -> bool:
    """Whether a test about the number of processes stands around the making of a loader, or of what leads there."""
    asked = program.ask(Shares)
    around = (program.ask_of(surroundings, frame.function).of(call).tests for call, frame in levels)
    return any(asked.asks_for_processes(test) for tests in around for test, _ in tests)


def _drawn_alike(program: Program, found: Pass, loader: LibraryObject | Instance) -> bool:
    """Whether random orders of the ranks are not meant to differ.

    Ranks seeded differently on purpose draw samples independently. So do ranks that nobody seeds, as long as nothing counts
    epochs: steps over an endless stream.
    """
    assert loader.frame is not None
    how = program.ask(Seeds).of_process(framework(program), loader.frame.module).how
    if how is Beginning.ENTROPY:
        return not any(loop.kind == "while" for loop in found.around) and not _endless(program, found)
    return how is Beginning.ALIKE


def _endless(program: Program, found: Pass) -> bool:
    """Whether the loop runs over a generator of the project, which may never end."""
    index = program.ask(Loops).index
    values = program.values(found.subject, program.frame(found.module, found.function))
    made = [(value.term, value.frame) for value in values if isinstance(value, Unresolved) and isinstance(value.term, Call)]
    return any(isinstance(target, FunctionValue) for call, frame in made for target in index.targets(call, frame))


# -- the repair --------------------------------------------------------------------------------------------------------


def _repair(program: Program, batches: BatchLoop, data: Term, forward: Forward) -> Repair | None:
    """The arguments that split the data; None where a name is missing or a run without processes is possible."""
    loader = batches.loader
    assert loader.call is not None
    assert loader.frame is not None
    named = name_in(data, loader.frame.function)
    keywords = dict(loader.call.kwargs)
    if named is None or not forward.always or len(loader.call.args) > _BEFORE_SHUFFLE or None in keywords:
        return None
    sampler = _sampler(program, loader.frame.module)
    order = keywords.get("shuffle")
    if sampler is None or (order is not None and not isinstance(order, Const)):
        return None
    text = f"{sampler}({named})" if order is not None and order.value else f"{sampler}({named}, shuffle=False)"
    epoch = program.ask(Loops).epoch_loop(batches)
    loop, reset = _reset(program, epoch, loader, bool(order is not None and order.value))
    if reset is None and loop is not None:
        return None
    return Repair(text, "shuffle" in keywords, "sampler" in keywords, loop, reset)


def _sampler(program: Program, module: str) -> str | None:
    """How the file can write the sampler that splits data, by its imports."""
    kinds = program.knowledge.kinds
    names = (name for name, kind in kinds.items() if kind == "distributed-sampler")
    found = (reference(name, program.modules[module]) for name in names)
    return next((text for text in found if text is not None), None)


def _reset(
    program: Program, epoch: EpochLoop | None, loader: LibraryObject | Instance, draws: bool
) -> tuple[Spot | None, str | None]:
    """The epoch loop and the statement that tells the sampler the epoch; a loop without a statement where it has no name."""
    assert loader.frame is not None
    if epoch is None or not draws:
        return None, None
    loop = epoch.loop
    if epoch.frame.module != loader.frame.module or loop.kind != "for" or len(loop.names) != 1 or loop.names[0] == "_":
        return loop.spot, None
    for naming in names_of(program, epoch.frame, loader):
        if naming.always:
            return loop.spot, f"{naming.text}.sampler.set_epoch({loop.names[0]})"
    return loop.spot, None


def wrap_of(program: Program, forward: Forward) -> tuple[str, Spot] | None:
    """Where the model of a forward pass is wrapped."""
    callee = model_of(program, forward.call)
    index = program.ask(Loops).index
    made = (value for value in program.values(callee, forward.frame) if isinstance(value, LibraryObject))
    for value in made:
        if value.call is None or value.frame is None:
            continue
        if any(isinstance(target, Library) for target in index.targets(value.call, value.frame)):
            return value.frame.module, value.call.site
    return None
