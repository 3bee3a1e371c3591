"""What a loader is given through ``**options``, level by level, where a class of the project hands on what it is given.

``NodeLoader(data, **options)`` runs ``super().__init__(data, **kwargs)``: what stands in ``options = dict(num_workers=4)`` gets
to the loader of the library, unless a constructor on the way takes it for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.loaders.made import Loader
from trainlint.facts.numerics.expressions import operations
from trainlint.facts.program import Program, calls_of
from trainlint.facts.values import Bound, Frame
from trainlint.ir.nodes import Attr, BoolOp, Call, Compare, Const, Dict, Kwargs, Param, Select, Subscript, Term, Unknown
from trainlint.ir.sketch import Function, Keep
from trainlint.ir.walk import of_kind
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.unpacked import Item

#: Methods of a dict that change nothing but the item which they name, if any.
_HARMLESS = frozenset(("pop", "get", "items", "keys", "values", "copy", "setdefault"))
_NAMES_AN_ITEM = frozenset(("pop", "setdefault"))
_DICT = "builtins.dict"
_MOST_LEVELS = 6


def handed_on(program: Program, loader: Loader, keyword: str) -> tuple[Bound | None] | None:
    """What a loader is given for a keyword (None in it: nothing); None: that is not seen."""
    call: Call | None = loader.constructed.call
    frame: Frame | None = loader.constructed.frame
    for _ in range(_MOST_LEVELS):
        if call is None or frame is None:
            return None
        above: Frame | None = None
        for name, value in call.kwargs:
            if name == keyword:
                return (Bound(value, frame),)
            if name is not None:
                continue
            if isinstance(value, Kwargs):
                above = frame.holder(value.function)
                if above is None or not _is_handed_on(program, above.function, value, keyword):
                    return None
                continue
            if any(_is_open(*each) for each in _alternatives(value, frame)):
                return None
            found = _of_dict(program, value, frame, keyword)
            if found is None or found[0] is not None:
                return found
        if any(isinstance(value, Unknown) for value in call.args):
            return None  # what ``*arguments`` hold may be anything
        if above is None:
            return (None,)
        if keyword in above.function.parameters:
            return (None,)  # it is taken, and not handed on
        call, frame = above.call, above.caller
    return None


class Handed(NamedTuple):
    """What dicts may hold that come from callers; where it is not known (``is_known``), they may hold anything."""

    values: tuple[Bound, ...] = ()
    is_absent: bool = True
    is_known: bool = True


def handed_to_makers(job: Job, loader: Loader, keyword: str) -> Handed | None:
    """What stands under a keyword in the dicts that a loader is made with, ``**options``, where these come from callers.

    ``train(**settings)`` hands over a value for ``options={}``, too, that no argument shows: the default says nothing then. None
    where no such dict is a parameter's that has no value in sight.
    """
    found: list[Handed] = []
    is_open = False
    for name, value in loader.constructed.call.kwargs:
        if name is not None:
            continue
        term, frame = value, loader.constructed.frame
        is_open = is_open or any(_is_open(*each) for each in _alternatives(term, frame))
        while isinstance(term, Param) and isinstance(bound := frame.given(term), Bound):
            term, frame = bound
        under = job.options.origins.unpacked.under(term, (frame.module, frame.function), keyword)
        items = () if under is None else under.items
        values = tuple(Bound(each.value, _frame(job.program, each)) for each in items)
        found.append(Handed(values, under is None or under.absent, under is not None))
    if not is_open:
        return None
    values = tuple(value for each in found for value in each.values)
    return Handed(values, all(each.is_absent for each in found), all(each.is_known for each in found))


def _alternatives(term: Term, frame: Frame) -> Iterator[Bound]:
    """The dicts of which one is unpacked: ``options or {}``; of parameters, what is seen to be passed."""
    if isinstance(term, BoolOp):
        for each in term.operands:
            yield from _alternatives(each, frame)
    elif isinstance(term, Select):
        yield from (*_alternatives(term.then, frame), *_alternatives(term.other, frame))
    elif isinstance(term, Param) and isinstance(bound := frame.given(term), Bound):
        yield from _alternatives(*bound)
    else:
        yield Bound(term, frame)


def _is_open(term: Term, frame: Frame) -> bool:
    """Whether a value is a parameter's for which somebody may hand over something that no argument shows."""
    if not isinstance(term, Param) or frame.given(term) is not None:
        return False
    holder = frame.holder(term.function)
    call = None if holder is None else holder.call
    return call is None or any(name is None for name, _ in call.kwargs) or any(isinstance(each, Unknown) for each in call.args)


def _frame(program: Program, item: Item) -> Frame:
    functions = program.modules[item.module].functions
    return program.frame(item.module, item.function or functions["<module>"])


def _is_handed_on(program: Program, function: Function, options: Term, keyword: str) -> bool:
    """Whether a function hands on its ``**options`` as they are, as far as an item is concerned."""
    asked = (each for each in program.ask_of(operations, function) if isinstance(each, Compare) and each.right is options)
    return not any(isinstance(each.left, Const) and each.left.value == keyword for each in asked) and not any(
        _touches(node, options, keyword) for node in _concerning(function, options)
    )


def _of_dict(program: Program, options: Term, frame: Frame, keyword: str) -> tuple[Bound | None] | None:
    """What stands under a key of a dict that is made in sight, and that nothing changes afterwards."""
    values = program.values(options, frame)
    if len(values) != 1:
        return None
    made = getattr(values[0], "call", None) or getattr(values[0], "term", None)
    where: Frame | None = getattr(values[0], "frame", None)
    if made is None or where is None:
        return None
    if isinstance(made, Dict):
        if any(name is None or not isinstance(name, Const) or value is None for name, value in made.items):
            return None
        items = {name.value: value for name, value in made.items if isinstance(name, Const)}
    elif getattr(values[0], "name", None) == _DICT and not made.args and all(name is not None for name, _ in made.kwargs):
        items = dict(made.kwargs)
    else:
        return None
    if any(_touches(node, made, keyword) for node in _concerning(where.function, made)):
        return None
    return (Bound(items[keyword], where) if keyword in items else None,)


def _concerning(function: Function, container: Term) -> Iterator[Keep | Call]:
    """What sets an item of a dict, calls a method of it, or is handed the dict itself, and not its items (``**options``)."""
    yield from (node for node in of_kind(function, Keep) if isinstance(node.target, Subscript) and node.target.base is container)
    for call in calls_of(function):
        own = isinstance(call.term.callee, Attr) and call.term.callee.base is container
        named = any(name is not None and value is container for name, value in call.term.kwargs)
        if own or named or container in call.term.args:
            yield call.term


def _touches(node: Keep | Call, container: Term, keyword: str) -> bool:
    """Whether that may change what stands under a key, or takes it out."""
    if isinstance(node, Keep):
        name = node.target.key if isinstance(node.target, Subscript) else None
        return not isinstance(name, Const) or bool(name.value == keyword)
    if not isinstance(node.callee, Attr) or node.callee.base is not container or node.callee.name not in _HARMLESS:
        return True
    if node.callee.name not in _NAMES_AN_ITEM:
        return False
    return not node.args or not isinstance(node.args[0], Const) or bool(node.args[0].value == keyword)
