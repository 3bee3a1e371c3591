"""What makes the host wait for the device in every step: values read, caches emptied, outputs collected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.domains.autograd.backward import Backward
from trainlint.domains.device import Device, on_the_same_data
from trainlint.domains.dynamo.graph_breaks import cut_at
from trainlint.domains.expressions import terms_of
from trainlint.domains.grad_mode import OFF, GradMode
from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.ir.bindings import gathered
from trainlint.ir.control_dependence import Failed, Led, jointly, positive, raising_arms, walk_tested, without_errors
from trainlint.ir.nodes import (
    NAMED,
    And,
    Attr,
    BinOp,
    BoolOp,
    Call,
    Composite,
    Comprehension,
    Const,
    Element,
    Global,
    Kwargs,
    List,
    LoopPhi,
    Param,
    Ref,
    Subscript,
    Term,
)
from trainlint.ir.order import loops_around, made_within, same_round
from trainlint.ir.sketch import Block, CallStep, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.induction import is_counted
from trainlint.program.leading import Leading
from trainlint.program.loops import Loops, counts
from trainlint.program.origins import origin
from trainlint.program.program import Program, calls_of
from trainlint.program.running_calls import leading_step, may_call, statements_run, surely_running
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject, Unresolved


class Freed(NamedTuple):
    """A call that frees memory in every step; ``word`` is that of the table ``frees``, ``step`` the call that trains.

    ``looped`` is the call in the loop: this one, or that of the function in which it stands. ``switched``: a setting of the run
    decides whether it frees.
    """

    site: CallSite
    word: str
    loop: Spot
    step: CallStep
    looped: CallSite
    switched: bool


def freed_every_step(program: Program) -> Iterator[Freed]:
    """Each such call in a loop over batches, that runs whatever happens there."""
    table = program.knowledge.tables["frees"]
    for site, name in program.ask(CallGraph).runs_of(table):
        if site.call.statement != site.call.term.site or tests_software(program, site.module, site.function):
            continue
        found = _in_loop(program, site, site, table[name])
        outside = found is None and not loops_around(site.function, site.call)
        if outside and _always(program, site, _led(site.call, site.function.body)):
            found = _in_callers_loop(program, site, table[name])
        if found is not None:
            yield found


def _in_loop(program: Program, site: CallSite, looped: CallSite, word: str) -> Freed | None:
    """What a call frees in each round of the loop around it, or of the one around the call of its function."""
    around = loops_around(looped.function, looped.call)
    while len(around) > 1 and around[-1].kind == "for" and _step(program, looped, around) is None:
        around = around[:-1]  # over callbacks, in each step
    if not around or tests_software(program, looped.module, looped.function):
        return None
    if on_the_same_data(program, around[-1], program.frame(looped.module, looped.function)):
        return None
    step = _step(program, looped, around)
    if step is None:
        return None
    # What leads to the step as well leads to all rounds that make one.
    shared = _led(step, around[-1].body, going_on=True)
    led = tuple(each for each in _led(looped.call, around[-1].body, going_on=True) if each not in shared)
    own = looped is site
    switched = not _always(program, site, led) if own else False
    if not all(_is_setting(test, holds=arm) for test, arm in led) and (switched or not own):
        return None
    if switched and not all(isinstance(test, Failed) or _says_more(test, site.function) for test, _ in led):
        return None
    if _measures(program, around[-1], led):
        return None
    return Freed(site, word, around[-1].spot, step, looped, switched)


def _in_callers_loop(program: Program, site: CallSite, word: str) -> Freed | None:
    """A function that frees memory whenever it runs, and that runs in each step, as the update of an average does."""
    above = surely_running(program, program.ask(CallGraph).callers(site.function), site.function)
    for caller in above:
        found = _in_loop(program, site, caller, word) if caller.function is not site.function else None
        if found is not None and found.step is not caller.call:
            return found
    return None


def _led(call: CallStep, block: Block, *, going_on: bool = False) -> Led:
    """The tests that lead to a call, less those whose other arm is an error: all rounds that go on come by there."""
    led = next((way for node, way in walk_tested(block, going_on=going_on) if node is call), ())
    return without_errors(led, raising_arms(block))


def _is_setting(test: Term | Failed, *, holds: bool) -> bool:
    """Whether a test asks for a switch of the run, or for what all rounds have that make a step (``accelerator.sync_gradients``).

    Where such a switch is one of several conditions for the other way (``if resumed and step < first: continue``), this is the
    usual one.
    """
    if isinstance(test, Failed):
        return False
    asked, holds = positive(test, holds=holds)
    if isinstance(asked, And) and not holds:
        return any(_is_setting(part, holds=True) for part in asked.operands)
    return isinstance(asked, (Attr, Param, Global)) and not any(isinstance(part, (Element, LoopPhi)) for part in parts_of(asked))


def _says_more(test: Term, function: Function) -> bool:
    """Whether something else in a function is told of what a test asks: it is no option for this alone."""
    asked, _ = positive(test, holds=True)
    given = (value for node in calls_of(function) for value in (*node.term.args, *(value for _, value in node.term.kwargs)))
    return any(asked in parts_of(value) for value in given)


def _measures(program: Program, loop: Loop, led: Led) -> bool:
    """Whether a loop asks how much memory is in use: what it frees, it frees for that.

    Where it only asks if a setting says so, and frees all the same, it does not free for that.
    """
    asks = program.knowledge.tables["frees.measured"]["names"]
    asked = (way for node, way in walk_tested(loop.body) if isinstance(node, CallStep) and last_name(node.term.callee) in asks)
    return not all(any(each not in led and _is_setting(each[0], holds=each[1]) for each in way) for way in asked)


def _step(program: Program, site: CallSite, around: tuple[Loop, ...]) -> CallStep | None:
    """What trains in the innermost loop: a backward pass, or a call that runs one, and no whole pass over data."""
    training = program.knowledge.training
    frame = program.frame(site.module, site.function)
    for call in calls_of(site.function):
        if loops_around(site.function, call) != around or not program.ask(Loops).call_says(call.term, frame, training):
            continue
        callee = call.term.callee
        named = isinstance(callee, NAMED) and callee.name in training
        if named or is_one_step(program, call, frame):
            return call
    return None


def is_one_step(program: Program, call: CallStep, frame: Context) -> bool:
    """Whether what a call runs can be seen, and trains without a loop of its own: it is no pass over data, no experiment."""
    targets = [target for target in program.ask(CallGraph).targets(call.term, frame) if isinstance(target, FunctionValue)]
    asked, training = program.ask(Loops), program.knowledge.training
    if any(_makes_optimizer(program, target) for target in targets):
        return False
    return bool(targets) and not any(
        asked.says(target.module, target.function, node.body, training)
        for target in targets
        for node in of_kind(target.function, Loop)
    )


def _makes_optimizer(program: Program, target: FunctionValue) -> bool:
    """Whether a function makes an optimizer: then it is a run of its own, of which the caller's loop makes several."""
    frame = program.frame(target.module, target.function)
    made = (program.ask(Things).of(node.term, frame) for node in calls_of(target.function))
    return any(thing.kind == "optimizer" and thing.made for thing in made)


