"""Where data is split among the ranks, and in which order: a shuffle of each rank's own before the split repeats samples.

Where the order of a value was drawn: the shuffles that lie behind data that is then split by rank.

Where data is split among the ranks: samplers, what a library prepares or trains on, slices and items by the rank.

Data that each rank puts in an order of its own before it takes its part: some samples are seen twice, others never.

Ranks that each take "their" part of a list must mean the same list. It is followed back from where it is split (a slice or
an item by the rank, a distributed sampler, a library's call) to where its order was drawn; the generator that drew it must
begin alike on all ranks (see :mod:`trainlint.spmd.seeds`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.domains.sampler_epochs import shuffles
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Entered,
    Global,
    List,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Function, Statement
from trainlint.ir.terms import is_own, mentions
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.consteval import truth
from trainlint.program.contexts import calling_contexts, contexts_at, handed_down
from trainlint.program.enclosing import surroundings
from trainlint.program.heap import item_of
from trainlint.program.loops import Loops
from trainlint.program.memo import remembered
from trainlint.program.naming import reference
from trainlint.program.origins import same_object
from trainlint.program.program import Program
from trainlint.program.running_calls import calls_in, leading_step, may_call
from trainlint.program.sources import returned
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
from trainlint.spmd.seeds import Beginning, Seeded, Seeds, is_test

_METHOD_OF_ITEMS = "__getitem__"


class Drawn(NamedTuple):
    """A call that draws an order, in an activation, and the library's name for it."""

    call: Call
    statement: Spot
    frame: Context
    name: str


