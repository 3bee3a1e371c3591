"""Whether DDP averages the gradients: bypassed wrappers, ``no_sync()`` in the wrong place, gradients averaged by hand.

A model that is run past its wrapper (``wrapped.module(x)``, or the model that was wrapped) keeps the gradients of its
own rank. A backward pass under ``no_sync()`` whose forward pass stands outside averages them all the same. And where
the ranks average themselves (``all_reduce(p.grad)``), no wrapper is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.backward import Backward
from trainlint.domains.data_parallel.models import Parallel
from trainlint.domains.nn.modules import model_of, runs_what_it_holds
from trainlint.finding import Spot
from trainlint.ir.nodes import And, Attr, BoolOp, Call, Comprehension, Global, Nested, NestedClass, Param, Ref, Select, Self, Term
from trainlint.ir.order import before, between, loops_around, within
from trainlint.ir.printer import code_in, lasting, name_in
from trainlint.ir.sketch import CallStep, Function, If, Store, With
from trainlint.ir.terms import mentions, parts_of, root_of
from trainlint.ir.walk import effects, of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name, method_of
from trainlint.program.contexts import At, contexts_at, path
from trainlint.program.enclosing import surroundings
from trainlint.program.leading import Leading
from trainlint.program.object_identity import Identities, Keys
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Instance, Library, LibraryObject, Unresolved


def averaged_by_hand(program: Program) -> frozenset[int]:
    """The functions (by id) in which ranks average gradients over all of them, or that call one of these."""
    names = program.knowledge.tables["parallel.averages"]["names"]
    sites = (site for name in names for site in program.ask(CallGraph).sites_named(name))
    averaging = [site.function for site in sites if _averages_gradients(program, site)]
    return frozenset(program.ask(Leading).to(*averaging))


def _averages_gradients(program: Program, site: CallSite) -> bool:
    """Whether a call is a collective of all ranks that is given gradients."""
    call, knowledge = site.call.term, program.knowledge
    frame = program.frame(site.module, site.function)
    names = {target.name for target in program.ask(CallGraph).targets(call, frame) if isinstance(target, Library)}
    positions = [knowledge.collectives[name] for name in names if name in knowledge.collectives]
    if not positions or any(name in knowledge.group_keywords for name, _ in call.kwargs):
        return False
    if any(-1 < position < len(call.args) for position in positions):
        return False
    given = (*call.args[:1], *(value for _, value in call.kwargs))
    return any(isinstance(part, Attr) and part.name in knowledge.gradient_attributes for part in _parts(given))


def _parts(terms: tuple[Term, ...]) -> Iterator[Term]:
    """The parts of terms, and those of the comprehensions among them."""
    for part in parts_of(*terms):
        yield part
        if isinstance(part, Comprehension):
            yield from parts_of(part.item)


_DDP = "ddp"
#: What has a name of its own.
_NAMED = (Attr, Ref, Global, Param, Nested, NestedClass)


class Bypass(NamedTuple):
    """A forward pass past the wrapper; ``wrap`` is where the model is wrapped, ``name`` what the wrapper is called here.

    ``inner``: the call is one of the wrapper's ``.module``. ``method``: the method that runs the model, where that is not its
    forward pass.
    """

    frame: Context
    call: CallStep
    backward: Spot
    wrap: tuple[str, Spot] | None
    inner: bool
    name: str | None
    method: str | None


class Wraps(NamedTuple):
    """The models that are wrapped: the call, in one activation, and what it is given."""

    site: CallSite
    keys: Keys


def bypassed(program: Program) -> Iterator[Bypass]:
    """The forward passes past a wrapper, of losses that a backward pass is run on."""
    if not program.ask(Parallel).active:
        return
    wraps = list(_wraps(program))
    if not wraps:
        return
    seen: set[tuple[str, Term]] = set()
    for name in sorted(program.knowledge.backward):
        for site in program.ask(CallGraph).sites.get(name, ()):
            if tests_software(program, site.module, site.function):
                continue
            for frame in contexts_at(program, site):
                for found in _in(program, site, frame, wraps):
                    key = (found.frame.module, found.call.term)
                    if key not in seen:
                        seen.add(key)
                        yield found


def _wraps(program: Program) -> Iterator[Wraps]:
    words = {name.rpartition(".")[2] for name, word in program.knowledge.parallel.items() if word == _DDP}
    for word in sorted(words):
        for site in program.ask(CallGraph).sites_named(word):
            given = dict(site.call.term.kwargs)
            model = site.call.term.args[0] if site.call.term.args else given.get("module")
            alone = program.frame(site.module, site.function)
            made = (value for value in program.values(site.call.term.callee, alone) if isinstance(value, Library))
            if model is None or not any(program.knowledge.parallel.get(value.name) == _DDP for value in made):
                continue
            if _takes_its_place(site, model):
                continue
            for frame in contexts_at(program, site):
                yield Wraps(site, program.ask(Identities).of(model, frame))


def _takes_its_place(site: CallSite, model: Term) -> bool:
    """Whether the wrapper is stored where the model was: ``self.model = DDP(self.model)``."""
    names = [
        node.target.name
        for node in of_kind(site.function, Store)
        if isinstance(node.target, Attr) and mentions(node.value, site.call.term)
    ]
    return any(isinstance(part, Attr) and part.name == name for name in names for part in parts_of(model))


def _in(program: Program, site: CallSite, frame: Context, wraps: list[Wraps]) -> Iterator[Bypass]:
    roots = [root for root in program.ask(Backward).roots(frame) if root.spot == site.call.term.site]
    for root in roots:
        passes = list(forwards(program, root.term, frame))
        told: list[Call] = []
        if any(program.ask(Parallel).kinds(_model(program, call, where), where) for call, where in passes):
            continue  # a critic past its wrapper, in the step of a generator: its gradients are not meant
        for call, where, inner in _judged(program, passes, wraps):
            place = next((each for each in calls_of(where.function) if each.term is call), None)
            if inner is None or place is None or _averages(program, where) or not program.ask(Parallel).records(call, where):
                continue
            if any(each.call is known for each in _activations(where) for known in told):
                continue  # in what a call runs that is told already
            told.append(call)
            wrap = inner if isinstance(inner, Wraps) else None
            spot = (wrap.site.module, wrap.site.call.term.site) if wrap is not None else None
            local = wrap is not None and wrap.site.function is where.function
            name = lasting(wrap.site.call.term, where.function) if wrap is not None and local else None
            own = isinstance(call.callee, Attr) and _model(program, call, where) is not model_of(program, call)
            yield Bypass(where, place, root.spot, spot, wrap is None, name, last_name(call.callee) if own else None)


def _judged(
    program: Program, passes: list[tuple[Call, Context]], wraps: list[Wraps]
) -> list[tuple[Call, Context, Wraps | bool | None]]:
    """Each forward pass with how it goes past a wrapper: by its ``.module`` (True), as a wrapped model; None: it does not."""
    return [(call, frame, _past(program, call, frame, wraps)) for call, frame in passes]


def _past(program: Program, call: Call, frame: Context, wraps: list[Wraps]) -> Wraps | bool | None:
    asked, callee = program.ask(Parallel), _model(program, call, frame)
    if asked.kinds(callee, frame):
        return None
    if isinstance(callee, Attr) and callee.name in program.knowledge.unwraps:
        return True if asked.kinds(callee.base, frame) == {_DDP} else None
    if _is_taken_out(program, callee, frame):
        return True
    if any(asked.kinds(each, frame) for each in (*call.args, *(value for _, value in call.kwargs))):
        return None  # it is given the wrapper, and runs that: a loss, made by the same function as the model
    models = program.ask(Identities)
    keys = models.among(models.of(callee, frame))
    if not keys:
        return None
    meant = (each for each in wraps if models.among(each.keys) == keys and each.site.module in _modules(frame))
    wrap = next((each for each in meant if not _is_behind(each.site, call, frame)), None)
    if wrap is None or any(
        asked.kinds(model_of(program, other.term), frame)
        and models.among(models.of(model_of(program, other.term), frame)) == keys
        for other in calls_of(frame.function)
    ):
        return None
    return wrap


def _is_behind(wrap: CallSite, call: Call, frame: Context) -> bool:
    """Whether a model is wrapped behind a call of it, in one function: it is called alone first."""
    if wrap.function is not frame.function or not before(frame.function, call, wrap.call.term):
        return False
    return not any(within(frame.function, loop, wrap.call.term) for loop in loops_around(frame.function, call))


def _modules(frame: Context) -> set[str]:
    """The files of an activation and its callers: two scripts may have a model from one helper."""
    return {each.module for each in _activations(frame)}


def _activations(frame: Context) -> Iterator[Context]:
    """An activation and its callers."""
    at: Context | None = frame
    while at is not None:
        yield at
        at = at.caller


def forwards(program: Program, loss: Term, frame: Context) -> Iterator[tuple[Call, Context]]:
    """The calls of models that a loss was computed from, as far as gradients flow."""
    asked = program.ask(Parallel)
    queue = [(loss, frame)]
    seen = set(queue)
    for term, where in queue:
        if isinstance(term, Call) and _is_pass(program, term, where):
            yield term, where
        for part in asked.parts_of(term, where):
            if part not in seen:
                seen.add(part)
                queue.append(part)


def _is_pass(program: Program, call: Call, frame: Context) -> bool:
    """Whether a call runs a model that is wrapped, taken out of its wrapper, or known."""
    model = _model(program, call, frame)
    if isinstance(model, (Ref, Nested, NestedClass)):
        return False
    if program.ask(Parallel).kinds(model, frame) or (isinstance(model, Attr) and model.name in program.knowledge.unwraps):
        return True
    if isinstance(call.callee, Attr) and call.callee is model and not _is_own(model):
        return _is_taken_out(program, model, frame)
    return bool(program.ask(Identities).of(model, frame))


def _model(program: Program, call: Call, frame: Context) -> Term:
    """What runs in a call of a model: also by a method of its own that runs what it holds (``net.compute_loss(x)``)."""
    model = model_of(program, call)
    if model is not call.callee or not isinstance(model, Attr) or isinstance(model.base, Self):
        return model
    asked = program.ask(Identities)
    makers = [asked.makers.get(key) for key in asked.among(asked.of(model.base, frame))]
    methods = [method_of(program, maker, model.name) for maker in makers if isinstance(maker, Instance)]
    own = len(methods) == len(makers) > 0 and all(
        method is not None and program.ask_of(runs_what_it_holds, (method.module, method.function)) for method in methods
    )
    return model.base if own else model


def _is_taken_out(program: Program, model: Term, frame: Context) -> bool:
    """Whether a model is one that somebody took out of its wrapper, and handed on."""
    values = program.values(model, frame)
    return bool(values) and all(
        isinstance(value, Library)
        and program.knowledge.parallel.get(value.name.rpartition(".")[0]) == _DDP
        and value.name.rpartition(".")[2] in program.knowledge.unwraps
        for value in values
    )


def _is_own(term: Term) -> bool:
    """Whether a term is an attribute of the object itself, or of one of its attributes."""
    return isinstance(root_of(term), Self)


def _averages(program: Program, frame: Context) -> bool:
    """Whether gradients are averaged by hand around here."""
    names = program.knowledge.tables["parallel.averages"]["names"]
    for at in _activations(frame):
        for node in calls_of(at.function):
            callee = node.term.callee
            named = isinstance(callee, _NAMED) and callee.name.rpartition(".")[2] in names
            if named and not _is_given_numbers(program, node.term, at):
                return True
    return False


def _is_given_numbers(program: Program, call: Call, frame: Context) -> bool:
    """Whether a collective is given a tensor that was made of numbers: a mean loss, a count, a flag."""
    made = call.args[0] if call.args else None
    while isinstance(made, Call) and isinstance(made.callee, Attr) and made.callee.name in program.knowledge.fluent:
        made = made.callee.base
    converts = program.knowledge.tables["groups"]["converts"]
    return isinstance(made, Call) and any(
        isinstance(value, Library) and value.name in converts for value in program.values(made.callee, frame)
    )


_DDP_KINDS = frozenset(("ddp",))
#: What has no such manager: a model on which it is opened is none of these.
_WITHOUT = frozenset(("fsdp2",))
_STEP = "step"


class UnsyncedForward(NamedTuple):
    """A forward pass outside of the manager; ``manager`` is where the ``with`` around the backward pass stands.

    Or a forward pass before the wrapper's attribute is set, there (``by_hand``). ``statement`` is the one of the forward pass
    before which ``code`` would settle it, where it can be written.
    """

    site: CallSite
    manager: tuple[str, Spot]
    forward: tuple[str, Spot]
    statement: Spot | None
    code: str | None
    by_hand: bool = False


def unsynced_forwards(program: Program) -> Iterator[UnsyncedForward]:
    """The forward passes that come too early, one for each ``with``, or place where the attribute is set."""
    if not program.ask(Parallel).active:
        return
    seen: set[tuple[str, Spot]] = set()
    for name in sorted(program.knowledge.backward):
        for site in program.ask(CallGraph).sites.get(name, ()):
            if tests_software(program, site.module, site.function):
                continue
            for frame in contexts_at(program, site):
                block = _manager(program, At(frame, site.call.term.site))
                found = _at(program, site, block, frame) if block is not None else _set_late(program, site, frame)
                if found is not None and found.manager not in seen:
                    seen.add(found.manager)
                    yield found
                    break


class _Block(NamedTuple):
    """A ``with``, the managers that it opens, or that are opened in it (of an ``ExitStack``), and where it stands."""

    node: With
    frame: Context
    managers: tuple[Term, ...]


def _manager(program: Program, place: At) -> _Block | None:
    """The innermost ``with`` around a place that opens such a manager, of a model and not of a framework's object."""
    for here in path(place):
        around = [node for node in of_kind(here.frame.function, With) if within(here.frame.function, node, here.spot)]
        opened = _managers_around(program, here) if around else ()
        for node in reversed(around):
            for managers in (node.items, opened):
                if any(any(_wrappers(program, each, here.frame)) for each in managers):
                    return _Block(node, here.frame, managers)
    return None