def _always(program: Program, site: CallSite, led: Led) -> bool:
    """Whether nothing is asked, or only whether there is a GPU and which process this is."""
    return all(not isinstance(test, Failed) and _asks(program, site, test) for test, _ in led)


def _asks(program: Program, site: CallSite, test: Term) -> bool:
    if isinstance(test, BoolOp):
        return all(_asks(program, site, part) for part in test.operands)
    parts = list(parts_of(test))
    if any(isinstance(part, (BinOp, Element, LoopPhi)) for part in parts):
        return False  # how far the loop is, or what it is at
    there = program.knowledge.tables["switches.there"]["names"]
    names = [part.name.rpartition(".")[2].lower() for part in parts if isinstance(part, NAMED)]
    if any(isinstance(part, Const) and part.value in program.knowledge.accelerators for part in parts):
        return True
    return any(name in there or name in program.knowledge.conventions for name in names) or _is_of_rank(program, site, parts)


def _is_of_rank(program: Program, site: CallSite, parts: Iterable[Term]) -> bool:
    """Whether something in a test is the number of the process, or what a function makes of that."""
    ranks, frame = program.knowledge.ranks, program.frame(site.module, site.function)
    for part in parts:
        for value in program.values(part, frame) if isinstance(part, (Call, Attr, Ref, Global, Param)) else ():
            if isinstance(value, (Library, LibraryObject)) and value.name in ranks:
                return True
            made = parts_of(value.term) if isinstance(value, Unresolved) and value.term is not part else ()
            if any(isinstance(each, Ref) and program.knowledge.canonical(each.name) in ranks for each in made):
                return True
    return False


_BUILTINS = "builtins."
_TYPE_TEST, _TENSOR, _TENSOR_TEST = "builtins.isinstance", "Tensor", ".is_tensor"
_PRINTS = "print"
_TO_NUMBERS = ("float", "int", _PRINTS)
#: A loop that trains steps an optimizer; what only compares gradients does not.
_STEPS = frozenset(("step", "optimizer_step"))