class Orders:
    """Follows data back to the calls that drew its order. What is not known ends the way."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._asked: set[tuple[Term, Context, Spot | None]] = set()
        self.names = frozenset(name.rpartition(".")[2] for name in self.knowledge.shuffles)
        sites = (site for name in self.names for site in self.index.sites.get(name, ()))
        handed = {site.function for site in sites if site.call.term.args and isinstance(site.call.term.args[0], Param)}
        #: What a callee shuffles concerns who calls it only where that was handed over: other callees are not gone into.
        self._enters = may_call(program, functions=handed) if handed else lambda _: False

    def behind(self, term: Term, frame: Context, place: Spot | None = None) -> list[Drawn]:
        """The calls that drew the order of a value; ``place``: only those that come before it in the function count."""
        before, self._asked = self._asked, set()
        try:
            return list(self._behind(term, frame, place))
        finally:
            self._asked = before

    def _behind(self, term: Term, frame: Context, place: Spot | None = None) -> Iterator[Drawn]:
        asked = (term, frame, place)
        if asked in self._asked:
            return
        self._asked.add(asked)
        yield from self._in_place(term, frame, place)
        if isinstance(term, Call):
            yield from self._result(term, frame)
        elif isinstance(term, Subscript):
            part = item_of(term.base, term.key)
            if part is not None:
                yield from self._behind(part, frame, place)
            elif isinstance(term.base, Call):
                yield from self._item(term.base, term.key, frame, place)
            else:
                yield from self._behind(term.base, frame, place)
        elif isinstance(term, Param):
            holder = frame.holder(term.function)
            bound = holder.arguments.get(term.name) if holder is not None else None
            if isinstance(bound, Argument) and holder is not None:
                called = holder.call.site if holder.call is not None and bound.frame is holder.caller else None
                yield from self._behind(bound.term, bound.frame, called)
        elif isinstance(term, Attr):
            yield from self._attribute(term, frame)
        elif isinstance(term, Global):
            module = self.program.modules[frame.module]
            held = module.names.get(term.name)
            if held is not None and held is not term:
                yield from self._behind(held, self.program.frame(frame.module, module.functions["<module>"]), None)
        elif isinstance(term, (Select, Or, And, BinOp)):
            for part in term.subterms()[1 if isinstance(term, Select) else 0 :]:
                yield from self._behind(part, frame, place)

    # -- in place --------------------------------------------------------------------------------------------------

    def _in_place(self, term: Term, frame: Context, place: Spot | None) -> Iterator[Drawn]:
        """``random.shuffle(term)`` further up in the function, and nothing in between that settles the order."""
        if isinstance(term, (Const, Ref, Unknown)):
            return
        for node, here in self._draws(frame):
            call, led = node.term, leading_step(here, node, frame)
            if not call.args or led is None or (place is not None and not before(frame.function, led, place)):
                continue
            held = next((given for at, _, given in handed_down(call.args[0], here, call) if at is frame), None)
            if held is None or same_object(self.program, held, frame) is not term:
                continue
            name = self._drawing_name(call, here)
            if name in self.knowledge.shuffles_in_place and self.runs(call, here) and not self._settled(term, led.term, frame):
                yield Drawn(call, node.statement, here, str(name))

    @remembered()
    def _draws(self, frame: Context) -> list[tuple[CallStep, Context]]:
        """The calls of an activation, and of what it runs, that go by the name of a shuffle."""
        calls = calls_in(self.program, frame.function.body, frame, self._enters)
        return [each for each in calls if last_name(each[0].term.callee) in self.names]

    def _drawing_name(self, call: Call, frame: Context) -> str | None:
        """The library's name of a call that shuffles; None for any other."""
        names = [t.name for t in self.index.targets(call, frame) if isinstance(t, Library)]
        if not names and isinstance(call.callee, Attr):
            names = [
                f"{value.name}.{call.callee.name}"
                for value in self._holder(call.callee.base, frame)
                if isinstance(value, LibraryObject)
            ]
        if len(names) != 1:
            return None
        maker = next((known for known in self.knowledge.shuffles_made_by if names[0].startswith(f"{known}.")), None)
        name = names[0] if maker is None else f"{self.knowledge.shuffles_made_by[maker]}.{names[0].rpartition('.')[2]}"
        return name if name in self.knowledge.shuffles else None

    def _holder(self, base: Term, frame: Context) -> tuple[Value, ...]:
        """What something is an item of, or was made by a method of: the first thing on that way that is known."""
        while True:
            values = self.program.values(base, frame)
            if not isinstance(base, (Subscript, Call)) or any(isinstance(value, LibraryObject) for value in values):
                return values
            base = (
                base.base if isinstance(base, Subscript) else base.callee.base if isinstance(base.callee, Attr) else base.callee
            )

    def runs(self, call: Call, frame: Context) -> bool:
        """Whether no test around a call is known to keep it from running in this activation."""
        tests = self.program.ask_of(surroundings, frame.function).of(call).tests
        return all(truth(self.program, test, frame) in (None, way) for test, way in tests)

    def _settled(self, term: Term, drawn: Call, frame: Context) -> bool:
        """Whether the order is made the same again further down: sorted, or sent to all by a collective."""
        for node in statements_of(frame.function):
            if not isinstance(node, CallStep) or not before(frame.function, drawn, node):
                continue
            callee = node.term.callee
            if isinstance(callee, Attr) and callee.base is term and callee.name in self.knowledge.settles_order:
                return True
            if any(mentions(argument, term) for argument in node.term.args) and self._communicates(node.term, frame):
                return True
        return False

    def _communicates(self, call: Call, frame: Context) -> bool:
        """Whether a call is a collective, which may hand one rank's order to all."""
        name = last_name(call.callee)
        if name is None or not any(name == known.rpartition(".")[2] for known in self.knowledge.collectives):
            return False
        return any(not isinstance(t, Library) or t.name in self.knowledge.collectives for t in self.index.targets(call, frame))

    # -- by result -------------------------------------------------------------------------------------------------

    def _result(self, call: Call, frame: Context) -> Iterator[Drawn]:
        callee = call.callee
        name = self._drawing_name(call, frame) if last_name(callee) in self.names else None
        if name is not None:
            in_place = name in self.knowledge.shuffles_in_place
            if not in_place and self.runs(call, frame) and not self._settled(call, call, frame):
                yield Drawn(call, self._statement(call, frame), frame, name)
            return
        if isinstance(callee, Attr) and callee.name in self.knowledge.keeps_order:
            yield from self._behind(callee.base, frame, call.site)
        for value in self.program.values(callee, frame):
            if isinstance(value, Library):
                if value.name in self.knowledge.keeps_order:
                    for argument in call.args:
                        yield from self._behind(argument, frame, call.site)
            elif isinstance(value, FunctionValue):
                for each in returned(self.program, [value], call, frame):
                    yield from self._behind(*each, None) if each is not None else ()
            elif isinstance(value, ClassValue):
                yield from self._inside(Instance(value.module, value.cls, call, frame))

    def _item(self, call: Call, key: Term, frame: Context, place: Spot | None) -> Iterator[Drawn]:
        """An item of what a call returned: of a tuple, the item; of anything else, what lies behind all of it."""
        callees = [value for value in self.program.values(call.callee, frame) if isinstance(value, FunctionValue)]
        parts = [each for each in returned(self.program, callees, call, frame, key) if each is not None]
        for each in parts:
            yield from self._behind(*each, None)
        if not parts:
            yield from self._behind(call, frame, place)

    def _statement(self, call: Call, frame: Context) -> Spot:
        for node, _ in self._draws(frame):
            if node.term is call:
                return node.statement
        return call.site

    # -- objects ---------------------------------------------------------------------------------------------------

    def _attribute(self, term: Attr, frame: Context) -> Iterator[Drawn]:
        """What is stored under an attribute of an object of the project."""
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                cls = ClassValue(base.module, base.cls)
                for module, function, value in self.program.stores(cls, term.name):
                    inner = self.program.instance_frame(base, module, function)
                    if not frame.runs(function) or function is frame.function:
                        yield from self._behind(value, inner, None)
                method = self.program.method(cls, "__init__")
                if method is not None and method[1] is not frame.function:
                    yield from self._in_place_of(term.name, self.program.instance_frame(base, *method))

    def _in_place_of(self, attribute: str, frame: Context) -> Iterator[Drawn]:
        """``random.shuffle(self.files)`` in a constructor."""
        for node, here in self._draws(frame):
            handed = handed_down(node.term.args[0], here, node.term) if node.term.args else ()
            for argument in (given for at, _, given in handed if at is frame):
                if is_own(argument, attribute):
                    yield from self._in_place(argument, frame, None)

    def _inside(self, data: Instance) -> Iterator[Drawn]:
        """What draws the order of a dataset of the project: that of the attributes from which it takes its items by index."""
        cls = ClassValue(data.module, data.cls)
        items = self.program.method(cls, _METHOD_OF_ITEMS)
        if items is None:
            return
        frame = self.program.instance_frame(data, *items)
        for term in _attributes(items[1]):
            yield from self._attribute(term, frame)


