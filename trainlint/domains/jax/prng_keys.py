"""PRNG keys: which calls use one up, which parameters are keys that a function uses up, and how long one is in its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from trainlint.domains.traced.functions import Roots
from trainlint.ir.bindings import carried_by, carried_in
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Comprehension,
    Const,
    Dict,
    Element,
    List,
    LoopPhi,
    Nested,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Star,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.order import belongs_to, loops_around
from trainlint.ir.sketch import CallStep, Function, Keep, Statement, Store
from trainlint.ir.terms import container_of, mentions, parts_of, whole_number
from trainlint.ir.walk import is_abstract, of_kind
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.callables import PARTIAL, partial_of
from trainlint.program.constant_branch import alternatives
from trainlint.program.contexts import calling_contexts
from trainlint.program.heap import field, item_of, made_with
from trainlint.program.leading import Leading
from trainlint.program.loops import in_each_round
from trainlint.program.memo import remembered
from trainlint.program.naming import names_of_source
from trainlint.program.origins import local_origin
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library, LibraryObject

DRAWS, SPLITS, NEW, DERIVES = "draws", "splits", "new", "derives"
_USES = (DRAWS, SPLITS)
#: The kind of draws where a parameter may hold a key for each kind, or an object that makes such keys: who calls knows which.
ALL = "*"


class Used(NamedTuple):
    """A key that a call uses up; ``name`` is the kind of draws that it is for, ``by`` the project's function that does it.

    ``apart``: the call is handed it in another way than by the term that is its key. ``makes``: it constructs something of a
    library with it. ``arranged`` is what it puts into another order: with one key, the same for all that belongs together.
    """

    key: Term
    call: Call
    how: str
    name: str | None = None
    by: Function | None = None
    apart: bool = False
    makes: bool = False
    arranged: Term | None = None


class Taken(NamedTuple):
    """A parameter that is a key, or of which an item (a number, or a text in brackets) or a field (a name) is one.

    ``ALL``: it is a dict of keys by kinds.
    """

    name: str
    item: int | str | tuple[str] | None = None


class Keys:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.words: Mapping[str, str] = program.knowledge.tables["keys"]
        self._collections: list[str] = program.knowledge.tables["keys.collections"]["names"]
        self._arguments: list[str] = program.knowledge.tables["keys.arguments"]["names"]
        self._makers: list[str] = program.knowledge.tables["keys.makers"]["names"]
        #: Words in names of keys, and in names of what a split leaves for later.
        self.names: list[str] = program.knowledge.tables["keys.names"]["names"]
        self.rests: list[str] = program.knowledge.tables["keys.rests"]["names"]
        self._roots = {name.partition(".")[0] for name in self.words}
        self._abstract: list[str] = program.knowledge.tables["keys.abstract"]["names"]
        self._carries: Mapping[str, str] = program.knowledge.tables["keys.carries"]
        self._initializers = tuple(program.knowledge.tables["keys.initializers"]["names"])
        self._used: dict[tuple[Term, Context], tuple[Used, ...]] = {}
        self._shaped: set[int] | None = None
        self._consumers = tuple(program.knowledge.tables["keys.consumers"]["names"])
        self._named_keys = frozenset(program.knowledge.tables["keys.named"]["names"])

    def forget(self) -> None:
        """Forget which keys calls use up."""
        self._used.clear()

    def word(self, call: Term, frame: Context) -> str | None:
        """What a call does with keys, if it is one of the library's."""
        if not isinstance(call, Call):
            return None
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self.words:
                return self.words[value.name]
            if isinstance(value, (FunctionValue, ClassValue)):
                thing = value.function if isinstance(value, FunctionValue) else value.cls
                for name in names_of_source(self.program, value.module, thing.qualname, self._roots):
                    if name in self.words:
                        return self.words[name]
            if isinstance(value, LibraryObject) and value.name.startswith(self._initializers):
                return DRAWS
        return None

    def is_key(self, term: Term, frame: Context) -> bool:
        """Whether a term is surely a key, or several: made here, split off or derived."""
        term = container_of(term)
        if isinstance(term, Select):
            return self.is_key(term.then, frame) and self.is_key(term.other, frame)
        return self.word(term, frame) in (NEW, SPLITS, DERIVES)

    def used(self, call: Call, frame: Context) -> tuple[Used, ...]:
        """The keys that a call uses up."""
        known = self._used.get((call, frame))
        if known is None:
            self._used[call, frame] = ()  # a function that calls itself
            found = [(each, local_origin(self.program, each.key, frame)) for each in self._find(call, frame)]
            known = tuple(each._replace(key=key, apart=key is not each.key) for each, key in found)
            self._used[call, frame] = known
        return known

    def _find(self, call: Call, frame: Context) -> Iterator[Used]:
        word = self.word(call, frame)
        if word is not None:
            key = self._argument(call)
            if word in _USES and key is not None:
                yield Used(key, call, word, arranged=self._arranged(call, frame))
            return
        for kind, key in self._named(call, frame):
            yield Used(key, call, DRAWS, kind)
        yield from self._consumed(call, frame)
        yield from self._by_project(call, frame)

    def _arranged(self, call: Call, frame: Context) -> Term | None:
        """What a draw puts into another order."""
        names = self.program.knowledge.tables["keys.arranges"]["names"]
        arranges = self.program.may_be_one_of(call.callee, frame, names)
        return call.args[1] if arranges and len(call.args) > 1 else None

    def _named(self, call: Call, frame: Context) -> Iterator[tuple[str, Term]]:
        """The keys that a model is handed for its kinds of draws; a parameter that may hold them all."""
        given = [value for name, value in call.kwargs if name in self._collections]
        if isinstance(call.callee, Attr) and call.callee.name in self._makers and call.args:
            given.append(call.args[0])
        for each in given:
            value = local_origin(self.program, each, frame)
            if isinstance(value, Dict):
                yield from ((str(kind.value), key) for kind, key in value.items if kind is not None and isinstance(kind, Const))
            elif isinstance(value, Comprehension):
                alike = not any(isinstance(part, Element) for part in parts_of(value.item))
                if value.key is not None and alike and (self.is_key(value.item, frame) or self._is_named(value.item)):
                    yield from ((str(name), value.item) for name in _names_of(value))
            elif isinstance(value, Param):
                yield ALL, value
            else:
                yield from ((str(where[1]), key) for where, key in made_with(value) if where[0] == "keyword")

    def _consumed(self, call: Call, frame: Context) -> Iterator[Used]:
        """The keys that a library out of sight is handed: what it draws, it draws with them."""
        values = [value for value in self.program.values(call.callee, frame) if isinstance(value, (Library, LibraryObject))]
        if not any(value.name.startswith(self._consumers) for value in values):
            return
        given = [value for name, value in call.kwargs if name in self._named_keys and not isinstance(value, Const)]
        given += [value for value in call.args if self.is_key(value, frame) or self._is_named(value)]
        makes = isinstance(values[0], Library)
        yield from (Used(key, call, DRAWS, makes=makes) for key in given)

    def _is_named(self, term: Term) -> bool:
        """Whether a parameter is a key, as its name says: what the caller hands over is not asked for."""
        return isinstance(term, Param) and any(word in self.names for word in term.name.lower().split("_"))

    def _argument(self, call: Call) -> Term | None:
        """The argument that is the key."""
        given = next((value for name, value in call.kwargs if name in self._arguments), None)
        if given is None and call.args:
            given = call.args[0]
        return given

    def _by_project(self, call: Call, frame: Context) -> Iterator[Used]:
        """The keys that the project's function uses up which a call runs, or each of those which it may run."""
        carried = self._carried(call, frame)
        targets = list(dict.fromkeys(self.functions(call.callee if carried is None else carried.body, frame)))
        if len(targets) > 1:
            targets += [each for each in self._related(targets[0]) if all(each.function is not one.function for one in targets)]
        found = [list(self._by(target, call, frame, carried)) for target in targets]
        if not all(found) or not found:
            found = [list(self._by(target, call, frame, carried)) for target in self._as_called(call, frame)]
        for used in dict.fromkeys(found[0] if found else ()):
            if all(any(used._replace(by=each.by) == each for each in other) for other in found[1:]):
                yield used

    def _as_called(self, call: Call, frame: Context) -> list[FunctionValue]:
        """The methods that a call runs of what its function is handed (``model.sample(key)``), where every caller's is known."""
        found: dict[FunctionValue, None] = {}
        given = (*call.args, *(value for _, value in call.kwargs))
        if not isinstance(call.callee, Attr) or not isinstance(call.callee.base, Param) or not any(map(self._is_named, given)):
            return []
        for each in calling_contexts(self.program, frame.module, frame.function):
            values = self.program.values(call.callee, each) if each is not frame else ()
            functions = [value for value in values if isinstance(value, FunctionValue)]
            if not functions or len(functions) != len(values):
                return []
            found.update(dict.fromkeys(functions))
        return list(found)

    def _related(self, method: FunctionValue) -> Iterator[FunctionValue]:
        """The methods of this name of all classes that share a base of the project with the class of one."""
        lineages = {}
        for path, function in self.program.methods_named(method.function.name, method.module):
            cls = self.program.modules[path].classes.get(function.cls or "")
            if cls is not None and not is_abstract(function):
                above = {id(each.cls) for each in self.program.lineage(ClassValue(path, cls)) if isinstance(each, ClassValue)}
                lineages[function] = above, FunctionValue(path, function, Instance(path, cls))
        own = lineages[method.function][0] if method.function in lineages else set()
        yield from (value for above, value in lineages.values() if not own.isdisjoint(above))

    def _by(self, target: FunctionValue, call: Call, frame: Context, carried: _Carried | None) -> Iterator[Used]:
        taken = self.parameters(target.module, target.function)
        entered = self.program.enter(target, call, frame) if taken and carried is None else None
        for each in sorted(taken, key=str):
            given: object
            if carried is not None:
                given = (
                    Argument(carried.first, frame) if target.function.parameters[carried.position :][:1] == (each.name,) else None
                )
            else:
                assert entered is not None
                given = entered.given(Param.new(target.function.qualname, each.name))
            if isinstance(given, Argument) and given.frame is frame:
                name = ALL if each.item == ALL and isinstance(given.term, Param) else None
                yield from (Used(key, call, DRAWS, name, target.function) for key in _handed(given.term, each))

    def _carried(self, call: Call, frame: Context) -> _Carried | None:
        """What a loop of the library (``scan``) runs in each round, and what it hands to the first."""
        for value in self.program.values(call.callee, frame):
            if isinstance(value, Library) and value.name in self._carries:
                body, first, position = (int(each) for each in self._carries[value.name].split())
                given = dict(call.kwargs)
                inner = call.args[body] if len(call.args) > body else given.get("f", given.get("body_fun"))
                start = call.args[first] if len(call.args) > first else given.get("init", given.get("init_val"))
                return _Carried(inner, start, position) if inner is not None and start is not None else None
        return None

    def functions(self, callee: Term, frame: Context, around: tuple[Call, ...] = ()) -> Iterator[FunctionValue]:
        """The functions of the project that a call of this runs: itself, or what ``jit`` and its like made of them."""
        for value in self.program.values(callee, frame):
            if isinstance(value, FunctionValue):
                yield value
            elif (
                isinstance(value, LibraryObject)
                and value.call is not None
                and value.frame is not None
                and value.call not in around
            ):
                if value.call.args and self.program.ask(Roots).is_same(value):
                    yield from self.functions(value.call.args[0], value.frame, (*around, value.call))
                elif (partial := partial_of(value)) is not None:
                    given = Argument(partial.call, partial.frame)
                    inner = self.functions(partial.callee, partial.frame, (*around, value.call))
                    yield from (each._replace(given=(*each.given, given)) for each in inner)

    def shapes_only(self, function: Function) -> bool:
        """Whether all that is seen of a function is that somebody asks for the shapes of what it returns: nothing is drawn."""
        if self._shaped is None:
            self._shaped = set()
            for name in sorted(dotted.rpartition(".")[2] for dotted in self._abstract if dotted != PARTIAL):
                for site in self.program.ask(CallGraph).sites.get(name, ()):
                    frame = self.program.frame(site.module, site.function)
                    if site.call.term.args and self._looks_only(site.call.term, frame):
                        found = self.functions(site.call.term.args[0], frame)
                        self._shaped |= {id(each.function) for each in found}
        inner = function.outer is not None  # what stands at the top of a file may be handed to somebody else besides
        return inner and id(function) in self._shaped and not self.program.ask(CallGraph).callers(function)

    # -- what functions do with their parameters -------------------------------------------------------------------

    @remembered(frozenset())
    def parameters(self, module: str, function: Function) -> frozenset[Taken]:
        """The parameters of a function that are keys which it uses up on every way through it."""
        return frozenset(self._own(module, function))

    def _own(self, module: str, function: Function) -> Iterator[Taken]:
        for inner in (function, *self._inside(module, function)):
            frame = self.program.frame(module, inner)
            for node, led in walk_tested(inner.body, unfailed=True):
                if isinstance(node, CallStep) and not led:
                    for used in self.used(node.term, frame):
                        for key in _choices(used.key, inner):
                            whole = key.base if isinstance(key, (Attr, Subscript)) else key
                            if not isinstance(whole, Param) or whole.function != function.qualname:
                                continue
                            if used.name == ALL or isinstance(key, Attr):
                                yield Taken(whole.name, key.name if isinstance(key, Attr) else ALL)
                            elif not isinstance(key, Subscript):
                                yield Taken(whole.name)
                            elif isinstance(key.key, Const) and whole_number(key.key) is not None:
                                yield Taken(whole.name, key.key.value)
                            elif isinstance(key.key, Const) and isinstance(key.key.value, str):
                                yield Taken(whole.name, (key.key.value,))

    def _looks_only(self, call: Call, frame: Context) -> bool:
        """Whether a call does not run what it is given first: it asks for shapes, or fills in arguments."""
        values = self.program.values(call.callee, frame)
        return any(isinstance(value, Library) and value.name in self._abstract for value in values)

    def _inside(self, module: str, function: Function) -> Iterator[Function]:
        """The functions defined in it that it calls or hands to ``grad`` and its like."""
        functions = self.program.modules[module].functions
        mentioned: set[str] = set()
        frame = self.program.frame(module, function)
        for node in calls_of(function):
            call = node.term
            given = () if self._looks_only(call, frame) else call.args[:1]
            for part in (call.callee, *given):
                if isinstance(part, Nested):
                    mentioned.add(part.name)
        for name in sorted(mentioned):
            inner = functions.get(name)
            if inner is not None and inner.outer == function.qualname:
                yield inner


