"""Scalar replacement of aggregates: what the lists and dicts of a function hold at a point, where that can be read off.

``outputs["loss"] = loss`` and then ``outputs["loss"].backward()`` is a backward pass of ``loss``. While a function is lowered,
its environment keeps beside the names what containers hold now: under :class:`Items` of the container a term that describes
it. That is a ``Dict`` of what was put in last, a ``Tuple`` of the items of a list, a ``Select`` of two of these behind a
branch, or :attr:`Contents.unknown`. A container without an entry holds what it was written down with.

Containers are told apart by their terms, so an update is strong. Whoever is handed a container may change it: from there on
nobody knows what it holds, nor what the containers in it do. Loops, handlers and nested functions change containers before
they are lowered; what these may be is what :func:`touched_in` finds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Display,
    Global,
    List,
    Not,
    Ref,
    Select,
    SequenceDisplay,
    Set,
    Slice,
    Star,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.terms import LONGEST, Terms, is_call_of, is_text

Env = dict[Any, Term]


class Items(NamedTuple):
    """The key under which an environment keeps what a container holds."""

    of: Term


#: Methods that only look at a container.
_LOOKS = frozenset(("get", "items", "keys", "values", "copy", "index", "count"))
#: Functions that do not change what they are given.
_HARMLESS = frozenset(
    (
        "all",
        "any",
        "bool",
        "dict",
        "enumerate",
        "filter",
        "float",
        "format",
        "frozenset",
        "id",
        "int",
        "isinstance",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "print",
        "range",
        "repr",
        "reversed",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "type",
        "zip",
    )
)
_DICTS = frozenset(("builtins.dict", "collections.OrderedDict"))
_LISTS = frozenset(("builtins.list", "builtins.tuple", "collections.deque"))
_COPIES = frozenset(("copy.copy", "copy.deepcopy"))
#: The displays of what may be changed.
_FILLED = frozenset((List, Set, Dict))
_MEMBERSHIP = ("In", "NotIn")
#: What is no thing of its own that an unknown key chooses: an answer, and what has parts.
_NOT_ONE = (Display, Compare, BoolOp, Not)
#: Of so many things that may stand under a key, each is thought of.
_FEW = 4


class Contents:
    """What the containers of the function that is being lowered hold, as entries of an environment; ``terms`` are the file's."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        #: Nobody knows what.
        self.unknown: Term = terms.make(Unknown, 0, 0)
        #: The containers that have a name, or an entry; most functions have none.
        self.tracked: set[Term] = set()
        # Those that functions around or in this one change, whenever these run; their names; bodies that were not looked at yet.
        self._open: set[Term] = set()
        self._open_names: set[str] = set()
        self._inside: list[ast.AST] = []
        # What the body of each loop and ``try`` of this function touches: asked for before and after it, and around it.
        self._touched: dict[ast.AST, set[str]] = {}

    def begin(self, around: Iterable[Env]) -> None:
        """Another function is lowered from here on; what those around it bind holds nobody knows what when it runs."""
        outer = [held for env in around for held in env.values() if type(held) in _FILLED]
        self.tracked, self._open, self._open_names, self._inside, self._touched = set(), set(outer), set(), [], {}

    # -- reading ---------------------------------------------------------------------------------------------------

    def of(self, env: Env, container: Term) -> Term:
        """What a container holds now."""
        display = isinstance(container, Display)
        if self._inside and (display or container in self.tracked):
            self._look_inside(env)
        held = env.get(Items(container)) if container in self.tracked else None
        if held is not None:
            return held
        return container if display and container not in self._open else self.unknown

    def read(self, env: Env, container: Term, key: Term) -> Term | None:
        """What stands under a key now; None where nobody can say."""
        if container not in self.tracked and not isinstance(container, Display):
            return None
        return self._item(self.of(env, container), key)

    def _item(self, held: Term, key: Term) -> Term | None:
        if isinstance(held, Dict):
            known = _under(held, key)
            return self._one_of(held, key) if known is None else known
        if isinstance(held, SequenceDisplay):
            at = _position(held.items, key)
            return None if at is None else held.items[at]
        if isinstance(held, Select):
            then, other = self._item(held.then, key), self._item(held.other, key)
            if then is None or other is None:
                return None
            return then if then is other else self._bounded(self._terms.make(Select, held.test, then, other))
        return None

    def membership(self, env: Env, operator: str, key: Term, container: Term) -> Const | None:
        """The answer to ``key in container``, ``key not in container`` where the key is there; None for all other questions."""
        if operator not in _MEMBERSHIP or (container not in self.tracked and not isinstance(container, Dict)):
            return None
        held = self.of(env, container)
        found = isinstance(held, Dict) and isinstance(key, Const) and _under(held, key) is not None
        return self._terms.const(operator == "In") if found else None

    def concatenated(self, env: Env, left: Term, right: Term, node: ast.BinOp) -> Term | None:
        """``left + right``, two lists or tuples; None where nobody can say what is in them."""
        first, second = self.between(env, left, 0, 0), self.between(env, right, 0, 0)
        if first is None or second is None or type(left) is not type(right):
            return None
        whole = (*first, *second)
        is_tuple = isinstance(left, Tuple)
        return self._terms.make(Tuple, whole) if is_tuple else self._terms.make(List, whole, node.lineno, node.col_offset)

    def _one_of(self, held: Dict, key: Term) -> Term | None:
        """What stands under a key that nobody knows, if all that may stand there is in sight: one of a few things.

        Which number or text it is, which test, or which part of a container in it, only who knows the key can say.
        """
        if isinstance(key, (Const, Slice, Unknown)) or not 1 < len(held.items) <= _FEW:
            return None
        if any(not isinstance(name, Const) or isinstance(value, _NOT_ONE) for name, value in held.items):
            return None
        if all(isinstance(value, Const) for _, value in held.items):
            return None
        *others, (_, found) = held.items
        for name, value in reversed(others):
            test = self._terms.make(Compare, "Eq", key, name)
            found = value if value is found else self._terms.make(Select, test, value, found)
        return self._bounded(found)

    def between(self, env: Env, container: Term, first: int, last: int) -> tuple[Term, ...] | None:
        """The items of a list or tuple now but for some first and some last ones; None where nobody can say."""
        held = self.of(env, container) if container in self.tracked or isinstance(container, Display) else self.unknown
        if not isinstance(held, SequenceDisplay) or any(isinstance(item, Star) for item in held.items):
            return None
        items: tuple[Term, ...] = held.items
        return items[first : len(items) - last] if len(items) >= first + last else None

    def sliced(self, env: Env, container: Term, part: ast.expr) -> tuple[Term, ...] | None:
        """The items of a slice whose bounds are written down; None for another key, and where nobody can say."""
        items = self.between(env, container, 0, 0) if isinstance(part, ast.Slice) else None
        if items is None or not isinstance(part, ast.Slice):
            return None
        try:
            bounds = [None if each is None else ast.literal_eval(each) for each in (part.lower, part.upper, part.step)]
            return items[slice(*bounds)]
        except (TypeError, ValueError):
            return None

    # -- changing --------------------------------------------------------------------------------------------------

    def named(self, value: Term, name: str | None = None) -> None:
        """A name or an attribute holds a value from here on; a container is followed from now."""
        kind = type(value)
        if kind in _FILLED:
            if name in self._open_names:
                self._open.add(value)
            else:
                self.tracked.add(value)
        elif kind is Call and is_call_of(value, "builtins.iter"):
            self._open.add(value)  # nobody knows how far it is

    def made(self, env: Env, container: Term, held: Term) -> None:
        """A container is made here: it holds this, whatever the one of an earlier round held."""
        if held is not self.unknown and container not in self._open:
            self.tracked.add(container)
            env[Items(container)] = held

    def store(self, env: Env, container: Term, key: Term, value: Term) -> None:
        """``container[key] = value``."""
        if isinstance(container, (Ref, Global)) or container in self._open:
            return
        held = self.of(env, container)
        if held is not self.unknown or is_text(key):
            self._set(env, container, self._with(held, key, value))
        elif container in self.tracked:
            env[Items(container)] = self.unknown

    def remove(self, env: Env, container: Term, key: Term) -> None:
        """``del container[key]``."""
        if container in self.tracked:
            self._set(env, container, self._without(self.of(env, container), key))

    def _with(self, held: Term, key: Term, value: Term) -> Term:
        if isinstance(held, Dict):
            return self._dict((*(pair for pair in held.items if pair[0] is not key), (key, value)))
        if isinstance(held, SequenceDisplay):
            at = _position(held.items, key)
            return self.unknown if at is None else self._list((*held.items[:at], value, *held.items[at + 1 :]))
        if isinstance(held, Select):
            return self._either(held, self._with(held.then, key, value), self._with(held.other, key, value))
        return self._dict(((self.unknown, self.unknown), (key, value))) if is_text(key) else self.unknown

    def _without(self, held: Term, key: Term) -> Term:
        if isinstance(held, Dict) and isinstance(key, Const):
            return self._dict(tuple([pair for pair in held.items if pair[0] is not key]))
        if isinstance(held, SequenceDisplay):
            at = _position(held.items, key)
            return self.unknown if at is None else self._list((*held.items[:at], *held.items[at + 1 :]))
        if isinstance(held, Select):
            return self._either(held, self._without(held.then, key), self._without(held.other, key))
        return self.unknown

    def spoil(self, env: Env, container: Term) -> None:
        """Nobody knows what a container holds from here on, nor what the containers in it do."""
        pending, seen = [container], {container}
        while pending:
            current = pending.pop()
            inside = [part for part in _parts(self.of(env, current)) if part not in seen]
            seen.update(inside)
            pending += inside
            if current in self.tracked or (isinstance(current, Display) and not isinstance(current, Tuple)):
                self.tracked.add(current)
                env[Items(current)] = self.unknown

    def spoil_touched(self, env: Env, node: ast.For | ast.AsyncFor | ast.While | ast.Try | ast.expr) -> None:
        """The body of a loop or ``try``, or a comprehension, that is not lowered yet may change containers.

        Those are the containers that it touches by name, and those that an attribute holds.
        """
        if self.tracked:
            names = touched_in((node,), {}) if isinstance(node, ast.expr) else body_touches(node, self._touched)
            if isinstance(node, ast.While):
                names = names | touched_in((node.test,), {})
            for name in names:
                held = env.get(name)
                if held is not None and held in self.tracked:
                    self.spoil(env, held)
            for held in [held for place, held in env.items() if isinstance(place, Attr) and held in self.tracked]:
                self.spoil(env, held)
            for held in [held for held in self.tracked if isinstance(held, Attr)]:
                self.spoil(env, held)

    def enclosed(self, nodes: Iterable[ast.AST]) -> None:
        """A nested function may change the containers that it names whenever it is called."""
        self._inside += nodes

    def _look_inside(self, env: Env) -> None:
        names, self._inside = touched_in(self._inside, self._touched), []
        self._open_names |= names
        for held in [env[name] for name in names if name in env]:
            if held in self.tracked:
                self.spoil(env, held)
                self.tracked.discard(held)
                self._open.add(held)

    # -- calls -----------------------------------------------------------------------------------------------------

    def call(self, env: Env, call: Call) -> Term | None:
        """A call runs. Gives the item that it takes out of a container, where that is known."""
        callee = call.callee
        if not self.tracked and not (type(callee) is Ref and callee.name in _MAKERS):
            return None
        result: Term | None = None
        taken = False
        if isinstance(callee, Ref):
            taken = callee.name.removeprefix("builtins.") in _HARMLESS
            if callee.name in _MAKERS:
                result = self._function(env, callee.name, call)
        elif isinstance(callee, Attr) and callee.base in self.tracked:
            taken = callee.name in _CHANGES or callee.name in _LOOKS
            result = self._method(env, callee.base, callee.name, call)
        if self.tracked and not taken:
            self._given(env, call)
        return result

    def _given(self, env: Env, call: Call) -> None:
        """Whoever is handed a container, or the object that has one, may change it."""
        given = [*call.args, *(value for _, value in call.kwargs)]
        objects = set(given)
        if isinstance(call.callee, Attr):
            objects.add(call.callee.base)
        for value in given:
            whole = value.of if isinstance(value, Star) else value
            if whole in self.tracked or isinstance(whole, Tuple):
                self.spoil(env, whole)
        for held in [held for held in self.tracked if isinstance(held, Attr) and held.base in objects]:
            self.spoil(env, held)

    def _method(self, env: Env, container: Term, name: str, call: Call) -> Term | None:
        held = self.of(env, container)
        change = _CHANGES.get(name)
        if name == "get":
            return self._got(held, call)
        if name == "copy" and not call.args:
            self.made(env, call, held)
        elif change is not None and held is not self.unknown and not isinstance(held, Select):
            return change(self, env, container, held, call)
        elif name not in _LOOKS:
            self.spoil(env, container)
        return None

    def _function(self, env: Env, name: str, call: Call) -> Term | None:
        """Makes a container of others, or takes the first item out of one."""
        first = call.args[0] if call.args else None
        held = self.unknown if first is None else self.of(env, first)
        if name in _DICTS and len(call.args) <= 1:
            start = self._dict(()) if first is None else held
            self.made(env, call, self._updated(start, call) if isinstance(start, Dict) else self.unknown)
        elif name in _LISTS and first is None:
            self.made(env, call, self._list(()))
        elif name in _LISTS and isinstance(held, SequenceDisplay):
            self.made(env, call, self._list(held.items))
        elif name in _COPIES and first is not None:
            self.made(env, call, held)
        elif name == "builtins.next" and first is not None and is_call_of(first, "builtins.iter") and first not in self._open:
            inside = self.of(env, first.args[0]) if first.args else self.unknown
            return self._item(inside, self._terms.const(0)) if isinstance(inside, SequenceDisplay) else None
        return None

    def _got(self, held: Term, call: Call) -> Term | None:
        """What ``get`` or ``pop`` of a dict gives: the value, or what stands for a missing one."""
        if not 0 < len(call.args) <= 2 or call.kwargs or not isinstance(held, Dict):  # noqa: PLR2004 - a key, a value
            return None
        key, *otherwise = call.args
        if _is_missing(held, key):
            return otherwise[0] if otherwise else self._terms.const(None)
        return _under(held, key)

    def append(self, env: Env, container: Term, held: Term, call: Call) -> None:
        """``append(item)``."""
        self._set(env, container, self._list((*held.items, *call.args)) if isinstance(held, SequenceDisplay) else self.unknown)

    def appendleft(self, env: Env, container: Term, held: Term, call: Call) -> None:
        """``appendleft(item)``."""
        self._set(env, container, self._list((*call.args, *held.items)) if isinstance(held, SequenceDisplay) else self.unknown)

    def insert(self, env: Env, container: Term, held: Term, call: Call) -> None:
        """``insert(position, item)``."""
        at = call.args[0].value if len(call.args) == 2 and isinstance(call.args[0], Const) else None  # noqa: PLR2004
        if not isinstance(held, SequenceDisplay) or type(at) is not int:
            self._set(env, container, self.unknown)
        else:
            items = [*held.items]
            items.insert(at, call.args[1])
            self._set(env, container, self._list(tuple(items)))

    def grown(self, env: Env, container: Term, operator: str) -> str | None:
        """The method that ``container += items`` or ``container |= other`` calls of a list or a dict in sight."""
        held = self.of(env, container) if container in self.tracked else self.unknown
        if operator == "Add" and isinstance(held, SequenceDisplay) and not isinstance(container, Tuple):
            return "__iadd__"
        return "__ior__" if operator == "BitOr" and isinstance(held, Dict) else None

    def extend(self, env: Env, container: Term, held: Term, call: Call) -> None:
        """``extend(items)``."""
        more = self.of(env, call.args[0]) if call.args else self.unknown
        both = isinstance(held, SequenceDisplay) and isinstance(more, SequenceDisplay)
        self._set(env, container, self._list((*held.items, *more.items)) if both else self.unknown)  # type: ignore[attr-defined]

    def pop(self, env: Env, container: Term, held: Term, call: Call) -> Term | None:
        """``pop()`` of a list, ``pop(key)`` of a dict."""
        if isinstance(held, SequenceDisplay):
            key = call.args[0] if call.args else self._terms.const(-1)
            found = self._item(held, key)
        else:
            key = call.args[0] if call.args else self.unknown
            found = self._got(held, call)
        self._set(env, container, self._without(held, key))
        return found

    def popleft(self, env: Env, container: Term, held: Term, _call: Call) -> Term | None:
        """``popleft()``."""
        first = self._terms.const(0)
        found = self._item(held, first) if isinstance(held, SequenceDisplay) else None
        self._set(env, container, self._without(held, first) if found is not None else self.unknown)
        return found

    def setdefault(self, env: Env, container: Term, held: Term, call: Call) -> Term | None:
        """``setdefault(key, value)``."""
        found = self._item(held, call.args[0]) if call.args else None
        if found is not None or not call.args:
            return found
        if not _is_missing(held, call.args[0]):
            self._set(env, container, self.unknown)
            return None
        value = call.args[1] if call.args[1:] else self._terms.const(None)
        self._set(env, container, self._with(held, call.args[0], value))
        return value

    def update(self, env: Env, container: Term, held: Term, call: Call) -> None:
        """``update(other, name=value)``."""
        for other in call.args:
            given = self.of(env, other)
            pairs = given.items if isinstance(given, Dict) and isinstance(held, Dict) else ((self.unknown, self.unknown),)
            for key, value in pairs:
                held = self._with(held, key, value)
        self._set(env, container, self._updated(held, call))

    def clear(self, env: Env, container: Term, held: Term, _call: Call) -> None:
        """``clear()``."""
        self._set(env, container, self._dict(()) if isinstance(held, Dict) else self._list(()))

    def _updated(self, held: Term, call: Call) -> Term:
        for name, value in call.kwargs:
            key = self.unknown if name is None else self._terms.const(name)
            held = self._with(held, key, value)
        return held

    # -- terms -----------------------------------------------------------------------------------------------------

    def _set(self, env: Env, container: Term, held: Term) -> None:
        if held is self.unknown:
            self.spoil(env, container)
        else:
            self.tracked.add(container)
            env[Items(container)] = held

    def _dict(self, pairs: tuple[tuple[Term, Term], ...]) -> Term:
        return self._bounded(self._terms.make(Dict, pairs, 0, 0)) if len(pairs) <= LONGEST else self.unknown

    def _list(self, items: tuple[Term, ...]) -> Term:
        return self._bounded(self._terms.make(Tuple, items)) if len(items) <= LONGEST else self.unknown

    def _either(self, held: Select, then: Term, other: Term) -> Term:
        if then is self.unknown or other is self.unknown:
            return self.unknown
        return self._bounded(self._terms.make(Select, held.test, then, other))

    def _bounded(self, term: Term) -> Term:
        return self._terms.bounded(term, 0, 0)

    def spread(self, env: Env, made: Dict, others: Collection[Term]) -> None:
        """A dict is written down with all that others hold (``**other``): their keys stand for these in its display."""
        pairs: list[tuple[Term, Term]] = []
        for key, value in made.items:
            other = self.of(env, value) if key in others else self.unknown
            pairs += other.items if isinstance(other, Dict) else [(key, value)]
        self.made(env, made, self._dict(tuple(pairs)))

    def joined(self, key: Items, test: Term, left: Env, right: Env) -> Term:
        """What a container holds behind a branch."""
        then, other = self.of(left, key.of), self.of(right, key.of)
        if then is other:
            return then
        if then is self.unknown or other is self.unknown:
            return self.unknown
        return self._bounded(self._terms.make(Select, test, then, other))


