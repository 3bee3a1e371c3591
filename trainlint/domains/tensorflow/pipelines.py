"""Datasets: their stages in order, what is prefetched, where one is consumed, and last batches that are shorter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.traced.functions import Roots
from trainlint.edits.changes import Change, Move, Rewrite
from trainlint.finding import Applicability, Spot
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import (
    NAMED,
    Attr,
    BoolOp,
    Call,
    Const,
    Element,
    Ref,
    Select,
    SequenceDisplay,
    Slice,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Exit, Function, Loop
from trainlint.ir.terms import dotted_name, parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, CallSite, last_name, method_of
from trainlint.program.callables import partial_of
from trainlint.program.constant_branch import alternatives
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.imports import imported
from trainlint.program.leading import Leading
from trainlint.program.loops import Loops
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import WIDEST, Context, FunctionValue, Instance, Library, LibraryObject, Unresolved, Value

_APPLY, _SLICE = "apply", "slice"


class Stage(NamedTuple):
    """One stage: what it does (a word of the table ``datasets.stages``), the call that makes it, and where.

    Of ``apply(f(…))`` that is the call of ``f``, where the tables know it; a slice is no call.
    """

    word: str
    term: Call | Subscript
    frame: Context

    @property
    def call(self) -> Call:
        """The call, of any stage but a slice."""
        assert isinstance(self.term, Call)
        return self.term


class Pipeline(NamedTuple):
    """One way in which a dataset is made.

    ``source`` is what the table ``datasets`` says of its beginning (None: out of sight), ``first`` the call of it; the stages
    follow in the order in which elements pass them.
    """

    source: str | None
    first: Call | None
    stages: tuple[Stage, ...] = ()

    def words(self) -> tuple[str, ...]:
        """What the stages do, in order."""
        return tuple(stage.word for stage in self.stages)

    def behind(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages that come after one of them."""
        return self.stages[self.stages.index(stage) + 1 :]

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages that come before one of them."""
        return self.stages[: self.stages.index(stage)]


_UNSEEN = (Pipeline(None, None),)


class Pipelines:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self.sources = tables["datasets"]
        self.stages = tables["datasets.stages"]
        self.applied = tables["datasets.applied"]
        self.hands_on = frozenset(tables["datasets.hands_on"]["names"])
        self.home = str(tables["datasets.tells"]["home"][0])
        self.tells = frozenset(tables["datasets.tells"]["keywords"])
        self._near: frozenset[str] | None = None

    @remembered(_UNSEEN)
    def of(self, term: Term, frame: Context) -> tuple[Pipeline, ...]:
        """The ways in which a value is made that is a dataset, its elements' iterator, or none (then one way without source)."""
        return tuple(dict.fromkeys(self._follow(term, frame)))[:WIDEST] or _UNSEEN

    def seen(self, term: Term, frame: Context) -> tuple[Pipeline, ...]:
        """The ways in which a value is made that is a dataset for certain: each has a source, or a stage that says so."""
        found = self.of(term, frame)
        return found if all(each.source is not None or self._tells(each) for each in found) else ()

    def _tells(self, way: Pipeline) -> bool:
        """Whether stages are given what only a dataset of a library that the file imports is given."""
        for stage in way.stages:
            if isinstance(stage.term, Call):
                given = (*stage.term.args, *(value for _, value in stage.term.kwargs))
                if any(isinstance(part, Ref) and part.name.startswith(self.home) for part in given):
                    return True
                if any(name in self.tells for name, _ in stage.term.kwargs) and self._imports(stage.frame.module):
                    return True
        return False

    def _imports(self, path: str) -> bool:
        """Whether a file imports the library that such keywords belong to."""
        root = self.home.partition(".")[0]
        return any(dotted.partition(".")[0] == root for dotted in imported(self.program.modules[path]))

    def _follow(self, term: Term, frame: Context) -> Iterator[Pipeline]:
        if isinstance(term, (Select, BoolOp)):
            for part in alternatives(term, frame, self.program):
                yield from self.of(part, frame)
            return
        if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.stages:
            before = self.of(term.callee.base, frame)
            own = () if any(each.source is not None for each in before) else self.program.values(term.callee, frame)
            if not any(isinstance(value, FunctionValue) for value in own):
                for each in before:
                    yield self._staged(each, str(self.stages[term.callee.name]), term, frame)
                return
        if isinstance(term, Subscript) and isinstance(term.key, (Slice, Unknown)):
            for each in self.of(term.base, frame):
                yield self._staged(each, str(self.stages[_SLICE]), term, frame)
            return
        for value in self.program.values(term, frame):
            yield from self._of_value(value, term)

    def _staged(self, before: Pipeline, word: str, term: Call | Subscript, frame: Context) -> Pipeline:
        if word == _APPLY and isinstance(term, Call):
            given = term.args[0] if term.args else None
            name = dotted_name(given.callee) if isinstance(given, Call) else None
            word = str(self.applied.get(self.program.knowledge.canonical(name), _APPLY)) if name is not None else _APPLY
            term = given if isinstance(given, Call) and word != _APPLY else term
        return before._replace(stages=(*before.stages, Stage(word, term, frame)))

    def _of_value(self, value: Value, term: Term) -> Iterator[Pipeline]:
        if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
            yield from self._made(value.name, value.call, value.frame)
        elif isinstance(value, LibraryObject) and value.name in self.sources:
            yield Pipeline(str(self.sources[value.name]), None)
        elif isinstance(value, Unresolved) and isinstance(value.term, Subscript) and value.term is not term:
            yield from self.of(value.term, value.frame)
        elif isinstance(value, Unresolved) and isinstance(value.term, Subscript):
            for each in self.of(value.term.base, value.frame):  # one of several splits
                yield each if not each.stages else Pipeline(None, None)
        elif isinstance(value, Unresolved) and value.term is not term and isinstance(value.term, (Select, Call)):
            yield from self.of(value.term, value.frame)
        else:
            yield Pipeline(None, None)

    def _made(self, name: str, call: Call, frame: Context) -> Iterator[Pipeline]:
        """What a library's call made: a source, a stage of another dataset, or what hands its elements on."""
        callee = call.callee
        word = self.sources.get(name)
        if word is not None:
            yield Pipeline(str(word), call)
        elif name in self.hands_on and call.args:
            yield from self.of(call.args[0], frame)
        elif isinstance(callee, Attr) and callee.name in self.stages:
            for each in self.of(callee.base, frame):
                yield self._staged(each, str(self.stages[callee.name]), call, frame)
        else:
            yield Pipeline(None, None)

    def near(self, path: str) -> bool:
        """Whether a file belongs together with one that imports a library of such datasets: elsewhere there are none."""
        if self._near is None:
            roots = {name.partition(".")[0] for name in self.sources}
            modules = self.program.modules.items()
            found = (each for each, module in modules if any(name.partition(".")[0] in roots for name in imported(module)))
            self._near = frozenset(self.program.component(each) for each in found)
        return bool(self._near) and self.program.component(path) in self._near

    def ending(self, word: str) -> Iterator[tuple[CallSite, Context, Pipeline]]:
        """The pipelines that end with a stage of this word, at each place where one is added, in each activation."""
        for name in (name for name, said in self.stages.items() if said in (word, _APPLY)):
            for site in self.program.ask(CallGraph).sites.get(name, ()):
                if not isinstance(site.call.term.callee, Attr) or not self.near(site.module):
                    continue
                given = site.call.term.args[0] if name == _APPLY and site.call.term.args else site.call.term
                for frame in contexts_at(self.program, site):
                    for each in self.seen(site.call.term, frame):
                        if each.words()[-1:] == (word,) and each.stages[-1].term is given:
                            yield site, frame, each


