"""Whether the name of a file holds a number that the loop around counts up, whatever that is called.

``seen += batch_size`` in a ``while True`` makes ``f"snapshot-{seen // 1000:06d}.pkl"`` another name each time. A number that
begins anew in each round of a loop around it, or goes round itself (``step % 2``), comes back: the file is written over then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.facts.call_graph import last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.ir.nodes import Attr, BinOp, Call, Const, LoopPhi, Term, Tuple, Unknown
from trainlint.ir.order import within
from trainlint.ir.sketch import Function, Keep, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.jobs import Job
from trainlint.preflight.values.words import handed
from trainlint.preflight.ways import Place

#: What is reckoned with a number that leaves it one that grows; and what only makes it into a text, or into a whole number.
_RECKONED = frozenset(("Add", "Sub", "Mult", "FloorDiv"))
_CASTS = frozenset(("int", "str", "round"))
_DEEPEST = 8


def is_counted_up(job: Job, place: Place, endings: Iterable[str]) -> bool:
    """Whether a text that a call is handed, and that looks like a checkpoint's name, holds such a number."""
    way = job.trail.run.get(id(place.function))
    if way is None or way.looped:
        return False
    return any(
        any(end in text for text in texts for end in endings) and any(grows(place.function, each) for each in numbers)
        for texts, numbers in _texts(job, place)
    )


def _texts(job: Job, place: Place) -> Iterator[tuple[list[str], list[Term]]]:
    """The texts that a call is handed: the constant parts of each, and what is filled in."""
    known = job.program.modules[place.module].texts
    for part in parts_of(place.term):
        if isinstance(part, Unknown) and part in known:
            yield (
                [str(each.value) for each in known[part] if isinstance(each, Const)],
                [each for each in known[part] if not isinstance(each, Const)],
            )
        elif isinstance(part, BinOp) and part.op == "Mod" and isinstance(part.left, Const) and _is_text(part.left):
            yield [part.left.value], list(part.right.items) if isinstance(part.right, Tuple) else [part.right]
        elif (
            isinstance(part, Call)
            and isinstance(part.callee, Attr)
            and part.callee.name == "format"
            and isinstance(part.callee.base, Const)
            and _is_text(part.callee.base)
        ):
            yield [part.callee.base.value], list(handed(part))


def _is_text(term: Term) -> bool:
    return bool(isinstance(term, Const) and isinstance(term.value, str))


def grows(function: Function, term: Term, depth: int = 0) -> bool:
    """Whether a value is a number that the outermost loop of a function counts up, or is reckoned from one."""
    if depth > _DEEPEST:
        return False
    if isinstance(term, BinOp) and term.op == "Mod":
        return _is_text(term.left) and grows(function, term.right, depth + 1)  # how it is written: ``{seen:06d}``
    if isinstance(term, BinOp) and term.op in _RECKONED:
        return any(grows(function, each, depth + 1) for each in term.sides)
    if isinstance(term, Call) and last_name(term.callee) in _CASTS and len(term.args) == 1:
        return grows(function, term.args[0], depth + 1)
    if not isinstance(term, LoopPhi) or term.at != "in":
        return False
    sets = [node for node in of_kind(function, Keep) if node.target is term]
    return bool(sets) and all(_is_more(node.value, term) for node in sets) and _is_outermost(function, term)


def _is_more(value: Term, counter: Term, depth: int = 0) -> bool:
    """Whether a value is that of a counter, and something more."""
    if not isinstance(value, BinOp) or value.op != "Add" or depth > _DEEPEST:
        return False
    return any(each is counter or _is_more(each, counter, depth + 1) for each in value.sides)


def _is_outermost(function: Function, counter: LoopPhi) -> bool:
    """Whether no loop stands around the one that carries a counter from round to round."""
    line, column = counter.line, counter.column
    loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
    own = next((each for each in loops if (each.spot.line, each.spot.column) == (line, column)), None)
    return own is not None and not any(within(function, each, own) for each in loops)
