"""Training or evaluation: what a loop does in one activation of its function."""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program
from trainlint.facts.traced.consteval import deep
from trainlint.facts.values import Frame, FunctionValue
from trainlint.ir.sketch import Block, CallStep, Loop
from trainlint.ir.walk import walk

_DEEPEST = 3
_STEP = "step"


def trains(program: Program, block: Block, frame: Frame, depth: int = 0) -> bool:
    """Whether something is trained in a block in this very activation: ``if train:`` with a false ``train`` does not run."""
    asked, names = program.ask(Loops), program.knowledge.training
    for node in deep(program, block, frame):
        if not isinstance(node, CallStep) or not asked.call_says(node.term, frame, names):
            continue
        targets = [t for t in asked.index.targets(node.term, frame) if isinstance(t, FunctionValue)]
        if last_name(node.term.callee) in names or not targets or depth >= _DEEPEST:
            return True
        for target in targets:
            if frame.runs(target.function):
                return True
            inner = program.enter(target, node.term, frame)
            if trains(program, target.function.body, inner, depth + 1):
                return True
    return False


def repeats_steps(program: Program, block: Block, frame: Frame, depth: int = 0) -> bool:
    """Whether a loop in a block, or in what it calls, steps an optimizer: then a round of the block is no step, but an epoch."""
    asked, names = program.ask(Loops), frozenset((_STEP, *program.knowledge.tables["xla.steps"]["names"]))
    for node in walk(block):
        if isinstance(node, Loop) and asked.says(frame.module, frame.function, node.body, names):
            return True
        if not isinstance(node, CallStep) or depth >= _DEEPEST:
            continue
        for target in program.ask(CallGraph).targets(node.term, frame):
            if isinstance(target, FunctionValue) and not frame.runs(target.function):
                inner = program.enter(target, node.term, frame)
                if repeats_steps(program, target.function.body, inner, depth + 1):
                    return True
    return False
