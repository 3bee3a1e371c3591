"""What configurations hold that are made in Python, key by key: ``config.train = ConfigNode()``, ``config.train.clip = 0.0``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from trainlint.facts.call_graph import last_name
from trainlint.facts.program import Program
from trainlint.facts.values import ClassValue, FunctionValue, Library
from trainlint.finding import Spot
from trainlint.ir.control_dependence import walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Dict, Global, Ref, Subscript, Term
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.preflight.known import known
from trainlint.preflight.values.words import split

#: Configurations in configurations in …, and functions that begin with what another one returns.
_DEEPEST = 6
#: Methods whose result holds the same.
_SAME = frozenset(("clone", "copy", "deepcopy", "copy_and_resolve_references", "FrozenConfigDict", "freeze", "lock"))

#: The names that lead to a value: ``("train", "clip")``.
Keys = tuple[str, ...]


class Held(NamedTuple):
    """A value of a configuration (None where it is not known), and where it stands."""

    value: tuple[object] | None
    module: str
    spot: Spot


def keys_of(term: Term) -> tuple[Keys, Term]:
    """The names that lead to a value, and what they begin at: ``config["train"].clip`` is train, clip of ``config``."""
    found: list[str] = []
    while True:
        if isinstance(term, Attr):
            found.append(term.name)
        elif isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
            found.append(term.key.value)
        elif is_get(term):
            asked = term.args[0]
            assert isinstance(asked, Const)
            found.append(asked.value)
            term = term.callee
            assert isinstance(term, Attr)
        else:
            return tuple(reversed(found)), term
        term = term.base


def is_get(term: Term) -> TypeGuard[Call]:
    """Whether something is asked for by its name, which need not be there: ``config.get("clip", 0.0)``."""
    return bool(
        isinstance(term, Call)
        and isinstance(term.callee, Attr)
        and term.callee.name == "get"
        and term.args
        and isinstance(term.args[0], Const)
        and isinstance(term.args[0].value, str)
    )


#: Words of the project's own classes of configurations.
_CALLED = frozenset(("config", "cfg", "conf", "configuration", "hparams", "params", "options", "settings", "namespace"))


class Nodes:
    """Those of a program: of the top level of files, and what functions return."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._made: dict[int, dict[Term, dict[Keys, Held]]] = {}
        self._nodes = frozenset(known(program, "configuration-nodes"))

    def at_top(self, path: str) -> Iterator[dict[Keys, Held]]:
        """What the configurations hold that a file makes at its top level."""
        yield from self._roots(path, self.program.modules[path].functions["<module>"], 0).values()

    def returned(self, path: str, function: Function, depth: int = 0) -> dict[Keys, Held] | None:
        """What the configuration holds that a function returns; None if it returns no such thing, or several."""
        returned = self.program.returns(function)
        if depth > _DEEPEST or len(returned) != 1:
            return None
        roots = self._roots(path, function, depth)
        term = returned[0]
        while term not in roots and isinstance(term, Call) and last_name(term.callee) in _SAME:
            term = (
                term.callee.base
                if isinstance(term.callee, Attr) and not term.args
                else term.args[0]
                if term.args
                else term.callee
            )
        if term in roots:
            return roots[term]
        return self._of_call(path, function, term, depth) if isinstance(term, (Call, Global)) else None

    def of(self, path: str, function: Function, call: Call) -> dict[Keys, Held] | None:
        """What the configuration holds that a call makes."""
        return self._of_call(path, function, call, 0)

    def _roots(self, path: str, function: Function, depth: int) -> dict[Term, dict[Keys, Held]]:
        """What a function puts into configurations, by the call that makes each of them."""
        if id(function) in self._made:
            return self._made[id(function)]
        found = self._made[id(function)] = {}  # what leads back to itself holds nothing yet
        if depth > _DEEPEST:
            return found
        stores = [
            (node, bool(led))
            for node, led in walk_tested(function.body)
            if isinstance(node, (Store, Keep)) and keys_of(node.target)[0]
        ]
        within: dict[Term, tuple[Term, Keys]] = {}
        for node, _ in stores:
            if isinstance(node.value, Call) and self._is_node(path, function, node.value):
                keys, base = keys_of(node.target)
                within.setdefault(node.value, (base, keys))
        for node, is_tested in stores:
            keys, base = keys_of(node.target)
            for _ in range(_DEEPEST):
                if base not in within or within[base][0] is base:
                    break
                base, before = within[base]
                more, base = keys_of(base)
                keys = (*more, *before, *keys)
            if not isinstance(base, Call):
                continue
            if base not in found:
                known_of = self._of_call(path, function, base, depth + 1)
                if known_of is None:
                    continue
                found[base] = dict(known_of)
            held = found[base]
            for inner, each in self._of_value(path, function, node.value, node.spot, depth).items():
                # behind a test, it is so or as it was before
                whole = (*keys, *inner)
                old = held.get(whole)
                is_open = is_tested and (old is None or old.value != each.value)
                held[whole] = each._replace(value=None) if is_open else each
        return found

    def _is_node(self, path: str, function: Function, call: Call) -> bool:
        """Whether a call makes a configuration: of a library, or of the project's own class above one of those."""
        for value in self.program.values(call.callee, self.program.frame(path, function)):
            if isinstance(value, Library) and value.name in self._nodes:
                return True
            if not isinstance(value, ClassValue):
                continue
            if any(isinstance(each, Library) and each.name in self._nodes for each in self.program.lineage(value)):
                return True
            if not call.args and not call.kwargs and not value.cls.fields and not _CALLED.isdisjoint(split(value.cls.name)):
                return True  # the project's own: an empty thing that is called a configuration
        return False

    def _of_call(self, path: str, function: Function, call: Call | Global, depth: int) -> dict[Keys, Held] | None:
        """What a configuration holds as it is made: by its class, or by a function of the project."""
        if isinstance(call, Global):
            named = self.program.modules[path].names.get(call.name)
            top = self.program.modules[path].functions["<module>"]
            return None if named is None else self._roots(path, top, depth + 1).get(named)
        if self._is_node(path, function, call):
            found: dict[Keys, Held] = {}
            for given in call.args[:1]:
                found.update(self._of_value(path, function, given, call.site, depth))
            found.pop((), None)
            return found
        if depth > _DEEPEST:
            return None
        for value in self.program.values(call.callee, self.program.frame(path, function)):
            if isinstance(value, FunctionValue):
                return self.returned(value.module, value.function, depth + 1)
        return None

    def _of_value(self, path: str, function: Function, value: Term, spot: Spot, depth: int) -> dict[Keys, Held]:
        """What stands below a key: the value itself, or the items of a dict, of a configuration that is made elsewhere."""
        if isinstance(value, Const):
            return {(): Held((value.value,), path, spot)}
        pairs: list[tuple[str, Term]] | None = None
        if isinstance(value, Dict):
            pairs = [
                (each.value, inner) for each, inner in value.items if isinstance(each, Const) and isinstance(each.value, str)
            ]
        elif isinstance(value, Call) and isinstance(value.callee, Ref) and value.callee.name == "builtins.dict":
            pairs = [(name, inner) for name, inner in value.kwargs if name is not None]
        if pairs is not None and depth <= _DEEPEST:
            found: dict[Keys, Held] = {}
            for name, inner in pairs:
                below = self._of_value(path, function, inner, spot, depth + 1)
                found.update(((name, *keys), each) for keys, each in below.items())
            return found
        if isinstance(value, Call):
            made = self._of_call(path, function, value, depth + 1)
            if made is not None:
                return made
        return {(): Held(None, path, spot)}