def _attributes(function: Function) -> Iterator[Attr]:
    """The attributes of ``self`` of which a function takes an item by one of its parameters."""
    pending = [term for node in statements_of(function) for term in node if isinstance(term, Term)]
    seen: set[Term] = set()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        if (
            isinstance(term, Subscript)
            and isinstance(term.key, Param)
            and isinstance(term.base, Attr)
            and isinstance(term.base.base, Self)
        ):
            yield term.base
        pending += term.subterms()


_SPLITS_SAMPLER, _SPLITS_PREPARED, _TRAINER = "distributed-sampler", "prepared", "trainer"
_SPLITS_DATASET = "dataset"
#: Terms with parts in which something may be taken.
_COMPOUND = frozenset((Attr, Call, Subscript, BinOp, Compare, Not, And, Or, Select, Tuple, List, Set, Dict, Element, Entered))


class Split(NamedTuple):
    """A place, ``spot`` in ``module``, where each rank takes its part of ``data``; ``taken`` is where that is used first."""

    data: Term
    frame: Context
    spot: Spot
    module: str
    taken: Spot


def splits(program: Program, drawing: Collection[str]) -> Iterator[Split]:
    """All splits of data that something in the files ``drawing`` may have shuffled."""
    components = {program.component(path) for path in drawing}
    yield from _sampled(program, components)
    yield from _prepared(program, components)
    yield from _trained(program, components)
    yield from _sliced(program, drawing)