def _managers_around(program: Program, place: At) -> tuple[Term, ...]:
    """The managers that are open at the call at a place."""
    function = place.frame.function
    call = next((node.term for node in calls_of(function) if node.term.site == place.spot), None)
    return program.ask_of(surroundings, function).of(call).managers if call is not None else ()


def _wrappers(program: Program, manager: Term, frame: Context) -> Iterator[tuple[Term, Context]]:
    """What ``no_sync()`` is called on in a manager that is it, in one case at least, whoever makes it."""
    if isinstance(manager, (Select, BoolOp)):
        for part in manager.subterms():
            yield from _wrappers(program, part, frame)
        return
    made: list[tuple[Term | None, Context | None]] = [(manager, frame)]
    if (
        not isinstance(manager, Call)
        or not isinstance(manager.callee, Attr)
        or manager.callee.name not in program.knowledge.unsynced
    ):
        values = program.values(manager, frame)
        made = [(each.call, each.frame) for each in values if isinstance(each, LibraryObject)]
        made += [(each.term, each.frame) for each in values if isinstance(each, Unresolved)]
    for call, where in made:
        if isinstance(call, Call) and isinstance(call.callee, Attr) and call.callee.name in program.knowledge.unsynced and where:
            yield call.callee.base, where


def _at(program: Program, site: CallSite, block: _Block, frame: Context) -> UnsyncedForward | None:
    asked = program.ask(Parallel)
    wrappers = [wrapper for item in block.managers for wrapper in _wrappers(program, item, block.frame)]
    roots = [root for root in program.ask(Backward).roots(frame) if root.spot == site.call.term.site]
    for root in roots:
        for call, where in forwards(program, root.term, frame):
            model = (
                call.callee.base
                if isinstance(call.callee, Attr) and call.callee.name in program.knowledge.runs_model
                else call.callee
            )
            if asked.kinds(model, where) - _WITHOUT != _DDP_KINDS or not asked.records(call, where):
                continue
            keys = program.ask(Identities).of(model, where)
            if not any(keys & program.ask(Identities).of(*wrapper) for wrapper in wrappers):
                continue
            if any(_is_inside(program, here) for here in path(At(where, call.site))):
                return None  # as it should be, or in some rounds
            here = where is frame and block.frame is frame
            statement, code = _switch(program, site, block.node, call, model) if here else (None, None)
            return UnsyncedForward(site, (block.frame.module, block.node.spot), (where.module, call.site), statement, code)
    return None