Way = Literal["fit", "loop", "divided"]


class Consumer(NamedTuple):
    """One use of a dataset, in one activation: the ways in which it is made, the call or loop, and how often a round is run.

    ``limited`` says that a number of batches is given, so that the last ones of the data may never come.
    """

    way: Way
    frame: Context
    spot: Spot
    made: tuple[Pipeline, ...]
    call: Call | None
    limited: bool = False


def fits(program: Program) -> Iterator[Consumer]:
    """The datasets that methods such as ``fit`` train a model on."""
    asked, table = program.ask(Pipelines), program.knowledge.tables["datasets.fits"]
    for name in table["methods"]:
        for site in program.ask(CallGraph).sites.get(name, ()):
            call = site.call.term
            named = dict(call.kwargs)
            given = call.args[0] if call.args else next((named[each] for each in table["data"] if each in named), None)
            if not isinstance(call.callee, Attr) or given is None or not asked.near(site.module):
                continue
            limited = any(each in named for each in table["limits"])
            for frame in contexts_at(program, site):
                made = asked.seen(given, frame)
                if made:
                    yield Consumer("fit", frame, call.site, made, call, limited)


def walked(program: Program) -> Iterator[tuple[Consumer, Loop]]:
    """The datasets that loops go over."""
    asked = program.ask(Pipelines)
    for path, function in program.functions():
        for loop in of_kind(function, Loop) if asked.near(path) else ():
            if loop.kind != "for" or not loop.names:
                continue
            for frame in calling_contexts(program, path, function):
                made = asked.seen(loop.subject, frame)
                if made:
                    yield Consumer("loop", frame, loop.spot, made, None), loop


