"""Handlers that make anew what could not be read, all ranks together.

``try: features = torch.load(path)``, ``except: features = extract(model)``: a file of an earlier run is there, or it is not, and
that is so for every rank, as it is where the file is looked for first. What may fail on one rank alone is another matter: a
sample, a download; and so is a file that one rank makes meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.communication import Communication
from trainlint.facts.files.operations import Operations
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Call, Element, LoopPhi, Ref, Term
from trainlint.ir.sketch import Block, CallStep, If, Try
from trainlint.ir.walk import walk

_DEEPEST = 8


#: The kinds of errors (table ``data.fails``) that a call may end in.
Kinds = Callable[[Call, Frame], frozenset[str]]


def makes_anew(program: Program, attempt: Try, handler: Block, frame: Frame, kinds: Kinds) -> bool:
    """Whether a ``try`` only reads files, and its handler goes to work, with collectives, where they are missing."""
    body = [node.term for node in walk(attempt.body) if isinstance(node, CallStep)]
    reads = [call for call in body if _is_read(program, call, frame)]
    if not reads or any(_is_drawn(call, _DEEPEST) for call in reads):
        return False
    if any(_talks(program, call, frame) for call in body):
        return False
    if any(call not in reads and "os" in kinds(call, frame) for call in body):
        return False
    return _works(program, handler, frame)


def _is_read(program: Program, call: Call, frame: Frame) -> bool:
    operation = program.ask(Operations).of(call, frame)
    return operation is not None and operation.kind == "read"


def _is_drawn(term: Term, depth: int) -> bool:
    """Whether something is of what a loop goes over: a sample, which may be damaged."""
    return isinstance(term, (Element, LoopPhi)) or (depth > 0 and any(_is_drawn(part, depth - 1) for part in term.subterms()))


def _works(program: Program, handler: Block, frame: Frame) -> bool:
    """Whether a handler does something, and comes to its first collective before any test: one rank made nothing before it."""
    worked = False
    for statement in handler:
        if isinstance(statement, If):
            return False
        for node in walk((statement,)):
            if not isinstance(node, CallStep):
                continue
            if _talks(program, node.term, frame):
                return worked or not isinstance(node.term.callee, Ref)
            worked = True
    return False


def _talks(program: Program, call: Call, frame: Frame) -> bool:
    return any(program.ask(Communication).talks(target) for target in program.ask(CallGraph).targets(call, frame))