def _is_inside(program: Program, place: At) -> bool:
    """Whether a place stands in any such manager, or in a file that switches the exchange by hand."""
    if _switches(program, place.frame.module):
        return True
    return any(any(_wrappers(program, manager, place.frame)) for manager in _managers_around(program, place))


def _switches(program: Program, path_of: str) -> bool:
    """Whether a file sets the attribute that says whether gradients are exchanged."""
    return any(any(_settings(program, function)) for function in program.modules[path_of].functions.values())


def _settings(program: Program, function: Function) -> Iterator[tuple[Store, Attr]]:
    """Where a function sets that attribute."""
    attribute = program.knowledge.written["averages"]
    for node in of_kind(function, Store):
        if isinstance(node.target, Attr) and node.target.name == attribute:
            yield node, node.target


def _set_late(program: Program, site: CallSite, frame: Context) -> UnsyncedForward | None:
    """A forward pass after which the attribute is set, before the backward pass of its loss: that one heeds what was before."""
    asked, function, backward = program.ask(Parallel), site.function, site.call.term
    stores = list(_settings(program, function))
    if not stores:
        return None
    for root in program.ask(Backward).roots(frame):
        for call, where in forwards(program, root.term, frame) if root.spot == backward.site else ():
            model = model_of(program, call)
            if asked.kinds(model, where) - _WITHOUT != _DDP_KINDS or not asked.records(call, where):
                continue
            keys = program.ask(Identities).of(model, where)
            here = next((each.spot for each in path(At(where, call.site)) if each.frame is frame), None)
            own = [node for node, target in stores if keys & program.ask(Identities).of(target.base, frame)]
            if here is None or any(before(function, node, here) for node in own):
                continue
            late = next((node for node in own if between(function, here, node, backward)), None)
            if late is not None and loops_around(function, late) == loops_around(function, here):
                return UnsyncedForward(site, (site.module, late.spot), (where.module, call.site), None, None, by_hand=True)
    return None


