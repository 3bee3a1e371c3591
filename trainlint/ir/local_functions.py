"""Inlining of local functions: one that its own function calls at one place, by its name, and does nothing else with.

Its statements then stand where it is called. So names that it takes from around it, or binds there (``nonlocal``), are what they
are at the call, and who reads the statements of one function reads these in their order. A function that is called twice, passed
on, decorated or a generator is entered by who asks, as any other.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
#: What makes a body more than a sequence of statements of the function around it.
_NOT_PLAIN = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global)
#: Statements without blocks, of which there are most.
_SIMPLE = frozenset(
    (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Pass, ast.Import, ast.ImportFrom)
)
#: The blocks of a statement, and what has a block for each of its parts.
_BLOCKS, _PARTED = ("body", "orelse", "finalbody"), frozenset(("handlers", "cases"))
#: Statements of which the call may be the whole value.
_Calling = ast.Expr | ast.Assign | ast.AnnAssign | ast.Return
_Function = ast.FunctionDef | ast.AsyncFunctionDef

Block = list[ast.stmt]


def inline_local_functions(holders: Sequence[_Function], spoken_of: Callable[[ast.stmt], bool]) -> None:
    """Put the bodies of local functions where they are called, in the functions in which they are; the tree is changed in place.

    Definitions and calls that are ``spoken_of``, by comments, stay.
    """
    for outer in reversed(holders):  # inner ones first
        _Inlining(outer, spoken_of).run()


def surveyed(statements: Iterable[ast.stmt]) -> tuple[list[_Function], frozenset[str]]:
    """The functions in which others are defined, in the order of the text, and the names that are declared ``global``.

    Without recursion: an ``elif`` is a level each.
    """
    found: dict[int, _Function] = {}
    declared: list[str] = []
    waiting: list[tuple[Iterable[ast.stmt], _Function | None]] = [(statements, None)]
    while waiting:
        block, outer = waiting.pop()
        for node in block:
            kind = type(node)
            if kind in _SIMPLE:
                continue
            if kind is ast.Global:
                declared += node.names  # type: ignore[attr-defined]  # it has some
                continue
            if outer is not None and kind is ast.FunctionDef:
                found[id(outer)] = outer
            inside = node if isinstance(node, _FUNCTIONS) else None if kind is ast.ClassDef else outer
            parts = vars(node)
            waiting += [(parts[name], inside) for name in _BLOCKS if parts.get(name)]
            if not _PARTED.isdisjoint(parts):
                waiting += [(each.body, inside) for name in _PARTED for each in parts.get(name, ())]
    return sorted(found.values(), key=lambda each: (each.lineno, each.col_offset)), frozenset(declared)


class _Place(NamedTuple):
    """A statement, and the block in which it stands."""

    block: Block
    node: ast.stmt

    def replace(self, new: Block) -> None:
        at = next(number for number, each in enumerate(self.block) if each is self.node)
        self.block[at : at + 1] = new


class _Inlining:
    """That of one function."""

    def __init__(self, outer: _Function, spoken_of: Callable[[ast.stmt], bool]) -> None:
        self.outer = outer
        self._spoken_of = spoken_of
        self._own: set[str] = set()
        """The names that the function uses by itself, before anything is put into it; and those of them that it binds."""
        self._bound: set[str] = set()

    def run(self) -> None:
        """Inline what can be, one after the other: what a local function defines is then the outer function's."""
        times: Counter[str] = Counter()
        tried: set[int] = set()
        while True:
            places = [_Place(*each) for each in _own(self.outer.body)]
            found = next((each for each in places if id(each.node) not in tried and self._is_called(each.node, places)), None)
            if found is None:
                return
            tried.add(id(found.node))
            assert isinstance(found.node, ast.FunctionDef)
            times = times or Counter(each.id for each in _nodes([self.outer]) if isinstance(each, ast.Name))
            if times[found.node.name] == 1:
                self._inline(found, places)

    def _is_called(self, node: ast.stmt, places: list[_Place]) -> bool:
        """Whether a statement defines a local function that a statement calls, as far as that is cheap to see."""
        return isinstance(node, ast.FunctionDef) and not node.decorator_list and self._only_call(node, places) is not None

    def _learn(self, places: list[_Place]) -> None:
        self._own |= _parameters(self.outer.args)
        self._bound |= self._own
        for place in places:
            parts = [*_shallow(place.node)]
            self._own |= _names(parts)
            self._bound |= _stored(parts)

    def _inline(self, definition: _Place, places: list[_Place]) -> None:
        inner = definition.node
        assert isinstance(inner, ast.FunctionDef)
        call = self._only_call(inner, places)
        if call is None or not _is_plain(inner) or self._spoken_of(inner) or self._spoken_of(call.node):
            return
        value = _value(call.node)
        assert isinstance(value, ast.Call)
        bound = _bound_to(inner, value)
        body = _body(inner, call.node)
        if not self._own:
            self._learn(places)
        if bound is None or body is None or self._clashes(inner, call.node, {name for name, _ in bound}):
            return
        body = [each for each in body if not isinstance(each, ast.Nonlocal) or not self._bound.issuperset(each.names)]
        given: Block = [_assign(name, argument, call.node) for name, argument in bound]
        call.replace([*given, *body])
        definition.replace([] if len(definition.block) > 1 else [ast.copy_location(ast.Pass(), inner)])

    def _only_call(self, inner: ast.FunctionDef, places: list[_Place]) -> _Place | None:
        """The statement of the function that calls a local one, behind its definition, where nothing else names it."""
        if inner.name in _parameters(self.outer.args):
            return None
        others = (each.node for each in places if each.node is not inner)
        if any(isinstance(each, (*_FUNCTIONS, ast.ClassDef)) and each.name == inner.name for each in others):
            return None
        behind = False
        for place in places:
            behind = behind or place.node is inner
            value = _value(place.node)
            if behind and isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == inner.name:
                return place
        return None

    def _clashes(self, inner: ast.FunctionDef, call: ast.stmt, bound: set[str]) -> bool:
        """Whether a name that a local function binds for itself is another one outside of it.

        What its result is bound to may be called so inside, too: nobody sees what the name was before.
        """
        local = _locals(inner) - (_parameters(inner.args) - bound)
        targets = call.targets if isinstance(call, ast.Assign) else []
        result = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
        free: set[str] = set()
        for _, node in _own(self.outer.body):
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node is not inner:
                free |= _names(_nodes([node])) - (set() if isinstance(node, ast.ClassDef) else _locals(node))
        return not local.isdisjoint((self._own | free) - result)


