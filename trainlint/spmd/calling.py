"""What a call puts into a trace: an event, a callee's own trace, the end of the process, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainlint.domains.data_parallel.models import ImplicitCollective
from trainlint.ir.nodes import (
    Attr,
    Call,
    Const,
    Element,
    Global,
    Param,
    Select,
    Slice,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import root_of
from trainlint.program.call_graph import last_name
from trainlint.program.heap import held_by
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, Library
from trainlint.spmd.generators import consumed
from trainlint.spmd.loops import called, for_each, term_of
from trainlint.spmd.process_groups import group_of
from trainlint.spmd.questions import ANY
from trainlint.spmd.symbols import UNKNOWN, WORLD, Choice, Something, Uniform, Varying
from trainlint.spmd.trace import Event, Guard, Invoke, Node, Part, Ways, Where

if TYPE_CHECKING:
    from trainlint.spmd.build import Builder
    from trainlint.spmd.uniform_check import Agreement

#: A function that counts down the ranks runs once for each of them, and for the ends; what runs in itself more often is opaque.
_ACTIVATIONS = WORLD + 2


def trace_call(builder: Builder, statement: CallStep, frame: Context, ways: Ways) -> Node:
    """The trace of a call, and of what follows it."""
    call = statement.term
    if builder.wanted is not None:
        targets = builder.analysis.index.targets(call, frame)
        if any(isinstance(target, FunctionValue) and target.function is builder.wanted for target in targets):
            node: Node = builder.nodes.make(
                Event, "decorated", "decorated", Where(frame.module, call.site, statement.statement), call, ways.next
            )
            return node
        return ways.next
    inner = builder.unwrapped(call, frame, ways) if builder.wrapped else None
    if inner is not None:
        return inner
    where = Where(frame.module, call.site, statement.statement)
    chosen = _chosen(builder, statement, frame, ways)
    if chosen is not None:
        return chosen
    if builder.analysis.communication.says(frame.module, call):
        return _declared(builder, last_name(call.callee) or "call", where, call, ways.next)
    if builder.muted or not builder.analysis.may_talk(call):
        return ways.next
    drawn = consumed(builder, call, frame, ways) if builder.analysis.generators else None
    if drawn is not None:
        return drawn
    if call in builder.analysis.communication.unnamed:
        builder.analysis.consult(ANY)  # which model it is may be a matter of the arguments
        met = builder.analysis.communication.met(call, frame)
        if met is not None:
            return _unnamed(builder, met, call, where, ways.next)
    _consult_what_is_called(builder, call, frame)
    targets = _targets(builder, call, frame)
    if len(targets) > 1 and isinstance(call.callee, (Attr, Global, Param)):
        own = _own_target(builder, targets, call, frame)
        if own is not None:
            guard, arm, mine = own
            found = _run_target(builder, mine, call, frame, where, ways) if mine is not None else None
            return builder.mark(Part, guard, arm, True, ways.next if found is None else found)
    for target in targets:
        found = _run_target(builder, target, call, frame, where, ways)
        if found is not None:
            return found
    return ways.next


def _targets(builder: Builder, call: Call, frame: Context) -> list[Library | FunctionValue]:
    """What a call may run; where a loop is unrolled, the item that is its turn."""
    callee = call.callee
    thing = callee.base if isinstance(callee, Attr) else callee
    drawn = (thing.base if isinstance(thing, Subscript) else thing) in builder.evaluator.loops
    item = term_of(builder.evaluator.value(thing, frame)) if drawn else None
    return builder.analysis.index.targets(call, frame) if item is None else called(builder.program, callee, item)


def _consult_what_is_called(builder: Builder, call: Call, frame: Context) -> None:
    overriding = builder.analysis.communication.overriding(call, frame.module)
    # What was handed over, and which method of a derived class it is: both are a matter of the caller.
    root = root_of(call.callee) if call in builder.analysis.communication.given else call.callee
    if isinstance(root, Param):
        builder.analysis.consult(root.name)
    elif isinstance(call.callee, (Element, Subscript)) or (isinstance(call.callee, Attr) and _is_kept(builder, call.callee)):
        builder.analysis.consult(ANY)
    elif any(map(builder.analysis.communication.runs, overriding)):
        builder.analysis.consult("self")


def _is_kept(builder: Builder, callee: Attr) -> bool:
    """Whether a callee is a method of an item, or a function that an object keeps."""
    return isinstance(callee.base, (Element, Subscript)) or callee.name in builder.analysis.communication.kept


def _run_target(
    builder: Builder, target: Library | FunctionValue, call: Call, frame: Context, where: Where, ways: Ways
) -> Node | None:
    """What a call of this runs; None when nothing is known of it."""
    if isinstance(target, Library):
        return _run_library(builder, target.name, call, frame, where, ways)
    if id(target.function) in builder.analysis.communication.declared:
        return _declared(builder, target.function.name, where, call, ways.next)
    if builder.analysis.communication.runs(target.function):
        if target.function.generator:
            return None  # runs when it is iterated, or around the body of a `with`
        return run_function(builder, target, builder.program.enter(target, call, frame), where, ways)
    if _may_end(builder, target) or _may_fail(builder, target, call, frame, ways):
        return builder.look_into(target, builder.program.enter(target, call, frame), where, ways.next, ways.raises, ways.catches)
    return None


def _run_library(builder: Builder, name: str, call: Call, frame: Context, where: Where, ways: Ways) -> Node | None:
    """What a call of a library's function runs, and before it what was registered to be run then."""
    node: Node | None = None
    if name in builder.program.knowledge.collectives:
        node = event(builder, name, call, where, frame, ways.next)
    elif name in builder.program.knowledge.ends:
        node = builder.nodes.over
    elif builder.program.knowledge.applies.get(name) == "each" and call.args[1:]:
        node = for_each(builder, call, frame, where, ways)
    registered = builder.analysis.hooks.by_runner.get(name)
    for found in reversed(list(builder.analysis.hooks.run_by(name, call, frame))) if registered else ():
        if builder.analysis.communication.runs(found.function.function):
            inner = builder.program.enter(found.function, found.run, frame)
            node = run_function(builder, found.function, inner, where, ways._replace(next=node or ways.next))
    return node