def _under(held: Dict, key: Term) -> Term | None:
    """What a dict has under a key: the last pair that may be it says."""
    for name, value in reversed(held.items):
        if name is key:
            return value if not isinstance(key, Unknown) else None
        if not isinstance(name, Const) or not isinstance(key, Const):
            return None
    return None


def _is_missing(held: Term, key: Term) -> bool:
    """Whether a dict surely has nothing under a key."""
    return (
        isinstance(held, Dict)
        and isinstance(key, Const)
        and all(isinstance(name, Const) and name is not key for name, _ in held.items)
    )


def _position(items: tuple[Term, ...], key: Term) -> int | None:
    """Where an index leads in a list; None where that hangs on how many items a ``*`` stands for."""
    if not isinstance(key, Const) or type(key.value) is not int or not -len(items) <= key.value < len(items):
        return None
    at = key.value % len(items)
    passed = items[: at + 1] if key.value >= 0 else items[at:]
    return None if any(isinstance(item, Star) for item in passed) else at


def _parts(held: Term) -> Iterator[Term]:
    """What a description of a container mentions as its items."""
    if isinstance(held, Display):
        yield from held.values
    elif isinstance(held, Select):
        for arm in held.arms:
            yield from _parts(arm)


_Change = Callable[[Contents, Env, Term, Any, Call], "Term | None"]
_CHANGES: dict[str, _Change] = {
    "append": Contents.append,
    "appendleft": Contents.appendleft,
    "extend": Contents.extend,
    "insert": Contents.insert,
    "__iadd__": Contents.extend,
    "__ior__": Contents.update,
    "pop": Contents.pop,
    "popleft": Contents.popleft,
    "setdefault": Contents.setdefault,
    "update": Contents.update,
    "clear": Contents.clear,
}
_MAKERS = _DICTS | _LISTS | _COPIES | {"builtins.next"}