class Read(NamedTuple):
    """The first value that is fetched in a step; ``more`` are the others, ``backward`` the backward pass, each with its file.

    ``value`` says how a repair finds what is fetched in the call: as a receiver, an argument, or not at all (``None``), as where
    another call is given the number.
    """

    module: str
    call: CallStep
    more: tuple[tuple[str, Call], ...]
    backward: tuple[str, Spot]
    value: str | None


def read_every_step(program: Program) -> Iterator[Read]:
    """One for each training loop on a device in whose every round something is fetched."""
    index, asked = program.ask(CallGraph), program.ask(Device)
    seen, told = set[int](), set[Call]()
    for name in sorted(program.knowledge.backward):
        for site in index.sites.get(name, ()):
            for module, function in _functions(program, site):
                if id(function) in seen:
                    continue
                seen.add(id(function))
                if not asked.used(module) or asked.elsewhere(module, function) or tests_software(program, module, function):
                    continue
                found = _in_function(program, asked, module, function)
                if found is not None and found.call.term not in told and _steps(program, module, function):
                    told.add(found.call.term)
                    yield found


def _functions(program: Program, site: CallSite) -> Iterator[tuple[str, Function]]:
    """The function of a backward pass, and those that hand it their loss."""
    yield site.module, site.function
    for caller in program.ask(CallGraph).callers(site.function):
        yield caller.module, caller.function


def _in_function(program: Program, asked: Device, module: str, function: Function) -> Read | None:
    frame = program.frame(module, function)
    passes = {root.spot: root for root in program.ask(Backward).roots(frame) if not root.returned}
    if not passes:
        return None
    raising: dict[int, frozenset[tuple[Term, bool]]] = {}
    enters = may_call(program, (*asked.knowledge.reads, *_TO_NUMBERS))
    ran = [
        (each.node, _without_errors(each.led, each.frame, raising), each.frame)
        for each in statements_run(program, function.body, frame, lambda call, _: enters(call))
        if isinstance(each.node, CallStep)
    ]
    for backward, led, where in ran:
        root = passes.get(backward.term.site) if where is frame else None
        if root is None or not _is_step(program, module, function, loops_around(function, backward)):
            continue
        if _is_whole_pass(program, backward, frame):
            continue
        reads = [
            (call, tuple((test, arm) for test, arm in way if not (arm and _is_tensor(asked, test, here, root.term))), here)
            for call, way, here in ran
            if _is_in_round(asked, function, call, here, frame, backward)
            and _fetches(asked, call.term, here, root.term)
            and not cut_at(program, here.module, call.term.site)
        ]
        always = [way for way in jointly(way for _, way, _ in reads) if _only_with(way, led)]
        reads = [each for each in reads if any(each[1][: len(way)] == way for way in always)]
        reads = [
            each for each in reads if not any(_is_inside(each[0].term, call.term) for call, *_ in reads if call is not each[0])
        ]
        if reads:
            (first, _, here), *more = reads
            value = None if is_handed_on(program, here.function, first.term) else _value(first.term)
            others = tuple((each.module, call.term) for call, _, each in more)
            return Read(here.module, first, others, (module, root.spot), value)
    return None


def _without_errors(led: Led, frame: Context, raising: dict[int, frozenset[tuple[Term, bool]]]) -> Led:
    """What leads to a statement of an activation, less the tests, there and on the way, whose other arm is an error."""
    for at in frame.active():
        if id(at.function) not in raising:
            raising[id(at.function)] = raising_arms(at.function.body)
        led = without_errors(led, raising[id(at.function)])
    return led


def _is_tensor(asked: Device, test: Term | Failed, frame: Context, root: Term) -> bool:
    """Whether a test asks if what a model has computed is a tensor, which it is: ``isinstance(v, torch.Tensor)``."""
    if not isinstance(test, Call) or not test.args or not isinstance(test.callee, Ref):
        return False
    kinds = [part.name.rpartition(".")[2] for each in test.args[1:] for part in parts_of(each) if isinstance(part, Ref)]
    asks = test.callee.name == _TYPE_TEST and _TENSOR in kinds
    return (asks or test.callee.name.endswith(_TENSOR_TEST)) and any(
        _is_computed(asked, test.args[0], at, root) for at in frame.active()
    )


