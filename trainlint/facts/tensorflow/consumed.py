"""Where datasets are used up: by ``fit``, by a loop that goes over them, by a strategy that divides them among its replicas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.program import Program
from trainlint.facts.tensorflow.pipelines import Pipeline, Pipelines
from trainlint.facts.values import Frame, FunctionValue, Made
from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, SequenceDisplay, Term
from trainlint.ir.sketch import Loop
from trainlint.ir.walk import of_kind

Way = Literal["fit", "loop", "divided"]


class Consumer(NamedTuple):
    """One use of a dataset, in one activation: the ways in which it is made, the call or loop, and how often a round is run.

    ``limited`` says that a number of batches is given, so that the last ones of the data may never come.
    """

    way: Way
    frame: Frame
    spot: Spot
    made: tuple[Pipeline, ...]
    call: Call | None
    limited: bool = False


def fits(program: Program) -> Iterator[Consumer]:
    """The datasets that methods such as ``fit`` train a model on."""
    asked, table = program.ask(Pipelines), program.knowledge.tables["datasets.fits"]
    for name in table["methods"]:
        for site in program.ask(CallGraph).sites.get(name, ()):
            call = site.call.term
            named = dict(call.kwargs)
            given = call.args[0] if call.args else next((named[each] for each in table["data"] if each in named), None)
            if not isinstance(call.callee, Attr) or given is None or not asked.near(site.module):
                continue
            limited = any(each in named for each in table["limits"])
            for frame in activations(program, site.module, site.function):
                made = asked.seen(given, frame)
                if made:
                    yield Consumer("fit", frame, call.site, made, call, limited)


def walked(program: Program) -> Iterator[tuple[Consumer, Loop]]:
    """The datasets that loops go over."""
    asked = program.ask(Pipelines)
    for path, function in program.functions():
        for loop in of_kind(function, Loop) if asked.near(path) else ():
            if loop.kind != "for" or not loop.names:
                continue
            for frame in activations(program, path, function):
                made = asked.seen(loop.subject, frame)
                if made:
                    yield Consumer("loop", frame, loop.spot, made, None), loop


def divided(program: Program) -> Iterator[Consumer]:
    """The datasets that a strategy divides among its replicas, also those that a function makes for it."""
    asked, table = program.ask(Pipelines), program.knowledge.tables["datasets.divided"]
    for name, word in table.items():
        for site in program.ask(CallGraph).sites.get(name, ()):
            call = site.call.term
            if not isinstance(call.callee, Attr) or not call.args or not asked.near(site.module):
                continue
            for frame in activations(program, site.module, site.function):
                ways = asked.seen(call.args[0], frame) if word == "dataset" else _returned(program, call.args[0], frame)
                if ways:
                    yield Consumer("divided", frame, call.site, ways, call, not _is_gone_over(program, call))


def _returned(program: Program, term: Term, frame: Frame) -> tuple[Pipeline, ...]:
    """The ways in which a function that is handed over makes its dataset."""
    asked = program.ask(Pipelines)
    for value in program.values(term, frame):
        if isinstance(value, FunctionValue):
            alone = program.frame(value.module, value.function)
            inner = Frame(
                value.module, value.function, receiver=value.receiver or alone.receiver, closure=value.closure or alone.closure
            )
            ways = [each for returned in program.returns(value.function) for each in asked.seen(returned, inner)]
            return tuple(dict.fromkeys(ways))
    return ()


def _is_gone_over(program: Program, call: Call) -> bool:
    """Whether a loop goes over all that a strategy's dataset has, and not over a number of batches."""
    for path, function in program.functions():
        for loop in of_kind(function, Loop):
            if loop.kind == "for" and loop.names and not isinstance(loop.subject, (Const, SequenceDisplay)):
                for frame in activations(program, path, function):
                    values = program.values(loop.subject, frame)
                    if any(isinstance(value, Made) and value.call is call for value in values):
                        return True
    return False


__all__ = ["Consumer", "divided", "fits", "walked"]
