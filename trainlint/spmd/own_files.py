"""Files with the rank in their name: each rank looks for another one, so one may find its own and another not."""

from __future__ import annotations

from trainlint.facts.program import Program
from trainlint.facts.values import Bound, Frame, Other
from trainlint.model.terms import Term, subterms
from trainlint.spmd.ranks import Evaluator

_DEEPEST = 8


def is_of_rank(program: Program, asking: Evaluator, path: Term, frame: Frame, depth: int = 0) -> bool:
    """Whether the rank is surely in a path: in a part of it, here or where it was made."""
    if depth > _DEEPEST or path[0] in ("c", "r", "fn", "self"):
        return False
    if asking.evaluate(path, frame)[1] and asking.differs(path, frame):
        return True
    if path[0] == "p":
        bound = frame.given(path)
        return isinstance(bound, Bound) and is_of_rank(program, asking, bound.term, bound.frame, depth + 1)
    if path[0] in ("a", "g"):
        values = [value for value in program.values(path, frame) if isinstance(value, Other) and value.term is not path]
        return len(values) == 1 and is_of_rank(program, asking, values[0].term, values[0].frame, depth + 1)
    parts = program.modules[frame.module].texts.get(path, ()) if path[0] == "v" else subterms(path)
    return any(is_of_rank(program, asking, part, frame, depth + 1) for part in parts)