# ---- what a function is -------------------------------------------------------------------------------------------


def _is_plain(inner: ast.FunctionDef) -> bool:
    arguments = inner.args
    if inner.decorator_list or arguments.vararg or arguments.kwarg:
        return False
    return not any(isinstance(each, _NOT_PLAIN) for each in _inside(inner.body))


def _bound_to(inner: ast.FunctionDef, call: ast.Call) -> list[tuple[str, ast.expr]] | None:
    """What a call binds parameters to, but for a name that is handed over under its own name; None where that is not plain."""
    arguments = inner.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    given: dict[str, ast.expr] = {}
    if len(call.args) > len(positional) or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    given.update(zip(positional, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    defaults = zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
    alone = zip((each.arg for each in arguments.kwonlyargs), arguments.kw_defaults, strict=True)
    for name, default in (*defaults, *alone):
        if name not in given and default is not None:
            if not isinstance(default, ast.Constant):
                return None  # it is worked out where the function is defined
            given[name] = default
    if given.keys() != _parameters(arguments):
        return None
    rebound = _stored(_inside(inner.body))
    bound: list[tuple[str, ast.expr]] = []
    for name, argument in given.items():
        if any(isinstance(each, ast.Name) and each.id in {earlier for earlier, _ in bound} for each in ast.walk(argument)):
            return None
        if not (isinstance(argument, ast.Name) and argument.id == name and name not in rebound):
            bound.append((name, argument))
    return bound


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that a function binds for itself."""
    declared = {name for each in _nodes([function]) if isinstance(each, (ast.Nonlocal, ast.Global)) for name in each.names}
    return (_stored(_inside(function.body)) | _parameters(function.args)) - declared


def _parameters(arguments: ast.arguments) -> set[str]:
    return {each.arg for each in _nodes([arguments]) if isinstance(each, ast.arg)}


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    """All names in some nodes, read or bound."""
    nodes = [*nodes]
    return {each.id for each in nodes if isinstance(each, ast.Name)} | _stored(nodes)


def _inside(statements: Block) -> Iterator[ast.AST]:
    """All nodes of some statements; those of scopes in them as well."""
    return _nodes(statements)


def _nodes(roots: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of some trees, in no order that matters; ``ast.walk`` takes twice as long."""
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        yield node
        for part in vars(node).values():
            if type(part) is list:
                waiting += [each for each in part if isinstance(each, ast.AST)]
            elif isinstance(part, ast.AST):
                waiting.append(part)


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that some nodes bind."""
    found: set[str] = set()
    for each in nodes:
        if isinstance(each, ast.Name):
            if not isinstance(each.ctx, ast.Load):
                found.add(each.id)
        elif isinstance(each, (*_FUNCTIONS, ast.ClassDef)):
            found.add(each.name)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).partition(".")[0])
        elif isinstance(each, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            found.add(each.name or "_")
        elif isinstance(each, ast.MatchMapping):
            found.add(each.rest or "_")
    return found


# ---- statements ---------------------------------------------------------------------------------------------------


def _blocks(node: Any) -> Iterator[Block]:
    """The blocks of a statement, in the order of the text."""
    if type(node) in _SIMPLE:
        return
    if isinstance(node, ast.Match):
        yield from (case.body for case in node.cases)
        return
    yield getattr(node, "body", [])
    yield from (handler.body for handler in getattr(node, "handlers", ()))
    yield getattr(node, "orelse", [])
    yield getattr(node, "finalbody", [])


def _own(block: Block) -> Iterator[tuple[Block, ast.stmt]]:
    """The statements of a block and of blocks in it, each with its block, in the order of the text; not those of scopes in it."""
    waiting = [(block, iter(block))]
    while waiting:
        inside, rest = waiting[-1]
        node = next(rest, None)
        if node is None:
            waiting.pop()
        else:
            yield inside, node
            if not isinstance(node, _SCOPES):
                waiting += [(each, iter(each)) for each in reversed([*_blocks(node)])]


def _shallow(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and what it is made of, without the statements in it."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += [each for each in ast.iter_child_nodes(part) if not isinstance(each, ast.stmt)]


def _value(node: ast.stmt) -> ast.expr | None:
    return node.value if isinstance(node, _Calling) else None


def _body(inner: ast.FunctionDef, call: ast.stmt) -> Block | None:
    """What stands at the call: the statements, and in place of a ``return`` at their end what the call does with its value.

    None where it returns earlier, unless the call is what the function returns.
    """
    first = inner.body[0]
    body = inner.body[1:] if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else inner.body
    last = body[-1] if body else ast.copy_location(ast.Pass(), first)
    if isinstance(call, ast.Return):
        return body if isinstance(last, (ast.Return, ast.Raise)) else None
    if any(isinstance(each, ast.Return) and each is not last for _, each in _own(body)):
        return None
    if isinstance(last, ast.Raise):
        return body
    none = ast.copy_location(ast.Constant(None), last)
    value = none if not isinstance(last, ast.Return) or last.value is None else last.value
    new: Any = ast.Expr(value)
    before = body[:-1] if isinstance(last, ast.Return) else body
    targets = call.targets if isinstance(call, ast.Assign) else [call.target] if isinstance(call, ast.AnnAssign) else []
    if not all(isinstance(each, ast.Name) for each in targets):
        # What is kept elsewhere is kept by the statement of the call: the function's name, free now, takes the value there.
        kept: Any = copy(call)
        kept.value = ast.copy_location(ast.Name(inner.name, ast.Load()), kept.value)
        return [*before, _assign(inner.name, value, last), kept]
    if isinstance(call, ast.Assign):
        new = ast.Assign(call.targets, value)
    elif isinstance(call, ast.AnnAssign):
        new = ast.AnnAssign(call.target, call.annotation, value, call.simple)
    return [*before, ast.copy_location(new, last)]


def _assign(name: str, value: ast.expr, call: ast.stmt) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), value)
    return ast.copy_location(ast.Assign([target], value), call)
