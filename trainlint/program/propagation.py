"""Propagation: what an item, an element or a field is, whatever the container went through since its values were put in.

The question is an access path: ``for name, loss in zip(names, losses)`` binds ``[*][1]`` of the call of ``zip``. Its last
selectors are peeled off until something is known of what is left, and the path is asked of that: of a display its items; of a
comprehension its item; of a generator what it yields; of an object its ``__getitem__`` and ``__iter__``; of a library call what
the table ``propagation`` says (``n[i] -> result[i][n]``). So one question becomes others, of terms that stand nowhere
(``losses[*]``), which :meth:`Program.values` answers and remembers like all others.

What is put into a container later is looked up by the container: ``d[key] = value`` and the methods of the tables, in the
function that makes it, in those inside it, in those that it is passed to, and in the methods of the object that keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import (
    NAMED,
    Attr,
    BinOp,
    Call,
    Comprehension,
    Const,
    Dict,
    Display,
    Element,
    Entered,
    Format,
    Global,
    ItemDisplay,
    List,
    Param,
    Ref,
    Self,
    Slice,
    Star,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Class, Function, Keep, Store
from trainlint.ir.walk import of_kind
from trainlint.program.access_paths import (
    ANY,
    EACH,
    NO_MATCH,
    PART,
    SOMEWHERE,
    Flow,
    Match,
    Path,
    Selector,
    Source,
    arguments,
    asks_above,
    at,
    at_key,
    filtered_from,
    flows_of,
    matched,
    may_be,
    worked_out,
    yields,
)
from trainlint.program.heap import callable_items, field, fields_of, fields_taken, held_by, holds_none
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

if TYPE_CHECKING:
    from trainlint.program.program import Program

#: Keys of terms that stand nowhere.
_ANY_KEY = Unknown.new(0, 0)
_SOME_KEY = Unknown.new(0, 1)

# -- what is put into containers ---------------------------------------------------------------------------------------


class _OfObject(NamedTuple):
    """An attribute of ``self``: the class whose method names it, and its name (empty: the object itself)."""

    cls: str
    name: str


class _Parameter(NamedTuple):
    """A parameter of a function."""

    function: str
    name: str
    kind: str = "parameter"


#: What a container is known by in a file: a term; a global's name; an attribute of ``self``; a parameter.
_Place = Term | str | _OfObject | _Parameter


def _place(term: Term) -> _Place:
    if isinstance(term, Attr):
        return _OfObject(term.base.cls, term.name) if isinstance(term.base, Self) else term
    if isinstance(term, Param):
        return _Parameter(term.function, term.name)
    return term.name if isinstance(term, Global) else _OfObject(term.cls, "") if isinstance(term, Self) else term


class _Put(NamedTuple):
    """A statement that puts something into a container, or into a part of it (``prefix``, from the outside in)."""

    function: Function
    node: Keep | Store | Call
    prefix: tuple[Subscript | Element, ...]


class _Puts(NamedTuple):
    """What the functions of a file put where: by the container; where containers are kept, and to which calls they are passed."""

    into: dict[_Place, list[_Put]]
    kept: dict[Term, list[Term]]
    passed: dict[_Place, list[tuple[Function, Call]]]

    def note(self, function: Function, node: Keep | Store | Call, container: Term) -> None:
        """Write down a statement."""
        prefix: tuple[Subscript | Element, ...] = ()
        while isinstance(container, (Subscript, Element)):
            prefix, container = (container, *prefix), container.stem
        self.into.setdefault(_place(container), []).append(_Put(function, node, prefix))


#: What a registry or a dispatch table holds: one of these is meant, whichever key it is.
_CALLABLES = (ClassValue, FunctionValue, Library)
#: What may be a key that is known.
_KEYS = (Param, Attr, Global, Subscript, Format, BinOp)
#: What gives the item under a key.
_ITEMS = ("builtins.dict.__getitem__", "builtins.dict.get")
#: What may be a container where it is made.
_MADE = (Dict, List, Call, Comprehension)


class Propagation:
    """The access paths of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.flows, self.fills, self.into, self.takes, self._longest = flows_of(program.knowledge)
        self._puts: dict[str, _Puts] = {}
        self._filling: dict[tuple[int, str], bool] = {}
        self._terms: dict[tuple[object, ...], Term] = {}
        self._decorated: dict[str, list[tuple[str, Term, Term, Spot]]] | None = None
        self._applied: dict[int, list[Context]] = {}
        #: Terms of items that stand nowhere in a file. They may have no value at all: nothing is there in what is known.
        self.nowhere: set[Term] = set()

    # -- questions --------------------------------------------------------------------------------------------------

    def part(self, asked: Subscript | Element, frame: Context, depth: int) -> Iterator[Value]:
        """The values of an item or an element."""
        whole: Term = asked.stem
        selector = self._selector(asked, frame, depth)
        if selector is PART:
            yield Unresolved(asked, frame)
            return
        unknown = False
        found: list[Value] = []
        for base in self.program.values(whole, frame, depth):
            inside = self._in(base, (selector,), asked, frame, depth)
            unknown = unknown or not (inside or self._lacks(base, (selector,)))
            found += inside
        found += self._known(self._put_around(whole, frame, (selector,), depth), asked, frame, depth)
        yield from found
        if unknown or not (found or asked in self.nowhere):
            yield Unresolved(asked, frame)

    def anywhere(self, asked: Subscript, frame: Context) -> tuple[Value, ...]:
        """The values of all items of the container of which an item is asked for."""
        return self.program.values(self._selected(asked.base, ANY), frame)

    def elements(self, container: Term, frame: Context) -> tuple[Value, ...]:
        """The values of what a loop over a container would bind."""
        return self.program.values(self._selected(container, EACH), frame)

    def field(self, base: LibraryObject | Unresolved, asked: Attr, frame: Context, depth: int) -> list[Value]:
        """The values of a field of a bundle: what it was given when the bundle was made, or later; empty where nothing is known.

        A constant that is set later is what others may set again: an option of a run.
        """
        found = self._known(self._given_for(base, asked.name, depth), asked, frame, depth)
        if (
            isinstance(base, LibraryObject) and base.name in self.program.knowledge.tables["parallel.copies"]["names"]
        ):  # objects in it are others
            return [value for value in found if not isinstance(value, (Instance, LibraryObject))]
        if isinstance(base, LibraryObject) and base.call is not None and base.frame is not None:
            later = self._put(base.call, base.frame, base.frame.owner(), (at("str", asked.name),), depth)
            put = self._known(later, asked, frame, depth)
            unsure = any(isinstance(value, Unresolved) and isinstance(value.term, Const) for value in put)
            found += (*put, Unresolved(asked, frame)) if unsure else put
        return found

    def by_name(self, owner: Instance, name: str, asked: Term, frame: Context, depth: int) -> list[Value]:
        """What the ``__getattr__`` of an object of the project gives for a name."""
        cls, key = ClassValue(owner.module, owner.cls), Selector("at", self.program.terms.const(name))
        method = self.program.method(cls, "__getattr__")
        if method is None:  # ``__getattr__ = dict.__getitem__``
            told = self.program.class_attribute(cls, "__getattr__")
            known = self.program.values(told[1], told[0], depth) if told is not None else ()
            is_item = any(isinstance(each, Library) and each.name in _ITEMS for each in known)
            return self._known(self._of_object(owner, (key,), depth), asked, frame, depth) if is_item else []
        given = [each for each in self._returned(owner, method, (), key) if not asks_above(each[0])]
        return self._known(given, asked, frame, depth)

    def key_of(self, term: Term, frame: Context, depth: int) -> object:
        """The constant that a term is here; None where it is not known to be one."""
        known = worked_out(self.program, term, frame, depth)
        return known.value if known is not None else None

    def field_argument(self, base: LibraryObject | Unresolved, name: str) -> Argument | None:
        """What was given for a field of a bundle when it was made, if that is one expression."""
        given = list(self._given_for(base, name, 0))
        alone = given[0] if len(given) == 1 and all(part.key is not None for part in given[0][2]) else None
        return Argument(self._along(alone[0], alone[2]), alone[1]) if alone is not None else None

    def _given_for(self, base: LibraryObject | Unresolved, name: str, depth: int) -> Iterable[Source]:
        """What was given for a field of a bundle."""
        call = base.call if isinstance(base, LibraryObject) else base.term
        if not isinstance(call, Call) or base.frame is None:
            return ()
        method = call.callee.name if isinstance(call.callee, Attr) else ""
        if isinstance(base, LibraryObject) or method in self.flows:
            of = base.name if isinstance(base, LibraryObject) else method
            return self._flown(self.flows.get(of, ()), call, base.frame, (Selector("field", name),), depth)
        given = field(self.program, call, name, base.frame, depth)
        return ((given, base.frame, ()),) if given is not None else ()

    def taken(self, name: str, call: Call, frame: Context, depth: int) -> list[Value]:
        """What ``next(x)``, ``d.get(key)`` or ``q.popleft()`` returns, where it is an item of a container in sight."""
        callee = call.callee
        last = callee.name if isinstance(callee, Attr) else ""
        word = name if name in self.takes else last
        receivers = self.program.values(callee.base, frame, depth) if isinstance(callee, Attr) and word == last else ()
        if word == last and not any(self.holds(base) for base in receivers):
            return []
        found: list[Value] = []
        settled = False
        for flow in self.flows[word]:
            if flow.target == "result" and not flow.put and not (flow.otherwise and settled):
                sources = list(self._from(flow, call, frame, (), depth))
                values = self._evaluated(sources, depth)
                found += values
                certain = all(SOMEWHERE not in path for _, _, path in sources)
                settled = settled or (certain and bool(values) and not any(self._is_nowhere(value) for value in values))
        known = [value for value in found if not self._is_nowhere(value)]
        chosen = [
            value
            for base in receivers
            if isinstance(base, Unresolved) and call.args
            for one in callable_items(self.program, base, call.args[0])
            for value in self.program.values(one, base.frame, depth)
        ]
        if chosen:
            known = found = [*chosen, *known]
        if not known:
            return []
        return (
            known if len(known) == len(found) else [*known, LibraryObject(name, call, frame) if name else Unresolved(call, frame)]
        )

    # -- terms that stand nowhere ------------------------------------------------------------------------------------

    def _along(self, term: Term, path: Path) -> Term:
        """A term for what a path selects."""
        for selector in path:
            term = self._selected(term, selector)
        return term

    def _selected(self, term: Term, selector: Selector) -> Term:
        key = (selector.kind, term, selector.key if isinstance(selector.key, str) else id(selector.key))
        known = self._terms.get(key)
        if known is None:
            if selector.kind == "each":
                known = Element.new(term, 0, 0)
            elif isinstance(selector.key, str):
                known = Attr.new(term, selector.key)
            else:
                known = Subscript.new(term, selector.key or (_ANY_KEY if selector is ANY else _SOME_KEY))
            self._terms[key] = known
            self.nowhere.add(known)
        return known

    def _called(self, callee: Term, args: tuple[Term, ...], like: Call) -> Term:
        """A call that stands nowhere: of what ``map`` is given, for an item."""
        key = ("call", callee, args, like)
        known = self._terms.get(key)
        if known is None:
            known = self._terms[key] = Call.new(callee, args, (), like.site)
            self.nowhere.add(known)
        return known

    def _entered(self, manager: Term) -> Term:
        """What ``with`` would bind, where a call enters what it is given (``stack.enter_context``)."""
        key = ("enter", manager)
        known = self._terms.get(key)
        if known is None:
            known = self._terms[key] = Entered.new(manager)
            self.nowhere.add(known)
        return known

    def _is_nowhere(self, value: Value) -> bool:
        return isinstance(value, Unresolved) and value.term in self.nowhere

    def _selector(self, term: Subscript | Element, frame: Context, depth: int) -> Selector:
        if isinstance(term, Element):
            return EACH
        key = term.key
        if isinstance(key, Const):
            return Selector("at", key)
        if isinstance(key, Slice):
            return PART
        if key is _ANY_KEY:
            return ANY
        return self._key(key, frame, depth) if isinstance(key, _KEYS) else SOMEWHERE

    # -- answers -----------------------------------------------------------------------------------------------------

    def _evaluated(self, sources: Iterable[Source], depth: int) -> list[Value]:
        return [value for term, where, path in sources for value in self.program.values(self._along(term, path), where, depth)]

    def _known(self, sources: Iterable[Source], asked: Term, frame: Context, depth: int) -> list[Value]:
        """The values of sources; what nothing is known of is what was asked for."""
        return [Unresolved(asked, frame) if self._is_nowhere(value) else value for value in self._evaluated(sources, depth)]

    def _in(self, base: Value, path: Path, asked: Term, frame: Context, depth: int) -> list[Value]:
        """What a path selects of a value."""
        if isinstance(base, LibraryObject):
            known = self._of_library(base, path)
            if known:
                return known
        sources = list(dict.fromkeys(self._sources(base, path, depth)))
        if path[0] is not SOMEWHERE or len(sources) <= 1:
            return self._known(sources, asked, frame, depth)
        if isinstance(base, Unresolved) and isinstance(asked, Subscript):
            chosen = callable_items(self.program, base, asked.key)
            if chosen:
                return self._known([(one, base.frame, ()) for one in chosen], asked, frame, depth)
        found = self._known(sources, asked, frame, depth)
        called = all(isinstance(value, _CALLABLES) for value in found)
        return [value for value in found if called or isinstance(value, Instance)]

    def _of_library(self, base: LibraryObject, path: Path) -> list[Value]:
        """What the tables say of the items of a library's object."""
        known, key = self.program.knowledge, path[0].key
        if not isinstance(key, Const):
            return []
        items = known.results.get(base.name)
        if items is not None and type(key.value) is int and 0 <= key.value < len(items):
            return [LibraryObject(items[key.value], base.call, base.frame)]
        return [base] if known.kinds.get(base.name) in ("prepared", "mesh") else []

    def holds(self, value: Value) -> bool:
        """Whether a value is a container of which is known how it is filled: what it does not hold is not there."""
        if isinstance(value, LibraryObject):
            return value.name in self.flows
        term = value.term if isinstance(value, Unresolved) else None
        if isinstance(term, Call):
            return isinstance(term.callee, Attr) and term.callee.name in self.flows
        return isinstance(term, (Display, Comprehension, Const))

    def _lacks(self, value: Value, path: Path) -> bool:
        """Whether a value of which nothing was found under a path surely has nothing there."""
        if not self.holds(value):
            return False
        call = value.call if isinstance(value, LibraryObject) else value.term if isinstance(value, Unresolved) else None
        if not isinstance(call, Call):
            return True
        name = value.name if isinstance(value, LibraryObject) else call.callee.name if isinstance(call.callee, Attr) else ""
        flows = self.flows.get(name, ())
        return not any(matched(flow._replace(put=flow.put[: len(path)]), path) for flow in flows if len(flow.put) > len(path))

    # -- sources -----------------------------------------------------------------------------------------------------

    def _sources(self, base: Value, path: Path, depth: int) -> Iterator[Source]:
        """From where what a path selects of a value comes."""
        if isinstance(base, Unresolved):
            term, where = base.term, base.frame
            put = list(self._put(term, where, where.owner(), path, depth)) if isinstance(term, _MADE) else []
            if isinstance(term, (Subscript, Element)):
                if len(path) <= self._longest:  # pairs of pairs; no entry of the table says more of a longer path
                    yield from self._peeled(term, where, path, depth)
            elif isinstance(term, Call):
                yield from self._of_call(term, where, path, depth)
            else:
                for source in self._written(term, where, path, depth):
                    if not put or not holds_none(Unresolved(source[0], where)):  # "not yet"
                        yield source
            yield from put
        elif isinstance(base, LibraryObject) and base.call is not None and base.frame is not None:
            callee = base.call.callee
            flows = self.flows.get(base.name) or (self.flows.get(callee.name) if isinstance(callee, Attr) else None)
            if flows:
                found = [*self._put(base.call, base.frame, base.frame.owner(), path, depth)]
                yield from self._flown(flows, base.call, base.frame, path, depth, found)
        elif isinstance(base, Instance):
            yield from self._of_object(base, path, depth)

    def _peeled(self, term: Subscript | Element, where: Context, path: Path, depth: int) -> Iterator[Source]:
        selector = self._selector(term, where, depth)
        whole: Term = term.stem
        if selector is PART:
            yield whole, where, (ANY if path[0].kind == "at" else path[0], *path[1:])
            return
        path = (selector, *path)
        for base in self.program.values(whole, where, depth):
            yield from self._sources(base, path, depth)

    def _written(self, term: Term, where: Context, path: Path, depth: int) -> Iterator[Source]:
        """Of a display, a comprehension, or two that are joined."""
        first, rest = path[0], path[1:]
        if isinstance(term, Dict):
            yield from self._of_dict(term, where, path)
        elif isinstance(term, ItemDisplay):
            for item in at_key(term, first):
                yield (item.of, where, (EACH, *rest)) if isinstance(item, Star) else (item, where, rest)
        elif isinstance(term, Comprehension):
            if (filtered := filtered_from(term)) is not None:
                yield filtered, where, path
            elif first.kind != "field":
                yield (term.key if term.key is not None and first is EACH else term.item), where, rest
        elif isinstance(term, BinOp) and term.op in ("Add", "BitOr", "Mult"):
            sides = [value for side in term.sides for value in self.program.values(side, where, depth) if self.holds(value)]
            shifted = first if term.op == "BitOr" or first.kind != "at" else ANY
            if sides:
                yield from ((side, where, (shifted, *rest)) for side in term.sides if not isinstance(side, Const))

    def _of_dict(self, term: Dict, where: Context, path: Path) -> Iterator[Source]:
        first, rest = path[0], path[1:]
        for key, value in reversed(term.items):
            if isinstance(key, Star):
                yield value, where, path
            elif first is EACH:
                yield key, where, rest
            elif first.kind != "field" and may_be(key, first):
                yield value, where, rest
                if isinstance(key, Const) and first.key is not None:
                    return

    def _of_call(self, term: Call, where: Context, path: Path, depth: int) -> Iterator[Source]:
        """Of what a method of a container returns, of a named tuple, of a generator."""
        callee = term.callee
        if isinstance(callee, Attr) and callee.name in self.flows:
            yield from self._flown(self.flows[callee.name], term, where, path, depth)
        if path[0].kind == "at":
            for names in fields_taken(self.program, term, where, depth):
                yield from self._of_fields(names, term, where, path, depth)
        if path[0].kind in ("each", "at", "any"):
            yield from self._yielded(term, where, path, depth)

    def _yielded(self, term: Call, where: Context, path: Path, depth: int) -> Iterator[Source]:
        """What a call of a generator of the project yields."""
        for callee in self.program.values(term.callee, where, depth):
            if not isinstance(callee, FunctionValue) or not callee.function.generator:
                continue
            if where.follows(callee.function):
                yield from yields(callee.function, self.program.enter(callee, term, where), path)

    def _of_object(self, base: Instance, path: Path, depth: int) -> Iterator[Source]:
        """Of an object of the project: what its own methods give, else its fields."""
        cls = ClassValue(base.module, base.cls)
        first = path[0]
        if first is EACH:
            method = self.program.method(cls, "__iter__")
            if method is None and (method := self.program.method(cls, "__next__")) is not None:
                yield from self._returned(base, method, path[1:])
                return
            if method is not None:
                for term, where, rest in self._returned(base, method, path):
                    if isinstance(term, Self):
                        following = self.program.method(cls, "__next__")
                        yield from self._returned(base, following, path[1:]) if following is not None else ()
                    else:
                        yield term, where, rest
                return
        method = self.program.method(cls, "__getitem__")
        if method is not None:
            yield from self._returned(base, method, path[1:], first)
            return
        method = self.program.method(cls, "__iter__") if first.kind != "field" else None
        if method is not None:  # ``first, second = pair``
            yield from self._returned(base, method, path)
            return
        if base.call is None or base.frame is None:
            return
        for above in self.program.lineage(cls):
            if isinstance(above, Library) and above.name in self.flows:
                yield from self._flown(self.flows[above.name], base.call, base.frame, path, depth)
            elif isinstance(above, ClassValue):  # what its own methods put into it: ``self[name] = made``
                for put in self._puts_of(above.module).into.get(_OfObject(above.cls.qualname, ""), ()):
                    for frame in self._frames(above.module, put.function, base.frame, base):
                        yield from self._of_put(put, frame, path, depth, named=True)
        yield from self._of_fields(fields_of(self.program, cls), base.call, base.frame, path, depth)
        yield from self._put(base.call, base.frame, None, path, depth)

    def _of_fields(self, names: tuple[str, ...], call: Call, where: Context, path: Path, depth: int) -> Iterator[Source]:
        """What a bundle was given for the field of a number."""
        key = path[0].key
        if isinstance(key, Const) and type(key.value) is int and -len(names) <= key.value < len(names):
            given = field(self.program, call, names[key.value], where, depth)
            if given is not None:
                yield given, where, path[1:]

    def _returned(
        self, owner: Instance, method: tuple[str, Function], path: Path, key: Selector | None = None
    ) -> Iterator[Source]:
        """What a method of an object returns, or yields; with a key if it takes one."""
        module, function = method
        if owner.frame is not None and owner.frame.runs(function):
            return
        inner = self.program.instance_frame(owner, module, function)
        if key is not None and isinstance(key.key, Const):
            call = self._called(key.key, (key.key,), owner.call or _NO_CALL)
            if isinstance(call, Call):
                inner = self.program.enter(FunctionValue(module, function, owner), call, owner.frame or inner)
        if function.generator:
            yield from yields(function, inner, path)
        else:
            yield from ((term, inner, path) for term in self.program.returns(function, inner))

    # -- the table ---------------------------------------------------------------------------------------------------

    def _flown(
        self, flows: Iterable[Flow], call: Call, where: Context, path: Path, depth: int, put: Iterable[Source] = ()
    ) -> list[Source]:
        """What of a call's arguments is under a path in its result, beside what was put there."""
        found = [*put]
        for flow in flows:
            if flow.target == "result" and not (flow.otherwise and found):
                found += self._from(flow, call, where, path, depth)
        return found

    def _from(self, flow: Flow, call: Call, where: Context, path: Path, depth: int) -> Iterator[Source]:
        match = matched(flow, path)
        if match is None:
            return
        for term, beginning, name in arguments(call, flow, match):
            steps = list(beginning)
            source: Term = term
            for step in flow.taken:
                if step == "(with)":
                    source, steps = self._entered(self._along(source, tuple(steps))), []
                elif step in ("()", "(n[i])", "(*[i])"):
                    items = [self._selected(each, match.same) for each in call.args[1:]] if step != "()" else []
                    items = [self.program.terms.make(Star, *call.site[:2], each) for each in items] if step == "(*[i])" else items
                    source, steps = self._called(self._along(source, tuple(steps)), tuple(items), call), []
                else:
                    steps.append(self._step(step, match._replace(name=name), call, where, depth))
            yield source, where, (*steps, *match.rest)

    def _step(self, step: str, match: Match, call: Call, where: Context, depth: int) -> Selector:
        if step == "[*]":
            return EACH
        if step in ("[i]", "[k]"):
            return match.same
        if step == ".name":
            return Selector("field", match.name) if match.name is not None else ANY
        if step == "[name]":
            return at("str", match.name) if match.name is not None else ANY
        if step[1] == "=":
            number = int(step[2:-1])
            if number >= len(call.args):
                return ANY
            return self._key(call.args[number], where, depth)
        return at("int", int(step[1:-1])) if step[1:-1].isdigit() else ANY

    def _key(self, term: Term, where: Context, depth: int) -> Selector:
        known = worked_out(self.program, term, where, depth)
        return Selector("at", known) if known is not None else SOMEWHERE

    # -- what is put in later ----------------------------------------------------------------------------------------

    def _put_around(self, whole: Term, frame: Context, path: Path, depth: int) -> Iterator[Source]:
        """What is put into a value as it is written, and, as ``d[a][b] = value``, into what that is a part of."""
        yield from self._put(whole, frame, frame.owner(), path, depth)
        while isinstance(whole, (Subscript, Element)):
            selector = self._selector(whole, frame, depth)
            path = path if selector is PART else (selector, *path)
            if len(path) > 2 * self._longest:  # ``d.update(d["all"])`` puts an item of an item of … into itself
                return
            whole = whole.stem
            yield from self._put(whole, frame, frame.owner(), path, depth)
            for base in self.program.values(whole, frame, depth):
                made = base.term if isinstance(base, Unresolved) else base.call if isinstance(base, LibraryObject) else None
                if isinstance(made, _MADE) and isinstance(base, (Unresolved, LibraryObject)) and base.frame is not None:
                    yield from self._put(made, base.frame, base.frame.owner(), path, depth)

    def _put(self, container: Term, where: Context, owner: Value | None, path: Path, depth: int) -> Iterator[Source]:
        """What is put under a path into a container, by its own function and by others that have it."""
        if path[0].kind == "field":
            return
        puts = self._puts_of(where.module)
        if not puts.into and not puts.passed and not isinstance(container, Attr):
            return
        named = isinstance(container, Dict)
        for each in (container, *puts.kept.get(container, ())):
            place = _place(each)
            for module, put in self._into(where, place):
                if not isinstance(place, Term) or f"{put.function.qualname}.".startswith(f"{where.function.qualname}."):
                    for frame in self._frames(module, put.function, where, owner):
                        yield from self._of_put(put, frame, path, depth, named)
        yield from self._filled(_place(container), where, path, depth, named)

    def _into(self, where: Context, place: _Place) -> Iterator[tuple[str, _Put]]:
        """The statements that put something into a container; into one that is kept in ``self`` those of the bases too."""
        for put in self._puts_of(where.module).into.get(place, ()):
            yield where.module, put
        if isinstance(place, _OfObject):
            cls = self.program.modules[where.module].classes.get(place.cls)
            for base in self.program.lineage(ClassValue(where.module, cls)) if cls is not None else ():
                if isinstance(base, ClassValue) and base.cls is not cls:
                    for put in self._puts_of(base.module).into.get(_OfObject(base.cls.qualname, place.name), ()):
                        yield base.module, put

    def _frames(self, module: str, function: Function, where: Context, owner: Value | None) -> Iterator[Context]:
        """The activations of a function that puts something into a container of ``where``."""
        from trainlint.program.contexts import named_contexts

        if function is where.function:
            yield where
        elif isinstance(owner, Instance) and owner.call is not None and owner.frame is not None and function.cls is not None:
            known = False
            for step in of_kind(owner.frame.function, CallStep):
                callee = step.term.callee
                if isinstance(callee, Attr) and callee.base is owner.call and callee.name == function.name:
                    known = True
                    yield self.program.enter(FunctionValue(module, function, owner), step.term, owner.frame)
            if function.name == "__setitem__":
                for _, node, prefix in self._puts_of(owner.frame.module).into.get(owner.call, ()):
                    if isinstance(node, Keep) and isinstance(node.target, Subscript) and not prefix:
                        known = True
                        call = self._called(node.target, (node.target.key, node.value), owner.call)
                        assert isinstance(call, Call)
                        yield self.program.enter(FunctionValue(module, function, owner), call, owner.frame)
            applied = None if known else self._decorating(function, owner)
            if not known:
                yield from (
                    applied
                    or self.program.constructed.activations(owner, function)
                    or [self.program.instance_frame(owner, module, function)]
                )
        else:
            applied = self._decorating(function, owner)
            if applied is None and isinstance(owner, Instance) and function.cls is not None:  # of whichever object
                applied = self.program.constructed.activations(owner, function) or None
            named = int(bool(function.parameters) and function.kind != "method")  # as in ``register("small", Small)``
            yield from named_contexts(self.program, module, function, named) if applied is None else applied

    def _decorating(self, function: Function, owner: Value | None) -> list[Context] | None:
        """The activations in which a function is applied as a decorator; of a method's, with this object; None: it never is."""
        known = self._applied.get(id(function))
        if known is None:
            known = self._applied[id(function)] = []
            names = function.qualname.split(".")
            for path, decorator, decorated, spot in [each for name in names for each in self._decorators().get(name, ())]:
                top = self.program.frame(path, self.program.modules[path].functions["<module>"])
                for value in self.program.values(decorator, top):
                    if isinstance(value, FunctionValue) and value.function is function:
                        known.append(self.program.enter(value, Call.new(decorator, (decorated,), (), spot), top))
        if not known or not isinstance(owner, Instance) or owner.call is None:
            return known or None
        return [frame for frame in known if frame.owner() in (None, owner)]

    def _decorators(self) -> dict[str, list[tuple[str, Term, Term, Spot]]]:
        """What the top levels of files decorate: by the decorator's name the file, the decorator, what it is given, and where."""
        if self._decorated is None:
            self._decorated = {}
            for path, module in self.program.modules.items():
                defined: list[Function | Class] = [*module.functions.values(), *module.classes.values()]
                for each in defined:
                    for decorator in each.decorators if each.qualname in module.names else ():
                        callee = decorator.callee if isinstance(decorator, Call) else decorator
                        if isinstance(callee, NAMED):
                            place = path, decorator, Global.new(each.qualname), each.spot
                            self._decorated.setdefault(callee.name.rpartition(".")[2], []).append(place)
        return self._decorated

    def _of_put(self, put: _Put, where: Context, path: Path, depth: int, named: bool) -> Iterator[Source]:
        """What one statement puts under a path; ``named``: into a dict, whose items are its keys."""
        node, inside = put.node, len(put.prefix)
        if inside >= len(path) or not all(map(self._fits, put.prefix, path)):
            return
        first, path = path[inside], path[inside:]
        if isinstance(node, Store):
            assert isinstance(node.target, Attr)
            if first is not EACH and may_be(self.program.terms.const(node.target.name), first):
                yield node.value, where, path[1:]
            return
        if isinstance(node, Keep):
            assert isinstance(node.target, Subscript)
            key = self._key(node.target.key, where, depth)
            if first is EACH and named and not inside:
                yield node.target.key, where, path[1:]
            elif not isinstance(key.key, Const) or may_be(key.key, first):
                yield node.value, where, path[1:]
            return
        name = node.callee.name if isinstance(node.callee, Attr) else self._function_name(node)
        for flow in self.flows[name]:
            if flow.target == "result":
                continue
            if flow.put and flow.put[0][1] == "=" and first.key is not None:
                found = self._step(flow.put[0], NO_MATCH, node, where, depth)
                if isinstance(found.key, Const) and not may_be(found.key, first):
                    continue
            yield from self._from(flow, node, where, path, depth)

    def _fits(self, written: Subscript | Element, asked: Selector) -> bool:
        """Whether a part of a container into which something is put may be the one that is asked for."""
        return asked.kind != "field" and (isinstance(written, Element) or may_be(written.key, asked))

    def _filled(self, container: _Place, where: Context, path: Path, depth: int, named: bool) -> Iterator[Source]:
        """What functions of the project put into a container that a function passes them."""
        passed = self._passed(container, where, depth) if container in self._puts_of(where.module).passed else ()
        for callee, name, inner in passed:
            place = _Parameter(callee.function.qualname, name)
            if self._fills_parameter(callee, name):
                for put in self._puts_of(callee.module).into.get(place, ()):
                    if put.function is callee.function:
                        yield from self._of_put(put, inner, path, depth, named)
                yield from self._filled(place, inner, path, depth, named)

    def _passed(self, container: _Place, where: Context, depth: int) -> Iterator[tuple[FunctionValue, str, Context]]:
        """The functions of the project to which a function passes something: for which parameter, and the activation."""
        for function, call in self._puts_of(where.module).passed.get(container, ()):
            for callee in self.program.values(call.callee, where, depth) if function is where.function else ():
                if isinstance(callee, FunctionValue) and where.follows(callee.function):
                    inner = self.program.enter(callee, call, where)
                    for name, bound in inner.arguments.items():
                        if isinstance(bound, Argument) and _place(bound.term) == container:
                            yield callee, name, inner

    def _fills_parameter(self, target: FunctionValue, name: str) -> bool:
        """Whether a function puts something into what it is given, itself or in functions to which it passes that."""
        key = (id(target.function), name)
        known = self._filling.get(key)
        if known is None:
            self._filling[key] = False  # ends recursion
            place = _Parameter(target.function.qualname, name)
            alone = self.program.frame(target.module, target.function)
            known = any(put.function is target.function for put in self._puts_of(target.module).into.get(place, ())) or any(
                self._fills_parameter(callee, parameter) for callee, parameter, _ in self._passed(place, alone, 0)
            )
            self._filling[key] = known
        return known

    def _function_name(self, call: Call) -> str:
        return self.program.knowledge.canonical(call.callee.name) if isinstance(call.callee, Ref) else ""

    def _puts_of(self, path: str) -> _Puts:
        known = self._puts.get(path)
        if known is None:
            known = self._puts[path] = _Puts({}, {}, {})
            for function in self.program.modules[path].functions.values():
                self._read(function, known)
            names = self.program.modules[path].names
            for name, term in [(name, term) for name, term in names.items() if isinstance(term, _MADE)]:
                known.kept.setdefault(term, []).append(Global.new(name))
        return known

    def _read(self, function: Function, known: _Puts) -> None:
        for keep in of_kind(function, Keep):
            if isinstance(keep.target, Subscript) and keep.kind != "AugAssign":
                known.note(function, keep, keep.target.base)
        for store in of_kind(function, Store):
            if isinstance(store.value, _MADE) and isinstance(store.target, Attr):
                known.kept.setdefault(store.value, []).append(store.target)
            if isinstance(store.target, Attr) and not isinstance(store.target.base, Self):
                known.note(function, store, store.target.base)
        for step in of_kind(function, CallStep):
            call = step.term
            if isinstance(call.callee, Attr) and call.callee.name in self.fills:
                filled = call.callee.base
                if isinstance(filled, Call) and (whole := held_by(self.program.knowledge.hands_out, filled)) is not None:
                    filled = Subscript.new(whole, filled.args[0])  # ``d.setdefault(key, []).append(value)``
                known.note(function, call, filled)
            elif (name := self._function_name(call)) in self.into and len(call.args) > self.into[name]:
                known.note(function, call, call.args[self.into[name]])
            for argument in call.args:
                if isinstance(argument, (Dict, List, Param)):
                    known.passed.setdefault(_place(argument), []).append((function, call))


#: A call of a method that Python makes where none is written.
_NO_CALL = Call.new(_ANY_KEY, (), (), Spot(1, 0, 1, 0))