def _declared(builder: Builder, name: str, where: Where, call: Call, next_: Node) -> Node:
    """A call of which a comment says that every rank must make it."""
    node: Node = builder.nodes.make(Event, name, name, where, call, next_)
    return node


def _may_end(builder: Builder, target: FunctionValue) -> bool:
    """Whether a function that runs no collective must be looked into because it may end the process, or some ranks' way."""
    function = target.function
    if function.generator or function in builder.stack:
        return False
    return builder.analysis.communication.leaves(function) or builder.analysis.raises_apart(target)


def _may_fail(builder: Builder, target: FunctionValue, call: Call, frame: Context, ways: Ways) -> bool:
    """Whether a function raises by a rank's own data, and somebody around catches that."""
    function = target.function
    if builder.failures is None or ways.catches is None or id(function) not in builder.analysis.communication.raising:
        return False
    if function.generator or function in builder.stack:
        return False
    return builder.failures.raised_in(target, builder.program.enter(target, call, frame))


def event(builder: Builder, name: str, call: Call, where: Where, frame: Context, next_: Node) -> Node:
    """A call of a collective: an event, if it is one of all ranks, or of a group that this rank is in."""
    knowledge = builder.program.knowledge
    if not builder.analysis.communication.communicates(name, call, frame):
        return next_
    group = group_of(call, knowledge.collectives[name], builder.program)
    if group is not None and frame.hands_on_nothing(group):
        group = None
    members: tuple[Any, ...] | None = None
    if group is not None and not builder.groups.whole_world(group, frame):
        members = builder.members(group, frame)
        if members is None:
            return next_  # traffic of a sub-group is between its members only
        if len(members) == WORLD:
            members = None
        elif len(members) < WORLD:
            builder.analysis.ranked = builder.nodes.grouped = True
            if builder.rank not in members:
                return next_
    last = name.rpartition(".")[2]
    operation = knowledge.operations.get(last, last)
    node: Node = builder.nodes.make(Event, operation, name, where, call, next_, members)
    return node