def divided(program: Program) -> Iterator[Consumer]:
    """The datasets that a strategy divides among its replicas, also those that a function makes for it."""
    asked, table = program.ask(Pipelines), program.knowledge.tables["datasets.divided"]
    for name, word in table.items():
        for site in program.ask(CallGraph).sites.get(name, ()):
            call = site.call.term
            if not isinstance(call.callee, Attr) or not call.args or not asked.near(site.module):
                continue
            for frame in contexts_at(program, site):
                ways = asked.seen(call.args[0], frame) if word == "dataset" else _returned(program, call.args[0], frame)
                if ways:
                    yield Consumer("divided", frame, call.site, ways, call, not _is_gone_over(program, call))


def _returned(program: Program, term: Term, frame: Context) -> tuple[Pipeline, ...]:
    """The ways in which a function that is handed over makes its dataset."""
    asked = program.ask(Pipelines)
    for value in program.values(term, frame):
        if isinstance(value, FunctionValue):
            alone = program.frame(value.module, value.function)
            inner = Context(
                value.module, value.function, receiver=value.receiver or alone.receiver, closure=value.closure or alone.closure
            )
            ways = [each for returned in program.returns(value.function) for each in asked.seen(returned, inner)]
            return tuple(dict.fromkeys(ways))
    return ()


def _is_gone_over(program: Program, call: Call) -> bool:
    """Whether a loop goes over all that a strategy's dataset has, and not over a number of batches."""
    for path, function in program.functions():
        for loop in of_kind(function, Loop):
            if loop.kind == "for" and loop.names and not isinstance(loop.subject, (Const, SequenceDisplay)):
                for frame in calling_contexts(program, path, function):
                    values = program.values(loop.subject, frame)
                    if any(isinstance(value, LibraryObject) and value.call is call for value in values):
                        return True
    return False


_MAP, _BATCH = "map", "batch"
#: Stages behind which elements are ready: they were prepared before, or are prepared meanwhile.
_READY = frozenset(("prefetch", "cache", "apply"))


class Unprefetched(NamedTuple):
    """The last stage of a dataset, what is computed on the way, where it is trained on, and how the buffer's size is spelled."""

    stage: Stage
    work: Stage
    batch: Stage
    used: tuple[str, Spot]
    size: str | None


def unprefetched(program: Program) -> Iterator[Unprefetched]:
    """The first such dataset of each file that trains."""
    seen: set[object] = set()
    for consumer in _trainings(program):
        module = consumer.frame.module
        if module in seen or tests_software(program, module, consumer.frame.function):
            continue
        found = [_found(program, each, consumer) for each in consumer.made]
        first = found[0]
        if first is not None and all(found) and first.stage.call not in seen:
            seen |= {module, first.stage.call}
            yield first


