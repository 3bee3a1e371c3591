"""Calling contexts: the activations in which a function runs, from all its callers down to it.

Those of a ``forward`` are entered from where its object is called, too: by name, as it was constructed, moved to a
device first. A place is a spot in one: which of two runs first is said as far as the functions around both say so. The calls that
lead there are places of the callers; the two are compared in the innermost function that leads to both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import Led, walk_tested
from trainlint.ir.nodes import Call, Param, Term
from trainlint.ir.order import before, in_block, is_step, within
from trainlint.ir.sketch import CallStep, Function, If, With
from trainlint.ir.walk import ends_early, of_kind
from trainlint.program.call_graph import SIDES, CallGraph, CallSite
from trainlint.program.constant_branch import may_run
from trainlint.program.heap import CONSTRUCTS
from trainlint.program.program import Program
from trainlint.program.sources import handed_over
from trainlint.program.values import HIGHEST, WIDEST, ClassValue, Context, FunctionValue, Instance


def calling_contexts(program: Program, module: str, function: Function, depth: int = HIGHEST) -> list[Context]:
    """The frames in which a function runs, one for each way its callers call it; on its own when nobody does.

    A frame knows its arguments, and through its caller's frame theirs.
    """
    return list(program.ask_of(_calling_contexts, (module, function, depth)))


def contexts_at(program: Program, site: CallSite) -> list[Context]:
    """The frames in which a function may come to one of its calls, as far as its arguments and its object's constructor say."""
    return list(program.ask_of(_contexts_at, site))


def _contexts_at(program: Program, site: CallSite) -> list[Context]:
    return [frame for frame in calling_contexts(program, site.module, site.function) if comes_to(program, site, frame)]


def comes_to(program: Program, site: CallSite, frame: Context) -> bool:
    """Whether an activation may come to a call of its function, by what it was passed, and its object was constructed with."""
    if frame.caller is None and frame.receiver is None:
        return True  # nothing was passed
    led = led_to_calls(program, site.function).get(site.call.term)
    return not led or may_run(program, led, frame)


def led_to_calls(program: Program, function: Function) -> dict[Term, Led]:
    """What leads to each call of a function: tests and handlers."""
    return program.ask_of(_led_to_calls, function)


def _led_to_calls(_program: Program, function: Function) -> dict[Term, Led]:
    led: dict[Term, Led] = {}
    for node, way in walk_tested(function.body):
        if isinstance(node, CallStep):
            led.setdefault(node.term, way)
    return led


def _calling_contexts(program: Program, about: tuple[str, Function, int]) -> list[Context]:
    return _entered_from(program, about, calling_contexts)


def named_contexts(program: Program, module: str, function: Function, depth: int) -> list[Context]:
    """The frames in which a function runs, as far as those who call it say so themselves: for who works out the callers."""
    return list(program.ask_of(_named_contexts, (module, function, depth)))


def _named_contexts(program: Program, about: tuple[str, Function, int]) -> list[Context]:
    return _entered_from(program, about, named_contexts, named=True)


def _entered_from(
    program: Program,
    about: tuple[str, Function, int],
    contexts: Callable[[Program, str, Function, int], list[Context]],
    *,
    named: bool = False,
) -> list[Context]:
    """The frames in which a function runs, one for each context of each caller."""
    module, function, depth = about
    found: list[Context] = []
    if depth > 0 and function.kind != "module":
        index = program.ask(CallGraph)
        for site in index.named_callers(function) if named else index.callers(function):
            if site.function is function:
                continue
            for caller in contexts(program, site.module, site.function, depth - 1):
                if caller.runs(function) or not (named or comes_to(program, site, caller)):
                    continue
                if len(found) >= WIDEST:
                    program.frame(module, function).cut(f"{WIDEST} of the ways to call it are looked at")
                    break
                found.extend(_entered(program, site, caller, function))
    return found or _in_place_of_others(program, function) or [program.frame(module, function)]


def _in_place_of_others(program: Program, function: Function) -> list[Context]:
    """The activations of a function that a decorator puts in the place of those that it decorates."""
    from trainlint.program.indirect_calls import Decorated

    asked = program.ask(Decorated)
    return [asked.frame(*each) for each in asked.by(function)][:WIDEST] if function.outer is not None else []


def own_then_called(program: Program, site: CallSite) -> Iterator[Context]:
    """The activations in which a call may be what is looked for: its function on its own, and then as each caller runs it.

    What the function is given counts in these, and is asked for only where it does not say enough itself.
    """
    own = program.frame(site.module, site.function)
    yield own
    yield from (frame for frame in calling_contexts(program, site.module, site.function) if frame is not own)


def handed_down(term: Term, frame: Context, call: Call | None) -> Iterator[tuple[Context, Call | None, Term]]:
    """What a call uses in an activation, and what that is in each that handed it down as a parameter, with the call that did."""
    for each in handed_over(term, frame):
        yield each.frame, call, each.term
        holder = each.frame.holder(each.term.function) if isinstance(each.term, Param) else None
        call = holder.call if holder is not None else None


