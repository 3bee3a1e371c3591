"""Autograd graphs as a taint: whether a value still holds the graph of what it was computed from, and by which way.

Ways: how a value holds a part of it, from step to step.

Whether a value is likely a loss or what a model made: by what was called, where nothing shows it for sure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.escape import collected, viewed
from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.ir.bindings import held_behind
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Comprehension,
    Const,
    Dict,
    Display,
    Element,
    Entered,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import Keep
from trainlint.ir.terms import root_of
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.container_parts import displays, drawn_names, source_of, swept
from trainlint.program.contexts import calling_contexts
from trainlint.program.heap import bundled, field, item_of, made_with
from trainlint.program.naming import names_of_source
from trainlint.program.origins import elsewhere, put_in
from trainlint.program.program import Program
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


class Held(NamedTuple):
    """How a value holds a part of it.

    ``sure``: if the value has a graph it comes from this part. ``plain``: no arithmetic lies between. ``whole``: the part
    itself, not an item of it. ``bare``: the value is no container around the part. ``fresh``: no total of earlier rounds.
    ``uncut``: not what a loop takes the part apart into.
    """

    sure: bool = True
    plain: bool = True
    whole: bool = True
    bare: bool = True
    fresh: bool = True
    uncut: bool = True

    def then(self, step: Held) -> Held:
        """The two ways one after the other."""
        return Held(
            self.sure and step.sure,
            self.plain and step.plain,
            self.whole and step.whole,
            self.bare and step.bare,
            self.fresh and step.fresh,
            self.uncut and step.uncut,
        )


class Meeting(NamedTuple):
    """Why a value holds a graph: it shares a part with what a backward pass starts from.

    ``sure`` and ``plain`` as in :class:`Held`; ``container``: the value is no tensor but something that holds one.
    ``row``: the value is what a loop takes out of the term.
    """

    term: Term
    frame: Context
    sure: bool
    plain: bool
    container: bool
    row: bool


SAME = Held()
ONE_OF = Held(sure=False)
COMPUTED = Held(plain=False)
SUMMED = Held(plain=False, bare=False)
ONE_OPERAND = Held(sure=False, plain=False)
TOTAL = Held(sure=False, plain=False, fresh=False)
ITS = Held(bare=False)
ONE_ITEM = Held(sure=False, bare=False)
ITEM = Held(sure=False, whole=False)
ROW = Held(sure=False, uncut=False)

#: What a value holds: each term with its activation, and how.
Parts = dict[tuple[Term, Context], Held]


class Likely:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self._losses = frozenset(program.knowledge.losses)

    def is_likely(self, term: Term, frame: Context) -> bool:
        """Whether one operand among others is a loss: the result of a model, a criterion or a helper, not of a library."""
        if isinstance(term, Subscript) and isinstance(term.base, Call):
            if self._numbers(term.base, term.key, frame):
                return False
            term = term.base
        if not isinstance(term, Call):
            return False
        callee = term.callee
        while (
            isinstance(callee, Call) and isinstance(callee.callee, Attr) and callee.callee.name in self.program.knowledge.fluent
        ):
            callee = callee.callee.base  # ``Net().to(device)``
        return any(self._makes_graphs(value, callee) for value in self.program.values(callee, frame))

    def is_loss(self, callee: Term, frame: Context) -> bool:
        """Whether what is called is a loss: of the tables, or by its name where nobody in sight says what it is."""
        values = self.program.values(callee, frame)
        if any(isinstance(value, (Library, LibraryObject)) for value in values):
            return any(isinstance(value, (Library, LibraryObject)) and value.name in self._losses for value in values)
        if not isinstance(callee, (Param, Attr)) or not all(isinstance(value, Unresolved) for value in values):
            return False
        name = (last_name(callee) or "").lower()
        if not any(word in name for word in self.program.knowledge.loss_words):
            return False
        if isinstance(callee, Attr) and not isinstance(callee.base, Self):
            return False  # a method of something: it may be told what the model is given, and return numbers
        frames = (
            calling_contexts(self.program, frame.module, frame.function)
            if frame.caller is None and isinstance(callee, Param)
            else []
        )
        return all(self._is_unknown_loss(value) for each in frames for value in self.program.values(callee, each))

    def _is_unknown_loss(self, value: Value) -> bool:
        return isinstance(value, Unresolved) or (isinstance(value, (Library, LibraryObject)) and value.name in self._losses)

    def _numbers(self, call: Call, key: Term, frame: Context) -> bool:
        """Whether an item of what a helper returns is a number, or what a library made that is no model and no loss."""
        found = False
        for target in self.index.targets(call, frame):
            if not isinstance(target, FunctionValue):
                return False
            inner = self.program.enter(target, call, frame)
            for returned in self.program.returns(target.function):
                part = item_of(returned, key)
                if part is None or not self._is_number(part, inner):
                    return False
                found = True
        return found

    def _is_number(self, term: Term, frame: Context) -> bool:
        if isinstance(term, Select):
            return self._is_number(term.then, frame) and self._is_number(term.other, frame)
        if isinstance(term, Const):
            return True
        if not isinstance(term, Call):
            return False
        values = self.program.values(term.callee, frame)
        return bool(values) and all(isinstance(value, Library) and not self._makes_graphs(value, term.callee) for value in values)

    def _makes_graphs(self, value: Value, callee: Term) -> bool:
        if isinstance(value, (Library, LibraryObject)):
            return value.name in self.program.knowledge.losses or value.name in self.program.knowledge.module_bases
        if isinstance(value, FunctionValue):
            return self.program.ask(GradMode).of_function(value.module, value.function) != OFF
        if isinstance(value, Instance):
            return True
        return isinstance(root_of(callee), Self) or isinstance(callee, (Param, Global))


_BOTH, _LEFT = ("Add", "Sub", "Mult"), ("Div", "Pow")
#: Terms that say nothing when two values share them.
_NOTHING = (Const, Ref, Global, Nested, NestedClass, Self, Kwargs)


class Graphs:
    """Questions about graph tensors in one program; every answer is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)
        self.mode = program.ask(GradMode)
        self.likely = Likely(program)
        self._held: dict[tuple[Term, Context], Parts] = {}
        self._names = frozenset(name.rpartition(".")[2] for name in program.knowledge.keeps_first)
        self._roots = frozenset(name.partition(".")[0] for name in program.knowledge.keeps_first)

    def held(self, term: Term, frame: Context) -> Parts:
        """What a value holds the graph of, itself first."""
        key = (term, frame)
        known = self._held.get(key)
        if known is None:
            known = self._held[key] = {self._home(term, frame): SAME}  # at once: what a loop carries leads back to itself
            queue = [(*self._home(term, frame), SAME)]
            while queue:
                current, where, way = queue.pop(0)
                if not way.whole and isinstance(current, Display):
                    continue  # which item it was is not known
                for part, inner, step in self._steps(current, where):
                    home = self._home(part, inner)
                    longer = way.then(step)
                    if home not in known:
                        known[home] = longer
                        queue.append((*home, longer))
        return known

    def meeting(self, value: Parts, root: Parts) -> Meeting | None:
        """Why a value holds a graph if ``root``, what a backward pass starts from, does; None when nothing says so."""
        start = next(iter(root))
        for key, way in root.items():
            mine = value.get(key)
            term, frame = key
            if mine is None or isinstance(term, _NOTHING) or not mine.fresh or not (mine.whole or key == start):
                continue
            if not mine.uncut and way.plain:
                continue  # nothing is computed of it as a whole: it may hold numbers beside the loss
            if way.sure or (way.whole and self.likely.is_likely(term, frame)):
                container = not (mine.bare and way.bare)
                return Meeting(term, frame, way.sure, mine.plain, container=container, row=not mine.uncut)
        found = self._swept(value, root)
        if found is not None:
            return found
        for (term, frame), way in root.items():
            if way.sure and isinstance(term, Access) and isinstance(term.base, (Call, Subscript, Entered)):
                mine = value.get((term.base, frame))
                if mine is not None and mine.whole and mine.plain and mine.fresh and mine.uncut:
                    return Meeting(term.base, frame, sure=True, plain=True, container=True, row=False)
        return None

    def _swept(self, value: Parts, root: Parts) -> Meeting | None:
        """A value that stands for each item of the dict from which a backward pass takes what it starts from."""
        for (term, frame), mine in value.items():
            container = swept(self.program, term) if mine.whole and mine.fresh and mine.uncut else None
            if container is None or isinstance(container, Display):
                continue
            for (part, where), way in root.items():
                if where is frame and way.sure and way.whole and self._takes(part, container):
                    return Meeting(part, frame, sure=True, plain=mine.plain, container=True, row=True)  # numbers may be there too
        return None

    def _takes(self, part: Term, container: Term) -> bool:
        """Whether a value is an item of a dict, or stands for all of them."""
        if isinstance(part, Subscript) and part.base is container:
            return isinstance(part.key, Const)
        return viewed(self.program, part) is container if isinstance(part, Call) else swept(self.program, part) is container

    def ends(self, term: Term, other: Term) -> bool:
        """Whether a term is the other one with its graph taken away: ``x.item()`` for ``x``."""
        ended = False
        while True:
            if term is other:
                return ended
            if isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name not in self.program.knowledge.keeps:
                term, ended = term.callee.base, True
            elif isinstance(term, Call) and isinstance(term.callee, Attr):
                term = term.callee.base
            elif isinstance(term, Call) and term.args:
                keeps = (
                    isinstance(term.callee, Ref)
                    and self.program.knowledge.canonical(term.callee.name) in self.program.knowledge.keeps_first
                )
                term, ended = term.args[0], ended or not keeps
            elif isinstance(term, Attr):
                term, ended = term.base, True
            else:
                return False

    # -- one step --------------------------------------------------------------------------------------------------

    def _home(self, term: Term, frame: Context) -> tuple[Term, Context]:
        """Attributes of the object are the same in all of its methods, one frame stands for them; a call is where it is made."""
        if isinstance(term, Attr) and isinstance(root_of(term), Self):
            return term, self.program.frame(frame.module, self.program.modules[frame.module].functions["<module>"])
        if frame.closure is not None and isinstance(term, Call):
            return term, frame.around(term.site)
        return term, frame

    def _steps(self, term: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        yielded = list(self._yielded(term, frame))
        if yielded:
            yield from yielded
        elif isinstance(term, Call):
            yield from self._carried(term, frame) or self._call(term, frame)
        elif isinstance(term, BinOp):
            yield from self._arithmetic(term, frame)
        elif isinstance(term, Select):
            if not (self.ends(term.then, term.other) or self.ends(term.other, term.then)):
                yield from self._either(term.then, term.other, frame)
                yield term.then, frame, ONE_OF if _is_value(term.other) else SAME
                yield term.other, frame, ONE_OF if _is_value(term.then) else SAME
        elif isinstance(term, BoolOp):
            for part in term.operands:
                yield part, frame, ONE_OF
        elif isinstance(term, Display):
            for part in term.values:
                yield part, frame, ITS if len(term.values) == 1 else ONE_ITEM
        elif isinstance(term, Subscript):
            yield from self._item(term, frame)
        elif isinstance(term, Entered):
            yield from list(self._elsewhere(term, frame)) or [(term.manager, frame, SAME)]
        elif isinstance(term, Element):
            source = source_of(self.program, term, frame) or swept(self.program, term)
            if source is not None and not isinstance(source, Display):
                yield source, frame, ROW
        elif isinstance(term, Comprehension):
            yield term.item, frame, ITS
        elif not isinstance(term, Unknown):
            yield from self._name(term, frame)

    def _yielded(self, term: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What a loop, or ``next``, takes from a generator of the project: each of the values that this yields."""
        drawn = term.base if isinstance(term, Subscript) else term
        if isinstance(drawn, Element) and isinstance(drawn.of, Call):
            yield from (each for each in self._elsewhere(term, frame) if each[1].function.generator)

    def _carried(self, term: Term, frame: Context) -> list[tuple[Term, Context, Held]]:
        """What an item was before it was put into a container."""
        carried = put_in(self.program, term, frame)
        return [(part, where, SAME if len(carried) == 1 else ONE_OF) for part, where in carried]

    def _either(self, left: Term, right: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What both of two values are made of: one is the other, or computed of it (``sum(losses) if several else losses``)."""
        for one, other in ((left, right), (right, left)):
            way = self.held(one, frame).get(self._home(other, frame)) if _is_value(other) else None
            if way is not None and way.sure:
                yield other, frame, SUMMED if not way.bare else COMPUTED

    def _name(self, term: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What a parameter, an attribute of the object, or a name that a loop changes was given."""
        if isinstance(term, Param):
            bound = frame.given(term)
            if isinstance(bound, Argument):
                yield bound.term, bound.frame, SAME
        elif isinstance(term, Attr) and isinstance(term.base, Self):
            yield from self._stored(term.base, term.name, frame)
        elif isinstance(term, Attr):
            made = displays(self.program, self.index, self.entered, term.base, frame) or ()
            bundles = ((bundle, where) for bundle, where in made if isinstance(bundle, Call))
            parts = [(field(self.program, bundle, term.name, where), where) for bundle, where in bundles]
            for part, where in parts:
                if part is not None:
                    yield part, where, SAME
            if all(part is None for part, _ in parts):
                yield from self._elsewhere(term, frame)
        elif isinstance(term, Global):
            yield from self._elsewhere(term, frame)
        elif isinstance(term, LoopPhi):
            yield from self._elsewhere(term, frame)
            behind = held_behind(frame.function, term)
            if behind is not None:
                yield behind, frame, ONE_OF
            for node in statements_of(frame.function):
                if isinstance(node, Keep) and isinstance(node.target, LoopPhi) and node.target.place == term.place:
                    yield node.value, frame, TOTAL

    def _elsewhere(self, term: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What a name was given in another function that binds it (``global``, ``nonlocal``), or an attribute elsewhere."""
        made = elsewhere(self.program, term, frame)
        for part, where in made:
            yield part, where, SAME if len(made) == 1 else ONE_OF

    def _arithmetic(self, term: BinOp, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        operator, left, right = term.op, term.left, term.right
        if operator in _BOTH:
            yield left, frame, COMPUTED if not _is_value(right) else ONE_OPERAND
            yield right, frame, COMPUTED if not _is_value(left) else ONE_OPERAND
        elif operator in _LEFT:
            yield left, frame, COMPUTED

    def _call(self, term: Call, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        callee, arguments = term.callee, term.args
        knowledge = self.program.knowledge
        name = last_name(callee)
        if isinstance(callee, Attr) and name in knowledge.keeps:
            yield callee.base, frame, COMPUTED
        if name in knowledge.scales and arguments:
            yield arguments[0], frame, COMPUTED
        for value in (*(given for _, given in made_with(term)), *bundled(self.program, term, frame)):
            yield value, frame, ONE_ITEM
        container = viewed(self.program, term)
        if container is not None:
            yield from self._items_of(container, frame)
        targets = self.index.targets(term, frame)
        if not targets and isinstance(callee, Call):
            yield from self._elsewhere(term, frame)
        elif any(isinstance(target, FunctionValue) for target in targets):  # what was made here, and is only handed back
            back = list(self._elsewhere(term, frame))
            yield from back if all(where is frame for _, where, _ in back) else ()
        if not targets and arguments:
            if self._is_layer(callee, frame):
                yield arguments[0], frame, COMPUTED
            elif self.likely.is_loss(callee, frame) and self._judges(arguments, frame):
                yield arguments[0], frame, ONE_OPERAND
        for target in targets:
            if isinstance(target, FunctionValue) and not self._keeps_first(target):
                yield from self._returned(target, term, frame)
            elif isinstance(target, FunctionValue) or target.name in knowledge.keeps_first:
                several = isinstance(target, Library) and target.name in knowledge.drains
                for first in arguments[:1]:
                    yield first, frame, SUMMED if several else COMPUTED
                    yield from self._filled(first, frame)
            elif target.name in knowledge.losses and self._judges(arguments, frame):
                yield arguments[0], frame, ONE_OPERAND
            elif target.name in knowledge.drains and arguments and viewed(self.program, arguments[0]) is not None:
                yield arguments[0], frame, ITS

    def _is_layer(self, callee: Term, frame: Context) -> bool:
        """Whether what is called is an object whose class is in the table ``keeps_first``: a layer without weights."""
        known = self.program.knowledge.keeps_first
        return any(isinstance(value, LibraryObject) and value.name in known for value in self.program.values(callee, frame))

    def _keeps_first(self, target: FunctionValue) -> bool:
        """Whether a function is one of the table ``keeps_first``, in the source of its library."""
        known = self.program.knowledge.keeps_first
        if target.function.cls is not None or target.function.name not in self._names:
            return False
        found = names_of_source(self.program, target.module, target.function.qualname, self._roots)
        return any(name in known for name in found)

    def _judges(self, arguments: tuple[Term, ...], frame: Context) -> bool:
        """Whether a loss of two things has the graph of the first: the second is nothing that a model may have made."""
        if len(arguments) != 2:  # noqa: PLR2004 - what is judged, and what is right
            return False
        return not any(
            way.whole and self.likely.is_likely(term, inner) for (term, inner), way in self.held(arguments[1], frame).items()
        )

    def _returned(self, target: FunctionValue, call: Call, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What a helper hands back, unless it turns gradients off."""
        inner = self.entered(target, call, frame)
        if inner is not None:
            results = self.program.returns(target.function)
            for value in results:
                if not any(self.ends(other, value) for other in results):  # a helper that cuts off the graph of what has one
                    yield value, inner, SAME

    def entered(self, target: FunctionValue, call: Call, frame: Context) -> Context | None:
        """The activation that a call makes; None for generators, recursion, and where gradients are off."""
        function = target.function
        if function.generator or not frame.follows(function):
            return None
        if self.mode.of_function(target.module, function) == OFF:
            return None
        inner = self.program.enter(target, call, frame)
        return None if self.mode.blocks(inner, function.body) else inner

    def _item(self, term: Subscript, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """An item: of a literal container, of what a helper returns, or of something unknown."""
        base, key = term.base, term.key
        part = item_of(base, key)
        if part is not None:
            yield part, frame, SAME
            return
        source = source_of(self.program, term, frame)
        if source is not None:
            if not isinstance(source, Display):
                yield source, frame, ROW
            return
        container = swept(self.program, term)
        if container is not None:
            yield container, frame, ROW
        whole = self._extreme_of(base, key, frame)
        if whole is not None:
            yield whole, frame, COMPUTED
            return
        made = displays(self.program, self.index, self.entered, base, frame)
        if made is None:
            yield from self._carried(term, frame) or ((base, frame, ITEM),)
        for display, where in made or ():
            part = item_of(display, key)
            if part is not None:
                yield part, where, SAME
            for name in drawn_names(self.program, key) if isinstance(display, Dict) else ():
                part = item_of(display, name)
                if part is not None:
                    yield part, where, ONE_ITEM

    def _extreme_of(self, base: Term, key: Term, frame: Context) -> Term | None:
        """The tensor whose largest or sorted values an item is: ``x`` of ``x.max(1)[0]``; behind them stand their indices."""
        known = self.program.knowledge.values_first
        if not isinstance(base, Call) or not isinstance(key, Const) or key.value != 0:
            return None
        if isinstance(base.callee, Attr) and base.callee.name in known:
            return base.callee.base
        targets = self.index.targets(base, frame)
        named = bool(targets) and all(isinstance(each, Library) and each.name in known for each in targets)
        return base.args[0] if named and base.args else None

    def _items_of(self, container: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """All that is in a dict that is written out, or filled, here or in the helper that returns it."""
        made = [(container, frame)]
        if isinstance(container, Call):
            made += [(value, inner) for value, inner, _ in self._steps(container, frame)]
        for value, inner in made:
            if isinstance(value, Dict):
                yield from self._steps(value, inner)
                yield from self._filled(value, inner)

    def _filled(self, container: Term, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What is put into a list or dict where it was made. Only for what is computed of it: the container itself is a sink."""
        if isinstance(container, Dict) or (isinstance(container, List) and not container.items):
            for part in collected(self.program, container, frame):
                yield part, frame, ONE_ITEM

    def _stored(self, owner: Self, name: str, frame: Context) -> Iterator[tuple[Term, Context, Held]]:
        """What methods of the class store in an attribute."""
        cls = self.program.modules[frame.module].classes.get(owner.cls)
        if cls is None:
            return
        for module, function, value in self.program.stores(ClassValue(frame.module, cls), name):
            if not isinstance(value, Const):
                yield value, self.program.frame(module, function), ONE_OF


def _is_value(term: Term) -> bool:
    """Whether a term may be a tensor: not a number."""
    return bool(not isinstance(term, Const))


def mentions(term: Term, wanted: frozenset[Term], carried: str | None = None) -> bool:
    """Whether one of these terms, or the name ``carried`` as a loop changes it, stands anywhere in a term."""
    seen: set[Term] = set()
    waiting = [term]
    while waiting:
        current = waiting.pop()
        if current in wanted or (isinstance(current, LoopPhi) and current.name == carried):
            return True
        if current not in seen:
            seen.add(current)
            waiting += current.subterms()
    return False