def run_function(builder: Builder, target: FunctionValue, inner: Context, where: Where, ways: Ways) -> Node:
    """A call of a function that communicates: opaque where all ranks agree in it, else looked into."""
    function = target.function
    if builder.failures is not None and function not in builder.stack and builder.failures.occur_in(target, inner):
        return builder.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
    if function in builder.stack and id(function) in builder.analysis.communication.obeying:
        return ways.next  # nothing says that it obeys the same again
    if _deepens(builder, function, inner):
        builder.recursing += 1
        try:
            return builder.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
        finally:
            builder.recursing -= 1
    if function in builder.stack:
        return builder.mark(Invoke, target, inner, where, ways.next)
    if ways.raises is not builder.nodes.end and builder.analysis.raises_apart(target):  # somebody around catches what some raise
        return builder.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
    if builder.analysis.stops_apart(function, inner):  # they agree up to its end, and then some of them do not come back
        return builder.look_into(target, inner, where, ways.next, ways.raises, ways.catches)
    verdict = builder.analysis.verdict(target, inner)
    if not verdict.talks:
        return ways.next
    if not verdict.divergences or not builder.analysis.inlining:
        opaque = builder.mark(Invoke, target, inner, where, ways.next)
        builder.analysis.meet(verdict, opaque)
        return opaque
    return builder.look_into(target, inner, where, ways.next, ways.raises, ways.catches)


def _unnamed(builder: Builder, met: ImplicitCollective, call: Call, where: Where, next_: Node) -> Node:
    """A pass of a model that all ranks train, where the conditions hold under which the model is one of these."""
    node: Node = builder.mark(Event, met.name, met.name, where, call, next_)
    for condition, frame, holds in reversed(met.conditions):
        value = builder.evaluator.value(condition, frame)
        if isinstance(value, (Varying, Choice)):
            return next_
        if isinstance(value, Uniform):
            node = builder.pick(value, node, next_) if holds else builder.pick(value, next_, node)
        elif bool(value) != holds:
            return next_
    return node


def _deepens(builder: Builder, function: Function, inner: Context) -> bool:
    """Whether a call of a function that is running, or that leads back to one, is to be looked into."""
    running = builder.stack.count(function)
    if running >= _ACTIVATIONS or not inner.arguments or not builder.analysis.leads_to_itself(function):
        return False
    return _by_rank(builder, inner)


def _by_rank(builder: Builder, inner: Context) -> bool:
    """Whether a call passes a number that is known, and another one on other ranks."""
    for bound in inner.arguments.values():
        if isinstance(bound, Argument) and not isinstance(bound.term, Const):
            value, asked = builder.evaluator.evaluate(bound.term, bound.frame)
            if asked and not isinstance(value, UNKNOWN) and builder.evaluator.differs(bound.term, bound.frame):
                return True
    return False


def _chosen(builder: Builder, statement: CallStep, frame: Context, ways: Ways) -> Node | None:
    """A call of one of several things that are written down where it stands; None for every other call."""
    callee = statement.term.callee
    if isinstance(callee, Subscript):
        return _picked(builder, statement, callee.base, callee.key, frame, ways)
    if isinstance(callee, Call):
        holder = held_by(builder.program.knowledge.hands_out, callee)
        return _picked(builder, statement, holder, callee.args[0], frame, ways) if holder is not None else None
    if isinstance(callee, (Select, Attr)) and statement.term not in builder.analysis.communication.unnamed:
        return _one_of_two(builder, statement, callee, frame, ways)
    return None


