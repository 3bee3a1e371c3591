"""Training phases: whether a loop trains or evaluates in one calling context, or samples one input again and again.

Training or evaluation: what a loop does in one activation of its function.

Passes that are made again and again on one input: how far their outputs lie apart is asked, so they are to be
random.
"""

from __future__ import annotations

from trainlint.ir.nodes import Attr, Call, Element, LoopPhi, Term, Unknown
from trainlint.ir.order import belongs_to, loops_around, made_within, within
from trainlint.ir.sketch import Block, CallStep, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.consteval import deep
from trainlint.program.loops import Loops
from trainlint.program.program import Program
from trainlint.program.values import Context, FunctionValue

_DEEPEST = 3
_STEP = "step"


def trains(program: Program, block: Block, frame: Context, depth: int = 0) -> bool:
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


def repeats_steps(program: Program, block: Block, frame: Context, depth: int = 0) -> bool:
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


def sampled(program: Program, call: CallStep, frame: Context) -> bool:
    """Whether the innermost loop (or comprehension) around a call repeats it with the same arguments."""
    around = loops_around(frame.function, call)
    if not around or around[-1].kind != "for":
        return False
    return not varies(program, call, frame.function, around[-1])


def varies(program: Program, call: CallStep, function: Function, loop: Loop) -> bool:
    """Whether a call is given something else in each round of a loop around it, or may be."""
    given = parts_of(*call.term.args, *(value for _, value in call.term.kwargs))
    return any(_varies(program, part, function, loop) for part in given)


def _varies(program: Program, part: Term, function: Function, loop: Loop) -> bool:
    """Whether something is another value in each round of a loop, or may be."""
    if isinstance(part, Element):
        return part.of is loop.subject
    if isinstance(part, LoopPhi):
        return belongs_to(loop, part)
    if isinstance(part, Unknown):
        return made_within(function, loop, part)
    if not isinstance(part, Call) or not within(function, loop, part):
        return False
    same = program.knowledge.tensor_methods | program.knowledge.fluent
    return not (isinstance(part.callee, Attr) and part.callee.name in same)