# -- what is not lowered yet ---------------------------------------------------------------------------------------------


def body_touches(node: ast.For | ast.AsyncFor | ast.While | ast.Try, known: dict[ast.AST, set[str]]) -> set[str]:
    """The names by which the body of a loop or ``try`` may change a container; ``known`` remembers it, of those in it too."""
    found = known.get(node)
    if found is None:
        found = known[node] = touched_in(node.body, known)
    return found


def touched_in(nodes: Iterable[ast.AST], known: dict[ast.AST, set[str]]) -> set[str]:
    """The names by which a part of a program may change a container, or let others change it."""
    found: set[str] = set()
    pending = list(nodes)
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name:
            found.add(node.id)  # type: ignore[attr-defined]  # it is a name
        elif kind in _PARTS:
            _PARTS[kind](node, pending)
            if kind in _LOOPS:
                found |= body_touches(node, known)  # type: ignore[arg-type]  # it is a loop
        else:
            _add_children(node, pending)
    return found


def _add_children(node: ast.AST, pending: list[ast.AST]) -> None:
    """The parts of a node, all of which may change what they name."""
    for part in vars(node).values():
        if type(part) is list:
            pending += [each for each in part if isinstance(each, ast.AST)]
        elif isinstance(part, ast.AST) and type(part) not in _CONTEXTS:
            pending.append(part)