def _trainings(program: Program) -> Iterator[Consumer]:
    yield from fits(program)
    names = frozenset(program.knowledge.tables["datasets.fits"]["steps"])
    for consumer, loop in walked(program):
        if program.ask(Loops).says(consumer.frame.module, consumer.frame.function, loop.body, names):
            yield consumer


def _found(program: Program, way: Pipeline, consumer: Consumer) -> Unprefetched | None:
    words = way.words()
    if way.source == "batches" or _MAP not in words or _BATCH not in words:
        return None
    last = len(words) - 1 - words[::-1].index(_MAP)
    stage = way.stages[-1]
    if _READY.intersection(words[last:]) or "prefetch" in words or not isinstance(stage.term, Call):
        return None
    sizes = program.knowledge.tables["datasets.fits"]["buffers"]
    size = next((known for known in (reference(each, program.modules[stage.frame.module]) for each in sizes) if known), None)
    batch = way.stages[words.index(_BATCH)]
    return Unprefetched(stage, way.stages[last], batch, (consumer.frame.module, consumer.spot), size)


#: In names of functions that draw the same numbers for the same seed; in names of what decides whether a cache is wanted.
_SEEDED, _WANTED = "stateless", "cache"
_FILES, _BATCHES = "files", "batches"
#: So few elements, written as a number, are one example or a pair, and no batch.
_FEW = 2
#: Stages behind which what was a batch is none any more, or is put together anew.
_ANEW = frozenset(("unbatch", "rebatch", "group", "reads", "apply", "bucket"))
#: What a training set has, and what is not read again and again.
_TRAINS, _SMALL = frozenset(("shuffle", "repeat")), frozenset(("take",))


class Misordered(NamedTuple):
    """A stage that comes too late or too early (``kind``: what is wrong), and the ``earlier`` one that should come after it."""

    module: str
    call: CallStep
    kind: Literal["shuffled", "kept"]
    earlier: Stage
    change: Change | None = None


def misordered(program: Program) -> Iterator[Misordered]:
    """Each such stage, once."""
    asked, seen = program.ask(Pipelines), set()
    for finder in (_shuffled_batches, _kept_draws):
        for found in finder(program, asked):
            if (found.module, found.call.term.site) not in seen:
                seen.add((found.module, found.call.term.site))
                yield found


def _shuffled_batches(program: Program, asked: Pipelines) -> Iterator[Misordered]:
    again = {stage.term for word in ("batch", *_ANEW) for *_, each in asked.ending(word) for stage in each.stages[:-1]}
    ways: dict[Term, list[tuple[str, Function, CallStep, Pipeline]]] = {}
    for site, _, each in asked.ending("shuffle"):
        ways.setdefault(site.call.term, []).append((site.module, site.function, site.call, each))
    for call, found in ways.items():
        module, function, node, _ = found[0]
        batches = [_batch_of(each) for *_, each in found]
        first = next((each for each in batches if each is not None), None)
        if first is None or call in again or any(_is_shuffled(each) for *_, each in found):
            continue
        if any(_generates_shuffled(program, each) for *_, each in found):
            continue
        if not tests_software(program, module, function) and not _is_read_by_another(program, asked, function):
            yield Misordered(module, node, "shuffled", first, _swapped(function, node, first))


def _is_read_by_another(program: Program, asked: Pipelines, function: Function) -> bool:
    """Whether another dataset reads this one, ``files.interleave(lambda file: make(file))``: that may shuffle again."""
    names = [name for name, word in asked.stages.items() if word == "reads"]
    lambdas = [site.function for site in program.ask(CallGraph).callers(function) if site.function.kind == "lambda"]
    handed = [site for each in (function, *lambdas) for site in program.ask(CallGraph).handed.get(each.name, ())]
    return bool(lambdas) or any(last_name(site.call.term.callee) in names for site in handed)


