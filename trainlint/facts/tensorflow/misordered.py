"""Stages in an order that makes all epochs alike: batches are shuffled instead of examples, draws are kept in a cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.loaders.options import led_to
from trainlint.facts.partials import partial_of
from trainlint.facts.program import Program, calls_of
from trainlint.facts.software_tests import tests_software
from trainlint.facts.tensorflow.pipelines import Pipeline, Pipelines, Stage
from trainlint.facts.values import Frame, FunctionValue, Library
from trainlint.finding import Applicability
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import Attr, Call, Const, Term
from trainlint.ir.printer import show
from trainlint.ir.sketch import CallStep, Function
from trainlint.sites.changes import Change, Move, Rewrite

_DEEPEST = 3
#: In names of functions that draw the same numbers for the same seed; in names of what decides whether a cache is wanted.
_SEEDED, _WANTED = "stateless", "cache"
_FILES, _BATCHES = "files", "batches"
#: So few elements, written as a number, are one example or a pair, and no batch.
_FEW = 2
#: Stages behind which what was a batch is none any more, or is put together anew.
_ANEW = frozenset(("unbatch", "rebatch", "group", "reads", "apply", "bucket"))
#: What a training set has, and what is not read again and again.
_TRAINS, _SMALL = frozenset(("shuffle", "repeat")), frozenset(("take",))


class Misordered(NamedTuple):
    """A stage that comes too late or too early (``kind``: what is wrong), and the ``earlier`` one that should come after it."""

    module: str
    call: CallStep
    kind: Literal["shuffled", "kept"]
    earlier: Stage
    change: Change | None = None


def misordered(program: Program) -> Iterator[Misordered]:
    """Each such stage, once."""
    asked, seen = program.ask(Pipelines), set()
    for finder in (_shuffled_batches, _kept_draws):
        for found in finder(program, asked):
            if (found.module, found.call.term.site) not in seen:
                seen.add((found.module, found.call.term.site))
                yield found


def _shuffled_batches(program: Program, asked: Pipelines) -> Iterator[Misordered]:
    again = {stage.term for word in ("batch", *_ANEW) for *_, each in asked.ending(word) for stage in each.stages[:-1]}
    ways: dict[Term, list[tuple[str, Function, CallStep, Pipeline]]] = {}
    for site, _, each in asked.ending("shuffle"):
        ways.setdefault(site.call.term, []).append((site.module, site.function, site.call, each))
    for call, found in ways.items():
        module, function, node, _ = found[0]
        batches = [_batch_of(each) for *_, each in found]
        first = next((each for each in batches if each is not None), None)
        if first is None or call in again or any(_is_shuffled(each) for *_, each in found):
            continue
        if not tests_software(program, module, function) and not _is_read_by_another(program, asked, function):
            yield Misordered(module, node, "shuffled", first, _swapped(function, node, first))


def _is_read_by_another(program: Program, asked: Pipelines, function: Function) -> bool:
    """Whether another dataset reads this one, ``files.interleave(lambda file: make(file))``: that may shuffle again."""
    names = [name for name, word in asked.stages.items() if word == "reads"]
    lambdas = [site.function for site in program.ask(CallGraph).callers(function) if site.function.kind == "lambda"]
    handed = [site for each in (function, *lambdas) for site in program.ask(CallGraph).handed.get(each.name, ())]
    return bool(lambdas) or any(last_name(site.call.term.callee) in names for site in handed)


def _batch_of(way: Pipeline) -> Stage | None:
    """The stage that made the batches whose order the last stage shuffles; None where it shuffles examples, or single ones."""
    if way.source == _BATCHES:
        return None
    for stage in reversed(way.stages[:-1]):
        if stage.word in _ANEW:
            return None
        if stage.word == "batch":
            size = stage.call.args[0] if stage.call.args else None
            few = size is not None and isinstance(size, Const) and isinstance(size.value, int) and size.value <= _FEW
            return None if few else stage
    return None


def _is_shuffled(way: Pipeline) -> bool:
    """Whether the examples, or the files they are in, were shuffled before."""
    if any(stage.word == "shuffle" for stage in way.stages[:-1]):
        return True
    given = dict(way.first.kwargs) if way.first is not None else {}
    ordered = given.get("shuffle")
    return way.source == _FILES and not (ordered is not None and isinstance(ordered, Const) and ordered.value is False)


def _swapped(function: Function, node: CallStep, batch: Stage) -> Change | None:
    """Shuffle first: within the expression, or statement before statement."""
    message = "Shuffle the examples, then make batches"
    shuffle, call = node.term, batch.call
    if not isinstance(shuffle.callee, Attr):
        return None
    if shuffle.callee.base is call and isinstance(call.callee, Attr) and node.statement.holds(call.site):
        paths = (
            (("receiver", 0), ("receiver", 0)),
            (("arguments", 0),),
            (("receiver", 0), ("arguments", 0)),
        )
        code = f"{{0}}.{shuffle.callee.name}({{1}}).{call.callee.name}({{2}})"
        return Rewrite(Applicability.SAFE, message, spot=shuffle.site, code=code, paths=paths)
    other = next((each for each in calls_of(function) if each.term is call), None)
    names = [name for name, term in held_at_end(function).items() if term is shuffle]
    if other is None or len(names) != 1 or shuffle.callee.base is not call:
        return None
    return Move(Applicability.SAFE, message, statement=node.statement, target=other.statement, behind=False, anew=tuple(names))


# -- what is drawn once ------------------------------------------------------------------------------------------------


def _kept_draws(program: Program, asked: Pipelines) -> Iterator[Misordered]:
    for site, _, each in asked.ending("cache"):
        if not _is_wanted(site.function, site.call.term) or not _TRAINS & _around(asked, site.call.term):
            continue
        for number, stage in enumerate(each.stages[:-1]):
            later = {one.word for one in each.stages[number:-1]}
            if stage.word == "map" and not later & _SMALL and _draws(program, stage):
                if not tests_software(program, site.module, site.function):
                    yield Misordered(site.module, site.call, "kept", stage)
                break


def _is_wanted(function: Function, cache: Call) -> bool:
    """Whether a cache is there in every run, or where somebody asked for one: under other tests it may be for an evaluation."""
    return all(_WANTED in show(test) for test, _ in conditions(led_to(function, cache)))


def _around(asked: Pipelines, cache: Term) -> set[str]:
    """What the stages are, before and behind, of all pipelines in which a stage is."""
    found: set[str] = set()
    for word in ("cache", "shuffle", "repeat"):
        for *_, each in asked.ending(word):
            if any(stage.term is cache for stage in each.stages):
                found |= set(each.words())
    return found


def _draws(program: Program, stage: Stage) -> bool:
    """Whether the function of a ``map`` draws random numbers."""
    given = stage.call.args[:1] or tuple(value for name, value in stage.call.kwargs if name == "map_func")
    values = [value for term in given for value in program.values(term, stage.frame)]
    partials = [partial for partial in map(partial_of, values) if partial is not None]
    values += [value for partial in partials for value in program.values(partial.callee, partial.frame)]
    return any(_draws_in(program, each.function, each, 0) for each in values if isinstance(each, FunctionValue))


def _draws_in(program: Program, function: Function, target: FunctionValue, depth: int) -> bool:
    drawn: tuple[str, ...] = tuple(program.knowledge.tables["datasets.drawn"]["names"])
    frame: Frame = program.frame(target.module, function)
    for call in calls_of(function):
        for found in program.ask(CallGraph).targets(call.term, frame):
            if isinstance(found, Library):
                if found.name.startswith(drawn) and _SEEDED not in found.name:
                    return True
            elif depth < _DEEPEST and found.function is not function and _draws_in(program, found.function, found, depth + 1):
                return True
    return False


__all__ = ["Misordered", "misordered"]