def _add_of_call(node: ast.Call, pending: list[ast.AST]) -> None:
    """What is called, and what it is given; one that only looks is given nothing that it may change."""
    called = node.func
    method = called.attr if isinstance(called, ast.Attribute) else None
    if method in _LOOKS if method is not None else isinstance(called, ast.Name) and called.id in _HARMLESS:
        _add_looked_at(called, pending)
        for part in node.args:
            _add_looked_at(part, pending)
        for keyword in node.keywords:
            _add_looked_at(keyword.value, pending)
    else:
        if isinstance(called, ast.Subscript):
            _add_looked_at(called, pending)  # an item runs: it does not know what holds it
        else:
            _add_reached(called, pending)
        pending += node.args
        pending += [keyword.value for keyword in node.keywords]


def _add_of_binding(node: ast.Assign | ast.AnnAssign | ast.NamedExpr, pending: list[ast.AST]) -> None:
    """What is stored into, and what has another name from here on."""
    if node.value is not None:
        _add_reached(node.value, pending)
    if isinstance(node, ast.Assign):
        pending += node.targets
    else:
        pending.append(node.target)


def _add_of_place(node: ast.Subscript | ast.Attribute, pending: list[ast.AST]) -> None:
    if isinstance(node.ctx, ast.Load):
        _add_looked_at(node, pending)
    else:
        _add_reached(node, pending)