def every_context(program: Program, module: str, function: Function) -> list[Context]:
    """The activations of a function, for who must know of all; on its own, too, where it or a caller is also handed to others.

    ``spawn(train, args)`` beside ``train(0, args)``: what runs it elsewhere may give it anything.
    """
    frames, handed = calling_contexts(program, module, function), program.ask(CallGraph).handed
    elsewhere = any(each.function.name in handed for frame in frames for each in frame.active())
    return [*frames, program.frame(module, function)] if elsewhere else frames


def _entered(program: Program, site: CallSite, caller: Context, function: Function) -> Iterator[Context]:
    entered = False  # once for each object that it may be a method of
    for target in program.ask(CallGraph).targets(site.call.term, caller):
        if isinstance(target, FunctionValue) and target.function is function:
            entered = True
            yield program.enter(target, site.call.term, caller)
    if entered:
        return
    if function.name in SIDES and opens(site.function, site.call.term):
        sides = (side for each in program.ask(CallGraph).managed(site.call.term, caller) for side in (each.enter, each.leave))
        for side in sides:
            if side is not None and side.function is function:
                alone = program.frame(side.module, function)
                yield Context(
                    side.module,
                    function,
                    receiver=side.receiver,
                    closure=alone.closure,
                    depth=caller.depth + 1,
                    caller=caller,
                    call=site.call.term,
                    open=False,
                )
                return


def opens(function: Function, call: Call) -> bool:
    """Whether a ``with`` of a function enters what a call makes."""
    return any(call is item for node in of_kind(function, With) for item in node.items)


def site_of(program: Program, frame: Context) -> CallSite | None:
    """The call that made a frame."""
    if frame.caller is None:
        return None
    sites = [site for site in program.ask(CallGraph).callers(frame.function) if site.function is frame.caller.function]
    made = (site for site in sites if site.call.term is frame.call)
    return next(made, None) or next(iter(sites), None)


def forward_contexts(program: Program, module: str, function: Function, depth: int = HIGHEST) -> list[Context]:
    """The frames in which a function runs; a ``forward``, it or a caller, is entered from where its object is called, too."""
    return list(program.ask_of(_forward_contexts, (module, function, depth)))


def _forward_contexts(program: Program, about: tuple[str, Function, int]) -> list[Context]:
    _, function, depth = about
    found = _called(program, function, depth) if function.name in program.knowledge.runs_model and depth else []
    return found[:WIDEST] or _entered_from(program, about, forward_contexts)


def _called(program: Program, function: Function, depth: int) -> list[Context]:
    index = program.ask(CallGraph)
    found: list[Context] = []
    for site in dict.fromkeys((*index.callers(function), *index.objects_called(function))):
        if site.function is function or len(found) >= WIDEST:
            continue
        for caller in forward_contexts(program, site.module, site.function, depth - 1):
            targets = [] if caller.runs(function) else index.targets(site.call.term, caller)
            own = (each for each in targets if isinstance(each, FunctionValue) and each.function is function)
            found += [program.enter(target, site.call.term, caller) for target in own]
    return list(dict.fromkeys(found))


class At(NamedTuple):
    """A place: a spot in an activation."""

    frame: Context
    spot: Spot


def runs_before(program: Program, one: At, other: At) -> bool | None:
    """Whether one place runs before another (in the first round of the loops around both); None when nobody can say.

    False as well if they stand in two arms of a test, or if the way from the one never comes to the other.
    """
    paths, others = path(one), path(other)
    for here in paths:
        for there in others:
            if here.frame.function is there.frame.function:
                return _in_order(here.frame.function, here.spot, there.spot)
    return _made_first(program, paths[-1].frame, others[-1].frame)


def path(place: At) -> list[At]:
    """A place as its function sees it, and as each of the functions that lead there does; innermost first."""
    found = [place]
    frame = place.frame
    while (caller := frame.caller) is not None and (call := frame.call) is not None:
        found.append(At(caller, call.site))
        frame = caller
    return found


def _in_order(function: Function, one: Spot, other: Spot) -> bool | None:
    if one == other or not (is_step(function, one) and is_step(function, other)):
        return None
    if not before(function, one, other):
        return False
    for node in of_kind(function, If):
        for arm in (node.body, node.orelse):
            parts = in_block(function, arm, one) and not in_block(function, arm, other)
            if parts and (within(function, node, other) or ends_early(arm)):
                return False
    return True


def _made_first(program: Program, one: Context, other: Context) -> bool | None:
    """What constructs an object runs before its other methods, be they of its class or inherited."""
    owners = [frame.receiver for frame in (one, other)]
    first_of, second_of = (frame.function.name in CONSTRUCTS for frame in (one, other))
    if first_of is second_of or not all(isinstance(owner, Instance) for owner in owners):
        return None
    first, second = (ClassValue(owner.module, owner.cls) for owner in owners if isinstance(owner, Instance))
    if first not in program.lineage(second) and second not in program.lineage(first):
        return None
    return first_of
