"""What an iteration hands out, where all that it goes over is written down: displays, and what is made of displays.

A ``for`` over exactly one item is no loop: its target is bound once, then its body runs. The lowering asks that here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from trainlint.ir.assigned_names import assigned_in
from trainlint.ir.containers import Contents, Env
from trainlint.ir.nodes import Attr, Call, Const, Dict, ItemDisplay, Ref, Set, Star, Term, Tuple
from trainlint.ir.sketch import Block, CallStep
from trainlint.ir.terms import Terms

Drawn = tuple[Term, ...]


class Iteration(NamedTuple):
    """An iteration, while containers hold what ``env`` says; ``ran`` are the steps that made what it goes over.

    An iterator that was made before may have been used up, and a list that a call made may have been filled since.
    """

    terms: Terms
    contents: Contents
    env: Env
    ran: Block

    def drawn(self, subject: Term) -> Drawn | None:
        """The items that are handed out; None where nobody can say."""
        if isinstance(subject, Call):
            callee = subject.callee
            if isinstance(callee, Ref) and callee.name in _MAKERS and self._is_new(subject):
                return _MAKERS[callee.name](self, subject)
            if isinstance(callee, Attr) and callee.name in _VIEWS and not subject.args:
                held = self.contents.of(self.env, callee.base)
                return self._viewed(held, callee.name) if isinstance(held, Dict) else None
        held = self.contents.of(self.env, subject)
        if isinstance(held, Dict):
            return self._viewed(held, "keys")
        if not isinstance(held, ItemDisplay) or any(isinstance(item, Star) for item in held.items):
            return None
        return None if isinstance(held, Set) and len(held.items) > 1 else held.items  # equal items of a set are one

    def _is_new(self, call: Call) -> bool:
        return any(isinstance(step, CallStep) and step.term is call for step in self.ran)

    def _viewed(self, held: Dict, view: str) -> Drawn | None:
        """What a view of a dict hands out; of several keys only texts are told apart."""
        keys = [key for key, _ in held.items]
        if any(isinstance(key, Star) or key is self.contents.unknown for key in keys):
            return None
        if len(keys) > 1 and len({key for key in keys if isinstance(key, Const) and isinstance(key.value, str)}) < len(keys):
            return None
        if view == "items":
            return tuple([self.terms.make(Tuple, pair) for pair in held.items])
        return tuple(keys) if view == "keys" else held.values

    def enumerated(self, call: Call) -> Drawn | None:
        """``enumerate(items)``, ``enumerate(items, start)``."""
        items = self.drawn(call.args[0]) if call.args else None
        start = call.args[1] if len(call.args) > 1 else dict(call.kwargs).get("start", self.terms.const(0))
        if items is None or not isinstance(start, Const) or type(start.value) is not int:
            return None
        return tuple([self.terms.make(Tuple, (self.terms.const(n), item)) for n, item in enumerate(items, start.value)])

    def zipped(self, call: Call) -> Drawn | None:
        """``zip(one, other)``: as many as the shortest has."""
        sources = self._sources(call)
        return None if sources is None else tuple([self.terms.make(Tuple, row) for row in zip(*sources, strict=False)])

    def chained(self, call: Call) -> Drawn | None:
        """``chain(one, other)``."""
        sources = self._sources(call)
        return None if sources is None else tuple(chain.from_iterable(sources))

    def gathered(self, call: Call) -> Drawn | None:
        """``list(items)``, ``iter(items)``, ``sorted(items)``, ``set(items)``: one item stays what it is."""
        items = self.drawn(call.args[0]) if len(call.args) == 1 else None
        return None if items is None or len(items) > 1 else items

    def _sources(self, call: Call) -> list[Drawn] | None:
        sources = [items for each in call.args if (items := self.drawn(each)) is not None]
        return sources if len(sources) == len(call.args) else None


_VIEWS = frozenset(("keys", "values", "items"))
_GATHER = ("list", "tuple", "iter", "reversed", "sorted", "set", "frozenset")
#: What makes an iteration of others.
_MAKERS: dict[str, Callable[[Iteration, Call], Drawn | None]] = {
    "builtins.enumerate": Iteration.enumerated,
    "builtins.zip": Iteration.zipped,
    "itertools.chain": Iteration.chained,
    **dict.fromkeys((f"builtins.{name}" for name in _GATHER), Iteration.gathered),
}


# -- generators ----------------------------------------------------------------------------------------------------------


def yields_once(function: ast.FunctionDef, named: Callable[[str], ast.FunctionDef | None]) -> bool:
    """Whether a generator hands out one item each time it is called, and calls nothing but another such one.

    ``named`` are the functions that names of the top level stand for.
    """
    seen: set[str] = set()
    current: ast.FunctionDef | None = function
    while current is not None and all(isinstance(each, _STRAIGHT) for each in current.body):
        inside = [node for each in current.body for node in ast.walk(each) if isinstance(node, _ELSEWHERE)]
        if not inside or not any(isinstance(each, ast.Expr) and each.value is inside[0] for each in current.body):
            return False
        first = inside[0]
        if isinstance(first, ast.Yield):
            return len(inside) == 1
        if not isinstance(first, ast.YieldFrom) or inside[1:] != [first.value] or not isinstance(first.value, ast.Call):
            return False
        called = first.value.func
        local = {each.arg for each in ast.walk(current.args) if isinstance(each, ast.arg)} | set(assigned_in(current.body)) | seen
        if not isinstance(called, ast.Name) or called.id in local:
            return False
        seen.add(called.id)
        current = named(called.id)
    return False


#: Statements that are run once, one after the other, and what in them runs something else, or hands something out.
_STRAIGHT = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Pass)
_ELSEWHERE = (ast.Yield, ast.YieldFrom, ast.Call, ast.Await, ast.comprehension)


def breaks(statements: Sequence[ast.stmt], kinds: type[ast.stmt] | tuple[type[ast.stmt], ...] = ast.Break) -> bool:
    """Whether a ``break`` (or what else is asked for) of this very loop stands in its body."""
    for node in statements:
        if isinstance(node, kinds):
            return True
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # A ``break`` in the ``else`` of an inner loop is this loop's.
            if breaks(getattr(node, "orelse", ()), kinds):
                return True
            continue
        for name in ("body", "orelse", "finalbody"):
            if breaks(getattr(node, name, ()), kinds):
                return True
        if any(breaks(part.body, kinds) for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))):
            return True
    return False