def _add_looking(node: ast.AST, pending: list[ast.AST]) -> None:
    """The parts of an expression that only looks at what it is made of."""
    for part in vars(node).values():
        if type(part) is list:
            for each in part:
                if isinstance(each, ast.expr):
                    _add_looked_at(each, pending)
        elif isinstance(part, ast.expr):
            _add_looked_at(part, pending)


def _add_of_branch(node: ast.If, pending: list[ast.AST]) -> None:
    _add_looked_at(node.test, pending)
    pending += node.body
    pending += node.orelse


def _add_around_body(node: ast.For | ast.AsyncFor | ast.While, pending: list[ast.AST]) -> None:
    """What a loop does around its body."""
    _add_looked_at(node.test if isinstance(node, ast.While) else node.iter, pending)
    pending += node.orelse


def _add_looked_at(node: ast.AST, pending: list[ast.AST]) -> None:
    """A part that is read: a name alone is only looked at, and so is what it holds under a key."""
    while True:
        kind = type(node)
        if kind is ast.Attribute:
            node = node.value  # type: ignore[attr-defined]  # each has one
        elif kind is ast.Subscript:
            _add_looked_at(node.slice, pending)  # type: ignore[attr-defined]
            node = node.value  # type: ignore[attr-defined]
        else:
            break
    if kind is not ast.Name and kind is not ast.Constant:
        pending.append(node)