def _batch_of(way: Pipeline) -> Stage | None:
    """The stage that made the batches whose order the last stage shuffles; None where it shuffles examples, or single ones."""
    if way.source == _BATCHES:
        return None
    for stage in reversed(way.stages[:-1]):
        if stage.word in _ANEW:
            return None
        if stage.word == "batch":
            size = stage.call.args[0] if stage.call.args else None
            few = size is not None and isinstance(size, Const) and isinstance(size.value, int) and size.value <= _FEW
            return None if few else stage
    return None


def _is_shuffled(way: Pipeline) -> bool:
    """Whether the examples, or the files they are in, were shuffled before."""
    if any(stage.word == "shuffle" for stage in way.stages[:-1]):
        return True
    given = dict(way.first.kwargs) if way.first is not None else {}
    ordered = given.get("shuffle")
    return way.source == _FILES and not (ordered is not None and isinstance(ordered, Const) and ordered.value is False)


def _generates_shuffled(program: Program, way: Pipeline) -> bool:
    """Whether a dataset begins with a function of the project that shuffles, itself or by others, each time it runs."""
    if way.first is None or not way.first.args or not way.stages:
        return False
    names = {name.rpartition(".")[2] for name in program.knowledge.shuffles}
    sites = [site.function for name in sorted(names) for site in program.ask(CallGraph).sites_named(name)]
    shuffling = program.ask(Leading).to(*sites) if sites else {}
    frame = way.stages[0].frame
    values = list(program.values(way.first.args[0], frame))
    for value in values[:WIDEST]:
        applied = partial_of(value)
        values += program.values(applied.callee, applied.frame) if applied is not None else ()
        method = method_of(program, value, "__call__") if isinstance(value, Instance) else None
        values += [method] if method is not None else []
    return any(isinstance(value, FunctionValue) and id(value.function) in shuffling for value in values)


def _swapped(function: Function, node: CallStep, batch: Stage) -> Change | None:
    """Shuffle first: within the expression, or statement before statement."""
    message = "Shuffle the examples, then batch"
    shuffle, call = node.term, batch.call
    if not isinstance(shuffle.callee, Attr):
        return None
    if shuffle.callee.base is call and isinstance(call.callee, Attr) and node.statement.holds(call.site):
        paths = (
            (("receiver", 0), ("receiver", 0)),
            (("arguments", 0),),
            (("receiver", 0), ("arguments", 0)),
        )
        code = f"{{0}}.{shuffle.callee.name}({{1}}).{call.callee.name}({{2}})"
        return Rewrite(Applicability.SAFE, message, spot=shuffle.site, code=code, paths=paths)
    other = next((each for each in calls_of(function) if each.term is call), None)
    names = [name for name, term in held_at_end(function).items() if term is shuffle]
    if other is None or len(names) != 1 or shuffle.callee.base is not call:
        return None
    return Move(Applicability.SAFE, message, statement=node.statement, target=other.statement, behind=False, anew=tuple(names))


# -- what is drawn once ------------------------------------------------------------------------------------------------


def _kept_draws(program: Program, asked: Pipelines) -> Iterator[Misordered]:
    for site, _, each in asked.ending("cache"):
        if not _is_wanted(site.function, site.call.term) or not _TRAINS & _around(asked, site.call.term):
            continue
        for number, stage in enumerate(each.stages[:-1]):
            later = {one.word for one in each.stages[number:-1]}
            if stage.word == "map" and not later & _SMALL and _draws(program, stage):
                if not tests_software(program, site.module, site.function):
                    yield Misordered(site.module, site.call, "kept", stage)
                break


def _is_wanted(function: Function, cache: Call) -> bool:
    """Whether a cache is there in every run, or where somebody asked for one: under other tests it may be for an evaluation."""
    return all(_WANTED in show(test) for test, _ in conditions(led_to(function, cache)))


def _around(asked: Pipelines, cache: Term) -> set[str]:
    """What the stages are, before and behind, of all pipelines in which a stage is."""
    found: set[str] = set()
    for word in ("cache", "shuffle", "repeat"):
        for *_, each in asked.ending(word):
            if any(stage.term is cache for stage in each.stages):
                found |= set(each.words())
    return found


