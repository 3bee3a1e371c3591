"""Training or evaluation: what a loop does in one activation of its function."""

from __future__ import annotations

from trainlint.facts.calls import last_name
from trainlint.facts.loops import loops
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, FunctionValue
from trainlint.facts.xla.truths import deep
from trainlint.model.sketch import Block, Call

_DEEPEST = 3


def trains(program: Program, block: Block, frame: Frame, depth: int = 0) -> bool:
    """Whether something is trained in a block in this very activation: ``if train:`` with a false ``train`` does not run."""
    asked, names = loops(program), program.knowledge.training
    for node in deep(program, block, frame):
        if not isinstance(node, Call) or not asked.call_says(node.term, frame, names):
            continue
        targets = [t for t in asked.index.targets(node.term, frame) if isinstance(t, FunctionValue)]
        if last_name(node.term[1]) in names or not targets or depth >= _DEEPEST:
            return True
        for target in targets:
            if frame.runs(target.function):
                return True
            inner = program.enter(target, node.term, frame)
            if trains(program, target.function.body, inner, depth + 1):
                return True
    return False