def _is_in_round(asked: Device, function: Function, call: CallStep, frame: Context, outer: Context, backward: CallStep) -> bool:
    """Whether a call runs as often as a backward pass of an outer activation: in no other loop, there or on the way.

    Loops over what is written out do not count: what they do, a round does.
    """
    lead = leading_step(frame, call, outer)
    if lead is None or not same_round(function, lead, backward):
        return False
    term = call.term
    for at in frame.active():
        step = next((each for each in calls_of(at.function) if each.term is term), None)
        if at is outer or step is None or at.call is None:
            return at is outer
        if not all(counts(asked.program, loop.subject, at) for loop in loops_around(at.function, step)):
            return False
        term = at.call
    return False


def _steps(program: Program, module: str, function: Function) -> bool:
    """Whether an optimizer is stepped in a function, or in one that calls it."""
    asked = program.ask(Loops)
    if asked.function_says(module, function, _STEPS):
        return True
    return any(asked.function_says(site.module, site.function, _STEPS) for site in program.ask(CallGraph).callers(function))


def _is_step(program: Program, module: str, function: Function, around: tuple[Loop, ...]) -> bool:
    """Whether the innermost loop goes over batches, as far as is known, or the function is called in such a loop."""
    if around:
        return not on_the_same_data(program, around[-1], program.frame(module, function))
    for site in (site for lead in program.ask(Leading).to(function).values() for site in lead.sites):
        outside = loops_around(site.function, site.call)
        if outside:
            return _is_step(program, site.module, site.function, outside)
    return False


def _is_whole_pass(program: Program, call: CallStep, frame: Context) -> bool:
    """Whether what trains is a function that does so in a loop of its own: who calls it again and again counts epochs."""
    own = any(isinstance(each, FunctionValue) for each in program.ask(CallGraph).targets(call.term, frame))
    return own and not is_one_step(program, call, frame)


def _only_with(led: Led, other: Led) -> bool:
    """Whether what leads to a call also leads to another."""
    return all(test in other for test in led)


def _fetches(asked: Device, call: Call, frame: Context, root: Term) -> bool:
    """Whether a call fetches the loss, or something else that the model has computed."""
    name = last_name(call.callee) or ""
    if isinstance(call.callee, Attr) and not call.args and name in asked.knowledge.reads:
        return _is_computed(asked, call.callee.base, frame, root)
    if isinstance(call.callee, Ref) and call.callee.name in {_BUILTINS + each for each in _TO_NUMBERS}:
        return any(_is_computed(asked, each, frame, root) and not _is_fetched(asked, each) for each in _said(call))
    return False


def _said(call: Call) -> Iterator[Term]:
    """What a call is given; of an f-string, its parts."""
    for each in call.args:
        yield from each.pieces if isinstance(each, Composite) else (each,)


def _is_computed(asked: Device, term: Term, frame: Context, root: Term) -> bool:
    if isinstance(term, Const):
        return False
    parts = set(parts_of(term))
    if any(isinstance(part, Attr) and part.name in asked.knowledge.measures for part in parts):
        return False
    if root in parts or asked.holds_result(term, frame):
        return True
    given = [frame.given(part) for part in parts if isinstance(part, Param)]
    given += [each for part in parts if isinstance(part, Kwargs) for each in frame.surplus.values()]
    return any(isinstance(each, Argument) and _is_computed(asked, each.term, each.frame, root) for each in given)


def _is_fetched(asked: Device, term: Term) -> bool:
    """Whether something in a term has been fetched already, or is no tensor."""
    return any(
        isinstance(part, Call) and isinstance(part.callee, Attr) and part.callee.name in asked.knowledge.on_host
        for part in parts_of(term)
    )


def _is_inside(call: Call, other: Term) -> bool:
    """Whether a call is a part of what another is called on or given."""
    return any(part is call for part in parts_of(other) if part is not other)


def is_handed_on(program: Program, function: Function, fetched: Call) -> bool:
    """Whether another call is given what was fetched: kept on the device it may only be fetched there, by a `print` for one."""
    keeps = program.knowledge.gathers
    return any(_is_inside(fetched, call.term) for call in calls_of(function) if last_name(call.term.callee) not in keeps)


def _value(call: Call) -> str | None:
    if isinstance(call.callee, Attr) and call.callee.name == "item":
        return "receiver"
    return (
        "argument" if isinstance(call.callee, Ref) and call.callee.name == f"{_BUILTINS}float" and len(call.args) == 1 else None
    )


#: How a list is handed what it keeps as it is, at this position.
_FIRST = "0"
_STACKS = "stack"


class Collected(NamedTuple):
    """A call that puts an output into a list; ``loop`` is where its loop begins, ``fetched``: the whole list goes to the host."""

    site: CallSite
    loop: tuple[str, Spot]
    fetched: bool