def _switch(program: Program, site: CallSite, block: With, forward: Term, model: Term) -> tuple[Spot | None, str | None]:
    """The statement of the forward pass, and what would switch the exchange before it, by the test around the ``with``."""
    function = site.function
    place = next((node for node in calls_of(function) if node.term is forward), None)
    test = next((node for node in reversed(of_kind(function, If)) if any(each is block for each in node.body)), None)
    name = name_in(model, function)
    said = code_in(test.condition, function, opposite=True) if test is not None and effects(test.orelse) else None
    if place is None or name is None or said is None or test is None or within(function, test, place):
        return None, None
    if _steps_under(program, site, test.condition):
        return None, None
    return place.statement, f"{name}.{program.knowledge.written['averages']} = {said}"


def _steps_under(program: Program, site: CallSite, test: Term) -> bool:
    """Whether something steps under the same test: then it is the wrong batch for which nothing was to be exchanged."""
    for node in calls_of(site.function):
        if isinstance(node.term.callee, Attr) and node.term.callee.name == _STEP:
            tests = [each for each, arm in program.ask_of(surroundings, site.function).of(node.term).tests if arm]
            parts = (part for each in tests for part in (each.operands if isinstance(each, And) else (each,)))
            if any(part is test for part in parts):
                return True
    return False
