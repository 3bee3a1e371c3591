"""Traces of loops: unrolled where the items are known, item by item where lists differ between ranks, or as rounds."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from trainlint.ir.bindings import carried_names
from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Asserted,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Global,
    List,
    LoopPhi,
    Param,
    Select,
    Set,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Exit, If, Loop
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import ends_early, of_kind, walk
from trainlint.program.call_graph import iterated, method_of
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
)
from trainlint.spmd.generators import loop_over_generator
from trainlint.spmd.loop_rounds import Round, emptied, is_flag, leaving, rounds_of, unless_last
from trainlint.spmd.paths import ahead, asks_rank
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import Choice, Something, Uniform, Varying, World
from trainlint.spmd.trace import Again, Guard, LoopAt, Node, Part, Repeat, Ways, Where

if TYPE_CHECKING:
    from trainlint.program.program import Program
    from trainlint.spmd.build import Builder

#: A loop of more rounds is not told round by round.
_MOST_ROUNDS = 8
#: Tags of what may be such a container.
_MAY_BE = frozenset((List, Tuple, Set, *UNKNOWNS, Global, Call, Subscript, BinOp, Param, Attr, Select))


def trace_loop(builder: Builder, statement: Loop, frame: Context, ways: Ways) -> Node:
    """The trace of a loop: round by round where ranks differ in its rounds, else as one that repeats."""
    exhausted = builder.block(statement.orelse, frame, ways)
    if statement.kind == "for":
        if builder.analysis.idle_loops.is_idle(statement, frame):
            return exhausted
        listed = _itemwise(builder, statement, frame, ways, exhausted)
        if listed is not None:
            return listed
        repeated = partial(_repeat, builder, statement, frame, ways, exhausted)
        node = loop_over_generator(builder, statement, frame, ways, exhausted, repeated)
        return _begun(builder, statement, frame, ways, node)
    counted = _counted(builder, statement, frame, ways, exhausted)
    if counted is not None:
        return counted
    builder.at(frame, statement.spot)
    value, asked = builder.asked(statement.subject, frame)
    if asked and builder.evaluator.is_uniform_by_collective(statement.subject, frame):
        value, asked = Uniform((statement.subject, frame)), False
    unknown = isinstance(value, (Uniform, Varying, Choice))
    runs = unknown or bool(value) or isinstance(value, Something)
    node = _repeat(builder, statement, frame, ways, exhausted if unknown else None) if runs else exhausted
    if isinstance(value, Varying) and (isinstance(statement.subject, Asserted) or is_flag(statement.subject, frame)):
        runs = builder.rank == 0  # not the same on all ranks, as a comment says: rank 0 stands for those that stay
        node = node if runs else exhausted
    elif not asked or isinstance(value, Varying):
        return node
    guard = Guard(frame.module, statement.spot, statement.spot, statement.subject, frame)
    builder.analysis.ranked = True
    builder.arms[guard] = runs
    return builder.mark(Part, guard, runs, not isinstance(value, Varying), node)


def for_each(builder: Builder, call: Call, frame: Context, where: Where, ways: Ways) -> Node:
    """``map(function, items)``: a loop of unknown length."""
    loop = LoopAt(frame.module, where.spot, frame, builder.turn)
    again = builder.mark(Again, loop)
    one = CallStep(builder.analysis.mapped(call, where.spot), where.statement)
    body = builder.statement(one, frame, ways._replace(next=again, breaks=again, continues=again))
    if body is again:
        return ways.next
    node: Repeat = builder.nodes.make(Repeat, loop, body, ways.next, ways.next)
    builder.repeats[loop] = node
    return node


def _repeat(builder: Builder, statement: Loop, frame: Context, ways: Ways, exhausted: Node | None) -> Node:
    loop = LoopAt(frame.module, statement.spot, frame, builder.turn)
    again = builder.mark(Again, loop)
    back = again if exhausted is None else unless_last(builder, statement, frame, again, exhausted)
    inner = ways._replace(next=back, continues=back, breaks=ways.next)
    body = _turned(builder, statement, frame, inner, builder.block(statement.body, frame, inner))
    if body is again and exhausted is not None:
        return exhausted
    if exhausted is None and not any(node is again for node in ahead(body)) and not asks_rank(body, ways.next):
        return body  # its first round is its last
    node: Repeat = builder.nodes.make(Repeat, loop, body, exhausted, ways.next)
    builder.repeats[loop] = node
    builder.looped[loop] = statement, frame
    return node


def _unrolled(
    builder: Builder, loop: Loop, frame: Context, ways: Ways, rounds: Sequence[Round], node: Node, arms: Sequence[bool] = ()
) -> Node:
    """Rounds of a loop one after the other, and what follows; the loops in them are others in each.

    ``arms``: where ranks differ, whether each round is as on rank 0, also those that this rank does not run.
    """
    held, turn = builder.evaluator.loops, builder.turn
    for number in reversed(range(max(len(rounds), len(arms)))):
        if number < len(rounds):
            held.update(rounds[number])
            builder.turn = (*turn, number)
            try:
                node = builder.block(loop.body, frame, ways._replace(next=node, continues=node, breaks=ways.next))
            finally:
                builder.turn = turn
                for name in rounds[number]:
                    held.pop(name, None)
        if arms:
            guard = Guard(frame.module, loop.spot, loop.spot, builder.analysis.round_of(loop.subject, number), frame)
            builder.arms[guard] = arms[number]
            node = builder.mark(Part, guard, arms[number], True, node)
    return node


def _counted(builder: Builder, statement: Loop, frame: Context, ways: Ways, exhausted: Node) -> Node | None:
    """A ``while`` that counts, if ranks differ in the number of its rounds: one round after the other."""
    if builder.evaluator.loops or (
        not any(carried_names(frame.function)) and emptied(builder.evaluator, statement, frame) is None
    ):
        return None
    may_count = (Compare, LoopPhi, And, List, Call, Subscript)
    if not isinstance(statement.subject, may_count) and not leaving(statement):
        return None
    own = rounds_of(builder.evaluator, statement, frame)
    if own is None:
        return None
    lengths = [rounds_of(peer, statement, frame) for peer in builder.evaluator.peers()]
    if None in lengths:
        return None
    apart = _in_arm_of_ranks(builder) or len({len(found) for found in lengths if found is not None}) > 1
    if not apart and not _asks_by_round(builder, statement, own, frame):
        return None
    builder.analysis.ranked = True
    return _unrolled(builder, statement, frame, ways, own, exhausted, [*(True for _ in own), False])


def _asks_by_round(builder: Builder, statement: Loop, rounds: list[Round], frame: Context) -> bool:
    """Whether the body of a loop that counts asks for the rank which round it is."""
    names = rounds[0] if rounds else ()
    tests = (node for node in walk(statement.body) if isinstance(node, If))
    asked = (test for test in tests if any(mentions(test.condition, name) for name in names))
    return any(builder.is_of_ranks(test, frame) for test in asked)


def _in_arm_of_ranks(builder: Builder) -> bool:
    """Whether the statement that is looked at stands in an arm of a test on the rank."""
    return any(builder.is_of_ranks(test, at) for test, _, at in builder.tests)


def trip_count(builder: Builder, loop: LoopAt) -> Hashable:
    """What says how many rounds a loop has, the same on all ranks: a number, or what is gone over in which activation.

    None where nothing says so, or the loop may be left early.
    """
    if loop not in builder.looped:
        return None
    statement, frame = builder.looped[loop]
    ends = any(isinstance(node, Exit) and node.kind in ("break", "return") for node in walk(statement.body))
    if ends and not leaving(statement):
        return None
    if statement.kind != "for":
        rounds = rounds_of(builder.evaluator, statement, frame) if any(carried_names(frame.function)) else None
        return None if rounds is None else len(rounds)
    numbers = builder.evaluator.consteval.range_of(statement.subject, frame)
    if numbers is not None:
        return len(numbers)
    items = builder.evaluator.consteval.container(statement.subject, frame)
    return ("over", builder.program.sayings.of(statement.subject), frame) if items is None else len(items)


def _asked_in_calls(builder: Builder, statement: Loop, target: Term, frame: Context) -> bool:
    """Whether a function that is told the number of the round asks with it for the rank."""
    for node in walk(statement.body):
        if not isinstance(node, CallStep) or not any(given is target for given in node.term.args):
            continue
        for callee in builder.analysis.index.targets(node.term, frame):
            if isinstance(callee, FunctionValue) and _asks_with(builder, callee, node.term, target, frame):
                return True
    return False


def _asks_with(builder: Builder, callee: FunctionValue, call: Call, target: Term, frame: Context) -> bool:
    inner = builder.program.enter(callee, call, frame)
    told = {name for name, bound in inner.arguments.items() if isinstance(bound, Argument) and bound.term is target}
    for test in of_kind(callee.function, If):
        parts = parts_of(test.condition)
        if (
            any(isinstance(part, Param) and part.name in told for part in parts)
            and builder.evaluator.evaluate(test.condition, inner)[1]
        ):
            return True
    return False


def _itemwise(builder: Builder, statement: Loop, frame: Context, ways: Ways, exhausted: Node) -> Node | None:
    """A loop over known items, one after the other; None where ranks do not differ, or not all items are known."""
    target, subject = statement.target, statement.subject
    if target is None or type(subject) not in _MAY_BE:
        return None
    if isinstance(subject, Param):
        builder.analysis.consult(subject.name)
    found = []
    for peer in builder.evaluator.peers():
        # Loops with names: `shards`.
        items = peer.consteval.container(subject, frame, named=True, shares=not statement.names)
        if items is None or len(items) > _MOST_ROUNDS:
            return None
        found.append(list(items))
    own, first = found[builder.rank], found[0]
    alike = all(items == first for items in found)
    if alike and not _matters(builder, statement, target, first, frame):
        return None
    if not alike and isinstance(subject, Call) and not _counts_all(builder, frame):
        return None  # what nobody can count may make up for it
    builder.analysis.ranked = builder.analysis.ranked or not alike
    builder.analysis.consult(ANY)
    most = 0 if alike else max(map(len, found))
    arms = [own[number : number + 1] == first[number : number + 1] for number in range(most)]
    return _unrolled(builder, statement, frame, ways, [{target: item} for item in own], exhausted, arms)


def _matters(builder: Builder, loop: Loop, target: Term, items: list[Any], frame: Context) -> bool:
    """Whether it matters which items a loop goes over, though all ranks have the same: in which round something happens."""
    subject = loop.subject
    bounds = subject.args if isinstance(subject, Call) else ()
    if any(isinstance(builder.evaluator.value(bound, frame), World) for bound in bounds):
        return True  # each rank may have its round
    if bounds and all(isinstance(bound, Const) for bound in bounds) and _in_arm_of_ranks(builder):
        return True  # how often counts
    if _run_apart(builder.program, loop, items) or _asks_whose(builder, loop, target, frame):
        return True
    return isinstance(subject, Call) and _asked_in_calls(builder, loop, target, frame)


def _counts_all(builder: Builder, frame: Context) -> bool:
    """Whether it is known how far each loop of a function counts that counts by the rank."""
    for loop in of_kind(frame.function, Loop):
        subject = loop.subject
        if loop.kind == "for" and isinstance(subject, Call) and builder.evaluator.consteval.container(subject, frame) is None:
            bounds = (*subject.args, *(part for bound in subject.args for part in bound.subterms()))
            if any(builder.evaluator.evaluate(bound, frame)[1] for bound in bounds):
                return False
    return True


def _asks_whose(builder: Builder, statement: Loop, target: Term, frame: Context) -> bool:
    """Whether the body asks which of the items is the rank's, or leaves by the rank."""
    tests = [node for node in walk(statement.body) if isinstance(node, If)]
    asking = (node for node in tests if mentions(node.condition, target) or ends_early(node.body) or ends_early(node.orelse))
    return any(builder.is_of_ranks(test, frame) for test in asking)


