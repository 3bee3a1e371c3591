"""What stands in a dict that is handed on as ``**settings``: what it is made with, and what sets its items afterwards.

Many projects have a class of dicts whose items are attributes, too, and fill one step by step: ``settings.loader =
Settings(workers=4)``, ``train(**settings)``. Where anything may have changed an item unseen, it is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import NamedTuple

from trainlint.app.preflight.values.words import functions_of, known
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Tests, conditions, raising_arms, walk_tested
from trainlint.ir.nodes import Access, Attr, Call, Const, Dict, Or, Param, Ref, Select, Self, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Statement, Store
from trainlint.ir.terms import is_none
from trainlint.ir.walk import of_kind
from trainlint.program.memo import Memo
from trainlint.program.program import Program
from trainlint.program.values import Argument, ClassValue, FunctionValue, Library

_DICT = "builtins.dict"
#: What stands before the names of the project's own things in files that nobody has read.
_UNREAD = "<project>."
_INIT = "__init__"
#: Methods of a dict that change nothing, those that may change the item that they name, and one that sets items.
_ASKS = frozenset(("get", "items", "keys", "values", "copy"))
_NAMES_AN_ITEM = frozenset(("pop", "setdefault"))
_UPDATE = "update"
#: Methods that take up what is in a dict, and leave the dict as it is.
_TAKES_UP = frozenset((_UPDATE, "append", "extend", "add"))


class Item(NamedTuple):
    """What an item is set to, and where that stands: its file and function, behind which tests."""

    value: Term
    module: str
    function: Function | None
    tests: Tests = ()


class Under(NamedTuple):
    """What may stand under a key; ``absent``: perhaps nothing does."""

    items: tuple[Item, ...] = ()
    absent: bool = True


class _Asked(NamedTuple):
    """The key that is asked for, in a dict that something stands for in a function."""

    key: str
    container: Term
    module: str
    function: Function


class Unpacked:
    """Those in a job's own files (``files``); ``passed`` are the items that may be handed over for a parameter."""

    def __init__(
        self, program: Program, files: Callable[[], frozenset[str]], passed: Callable[[Param, str], Iterable[Item | None]]
    ) -> None:
        self.program = program
        self.files = files
        self.passed = passed
        self._known = Memo[Under | None](None)
        self._left = Memo(True)

    def under(self, container: Term, place: tuple[str, Function | None], key: str, until: Spot | None = None) -> Under | None:
        """What stands under a key of a dict, before a place if it is asked about there; None where that is not known."""
        return None if key in self._set_deeper else self._under(container, place, key, until)

    def _under(self, container: Term, place: tuple[str, Function | None], key: str, until: Spot | None) -> Under | None:
        module, function = place
        question = (container, module, None if function is None else function.qualname, key, until)
        return self._known.ask(question, lambda: self._found(container, place, key, until))

    def _found(self, container: Term, place: tuple[str, Function | None], key: str, until: Spot | None) -> Under | None:
        module, function = place
        if is_none(container):
            return Under()  # where it may be None, nothing is unpacked then
        if isinstance(container, (Or, Select)):
            return self._one_of(container, place, key, until)
        if isinstance(container, Param):
            found = self._of_parameter(container, module, key)
        else:
            pairs = self._made(container, module, function)
            found = None if pairs is None else self._among(pairs, place, key, until)
        if found is None or function is None:
            return found
        return self._changed(_Asked(key, container, module, function), found, until)

    def _one_of(self, either: Or | Select, place: tuple[str, Function | None], key: str, until: Spot | None) -> Under | None:
        """The same of one dict or another: ``options or {}``."""
        others = either.operands if isinstance(either, Or) else either.arms
        found: list[Under] = []
        for each in others:
            under = self._under(each, place, key, until)
            if under is None:
                return None
            found.append(under)
            if isinstance(either, Or) and not under.absent:
                break  # one with an item in it is taken
        absent = found[-1].absent if isinstance(either, Or) else any(each.absent for each in found)
        return Under(tuple(item for each in found for item in each.items), absent)

    def _among(
        self, pairs: Iterable[tuple[object, Term]], place: tuple[str, Function | None], key: str, until: Spot | None
    ) -> Under | None:
        """What stands under a key of a dict when it is made with these, or updated."""
        found = Under()
        for name, value in pairs:
            if name == key:
                found = Under((Item(value, *place),), absent=False)
            elif name is None:
                more = self._under(value, place, key, until)
                if more is None:
                    return None
                found = more if not more.absent else Under((*found.items, *more.items), found.absent)
        return found

    def _of_parameter(self, parameter: Param, module: str, key: str) -> Under | None:
        found: list[Under] = []
        for each in self.passed(parameter, module):
            more = None if each is None else self._under(each.value, (each.module, each.function), key, None)
            if each is None or more is None:
                return None
            found.append(more._replace(items=tuple(one._replace(tests=(*each.tests, *one.tests)) for one in more.items)))
        if not found:
            return None
        return Under(tuple(dict.fromkeys(one for each in found for one in each.items)), any(each.absent for each in found))

    def _made(self, container: Term, module: str, function: Function | None) -> list[tuple[object, Term]] | None:
        """What a dict is made with: names and values, and (under None) other dicts; None for what is no dict."""
        if isinstance(container, Dict):
            known_ = [(name.value, value) for name, value in container.items if isinstance(name, Const) and value is not None]
            return known_ if len(known_) == len(container.items) else None
        if not isinstance(container, Call) or not self._makes_dict(container.callee, module, function):
            return None
        return [*((None, each) for each in container.args), *container.kwargs]

    def _makes_dict(self, callee: Term, module: str, function: Function | None) -> bool:
        """Whether something is ``dict``, or a class of dicts whose items are attributes, too, and what it is called with."""
        where = function or self.program.modules[module].functions["<module>"]
        values = self.program.values(callee, self.program.frame(module, where))
        return bool(values) and all(self._is_dict(each) for each in values)

    def _is_dict(self, value: object) -> bool:
        if isinstance(value, Library):
            return value.name == _DICT or value.name in known(self.program, "dicts-with-attributes")
        if not isinstance(value, ClassValue):
            return False
        above = self.program.lineage(value)
        if not any(isinstance(each, Library) and each.name == _DICT for each in above):
            return False
        inits = [
            self.program.modules[each.module].functions.get(f"{each.cls.qualname}.{_INIT}")
            for each in above
            if isinstance(each, ClassValue) and _INIT in each.cls.methods
        ]
        return all(each is not None and _is_its_own_items(each) for each in inits)

    # -- what becomes of it ------------------------------------------------------------------------------------------

    def _changed(self, asked: _Asked, found: Under, until: Spot | None) -> Under | None:
        """What is under the key behind what the function does to the dict; of all of it, where nobody says up to where."""
        led_here = () if until is None else _led_to(asked.function, until)
        sets: list[Tests] = []
        passed = raising_arms(asked.function.body)  # who comes behind a test that raises otherwise has no choice there
        for node, led in walk_tested(asked.function.body):
            concerns = self._concerns(node, asked)
            if concerns is None:
                continue
            if until is not None and concerns[0].line > until.line:
                break
            more = concerns[1]
            if more is None:
                return None
            tests = tuple(each for each in conditions(led) if each not in passed)
            apart = tests[sum(1 for one, other in zip(tests, led_here, strict=False) if one == other) :]
            more = more._replace(items=tuple(each._replace(tests=(*apart, *each.tests)) for each in more.items))
            if not more.absent:
                sets.append(apart)
            whole = until is not None and not more.absent and not apart
            found = more if whole else Under((*found.items, *more.items), found.absent)
        return found._replace(absent=found.absent and not covers(sets))

    def _concerns(self, node: Statement, asked: _Asked) -> tuple[Spot, Under | None] | None:
        """Where a statement does something to the dict, and what that sets the item to; None for what does nothing to it."""
        place = (asked.module, asked.function)
        if isinstance(node, (Store, Keep)):
            target = node.target
            if not isinstance(target, Access) or not _is_same(target.base, asked.container):
                return None
            name = target.selector
            if name is not None and name != asked.key:
                return None
            is_set = name is not None and node.kind != "AugAssign"
            return node.spot, Under((Item(node.value, *place),), absent=False) if is_set else None
        if not isinstance(node, CallStep):
            return None
        term, spot = node.term, node.term.site
        if isinstance(term.callee, Attr) and _is_same(term.callee.base, asked.container):
            method = term.callee.name
            if method in _ASKS:
                return None
            if method == _UPDATE:
                pairs = [*((None, each) for each in term.args), *term.kwargs]
                more = self._among(pairs, place, asked.key, None)
                return None if more == Under() else (spot, more)
            if method in _NAMES_AN_ITEM and term.args and isinstance(term.args[0], Const) and term.args[0].value != asked.key:
                return None
            return spot, None
        given = (*term.args, *(value for name, value in term.kwargs if name))
        if not any(_is_same(each, asked.container) for each in given):
            return None
        if isinstance(term.callee, Attr) and term.callee.name in _TAKES_UP:
            return None
        return None if self._leaves(term, asked) else (spot, None)

    def _leaves(self, call: Call, asked: _Asked) -> bool:
        """Whether what is handed the dict itself leaves the item as it is: a library's, or one of the project's that does."""
        frame = self.program.frame(asked.module, asked.function)
        values = self.program.values(call.callee, frame)
        if self._makes_dict(call.callee, asked.module, asked.function):
            return True
        return bool(values) and all(
            (isinstance(each, Library) and not each.name.startswith(_UNREAD))
            or (isinstance(each, FunctionValue) and self._is_left(each, call, asked))
            for each in values
        )

    def _is_left(self, target: FunctionValue, call: Call, asked: _Asked) -> bool:
        """Whether a function of the project leaves the item of the dict that a call hands it."""
        bound = self.program.enter(target, call, self.program.frame(asked.module, asked.function)).arguments
        names = [name for name, each in bound.items() if isinstance(each, Argument) and _is_same(each.term, asked.container)]
        own = [Param.new(target.function.qualname, name) for name in names]
        inner = [_Asked(asked.key, each, target.module, target.function) for each in own]
        return bool(inner) and all(
            self._left.ask((each.key, each.container, each.module), partial(self._is_never_set, each)) for each in inner
        )

    def _is_never_set(self, asked: _Asked) -> bool:
        return all(self._concerns(node, asked) is None for node, _ in walk_tested(asked.function.body))

    @cached_property
    def _set_deeper(self) -> frozenset[str]:
        """The names of items that are set in a dict which is itself an item of another one: which, nobody follows."""
        found: set[str] = set()
        for _, function in functions_of(self.program, self.files()):
            targets = [node.target for node in of_kind(function, Store)]
            for target in (*targets, *(node.target for node in of_kind(function, Keep))):
                if (
                    isinstance(target, Access)
                    and isinstance(target.base, Access)
                    and not isinstance(target.base.base, (Self, Ref))
                ):
                    found.update((target.selector,) if isinstance(target.selector, str) else ())
            for call in of_kind(function, CallStep):
                callee = call.term.callee
                if isinstance(callee, Attr) and callee.name in (_UPDATE, *_NAMES_AN_ITEM) and isinstance(callee.base, Access):
                    found.update(name for name, _ in call.term.kwargs if name)
                    found.update(
                        each.value for each in call.term.args[:1] if isinstance(each, Const) and isinstance(each.value, str)
                    )
        return frozenset(found)


def _is_same(one: Term, other: Term) -> bool:
    return one is other or (isinstance(one, Param) and isinstance(other, Param) and one.parts == other.parts)


def _is_its_own_items(init: Function) -> bool:
    """Whether the ``__init__`` of a class of dicts makes the items its attributes, and hands on what it is given."""
    return any(
        isinstance(node.target, Attr) and isinstance(node.target.base, Self) and node.target.name == "__dict__"
        for node in of_kind(init, Store)
    )


def _led_to(function: Function, spot: Spot) -> Tests:
    """The tests that lead to a call of a function."""
    found = (led for node, led in walk_tested(function.body) if isinstance(node, CallStep) and node.term.site == spot)
    passed = raising_arms(function.body)
    return tuple(each for each in conditions(next(found, ())) if each not in passed)


def covers(ways: list[Tests]) -> bool:
    """Whether one of some ways is always taken: ``if``, ``elif`` and ``else`` that all set an item."""
    if any(not each for each in ways):
        return True
    below: dict[Term, dict[bool, list[Tests]]] = {}
    for (test, arm), *rest in ways:
        below.setdefault(test, {}).setdefault(arm, []).append(tuple(rest))
    return any(len(arms) > 1 and all(map(covers, arms.values())) for arms in below.values())
