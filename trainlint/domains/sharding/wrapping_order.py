"""What is done in the wrong order with the wrapping of a model.

Optimizers that took a model's parameters before the model was sharded: they go on with tensors that nobody computes
gradients of. Batch norms that are converted to synchronised ones after the model was wrapped for DDP: documented is
the other order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.constructor_arguments import Options
from trainlint.domains.files import argument
from trainlint.domains.optimizer_parameters import Taken, Takers, regrouped
from trainlint.domains.sharding.wrapping import Models, Sharding, Shardings, agree, covers, related, replicas, same
from trainlint.ir.nodes import Attr, LoopPhi, Param, Term
from trainlint.ir.printer import lasting
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.contexts import At, contexts_at, runs_before
from trainlint.program.object_identity import Keys
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library

_OPTIMIZER = "optimizer"
#: Options that are flags: where nobody can say whether one is given, it may be. Modules to be left alone are given seldom.
_FLAG = "use_"
_INITIALIZES = "__init__"


class EarlyOptimizer(NamedTuple):
    """An optimizer made too early: what it took, and the call that shards the model afterwards.

    ``name`` is what the function calls the model that is sharded, where both stand in one function; empty when it is sharded in
    place, None when the optimizer cannot simply be made behind it. ``keeps`` is the flag with which the parameters would stay.
    """

    taken: Taken
    sharding: Sharding
    name: str | None
    keeps: str | None


def early_optimizers(program: Program) -> Iterator[EarlyOptimizer]:
    """The optimizers that are made before their model is sharded, one finding for each call."""
    found = program.ask(Shardings).all()
    replacing = [each for each in found if _replaces(program, each)]
    if not replacing:
        return
    made = [_exactly(program, each) for each in program.ask(Takers).all(some=True) if each.kind == _OPTIMIZER]
    seen: set[Term] = set()
    for taken in made:
        if taken.node.term in seen or any(regrouped(function) for function in _functions(taken.frame)):
            continue
        sharding = next((each for each in replacing if _too_early(program, taken, each)), None)
        if sharding is None or _is_made_again(program, made, taken, sharding):
            continue
        seen.add(taken.node.term)
        yield EarlyOptimizer(taken, sharding, _name(program, taken, sharding), _flag(program, sharding))


def _exactly(program: Program, taken: Taken) -> Taken:
    """With the keys of the very models whose parameters it took."""
    keys = (
        key
        for base, frame in program.ask(Takers).given(taken.node, taken.frame)
        for key in program.ask(Models).meant(base, frame)
    )
    return taken._replace(keys=frozenset(keys))


def _replaces(program: Program, sharding: Sharding) -> bool:
    """Whether it certainly puts other parameters into the model (table ``parallel.replaces``)."""
    table = program.knowledge.tables["parallel.replaces"]
    if sharding.name not in table or not (sharding.keys or sharding.inside):
        return False
    call, frame = sharding.site.call.term, sharding.frame
    for option in table[sharding.name].split():
        given = program.ask(Options).given(call, frame, option, sharding.name)
        unsaid = given.absent if option.startswith(_FLAG) else not given.values
        if not unsaid and given.constants() != [False]:
            return False
    return not any(regrouped(function) for function in _functions(frame))


def _functions(frame: Context) -> list[Function]:
    """The functions that run in an activation."""
    found: list[Function] = []
    at: Context | None = frame
    while at is not None:
        found.append(at.function)
        at = at.caller
    return found


def _too_early(program: Program, taken: Taken, sharding: Sharding) -> bool:
    if not _of_one(taken.keys, sharding):
        return False
    place = At(taken.frame, taken.node.term.site)
    return runs_before(program, place, sharding.at) is True and agree(program, place, sharding.at)


def _of_one(keys: Keys, sharding: Sharding) -> bool:
    """Whether an optimizer's parameters are among those that are replaced."""
    return covers(keys, sharding.keys | sharding.inside)


def _is_made_again(program: Program, made: list[Taken], taken: Taken, sharding: Sharding) -> bool:
    """Whether an optimizer of this model is made behind the sharding, too, or this one is told its new parameters."""
    for each in made:
        if each is not taken and related(each.keys, taken.keys):
            place = At(each.frame, each.node.term.site)
            if runs_before(program, place, sharding.at) is not True:
                return True
    return any(map(_initializes, (*_functions(taken.frame), *_functions(sharding.frame))))


def _initializes(function: Function) -> bool:
    """Whether an object is initialised anew: ``optimizer.__init__(model.parameters(), **optimizer.defaults)``."""
    callees = (node.term.callee for node in calls_of(function) if node.term.args)
    return any(
        isinstance(callee, Attr) and callee.name == _INITIALIZES and isinstance(callee.base, (Attr, Param, LoopPhi))
        for callee in callees
    )


def _name(program: Program, taken: Taken, sharding: Sharding) -> str | None:
    call, function = sharding.site.call, sharding.frame.function
    if taken.frame.function is not function or sharding.inside:
        return None
    if sharding.name in program.knowledge.parallel_in_place:
        return ""
    return lasting(call.term, function)


def _flag(program: Program, sharding: Sharding) -> str | None:
    options_of = program.knowledge.tables["parallel.replaces"][sharding.name].split()
    return next((option for option in options_of if option.startswith(_FLAG)), None)


class LateConversion(NamedTuple):
    """A conversion that comes late, the call that wrapped the model, and what the function calls it, where both stand in one."""

    site: CallSite
    wrapped: Sharding
    name: str | None


def late_conversions(program: Program) -> Iterator[LateConversion]:
    """The conversions of models that are wrapped by then, one for each call."""
    names = program.knowledge.tables["parallel.converts"]["names"]
    for name in sorted({each.rpartition(".")[2] for each in names}):
        for site in program.ask(CallGraph).sites_named(name):
            alone = program.frame(site.module, site.function)
            made = [value.name for value in program.values(site.call.term.callee, alone) if isinstance(value, Library)]
            if len(made) != 1 or made[0] not in names or tests_software(program, site.module, site.function):
                continue
            for frame in contexts_at(program, site):
                wrapped = _wrapped(program, site, frame)
                if wrapped is not None:
                    together = wrapped.site.function is site.function
                    yield LateConversion(site, wrapped, lasting(site.call.term, site.function) if together else None)
                    break


def _wrapped(program: Program, site: CallSite, frame: Context) -> Sharding | None:
    """The call that wrapped the model before."""
    model, place = argument(site.call.term, "0", "module"), At(frame, site.call.term.site)
    keys = program.ask(Models).meant(model, frame) if model is not None else ()
    earlier = (each for each in program.ask(replicas).all() if keys and runs_before(program, each.at, place) is True)
    of_model = (each for each in earlier if any(same(key, other) for key in keys for other in each.keys))
    return next((each for each in of_model if agree(program, each.at, place)), None)