class _Carried(NamedTuple):
    """What a loop runs in each round, what it hands to the first, as the parameter of this number."""

    body: Term
    first: Term
    position: int


def _handed(given: Term, taken: Taken) -> Iterator[Term]:
    """The keys that a call hands over for a parameter: it itself, an item of a tuple or a field of it, all values of a dict."""
    if taken.item is None or (taken.item == ALL and isinstance(given, Param)):
        yield given
    elif taken.item == ALL:
        yield from (value for key, value in given.items if not isinstance(key, Star)) if isinstance(given, Dict) else ()
    elif isinstance(taken.item, str):
        yield Attr.new(given, taken.item)
    elif isinstance(taken.item, tuple):
        yield from (value for key, value in given.items if _is_text(key, taken.item)) if isinstance(given, Dict) else ()
    elif isinstance(given, SequenceDisplay) and 0 <= taken.item < len(given.items):
        yield given.items[taken.item]


def _is_text(key: object, text: tuple[str]) -> bool:
    return isinstance(key, Const) and (key.value,) == text


def _names_of(made: Comprehension) -> list[object]:
    """What a comprehension over a display goes over; two that stand for all, where nobody knows how many there are."""
    if isinstance(made.of, SequenceDisplay) and all(isinstance(each, Const) for each in made.of.items):
        return [each.value for each in made.of.items if isinstance(each, Const)]
    return ["one", "another"]


