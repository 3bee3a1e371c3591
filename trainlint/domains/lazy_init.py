"""Lazy initialization: code that constructs what is not there yet, on all ranks together.

A branch that makes what its test does not find (``if self.group is None: self.group = new_group(…)``), a handler that
makes anew what could not be read from a file, and flags that a context manager switches off for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trainlint.domains.communication import Communication
from trainlint.domains.files import Operations
from trainlint.ir.nodes import And, Attr, Call, Compare, Const, Element, Global, LoopPhi, Not, Ref, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Keep, Store, Try
from trainlint.ir.terms import is_call_of, is_none, parts_of
from trainlint.ir.walk import of_kind, statements_of, walk
from trainlint.program.call_graph import CallGraph
from trainlint.program.program import Program
from trainlint.program.running_calls import each_call, executed
from trainlint.program.values import Context


def makes_missing(program: Program, node: If, frame: Context) -> bool:
    """Whether a branch makes what its test does not find: ``if self.group is None: self.group = new_group(…)``.

    Also ``if key not in groups``, ``if not hasattr(f, "group")``, ``if len(groups) == 0: make_groups()``, and
    ``if isinstance(backend, Serial): backend = Parallel()``.
    """
    tests = node.condition.operands if isinstance(node.condition, And) else (node.condition,)
    places = [place for place in map(_missing, tests) if place is not None]
    return any(_fills(program, node.body, place, frame) for place in places)


def _missing(condition: Term) -> Term | tuple[Term, str] | None:
    """What a test says is missing: a place that outlives the function, or an attribute as (object, name)."""
    if isinstance(condition, Compare) and condition.op == "Is" and is_none(condition.right):
        return _place(condition.left)
    if isinstance(condition, Compare) and condition.op == "NotIn":
        return _place(condition.right)
    if (
        isinstance(condition, Compare)
        and condition.op == "Eq"
        and isinstance(condition.right, Const)
        and condition.right.value == 0
    ):
        return _place(_measured(condition.left))
    if isinstance(condition, Not):
        inner = condition.operand
        if is_call_of(inner, "builtins.hasattr") and len(inner.args) > 1:
            return (inner.args[0], str(inner.args[1].parts[-1]))
        return _place(_measured(inner))
    if is_call_of(condition, "builtins.isinstance") and condition.args:
        return _place(condition.args[0])  # what stands in for it until then
    return None


def _measured(term: Term) -> Term:
    """``x`` of ``len(x)``."""
    return term.args[0] if is_call_of(term, "builtins.len") and len(term.args) == 1 else term


def _place(term: Term) -> Term | None:
    return term if isinstance(term, (Global, Attr)) or (isinstance(term, Subscript) and _place(term.base) is not None) else None


def _fills(program: Program, block: Block, place: Term | tuple[Term, str], frame: Context) -> bool:
    """Whether a block binds a place, or puts something into it, directly or in a function of its file that it calls."""
    called = each_call(program)
    run = executed(
        block,
        frame,
        lambda each, _: walk(each),
        lambda node, here: (inner for inner in called(node, here) if inner.module == here.module),
    )
    return any(isinstance(node, (Store, Keep)) and _binds(node.target, place) for node, _ in run)


def _binds(target: Term, place: Term | tuple[Term, str]) -> bool:
    """Whether an assignment to this binds a place, or an item of it."""
    while isinstance(target, Subscript) and target is not place:
        target = target.base
    return target is place or (isinstance(target, Attr) and type(place) is tuple and (target.base, target.name) == place)


def switches_off(program: Program, item: Term, frame: Context) -> bool:
    """Whether a context manager of the project sets a global that functions of its file look at before they communicate."""
    for begins in (each.begins for each in program.ask(CallGraph).managed(item, frame)):
        if begins is None:
            continue
        module, function = program.modules[begins.module], begins.function
        set_ = {node.target for node in of_kind(function, Store) if isinstance(node.target, Global)}
        if set_ and any(program.ask(Communication).runs(each) for each in module.functions.values()):
            tested = (term for each in module.functions.values() if each is not function for term in _asked(each))
            if any(not set_.isdisjoint(parts_of(term)) for term in tested):
                return True
    return False


def _asked(function: Function) -> Iterator[Term]:
    """What a function tests and returns."""
    for node in statements_of(function):
        if isinstance(node, If):
            yield node.condition
        elif isinstance(node, Exit) and node.value is not None:
            yield node.value


#: The kinds of errors (table ``data.fails``) that a call may end in.
Kinds = Callable[[Call, Context], frozenset[str]]


def is_cache_miss_handler(program: Program, attempt: Try, handler: Block, frame: Context, kinds: Kinds) -> bool:
    """Whether a ``try`` only reads files, and its handler goes to work, with collectives, where they are missing."""
    body = [node.term for node in walk(attempt.body) if isinstance(node, CallStep)]
    reads = [call for call in body if _is_read(program, call, frame)]
    if not reads or any(_is_drawn(call) for call in reads):
        return False
    if any(_talks(program, call, frame) for call in body):
        return False
    if any(call not in reads and "os" in kinds(call, frame) for call in body):
        return False
    return _works(program, handler, frame)


def _is_read(program: Program, call: Call, frame: Context) -> bool:
    operation = program.ask(Operations).of(call, frame)
    return operation is not None and operation.kind == "read"


def _is_drawn(term: Term) -> bool:
    """Whether something is of what a loop goes over: a sample, which may be damaged."""
    return any(isinstance(part, (Element, LoopPhi)) for part in parts_of(term))


def _works(program: Program, handler: Block, frame: Context) -> bool:
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


def _talks(program: Program, call: Call, frame: Context) -> bool:
    return any(program.ask(Communication).talks(target) for target in program.ask(CallGraph).targets(call, frame))
