"""Which models a loop's optimizers hold: a backward pass goes through a frozen model as well, and nothing of it is trained."""

from __future__ import annotations

from trainlint.facts.modes.evidence import sources
from trainlint.facts.modes.identity import Identities, Key, Keys
from trainlint.facts.modes.rounds import STEP, Event
from trainlint.facts.program import Program
from trainlint.facts.steps.objects import Thing, Things
from trainlint.facts.steps.taken import Takers
from trainlint.ir.nodes import Attr


def holds_others(program: Program, events: list[Event], at: int, key: Key) -> bool:
    """Whether every optimizer that steps behind a pass, in its loops or deeper, is seen to hold other models than this one.

    They have to be models that the run speaks of: what is known by another name might be the same.
    """
    inside = events[at].inside
    steps = [each for each in events[at + 1 :] if each.kind == STEP and each.inside[: len(inside)] == inside]
    optimizers = [found for step in steps for found in _stepped(program, step)]
    if not optimizers:
        return False
    spoken = frozenset().union(*(each.keys for each in events))
    mine = sources(program, key)
    held = [_held(program, each) for each in optimizers]
    return all(keys is not None and keys & spoken and not keys & mine for keys in held)


def _stepped(program: Program, step: Event) -> tuple[Thing, ...]:
    """The optimizer of a step: a scaler is told it, a scheduler is none."""
    asked, term = program.ask(Things), step.call.term
    assert isinstance(term.callee, Attr)
    found = asked.of(term.callee.base, step.frame)
    if found.kind == "scaler" and term.args:
        found = asked.of(term.args[0], step.frame)
    return () if found.kind == "scheduler" else (found,)


def _held(program: Program, optimizer: Thing) -> Keys | None:
    """The models of which an optimizer was given parameters; None where that is not to be seen of each that it may be."""
    if optimizer.made is None:
        return None
    found: set[Key] = set()
    for made in optimizer.made:
        if made.call is None or made.frame is None:
            return None
        given = made.call.args[0] if made.call.args else dict(made.call.kwargs).get("params")
        bases = list(program.ask(Takers).bases(given, made.frame, some=True)) if given is not None else []
        keys = frozenset(key for base, frame in bases for key in program.ask(Identities).of(base, frame))
        if not keys:
            return None
        found |= keys
    return frozenset(found)