def _draws(program: Program, stage: Stage) -> bool:
    """Whether the function of a ``map`` draws random numbers."""
    given = stage.call.args[:1] or tuple(value for name, value in stage.call.kwargs if name == "map_func")
    values = [value for term in given for value in program.values(term, stage.frame)]
    partials = [partial for partial in map(partial_of, values) if partial is not None]
    values += [value for partial in partials for value in program.values(partial.callee, partial.frame)]
    return any(_draws_in(program, each.function, each, set()) for each in values if isinstance(each, FunctionValue))


def _draws_in(program: Program, function: Function, target: FunctionValue, seen: set[int]) -> bool:
    seen.add(id(function))
    drawn: tuple[str, ...] = tuple(program.knowledge.tables["datasets.drawn"]["names"])
    frame: Context = program.frame(target.module, function)
    for call in calls_of(function):
        for found in program.ask(CallGraph).targets(call.term, frame):
            if isinstance(found, Library):
                if found.name.startswith(drawn) and _SEEDED not in found.name:
                    return True
            elif id(found.function) not in seen and _draws_in(program, found.function, found, seen):
                return True
    return False


_SCOPE = "scope"


def on_tpus(program: Program, term: Term, frame: Context) -> LibraryObject | None:
    """The call that makes a strategy of TPUs, if a value may be one."""
    known = program.knowledge.tables["strategies"]
    for value in program.values(term, frame):
        if isinstance(value, LibraryObject) and known.get(value.name) == "tpu" and value.call is not None:
            return value
    return None


def trained_on_tpus(program: Program, frame: Context) -> LibraryObject | None:
    """The strategy of TPUs in whose scope the model of a training is made, as far as one function leads to both."""
    leading = list(_leading(frame))
    for site in program.ask(CallGraph).sites.get(_SCOPE, ()):
        if isinstance(site.call.term.callee, Attr) and (_is_of(site, leading) or _is_called(program, site, leading)):
            for inner in contexts_at(program, site):
                found = on_tpus(program, site.call.term.callee.base, inner)
                if found is not None:
                    return found
    return None


def _leading(frame: Context) -> Iterator[Function]:
    """The functions of an activation: its own, those around it, and those of its callers."""
    current: Context | None = frame
    while current is not None:
        around: Context | None = current
        while around is not None:
            yield around.function
            around = around.closure
        current = current.caller


def _is_of(site: CallSite, leading: list[Function]) -> bool:
    return any(site.function is function for function in leading)


def _is_called(program: Program, site: CallSite, leading: list[Function]) -> bool:
    """Whether one of the functions calls the one in which a scope is entered: it makes the model."""
    return any(_is_of(caller, leading) for caller in program.ask(CallGraph).callers(site.function))


_ONE, _EPOCH, _JAX = 1, "epoch", "jax-"
#: Stages that change how many elements there are, or what an element is, in ways that cannot be seen.
_UNCLEAR = frozenset(("group", "unbatch", "rebatch", "apply", "bucket"))
_TRAINS_IN_STEPS = frozenset(("shuffle", "repeat"))


class Ragged(NamedTuple):
    """The stage that makes batches, its statement, and two places: what the batches are for, and what compiles that.

    ``by`` says what compiles: a strategy of TPUs, JAX, or JAX wherever that is. ``position`` is where the option stands among the
    arguments; ``alone`` says that the stage makes batches for nothing else.
    """

    stage: Stage
    statement: Spot
    used: tuple[str, Spot]
    compiled: tuple[str, Spot] | None
    position: int | None
    alone: bool
    by: Literal["tpu", "jax", "grain"]


def ragged(program: Program) -> Iterator[Ragged]:
    """Each such stage, once."""
    seen: set[Term] = set()
    for found in (*_under_strategies(program), *_for_jax(program)):
        if found.stage.term not in seen and isinstance(found.stage.term, Call):
            seen.add(found.stage.term)
            yield found