def _add_reached(node: ast.AST, pending: list[ast.AST]) -> None:
    """A part through which a container is reached, or something in it."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        if isinstance(node, ast.Subscript):
            _add_looked_at(node.slice, pending)
        node = node.value
    pending.append(node)


def _add_nothing(_node: ast.AST, _pending: list[ast.AST]) -> None:
    """A constant, or what binds no name that a container has."""


_PARTS: dict[type[ast.AST], Callable[[Any, list[ast.AST]], None]] = {
    ast.Constant: _add_nothing,
    ast.Call: _add_of_call,
    ast.Assign: _add_of_binding,
    ast.AnnAssign: _add_of_binding,
    ast.NamedExpr: _add_of_binding,
    ast.Subscript: _add_of_place,
    ast.Attribute: _add_of_place,
    ast.Compare: _add_looking,
    ast.BoolOp: _add_looking,
    ast.UnaryOp: _add_looking,
    ast.BinOp: _add_looking,
    ast.JoinedStr: _add_looking,
    ast.FormattedValue: _add_looking,
    ast.Expr: _add_looking,
    ast.If: _add_of_branch,
    ast.For: _add_around_body,
    ast.AsyncFor: _add_around_body,
    ast.While: _add_around_body,
}
_LOOPS = frozenset((ast.For, ast.AsyncFor, ast.While))
_CONTEXTS = frozenset((ast.Load, ast.Store, ast.Del))