def sampler_calls(program: Program) -> Iterator[tuple[CallSite, Context, LibraryObject]]:
    """The calls that make a distributed sampler, in each activation."""
    return _calls_of(program, _SPLITS_SAMPLER)


def _calls_of(program: Program, wanted: str) -> Iterator[tuple[CallSite, Context, LibraryObject]]:
    """The calls of a library that make something of a kind, or do something of that kind, in each activation."""
    index, kinds = program.ask(CallGraph), program.knowledge.kinds
    names = {name.rpartition(".")[2] for name, kind in kinds.items() if kind == wanted}
    for site in [site for name in sorted(names) for site in index.sites_named(name)]:
        for frame in contexts_at(program, site):
            for target in index.targets(site.call.term, frame):
                if isinstance(target, Library) and kinds.get(target.name) == wanted:
                    yield site, frame, LibraryObject(target.name, site.call.term, frame)


def _sampled(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets that distributed samplers split."""
    asked = program.ask(Loops)
    for site, frame, sampler in sampler_calls(program):
        data = asked.argument(sampler, _SPLITS_DATASET)
        if data is None or program.component(site.module) not in components or is_test(site.module):
            continue
        if program.ask(Orders).runs(site.call.term, frame):
            yield Split(data, frame, site.call.term.site, site.module, site.call.term.site)


def _prepared(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets of the loaders that a library's ``prepare`` splits."""
    asked = program.ask(Loops)
    for site, frame, _ in _calls_of(program, _SPLITS_PREPARED):
        if program.component(site.module) not in components or is_test(site.module):
            continue
        for loader in (loader for argument in site.call.term.args for loader in asked.iterated(argument, frame)):
            data = asked.argument(loader, _SPLITS_DATASET, asked.library(loader, "loader"))
            if data is not None and loader.frame is not None and loader.call is not None:
                yield Split(data, loader.frame, site.call.term.site, site.module, loader.call.site)


def _trained(program: Program, components: set[str]) -> Iterator[Split]:
    """The datasets that a trainer of a library is made with, in projects that know of ranks."""
    asked, shares = program.ask(Loops), program.knowledge.shares
    names = {name.rpartition(".")[2] for name, word in shares.items() if word == _TRAINER}
    names |= {cls.name for module in program.modules.values() for cls in module.classes.values() if _ends(cls.bases, names)}
    for site in [site for name in sorted(names) for site in asked.index.sites_named(name)]:
        if program.component(site.module) not in components or is_test(site.module) or not _knows_ranks(program, site.module):
            continue
        for frame in contexts_at(program, site):
            if any(_is_trainer(program, value) for value in program.values(site.call.term, frame)):
                for data, where in _given(program, site.call.term, frame):
                    yield Split(data, where, site.call.term.site, site.module, site.call.term.site)


def _ends(bases: tuple[Term, ...], names: set[str]) -> bool:
    return any(last_name(base) in names for base in bases)


def _is_trainer(program: Program, value: Value) -> bool:
    shares = program.knowledge.shares
    if isinstance(value, LibraryObject):
        return shares.get(value.name) == _TRAINER
    above = program.lineage(ClassValue(value.module, value.cls)) if isinstance(value, Instance) else ()
    return any(isinstance(cls, Library) and shares.get(cls.name) == _TRAINER for cls in above)


def _given(program: Program, call: Call, frame: Context) -> Iterator[tuple[Term, Context]]:
    """The datasets among the keywords of a call, also those of ``**dict(train_dataset=…)``."""
    wanted = program.knowledge.shares_given
    for name, term in call.kwargs:
        if name in wanted:
            yield term, frame
        elif name is None:
            for value in program.values(term, frame):
                if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                    yield from ((inner, value.frame) for key, inner in value.call.kwargs if key in wanted)
                elif isinstance(value, Unresolved) and isinstance(value.term, Dict):
                    yield from (
                        (inner, value.frame) for key, inner in value.term.items if isinstance(key, Const) and key.value in wanted
                    )


def _knows_ranks(program: Program, module: str) -> bool:
    """Whether a project is one for several processes: it asks for a rank somewhere, or keeps one under its usual name."""
    knowledge = program.knowledge
    asking = {
        name.rpartition(".")[2] for name, word in knowledge.ranks.items() if word in ("rank", "local_rank", "world", "main")
    }
    known = {name for name, word in knowledge.conventions.items() if word in ("rank", "local_rank")}
    sites = (site for name in asking for site in program.ask(Loops).index.sites.get(name, ()))
    if any(program.together(site.module, module) for site in sites):
        return True
    return any(not known.isdisjoint(names.names) for path, names in program.modules.items() if program.together(path, module))


def _sliced(program: Program, drawing: Collection[str]) -> Iterator[Split]:
    """Slices, items and calls by which the functions of these files, and what they are told, take a rank's part."""
    names = frozenset(name.rpartition(".")[2] for name, word in program.knowledge.shares.items() if word != _TRAINER)
    for path in sorted(drawing):
        for function in program.modules[path].functions.values():
            seen: set[Term] = set()
            places = [found for node in statements_of(function) for found in _parts(node, names, seen)]
            if places:
                for frame in calling_contexts(program, path, function):
                    for term, spot in places:
                        data = _taken(program, term, frame)
                        if data is not None:
                            yield Split(data, frame, spot, path, spot)


def _parts(node: Statement, names: frozenset[str], seen: set[Term]) -> Iterator[tuple[Subscript | Call, Spot]]:
    """The items, slices and calls in a statement that may take a rank's part, each with a place to show for it.

    Statements of a function share their terms: what was ``seen`` in an earlier one is not looked into again.
    """
    pending = [term for term in node if isinstance(term, Term)]
    while pending:
        term = pending.pop()
        if type(term) not in _COMPOUND or term in seen:
            continue
        seen.add(term)
        if isinstance(term, Subscript):
            sliced = isinstance(term.key, Slice) and any(not isinstance(bound, Const) for bound in term.key.bounds)
            if sliced or (isinstance(term.base, Call) and last_name(term.base.callee) in names):
                yield term, node.statement if isinstance(node, CallStep) else node.spot
        elif isinstance(term, Call) and last_name(term.callee) in names:
            yield term, term.site
        pending += term.subterms()


def _taken(program: Program, term: Subscript | Call, frame: Context) -> Term | None:
    """The data of which a term takes the rank's part; None when it does no such thing."""
    begin, shares = program.ask(Seeds), program.knowledge.shares
    if isinstance(term, Subscript):
        base, key = term.base, term.key
        if isinstance(key, Slice):
            # All prefixes (`order[:count]`) hold the first items: how many are taken may differ, that is no part of each rank.
            return base if any(begin.differs(bound, frame) for bound in (key.lower, key.step)) else None
        if isinstance(base, Call) and base.args and _library(program, base, frame, "item") and begin.differs(key, frame):
            return base.args[0]
        return None
    name = last_name(term.callee)
    told = (*term.args, *(value for _, value in term.kwargs))
    if isinstance(term.callee, Attr) and shares.get(name or "") == "method":
        return term.callee.base if any(begin.differs(argument, frame) for argument in told) else None
    if term.args and _library(program, term, frame, "call"):
        return term.args[0] if any(begin.differs(argument, frame) for argument in told[1:]) else None
    return None


def _library(program: Program, call: Call, frame: Context, how: str) -> bool:
    """Whether a call is one of a library that splits data in this way."""
    shares = program.knowledge.shares
    name = last_name(call.callee)
    if not any(known.rpartition(".")[2] == name for known, word in shares.items() if word == how):
        return False
    return any(isinstance(v, Library) and shares.get(v.name) == how for v in program.values(call.callee, frame))


_SHUFFLED_SAMPLER, _SHUFFLED_PREPARED = "distributed-sampler", "prepared"
_SEED, _SHUFFLED_DATASET = "seed", "dataset"


class PerRankOrder(NamedTuple):
    """A shuffle whose result differs from rank to rank, and where it is split; a sampler that does both has no ``split``."""

    drawn: Drawn
    seeded: Seeded
    split: Split | None

    @property
    def by_rank(self) -> bool:
        """Whether the generator is seeded by the rank; otherwise nothing seeds it."""
        return self.seeded.how is Beginning.PER_RANK


def per_rank_orders(program: Program) -> Iterator[PerRankOrder]:
    """Every shuffle that is not the same on all ranks though its result is split among them, once."""
    seen: set[tuple[str, Spot]] = set()
    for found in (*_samplers(program), *_splits(program)):
        key = (found.drawn.frame.module, found.drawn.call.site)
        if key not in seen and not is_test(found.drawn.frame.module):
            seen.add(key)
            yield found


# -- samplers with a seed of their own ---------------------------------------------------------------------------------


def _samplers(program: Program) -> Iterator[PerRankOrder]:
    """Shuffling distributed samplers whose seed depends on the rank."""
    asked, begin = program.ask(Loops), program.ask(Seeds)
    for site, frame, sampler in sampler_calls(program):
        term = asked.argument(sampler, _SEED)
        if term is not None and shuffles(program, asked, sampler) and begin.differs(term, frame):
            drawn = Drawn(site.call.term, site.call.statement, frame, sampler.name)
            yield PerRankOrder(drawn, Seeded(Beginning.PER_RANK), None)


# -- what is split -----------------------------------------------------------------------------------------------------


def _splits(program: Program) -> Iterator[PerRankOrder]:
    drawing = _drawing_files(program)
    if not drawing:
        return
    follow = program.ask(Orders)
    for split in splits(program, drawing):
        for drawn in follow.behind(split.data, split.frame, split.taken):
            if _rank_is_asked(program, drawn):
                continue
            seeded = _begins(program, drawn)
            if seeded.how is not Beginning.ALIKE:
                yield PerRankOrder(drawn, seeded, split)


def _drawing_files(program: Program) -> set[str]:
    """The files in which something goes by the name of a shuffle."""
    follow = program.ask(Orders)
    return {site.module for name in follow.names for site in follow.index.sites.get(name, ()) if not is_test(site.module)}


# -- judging a shuffle -------------------------------------------------------------------------------------------------


def _rank_is_asked(program: Program, drawn: Drawn) -> bool:
    """Whether a test on the rank decides if the shuffle runs: somebody thought of ranks there."""
    frame: Context | None = drawn.frame
    call = drawn.call
    while frame is not None:
        tests = program.ask_of(surroundings, frame.function).of(call).tests
        if any(program.ask(Seeds).differs(test, frame) for test, _ in tests):
            return True
        if frame.call is None:
            return False
        call, frame = frame.call, frame.caller
    return False


def _begins(program: Program, drawn: Drawn) -> Seeded:
    """How the generator that draws an order begins."""
    knowledge, begin = program.knowledge, program.ask(Seeds)
    call, frame = drawn.call, drawn.frame
    family = knowledge.shuffles[drawn.name]
    if family == "own":
        return begin.of_generator(call.callee.base, frame) if isinstance(call.callee, Attr) else Seeded(Beginning.ALIKE)
    given = [value for name, value in call.kwargs if name in knowledge.seeded_by]
    signature = knowledge.signatures.get(drawn.name, [])
    given += [value for name, value in zip(signature, call.args, strict=False) if name in knowledge.seeded_by]
    if any(name is None for name, _ in call.kwargs):
        return Seeded(Beginning.ALIKE)
    if given:
        found = begin.of_generator(given[0], frame)
        if found.how is not Beginning.ENTROPY or found.spot is not None:
            return found
    return begin.of_process(family, frame.module)


def generator_code(program: Program, found: PerRankOrder) -> tuple[str, str] | None:
    """The keyword and its value, in names of the shuffle's file, that give a shuffle one seed; None when it takes none."""
    keyword, _, value = program.knowledge.seeded_as.get(found.drawn.name, "").partition("=")
    if not value:
        return None
    dotted, bracket, rest = value.partition("(")
    if not bracket:
        return keyword, value
    named = reference(dotted, program.modules[found.drawn.frame.module])
    return (keyword, f"{named}({rest}") if named is not None else None