def _begun(builder: Builder, statement: Loop, frame: Context, ways: Ways, node: Node) -> Node:
    """A loop, and before it what its ``__iter__`` runs."""
    return _asked(builder, "__iter__", statement, frame, ways, node)


def _turned(builder: Builder, statement: Loop, frame: Context, ways: Ways, node: Node) -> Node:
    """The body of a loop, and before it what its ``__next__`` runs."""
    return _asked(builder, "__next__", statement, frame, ways, node)


def _asked(builder: Builder, name: str, statement: Loop, frame: Context, ways: Ways, node: Node) -> Node:
    if not builder.analysis.iterators or statement.kind != "for":
        return node
    for owner in iterated(builder.program, statement.subject, frame):
        method = method_of(builder.program, owner, name)
        if method is None or method.function.generator or method.function in builder.stack:
            continue
        if builder.analysis.communication.runs(method.function):
            inner = builder.program.instance_frame(owner, method.module, method.function)
            builder.stack.append(method.function)
            try:  # in place: nothing is called where the loop stands
                return builder.body(method.function, inner, Ways(node, node, node, node, ways.raises))
            finally:
                builder.stack.pop()
    return node


class Item(NamedTuple):
    """One item, as it is written where it is put in."""

    term: Term
    frame: Context


def _run_apart(program: Program, loop: Loop, values: list[Any]) -> bool:
    """Whether the body of a loop calls its items, or a method of each, and these are different functions."""
    target = loop.target
    items = [item for item in map(term_of, values) if item is not None]
    if target is None or len(items) <= 1:
        return False
    for node in walk(loop.body):
        callee = node.term.callee if isinstance(node, CallStep) else target
        if callee is not target and not (isinstance(callee, Attr) and callee.base is target):
            continue
        runs = {tuple(map(_which, called(program, callee, item))) for item in items} if isinstance(node, CallStep) else ()
        if len(runs) > 1:
            return True
    return False


def _which(target: Library | FunctionValue) -> object:
    return id(target.function) if isinstance(target, FunctionValue) else target.name


def term_of(value: Any) -> Item | None:
    """The expression that something known to be there is, with the activation in which it stands."""
    match value:
        case Something(key=(Term() as term, Context() as frame, *_)) | Uniform(key=(Term() as term, Context() as frame, *_)):
            return Item(term, frame)
        case _:
            return None


def called(program: Program, callee: Term, item: Item) -> list[Library | FunctionValue]:
    """What a call of an item, or of a method of it, runs."""
    found: list[Library | FunctionValue] = []
    for value in program.values(item.term, item.frame):
        if not isinstance(callee, Attr):
            found += [value] if isinstance(value, (Library, FunctionValue)) else []
        elif isinstance(value, Instance):
            method = program.method(ClassValue(value.module, value.cls), callee.name)
            found += [FunctionValue(method[0], method[1], value)] if method is not None else []
    return found