def _one_of_two(builder: Builder, statement: CallStep, callee: Select | Attr, frame: Context, ways: Ways) -> Node | None:
    """A call of one of two things, by a condition: ``(barrier if main else skip)()``, ``(log if main else None).close()``."""
    call = statement.term
    either = callee if isinstance(callee, Select) else callee.base
    if not isinstance(either, Select) or not builder.analysis.may_talk(call):
        return None
    then, other = [
        builder.statement(statement._replace(term=builder.analysis.instead(call, arm)), frame, ways)
        if not isinstance(arm, Const)
        else ways.next
        for arm in either.arms
    ]
    return builder.branch(either.test, frame, then, other, Guard(frame.module, call.site, call.site, either.test, frame))


def _picked(builder: Builder, statement: CallStep, base: Term, key: Term, frame: Context, ways: Ways) -> Node | None:
    """A call of an item that the rank chooses: ``{True: barrier, False: skip}[rank == 0]()``, ``STEPS.get(mode, rest)()``."""
    call = statement.term
    if isinstance(key, (Const, Slice, Unknown)) or not builder.evaluator.differs(key, frame):
        return None
    rest = call.callee.args[1] if isinstance(call.callee, Call) and call.callee.args[1:] else None
    found: list[Any] = []
    for peer in builder.evaluator.peers():
        whole, wanted = peer.consteval.container(base, frame, named=True), peer.value(key, frame)
        if whole is None or isinstance(wanted, UNKNOWN):
            return None
        try:
            found.append(whole[wanted])
        except (LookupError, TypeError):
            if not isinstance(call.callee, Call):
                return None
            found.append(None if rest is None else Something((rest, frame)))
    guard = Guard(frame.module, call.site, call.site, key, frame)
    arm = builder.arms[guard] = found[builder.rank] == found[0]
    builder.analysis.ranked = True
    builder.analysis.consult(ANY)
    where = Where(frame.module, call.site, statement.statement)
    item = term_of(found[builder.rank])
    targets = called(builder.program, call.callee, item) if item is not None else []
    runs = (_run_target(builder, target, call, frame, where, ways) for target in targets)
    inner = next((node for node in runs if node is not None), ways.next)
    return builder.mark(Part, guard, arm, True, inner)


def _own_target(
    builder: Builder, targets: list[Library | FunctionValue], call: Call, frame: Context
) -> tuple[Guard, bool, Library | FunctionValue | None] | None:
    """Which of several things a call runs on this rank, where ranks were given different ones; None where that is not so.

    What is called is an object, or a function, that was chosen by the rank elsewhere: in another function, another file.
    """
    chosen = call.callee.base if isinstance(call.callee, Attr) else call.callee
    if not builder.evaluator.differs(chosen, frame):
        return None
    found = [_among(targets, peer.value(chosen, frame)) for peer in builder.evaluator.peers()]
    if not all(known for known, _ in found):
        return None
    guard = Guard(frame.module, call.site, call.site, chosen, frame)
    mine = found[builder.rank][1]
    arm = mine == found[0][1]
    builder.analysis.ranked = True
    builder.arms[guard] = arm
    return guard, arm, mine


def leads_to_itself(analysis: Agreement, function: Function) -> bool:
    """Whether a function that communicates can come to a call of itself."""
    pending, seen = [function], {id(function)}
    while pending:
        for site in analysis.index.callers(pending.pop()):
            if site.function is function:
                return True
            if id(site.function) not in seen and site.function.kind != "module":
                seen.add(id(site.function))
                pending.append(site.function)
    return False


def _among(targets: list[Library | FunctionValue], value: Any) -> tuple[bool, Library | FunctionValue | None]:
    """Whether it is known which of several callees (none of them: None) a value is, or is an object of; and which."""
    if value is None:
        return True, None
    if not isinstance(value, Something):
        return not isinstance(value, UNKNOWN), None
    key = value.key
    for target in targets:
        if key == target:
            return True, target
        owner = target.receiver if isinstance(target, FunctionValue) else None
        made = isinstance(owner, Instance) and owner.call is not None and type(key) is tuple and key[0] is owner.call
        if made and isinstance(owner, Instance) and key[2:] in ((), (ClassValue(owner.module, owner.cls),)):
            return True, target
    return False, None