def _choices(key: Term, function: Function) -> Iterator[Term]:
    """A key, or those of which one is chosen: ``key if key is not None else PRNGKey(0)``; of a loop's, the first."""
    carried = carried_in(function, key) if isinstance(key, LoopPhi) else None
    if isinstance(key, Select):
        yield from _choices(key.then, function)
        yield from _choices(key.other, function)
    elif carried is not None:
        yield from _choices(carried.entry, function)
    else:
        yield key


def used_next_round(function: Function, found: list[Use]) -> Iterator[tuple[Use, Use]]:
    """Two uses of one key: what a round uses up it hands on to the next one, which uses it up, too."""
    for use in found:
        key = use.used.key
        carried = carried_by(function, key) if isinstance(key, LoopPhi) else None
        if carried is None or not isinstance(key, LoopPhi) or carried.back is key:
            continue
        loops = [loop for loop in loops_around(function, use.node) if belongs_to(loop, key) and in_each_round(loop, use.node)]
        for before in found if loops else ():
            if is_same(before.used.key, carried.back) and in_each_round(loops[0], before.node):
                yield before, use
                break


class Lasting:
    """Whether a key is still the one that it was: nothing has put another one in its place.

    Answers for one program.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._keys = program.ask(Keys)
        self._renews: list[str] = program.knowledge.tables["keys.renews"]["names"]

    def lasts(self, key: Term) -> bool:
        """Whether a term means one key, as long as nobody sets a part of it: what objects hold, they hold until then."""
        if isinstance(key, Select):
            return self.lasts(key.then) and self.lasts(key.other)
        if isinstance(key, Subscript):
            return isinstance(key.key, Const) and self.lasts(key.base)
        if isinstance(key, Attr):
            return self._field(key.name).is_plain and (isinstance(key.base, Self) or self.lasts(key.base))
        return isinstance(key, (Param, Call, LoopPhi)) and not (
            isinstance(key, Call) and isinstance(key.callee, Ref) and key.callee.name.startswith("builtins.")
        )

    def is_set(self, key: Term, nodes: Iterable[Statement]) -> bool:
        """Whether one of these statements sets a part of a key, or calls what may do so."""
        parts = [part for part in parts_of(key) if isinstance(part, (Attr, Subscript))]
        names = {part.name for part in parts if isinstance(part, Attr)}
        setting = frozenset[str]().union(*(self._field(name).setting for name in names))
        for node in nodes:
            if isinstance(node, (Store, Keep)):
                target = node.target
                if isinstance(target, Attr) and target.name in names:
                    return True
                if isinstance(target, Subscript) and any(
                    target.base is part.base for part in parts if isinstance(part, Subscript)
                ):
                    return True
            elif isinstance(node, CallStep):
                if setting and last_name(node.term.callee) in setting:
                    return True
                if any(_updates(node.term, part) for part in parts if isinstance(part, Subscript)):
                    return True
        return False

    @remembered()
    def _field(self, name: str) -> _Kept:
        functions = list(self.program.functions())
        stores = [(each, node) for _, each in functions for node in of_kind(each, Store)]
        stores = [(each, node) for each, node in stores if isinstance(node.target, Attr) and node.target.name == name]
        classes = [cls for sketch in self.program.modules.values() for cls in sketch.classes.values()]
        plain = (bool(stores) or any(name in cls.fields for cls in classes)) and all(name not in cls.methods for cls in classes)
        later = [each for each, _ in stores if each.name != _CONSTRUCTOR]
        setting = self.program.ask(Leading).by_name(functions=later).names if later else frozenset[str]()
        return _Kept(plain, setting)

    def is_handed_back(self, value: Term, frame: Context, key: Term, whole: Term, inside: tuple[object, ...] = ()) -> bool:
        """Whether a value surely is the very ``whole`` that a round began with, as far as the ``key`` in it goes.

        Handed on and handed back, by functions of the project too, compiled or not, and with other fields replaced. ``inside``
        are the items that lead from the value to what takes the place of ``whole``.
        """
        path: list[object] = []
        while key is not whole:
            if isinstance(key, Subscript) and isinstance(key.key, Const):
                path.insert(0, key.key.value)
            elif isinstance(key, Attr):
                path.insert(0, key.name)
            else:
                return False
            key = key.base
        goal = tuple(path)
        pending, seen = [_Part(Argument(value, frame), (*inside, *goal))], set[_Part]()
        while pending:
            part = pending.pop()
            if part in seen or (part.of.term is whole and part.path == goal):
                continue
            seen.add(part)
            before = list(self._before(part))
            if not before:
                return False
            pending += before
        return True

    def _before(self, part: _Part) -> Iterator[_Part]:
        """Of what a part of a value is one part, one step back; nothing where that is not known, or it is something new."""
        (term, frame), path = part
        first, rest = (path[0], path[1:]) if path else (None, ())
        if isinstance(term, (Select, BoolOp)):
            yield from (part._replace(of=Argument(each, frame)) for each in alternatives(term, frame, self.program))
        elif isinstance(term, Param):
            given = frame.given(term)
            if isinstance(given, Argument):
                yield part._replace(of=given)
        elif isinstance(term, LoopPhi):
            carried = carried_by(frame.function, term)
            if carried is not None:
                yield from (part._replace(of=Argument(each, frame)) for each in (carried.entry, carried.back))
        elif isinstance(term, (Tuple, List, Dict)):
            item = item_of(term, Const.new(type(first).__name__, first)) if path else None
            if item is not None:
                yield _Part(Argument(item, frame), rest)
        elif isinstance(term, Attr):
            yield _Part(Argument(term.base, frame), (term.name, *path))
        elif isinstance(term, Subscript):
            if isinstance(term.key, Const):
                yield _Part(Argument(term.base, frame), (term.key.value, *path))
        elif isinstance(term, Call):
            yield from self._called(term, frame, path)

    def _called(self, call: Call, frame: Context, path: tuple[object, ...]) -> Iterator[_Part]:
        if isinstance(call.callee, Attr) and call.callee.name in self._renews:
            given = dict(call.kwargs)
            if path and path[0] in given:
                yield _Part(Argument(given[path[0]], frame), path[1:])
            elif path and None not in given:
                whole = call.args[0] if isinstance(call.callee.base, Ref) and call.args else call.callee.base
                yield _Part(Argument(whole, frame), path)
            return
        held = field(self.program, call, path[0], frame) if path and isinstance(path[0], str) else None
        if held is not None:
            yield _Part(Argument(held, frame), path[1:])
            return
        for target in self._keys.functions(call.callee, frame):
            results = self.program.returns(target.function)
            if target.function.generator or not results or not frame.follows(target.function):
                yield _Part(Argument(call, frame), (*path, _NOWHERE))  # nobody knows
                return
            inner = self.program.enter(target, call, frame)
            yield from (_Part(Argument(result, inner), path) for result in results)


def put_back(program: Program, module: str, function: Function, found: list[Use]) -> Iterator[Use]:
    """Uses of what an attribute holds, where what they return is put in its place, and is the very key that they were given."""
    frame, lasting = program.frame(module, function), program.ask(Lasting)
    for node in of_kind(function, Store) if found else ():
        for use in found:
            key, call = use.used.key, use.used.call
            if (
                isinstance(node.target, Attr)
                and is_same(node.target, key)
                and mentions(node.value, call)
                and lasting.is_handed_back(node.value, frame, key, key)
            ):
                yield use


def _updates(call: Call, item: Subscript) -> bool:
    """Whether a call may set an item of a dict: ``state.update(key=key)``, ``state.update({"key": key})``."""
    method = call.callee
    if not isinstance(method, Attr) or method.name != _UPDATE or method.base is not item.base:
        return False
    key = item.key.value if isinstance(item.key, Const) else None
    if any(name in (None, key) for name, _ in call.kwargs):
        return True
    return any(not isinstance(given, Dict) or _may_hold(given, key) for given in call.args)


def _may_hold(given: Dict, key: object) -> bool:
    """Whether a dict that is written down has an item under a key, or under one that nobody knows."""
    return any(not isinstance(name, Const) or name.value == key for name, _ in given.items)


class _Kept(NamedTuple):
    """An attribute: whether it holds what it was set to, and the names of calls that may set it on an object that is there."""

    is_plain: bool
    setting: frozenset[str]


class _Part(NamedTuple):
    """A value, and the items and fields that lead to the part of it that is meant."""

    of: Argument
    path: tuple[object, ...]


_CONSTRUCTOR, _UPDATE = "__init__", "update"
_NOWHERE = object()


def whole_of(key: Term) -> Term:
    """What a key is an item or a field of, however deep."""
    while isinstance(key, (Attr, Subscript)):
        key = key.base
    return key


def is_given(value: Term, function: Function) -> bool:
    """Whether a value is made of what a function is given."""
    return any(isinstance(part, Param) and part.function == function.qualname for part in parts_of(value))


def is_same(one: Term, other: Term) -> bool:
    """Whether two terms are one item, or one field, of one value."""
    if one is other:
        return True
    if isinstance(one, Attr) and isinstance(other, Attr):
        return one.name == other.name and is_same(one.base, other.base)
    if (
        isinstance(one, Subscript)
        and isinstance(other, Subscript)
        and isinstance(one.key, Const)
        and isinstance(other.key, Const)
    ):
        return one.key.parts == other.key.parts and is_same(one.base, other.base)
    return False


class Use(NamedTuple):
    """A key that is used up in a function: what uses it, and the tests that lead there."""

    used: Used
    node: CallStep
    led: Led


def uses_in(program: Program, module: str, function: Function, frame: Context | None = None) -> list[Use]:
    """The keys that the statements of a function use up, in order; in one activation, or whatever it is given."""
    frame = frame or program.frame(module, function)
    asked = program.ask(Keys)
    found = {node: [used for used in asked.used(node.term, frame) if used.name != ALL] for node in calls_of(function)}
    if not any(found.values()):  # by far the most often
        return []
    walked = ((node, led) for node, led in walk_tested(function.body, unfailed=True) if isinstance(node, CallStep))
    return [Use(used, node, led) for node, led in walked for used in found[node]]