def _under_strategies(program: Program) -> Iterator[Ragged]:
    known = program.knowledge.tables["strategies"]
    if not any(program.ask(CallGraph).sites.get(name.rpartition(".")[2]) for name, word in known.items() if word == "tpu"):
        return
    for consumer in (*fits(program), *divided(program)):
        callee = consumer.call.callee if consumer.call is not None else None
        strategy = (
            on_tpus(program, callee.base, consumer.frame)
            if consumer.way != "fit" and isinstance(callee, Attr)
            else trained_on_tpus(program, consumer.frame)
        )
        if strategy is None or strategy.call is None or strategy.frame is None:
            continue
        stages = [_short(program, each) for each in consumer.made]
        if all(stages) and all(_reaches_the_end(each, consumer) for each in consumer.made):
            for stage in stages:
                if stage is not None:
                    place = (strategy.frame.module, strategy.call.site)
                    yield from _ragged(program, stage, (consumer.frame.module, consumer.spot), place, "tpu")


def _reaches_the_end(way: Pipeline, consumer: Consumer) -> bool:
    """Whether the training comes to the last batch of the data: it is not told to stop before, or goes on with the next epoch."""
    words = way.words()
    if consumer.way == "divided" and not _TRAINS_IN_STEPS.intersection(words):
        return False  # it may be an evaluation, which has to see all
    return not consumer.limited or "repeat" in words[words.index("batch") :]


def _for_jax(program: Program) -> Iterator[Ragged]:
    yield from _in_jitted_loops(program)
    asked = program.ask(Pipelines)
    makers = {name.rpartition(".")[2] for name, word in asked.sources.items() if word.startswith(_JAX)}
    if not any(program.ask(CallGraph).sites.get(name) for name in makers):
        return
    for site, frame, way in asked.ending("batch"):
        if way.source is not None and way.source.startswith(_JAX) and "shuffle" in way.words() and _short(program, way):
            made = (frame.module, way.first.site) if way.first is not None else None
            yield from _ragged(program, way.stages[-1], made or (site.module, site.call.term.site), None, "grain")


def _in_jitted_loops(program: Program) -> Iterator[Ragged]:
    """Shuffled datasets that a loop goes over to its end, and hands each batch to a function that JAX compiles."""
    words = frozenset(program.knowledge.tables["datasets.remainders"]["compiled"])
    for consumer, loop in walked(program):
        if not all("shuffle" in each.words() for each in consumer.made) or _leaves(loop):
            continue
        stages = [_short(program, each) for each in consumer.made]
        run = (
            next(
                (
                    node
                    for node in walk(loop.body)
                    if isinstance(node, CallStep) and _is_fed(node, loop) and _is_compiled(program, node, consumer.frame, words)
                ),
                None,
            )
            if all(stages)
            else None
        )
        for stage in stages if run is not None else ():
            if stage is not None and run is not None:
                used = (consumer.frame.module, consumer.spot)
                yield from _ragged(program, stage, used, (consumer.frame.module, run.term.site), "jax")


def _leaves(loop: Loop) -> bool:
    """Whether a loop may end before the data do."""
    return any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(loop.body))


def _is_fed(node: CallStep, loop: Loop) -> bool:
    """Whether a call is given what the loop hands out."""
    given = (*node.term.args, *(value for _, value in node.term.kwargs))
    return any(isinstance(part, Element) and part.of is loop.subject for term in given for part in parts_of(term))


def _is_compiled(program: Program, node: CallStep, frame: Context, words: frozenset[str]) -> bool:
    """Whether a call runs what JAX compiles for the shapes it is given."""
    asked = program.ask(Roots)
    for value in program.values(node.term.callee, frame):
        if asked.word(value) in words and isinstance(value, LibraryObject):
            return True
        if isinstance(value, FunctionValue):
            decorated = value.function.decorator_spots
            if any(root.word in words and root.spot in decorated for root in asked.of(value.function)):
                return True
    return False


