"""Checkpoints that training goes on from without the state of its optimizer: only weights and a number are in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.checkpoints.resumed import Resumption, Resumptions
from trainlint.facts.checkpoints.states import States
from trainlint.facts.checkpoints.written import Contents, Save, Written
from trainlint.facts.def_use import made_by
from trainlint.facts.loops import Loops
from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.objects import Thing, Things, named
from trainlint.facts.values import Frame, FunctionValue, Made
from trainlint.ir.names import dotted_name
from trainlint.ir.nodes import VARIABLES, Attr, Call, Global, Param, Self, Term
from trainlint.ir.order import within
from trainlint.ir.terms import is_super, parts_of

_STEP = "step"
#: How many objects deep a state is put together of others.
_DEEPEST = 3


class Dropped(NamedTuple):
    """A save without the optimizer, in a loop that goes on from it, and the call where what is saved is put together."""

    resumption: Resumption
    save: Save
    frame: Frame
    call: Call


def dropped(program: Program) -> Iterator[Dropped]:
    """Each such save, once for a loop."""
    seen: set[int] = set()
    for resumption in program.ask(Resumptions).found if program.ask(Written).saves else ():
        if id(resumption.loop) in seen or _is_kept_somewhere(program, resumption):
            continue
        found = _in_loop(program, resumption)
        if found is not None:
            seen.add(id(resumption.loop))
            yield found


def _is_kept_somewhere(program: Program, resumption: Resumption) -> bool:
    """Whether the state of some optimizer is saved or restored beside the loop, or beside what loads."""
    known = program.ask(States)
    near = {resumption.module, resumption.load.frame.module if resumption.load.frame is not None else resumption.module}
    return any(each.site.module in near for each in (*known.saved, *known.restored))


def _in_loop(program: Program, resumption: Resumption) -> Dropped | None:
    optimizer = _steps(program, resumption)
    if optimizer is None or _forgets(program, optimizer):
        return None
    answer: Dropped | None = None
    for save in program.ask(Written).saves:
        inside = [(frame, call) for frame, call in save.leading() if frame.function is resumption.function]
        if not inside or not within(resumption.function, resumption.loop, inside[0][1]):
            continue
        for contents in program.ask(Written).contents(save):
            if not contents.whole or resumption.key not in contents.items:
                if answer is None and contents.whole:
                    continue
                return None
            if not _is_weights(program, contents) or _mentions_optimizer(program, contents):
                return None
            made = contents.made.frame.function
            where = next(((frame, call) for frame, call in save.leading() if frame.function is made), inside[0])
            answer = answer or Dropped(resumption, save, *where)
    return answer


def _steps(program: Program, resumption: Resumption) -> Thing | None:
    """The optimizer that a loop steps, or hands to what it calls, or one that is stepped in its file."""
    frame, asked = program.frame(resumption.module, resumption.function), program.ask(Things)
    if not program.ask(Loops).says(resumption.module, resumption.function, resumption.loop.body, frozenset((_STEP,))):
        return None
    for node in calls_of(resumption.function):
        if not within(resumption.function, resumption.loop, node):
            continue
        own = (node.term.callee.base,) if isinstance(node.term.callee, Attr) and node.term.callee.name == _STEP else ()
        for term in (*own, *node.term.args, *(value for _, value in node.term.kwargs)):
            thing = asked.of(term, frame)
            if thing.kind == "optimizer":
                return thing
    for site in program.ask(CallGraph).sites.get(_STEP, ()):  # of the file, in a function that the loop calls
        callee = site.call.term.callee
        if site.module == resumption.module and isinstance(callee, Attr):
            thing = asked.of(callee.base, program.frame(site.module, site.function))
            if thing.kind == "optimizer":
                return thing
    return None


def _forgets(program: Program, optimizer: Thing) -> bool:
    """Whether an optimizer keeps nothing from step to step; of one whose maker is unknown, whether one of its file may."""
    if optimizer.made:
        known = [(each.name if isinstance(each, Made) else "", each.call) for each in optimizer.made]
        return all(call is not None and _keeps_nothing(program, name, call) for name, call in known)
    makers = (node.term for path, _, node, kind in program.ask(made_by) if kind == "optimizer" and path == optimizer.frame.module)
    return any(_keeps_nothing(program, program.knowledge.canonical(dotted_name(call.callee) or ""), call) for call in makers)


def _keeps_nothing(program: Program, name: str, call: Call) -> bool:
    """Whether a call makes an optimizer without a state."""
    told = program.knowledge.tables["checkpoints.forgetful"].get(name)
    if told is None or len(call.args) > 2:  # noqa: PLR2004 - parameters and the rate
        return False
    return all(keyword is not None and keyword != told for keyword, _ in call.kwargs)


def _is_weights(program: Program, contents: Contents) -> bool:
    """Whether the state of something that is no optimizer is in a dict."""
    return any(_state(program, bound.term) for values in contents.items.values() for bound in values)


def _state(program: Program, term: Term) -> bool:
    taking = program.ask(States).taking
    return any(isinstance(part, Call) and last_name(part.callee) in taking for part in parts_of(term))


def _mentions_optimizer(program: Program, contents: Contents) -> bool:
    """Whether something of an optimizer may be in a dict, or something of everything."""
    for key, values in contents.items.items():
        if named(program.knowledge, Param.new("", key)) == "optimizer":
            return True
        for bound in values:
            for part in parts_of(bound.term):
                if isinstance(part, VARIABLES) and named(program.knowledge, part) == "optimizer":
                    return True
                if isinstance(part, Call) and _is_of_several(program, part, bound.frame):
                    return True
    return False


def _is_of_several(program: Program, call: Call, frame: Frame, depth: int = _DEEPEST) -> bool:
    """Whether a call takes the state of an object whose method puts one together that may have an optimizer's in it.

    What a class of the project gives for its state is what it says there: a trainer's is everything, that of a module around a
    module its weights.
    """
    if not isinstance(call.callee, Attr) or call.callee.name not in program.ask(States).taking or depth == 0:
        return False
    for target in program.ask(CallGraph).targets(call, frame):
        if not isinstance(target, FunctionValue) or frame.runs(target.function):
            continue
        inner = program.enter(target, call, frame)
        for node in calls_of(target.function):
            callee = node.term.callee
            if not isinstance(callee, Attr) or callee.name not in program.ask(States).taking or is_super(callee.base):
                continue
            if (
                not isinstance(callee.base, (Self, Attr, Param, Global))
                or program.ask(Things).of(callee.base, inner).kind == "optimizer"
            ):
                return True
            if _is_of_several(program, node.term, inner, depth - 1):
                return True
    return False