def collected(program: Program) -> Iterator[Collected]:
    """The outputs that are collected over a loop over batches, with gradients off."""
    for site, filled, output in _puts(program):
        if tests_software(program, site.module, site.function):
            continue
        found = [_collected_in(program, site, filled, output, frame) for frame in contexts_at(program, site)]
        if found and found[0] is not None and all(found):
            yield found[0]


def _puts(program: Program) -> Iterator[tuple[CallSite, Term, Term]]:
    """The calls that put something into a list, with the list and what it is; of a comprehension, the call that gives an item."""
    sites = program.ask(CallGraph).sites
    puts = [name for name, position in program.knowledge.gathers.items() if position == _FIRST]
    for site in (site for name in puts for site in sites.get(name, ())):
        call = site.call.term
        if isinstance(call.callee, Attr) and len(call.args) == 1 and not call.kwargs:
            yield site, call.callee.base, call.args[0]
    for path, function in program.functions():
        for made, step in gathered(function):
            yield CallSite(path, function, step), made, made.item


def _collected_in(program: Program, site: CallSite, filled: Term, output: Term, frame: Context) -> Collected | None:
    """An output that is collected in an activation, in rounds of a loop of the function that has made the list."""
    asked = program.ask(Device)
    holder, outer = (filled, frame) if isinstance(filled, Comprehension) else origin(program, filled, frame)
    step = leading_step(frame, site.call, outer)
    if not (isinstance(holder, Comprehension) or (isinstance(holder, List) and not holder.items)) or step is None:
        return None
    around = loops_around(outer.function, step)
    if not around or is_counted(around[-1]) or around[-1].kind not in ("for", "while"):
        return None
    if any(made_within(outer.function, loop, holder) for loop in (around[:-1] if isinstance(holder, Comprehension) else around)):
        return None
    if not asked.used(outer.module) or asked.elsewhere(outer.module, outer.function):
        return None
    computed = _computed(asked, output, frame)
    if computed is None or program.ask(GradMode).at(computed[1], computed[0].site) != OFF:
        return None
    uses = [use for use in _uses(program, outer.function, holder) if use is not step.term]
    if any(isinstance(use, Call) and last_name(use.callee) == _STACKS for use in uses):
        return None  # batches of one size: most likely a number of each
    if any(_gathers(each.term) for function in (site.function, outer.function) for each in calls_of(function)):
        return None
    fetched = output is not site.call.term and bool(uses) and all(_is_output_fetched(asked, use, outer.function) for use in uses)
    return Collected(site, (outer.module, around[-1].spot), fetched)


def _computed(asked: Device, term: Term, frame: Context) -> tuple[Call, Context] | None:
    """The call of a model that returned a value, or something as large as it: an item of that, its softmax."""
    knowledge = asked.knowledge
    same = knowledge.tables["accelerators.as_large"]["names"]
    seen: set[tuple[Term, Context]] = set()
    while (term, frame) not in seen:  # a beam that is made of what it was in the round before leads back to itself
        seen.add((term, frame))
        term, frame = origin(asked.program, term, frame)
        if isinstance(term, Call) and asked.computes(term, frame):
            return term, frame
        if (isinstance(term, Attr) and term.name not in knowledge.on_host) or (
            isinstance(term, Subscript) and isinstance(term.key, Const)
        ):
            term = term.base
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in same:
            term = term.callee.base
        elif isinstance(term, Call) and isinstance(term.callee, Ref) and last_name(term.callee) in same and term.args:
            term = term.args[0]
        else:
            return None
    return None


def _gathers(call: Call) -> bool:
    """Whether a call gathers the values of all ranks, which have to be on the device for that."""
    return "gather" in (last_name(call.callee) or "")


def _uses(program: Program, function: Function, holder: Term) -> Iterator[Term]:
    """The terms in which the list is used, apart from what is put into it."""
    seen: set[Term] = set()
    for each in terms_of(function):
        for part in parts_of(each):
            if isinstance(part, Call) and part not in seen and any(argument is holder for argument in part.args):
                seen.add(part)
                yield part
    for value in program.returns(function):
        if value is holder:
            yield value


def _is_output_fetched(asked: Device, use: Term, function: Function) -> bool:
    """Whether what a use makes of the list is only taken to the host: ``torch.cat(outputs).cpu()``."""
    if not isinstance(use, Call) or not isinstance(use.callee, Ref):
        return False
    around = [
        (part, part.callee)
        for each in terms_of(function)
        for part in parts_of(each)
        if isinstance(part, Call) and isinstance(part.callee, Attr)
    ]
    taken = [method for _, method in around if method.base is use]
    others = [part for part, _ in around if any(argument is use for argument in part.args)]
    return bool(taken) and not others and all(method.name in asked.knowledge.reads for method in taken)
