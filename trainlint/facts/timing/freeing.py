"""Memory that is given back, or objects that are looked for, by hand in every step of a training loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.steps.objects import Things
from trainlint.facts.timing.device import on_the_same_data
from trainlint.facts.values import Frame, FunctionValue, Library, Made, Other
from trainlint.finding import Spot
from trainlint.ir.control_dependence import Failed, Led, positive, raising_arms, walk_tested
from trainlint.ir.nodes import NAMED, And, Attr, BinOp, BoolOp, Call, Const, Element, Global, LoopPhi, Param, Ref, Term
from trainlint.ir.order import loops_around
from trainlint.ir.sketch import Block, CallStep, Function, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind


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


def every_step(program: Program) -> Iterator[Freed]:
    """Each such call in a loop over batches, that runs whatever happens there."""
    table = program.knowledge.tables["frees"]
    for name in sorted({dotted.rpartition(".")[2] for dotted in table}):
        for site in program.ask(CallGraph).sites.get(name, ()):
            frame = program.frame(site.module, site.function)
            words = [
                table.get(value.name) for value in program.values(site.call.term.callee, frame) if isinstance(value, Library)
            ]
            if len(words) != 1 or words[0] is None or tests_software(program, site.module, site.function):
                continue
            if site.call.statement != site.call.term.site:
                continue
            found = _in_loop(program, site, site, words[0])
            if (
                found is None
                and not loops_around(site.function, site.call)
                and _always(program, site, _led(site, site.function.body))
            ):
                found = _in_callers_loop(program, site, words[0])
            if found is not None:
                yield found


def _in_loop(program: Program, site: CallSite, looped: CallSite, word: str) -> Freed | None:
    """What a call frees in each round of the loop around it, or of the one around the call of its function."""
    around = loops_around(looped.function, looped.call)
    if not around or tests_software(program, looped.module, looped.function):
        return None
    if on_the_same_data(program, around[-1], program.frame(looped.module, looped.function)):
        return None
    led = _led(looped, around[-1].body)
    own = looped is site
    switched = not _always(program, site, led) if own else False
    if not all(_is_setting(test, holds=arm) for test, arm in led) and (switched or not own):
        return None
    if switched and not all(isinstance(test, Failed) or _says_more(test, site.function) for test, _ in led):
        return None
    if _measures(program, around[-1], led):
        return None
    step = _step(program, looped, around)
    return Freed(site, word, around[-1].spot, step, looped, switched) if step is not None else None


def _in_callers_loop(program: Program, site: CallSite, word: str) -> Freed | None:
    """A function that frees memory whenever it runs, and that runs in each step, as the update of an average does."""
    for caller in program.ask(CallGraph).callers(site.function):
        found = _in_loop(program, site, caller, word)
        if found is not None and found.step is not caller.call:
            return found
    return None


def _led(site: CallSite, block: Block) -> Led:
    """The tests that lead to a call, less those whose other arm is an error: all rounds that go on come by there."""
    led = next((way for node, way in walk_tested(block) if node is site.call), ())
    raising = raising_arms(block)
    return tuple((test, arm) for test, arm in led if isinstance(test, Failed) or (test, arm) not in raising)


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


def is_one_step(program: Program, call: CallStep, frame: Frame) -> bool:
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
            if isinstance(value, (Library, Made)) and value.name in ranks:
                return True
            made = parts_of(value.term) if isinstance(value, Other) and value.term is not part else ()
            if any(isinstance(each, Ref) and program.knowledge.canonical(each.name) in ranks for each in made):
                return True
    return False