def _ragged(
    program: Program,
    stage: Stage,
    used: tuple[str, Spot],
    compiled: tuple[str, Spot] | None,
    by: Literal["tpu", "jax", "grain"],
) -> Iterator[Ragged]:
    function, module = stage.frame.function, stage.frame.module
    if tests_software(program, module, function):
        return
    node = next((each for each in calls_of(function) if each.term is stage.term), None)
    if node is not None:
        alone = len(calling_contexts(program, module, function)) == 1
        yield Ragged(stage, node.statement, used, compiled, _position(program, stage.call), alone, by)


# -- the last batch ------------------------------------------------------------------------------------------------------


def _short(program: Program, way: Pipeline) -> Stage | None:
    """The stage that makes the batches of a dataset, if the last one of an epoch may be shorter."""
    words = way.words()
    if way.source == "batches" or words.count("batch") != 1 or _UNCLEAR.intersection(words):
        return None
    number = words.index("batch")
    before, stage = way.stages[:number], way.stages[number]
    if any(_fills(program, each) or (each.word == "take" and isinstance(each.term, Call)) for each in before):
        return None
    if any(_pads(program, each) for each in way.stages[number + 1 :]):
        return None
    if any(each.word == "repeat" and not _ends(each) for each in before):
        return None
    return stage if _keeps_rest(program, stage) else None


def _fills(program: Program, stage: Stage) -> bool:
    """Whether elements that come behind may be there to fill the last batch up; those of another source in sight are data."""
    if stage.word != "fill":
        return False
    ways = [each for term in stage.call.args[:1] for each in program.ask(Pipelines).seen(term, stage.frame)]
    return not ways or any("repeat" in each.words() for each in ways)


def _pads(program: Program, stage: Stage) -> bool:
    """Whether a ``map`` behind the batches fills tensors up: perhaps the last batch."""
    names = program.knowledge.tables["datasets.remainders"]["pads"]
    given = stage.term.args if stage.word == "map" and isinstance(stage.term, Call) else ()
    values = (value for term in given for value in program.values(term, stage.frame))
    functions = (value.function for value in values if isinstance(value, FunctionValue))
    return any(last_name(call.term.callee) in names for function in functions for call in calls_of(function))


def _ends(repeat: Stage) -> bool:
    """Whether data are repeated a number of times that is written there, or called one of epochs."""
    given = (*repeat.call.args, *(value for _, value in repeat.call.kwargs))
    if not given:
        return False
    count = given[0]
    if isinstance(count, Const):
        return isinstance(count.value, int) and count.value > 0
    return any(_EPOCH in (last_name(part) or "").lower() for part in parts_of(count) if isinstance(part, NAMED))


def _keeps_rest(program: Program, stage: Stage) -> bool:
    """Whether a stage keeps the elements that are left over: it is not told to drop them, and takes more than one at a time."""
    call, table = stage.term, program.knowledge.tables["datasets.remainders"]
    if not isinstance(call, Call) or any(name is None or name in table["fills"] for name, _ in call.kwargs):
        return False
    named = dict(call.kwargs)
    sizes = call.args[1:] if last_name(call.callee) in table["functions"] else call.args
    size = sizes[0] if sizes else next((named[each] for each in table["sizes"] if each in named), None)
    if size is None or (isinstance(size, Const) and size.value == _ONE):
        return False
    position = _position(program, call)
    given = next((named[each] for each in table["drops"] if each in named), None)
    if given is None and position is not None and len(call.args) > position:
        given = call.args[position]
    return given is None or _is_false(program, given, stage.frame)


def _position(program: Program, call: Call) -> int | None:
    """Where the option to drop the rest stands among the arguments; None where that is not known."""
    position = program.knowledge.tables["datasets.positions"].get(last_name(call.callee) or "")
    return int(position) if position is not None else None


def _is_false(program: Program, term: Term, frame: Context) -> bool:
    values = program.values(term, frame)
    return all(isinstance(value, Unresolved) and isinstance(value.term, Const) and value.term.value is False for value in values)
