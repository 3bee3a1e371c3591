"""From which parameter of its function a name is taken, where it is only taken apart: ``name.split(".")[0]``.

What a text like ``"training.networks.Net"`` means, a project's own ``get_object(name)`` finds by its beginnings, one by one.
"""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Element, Param, Ref, SequenceDisplay, Slice, Subscript, Term, Unknown
from trainlint.ir.sketch import Function
from trainlint.preflight.values.words import handed

#: Methods of texts that take them apart, or put the parts together again.
_METHODS = frozenset(
    ("split", "rsplit", "partition", "rpartition", "join", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix")
)
#: Functions whose results are of what they are handed.
_FUNCTIONS = frozenset(
    f"builtins.{each}" for each in ("str", "len", "range", "list", "tuple", "reversed", "enumerate", "min", "max", "sorted")
)
#: What stands for something else in a text: its last argument is the text.
_ABBREVIATES = "re.sub"
_DOT = "."
_MOST = 60


def taken_from(program: Program, path: str, function: Function, name: Term) -> Term | None:
    """The one parameter of which a name is a part; None where anything else may stand in it."""
    found: set[Term] = set()
    texts = program.modules[path].texts
    waiting, seen = [name], set[Term]()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        if len(seen) > _MOST:
            return None
        if isinstance(part, Param):
            found.add(part)
            continue
        inner = _inner(function, part, texts.get(part))
        if inner is None:
            return None
        waiting += inner
    return found.pop() if len(found) == 1 else None


def _inner(function: Function, part: Term, text: tuple[Term, ...] | None) -> list[Term] | None:
    """What a value is made of; None where it is something else than a text taken apart."""
    if isinstance(part, Const):
        return [] if not isinstance(part.value, str) or part.value == _DOT else None
    if isinstance(part, Unknown):
        drawn = function.drawn.get(part)
        return [drawn.item, drawn.subject] if drawn is not None else list(text) if text is not None else None
    if isinstance(part, Call):
        return _of_call(part)
    if isinstance(part, (Element, Subscript, Slice, SequenceDisplay, BinOp)):
        return part.subterms()
    return None


def _of_call(call: Call) -> list[Term] | None:
    callee = call.callee
    if isinstance(callee, Attr) and callee.name in _METHODS:
        return [callee.base, *(each for each in handed(call) if not isinstance(each, Const))]
    if isinstance(callee, Ref) and callee.name in _FUNCTIONS:
        return list(handed(call))
    if isinstance(callee, Ref) and callee.name == _ABBREVIATES and len(call.args) > 2 and not call.kwargs:  # noqa: PLR2004
        return [call.args[2]]
    return None
