"""Effect summaries: which functions may do a part of a training step, and what a callee out of sight may do.

Which functions may do a part of a training step, themselves or in what they call. All others are passed by.

By names first, which is cheap and leaves few; then by what the calls in those few really run.

What a callee out of sight may change in a training step: what it is handed, and what its object was handed before.

``timer.step()`` changes nothing of a step, whatever a timer is: nobody gave it the optimizer. ``helper.step()``
may, if it was made with the optimizer, was given the trainer in another method, or holds them itself
(``trainer.step()`` beside ``trainer.optimizer``). A name alone says nothing either way; one that speaks of a step,
of gradients or of hooks tells only that what the callee got hold of may be used for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from trainlint.flow.objects import Thing, Things
from trainlint.flow.path_condition import key_of
from trainlint.flow.roles import Roles, clears_gradients, is_of_gradient, named, whole_of
from trainlint.ir.nodes import (
    NAMED,
    OBJECTS,
    Access,
    Attr,
    Augmented,
    BoolOp,
    Call,
    Const,
    Display,
    Element,
    Global,
    LoopPhi,
    Param,
    Ref,
    Select,
    Self,
    Subscript,
    Term,
)
from trainlint.ir.sketch import Block, CallStep, Exit, Function, If, Keep, Statement, Store, With, Yield
from trainlint.ir.terms import is_call_of
from trainlint.ir.walk import blocks_of, of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import own_then_called
from trainlint.program.handed_back import likely_arms
from trainlint.program.heap import only_holds
from trainlint.program.leading import Leading
from trainlint.program.memo import remembered
from trainlint.program.naming import words_in
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Context, FunctionValue, Instance, Library, LibraryObject, Unresolved

#: Methods that many other things have, too: they count where their object is a part of a step.
COMMON = ("step", "update", "scale")
#: Terms that stand for one thing, and those that are written out with others in them.
_NAMED = (Param, Attr, Global, LoopPhi, Self, Call)
#: A call in the table ``step_calls.objects``: the method and what it is given.
_METHOD = re.compile(r"\b(\w+)\(([\w, ]*)\)")


class Composed:
    """Objects of libraries that make a whole step when they are called (table ``step_calls.objects``)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.table = program.knowledge.tables["step_calls.objects"]

    @cached_property
    def sites(self) -> list[CallSite]:
        """Where such objects are called, in whichever activation."""
        index = self.program.ask(CallGraph)
        if not any(index.sites.get(name.rpartition(".")[2]) for name in self.table):
            return []
        calls = (site for sites in index.sites.values() for site in sites if len(_given(site.call.term)) > 1)
        return [site for site in calls if any(self.block(site.call, at) for at in own_then_called(self.program, site))]

    @cached_property
    def calls(self) -> frozenset[Call]:
        """The same, as terms."""
        return frozenset(site.call.term for site in self.sites)

    def block(self, node: CallStep, frame: Context) -> Block:
        """What a call does of a step, written out as calls of its object's methods; nothing for other calls."""
        values = self.program.values(node.term.callee, frame) if not isinstance(node.term.callee, Ref) else ()
        name = next((value.name for value in values if isinstance(value, LibraryObject) and value.name in self.table), None)
        return self._written_out(node, name) if name is not None else ()

    @remembered()
    def _written_out(self, node: CallStep, name: str) -> Block:
        """The same of an object of this class: one, in whatever activation."""
        call, known = node.term, self.table[name]
        said: dict[str, Term] = {}
        for place, parameter in enumerate(known[0].split(", ")):
            keyword, _, default = parameter.partition("=")
            value = call.args[place] if place < len(call.args) else dict(call.kwargs).get(keyword)
            said[keyword] = value or Const.new("bool", default == "True")
        found: list[Statement] = []
        for line in known[1:]:
            conditions, _, done = line.rpartition(": ")
            made = call.callee
            for method, arguments in _METHOD.findall(done):
                given = tuple(said[each] for each in arguments.split(", ") if each)
                made = Call.new(Attr.new(made, method), given, (), call.site)
            assert isinstance(made, Call)
            step: Statement = CallStep(made, node.statement)
            for condition in reversed(conditions.split()):
                step = If(said[condition], (step,), (), call.site, call.site)
            found.append(step)
        return tuple(found)


class Reach:
    """Answers for one program, by names."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self.roles = program.ask(Roles)
        self._names = frozenset(name.rpartition(".")[2] for name in self.knowledge.step_calls)
        self._blocks: dict[int, tuple[Block, tuple[Statement, ...]]] = {}
        #: What is seen to step, or to be stepped.
        self._parts: set[Term] = set()
        composed = program.ask(Composed)
        self._composed = composed.calls
        seeds = [site.function for site in (*self._seeds(), *composed.sites)]
        seeds += [function for _, function in program.functions() if self._assigns(function)]
        self._leading, self._functions = program.ask(Leading).by_name(functions=seeds)
        #: Whether what a loop hands out may be such a function: then whoever calls that may do a part of a step.
        self._handed_out = any(self.index.may_be_chosen(each) for each in self._functions)
        running = [site.function for site in self.index.items if isinstance(site.call.term.callee, Element)]
        if self._handed_out and running:
            self._leading, self._functions = program.ask(Leading).by_name(functions=[*seeds, *running])
        #: Whether a call of an object, under whatever name, may do a part of a step.
        self._objects = any(
            function in self._functions and function.name in ("__call__", "forward") and function.cls is not None
            for _, function in program.functions()
        )

    @remembered(False)
    def leads(self, module: str, function: Function) -> bool:
        """Whether a function may do a part of a step: by names, and then with the callees that can be seen in their place."""
        if function not in self._functions:
            return False
        if self._assigns(function):
            return True
        frame = self.program.frame(module, function)
        for node in calls_of(function):
            if not self.may_lead(node.term):
                continue
            targets = self.index.targets(node.term, frame)
            functions = [target for target in targets if isinstance(target, FunctionValue)]
            if not functions and not (targets and self._is_other(node.term)):
                return True
            if any(self.leads(target.module, target.function) for target in functions) or self._clears(node.term):
                return True
        return False

    def _clears(self, call: Call) -> bool:
        return clears_gradients(self.knowledge, last_name(call.callee) or "")

    def _is_other(self, call: Call) -> bool:
        """Whether a call of a library's function has a name that is no part's: it only may be handed something."""
        return (last_name(call.callee) or "") not in self._names

    def of_interest(self, block: Block) -> tuple[Statement, ...]:
        """The statements of a block that may be a part of a step, leave, or count on what tests ask for."""
        known = self._blocks.get(id(block))
        if known is None:
            known = self._blocks[id(block)] = (block, tuple(node for node in block if _counts_on(node) or self._matters(node)))
        return known[1]

    def _matters(self, node: Statement) -> bool:
        if isinstance(node, CallStep):
            return self.may_lead(node.term)
        if isinstance(node, (Store, Keep)):
            return isinstance(node.target, Attr) and node.target.name in self.knowledge.gradient_attributes
        if isinstance(node, With) and any(isinstance(item, Call) and self.may_lead(item) for item in node.items):
            return True
        return isinstance(node, (Exit, Yield)) or any(self.of_interest(part) for part in blocks_of(node))

    @remembered()
    def may_lead(self, call: Call) -> bool:
        """Whether a call may do, or run, a part of a step."""
        name = last_name(call.callee) or ""
        if name in self._names or name in self._leading or call in self._composed or self._clears(call):
            return True
        if isinstance(call.callee, (Call, Select, BoolOp)) and any(
            (last_name(each) or "") in self._leading for each in self.index.alternatives(call.callee)
        ):
            return True
        if self._handed_out and isinstance(call.callee, Element):
            return True
        if name.endswith("_") and isinstance(call.callee, Attr):
            return self._changes_gradient(call)
        if self._objects and (
            isinstance(call.callee, (Self, Param, Subscript, Element, Call, Select))
            or (isinstance(call.callee, Attr) and isinstance(call.callee.base, (Self, Global)))
        ):
            return True
        return self._handed(call) or not self.knowledge.step_hooks.isdisjoint(words_of(call.callee))

    def _changes_gradient(self, call: Call) -> bool:
        """Whether a method changes the gradient of a parameter in place: ``p.grad.data.zero_()``."""
        callee = call.callee
        return isinstance(callee, Attr) and callee.name.endswith("_") and is_of_gradient(self.knowledge, callee.base)

    def _handed(self, call: Call) -> bool:
        """Whether something out of sight is given a thing that takes part in a step."""
        return any(isinstance(part, _NAMED) and self._speaks(part) for each in _given(call) for part in _written_out(each))

    def _speaks(self, term: Term) -> bool:
        return isinstance(term, Self) or term in self._parts or named(self.knowledge, term) in ("optimizer", "scaler", "engine")

    def _seeds(self) -> list[CallSite]:
        found: list[CallSite] = []
        for name in self._names:
            for site in self.index.sites.get(name, ()):
                steps = name in COMMON and self.steps(site)
                if steps:
                    self._parts.update(_taking_part(site.call.term))
                if name not in COMMON or steps or self._schedules(site) or _may_update(site.call.term):
                    found.append(site)
        others = (
            sites
            for name, sites in self.index.sites.items()
            if name not in self._names and clears_gradients(self.knowledge, name)
        )
        found += [site for sites in others for site in sites]
        in_place = (site for name, sites in self.index.sites.items() if name.endswith("_") for site in sites)
        found += [site for site in in_place if self._changes_gradient(site.call.term)]
        return found

    def steps(self, site: CallSite) -> bool:
        """Whether ``x.step()``, ``x.update()``, ``x.scale(loss)`` is called on an optimizer or a scaler, or what is called so."""
        callee = site.call.term.callee
        if not isinstance(callee, Attr):
            return False
        if callee.name == "scale":
            return named(self.knowledge, callee.base) == "scaler" or self._kind(callee.base, site) == "scaler"
        name = named(self.knowledge, callee.base)
        if callee.name != "step":
            shown = name == "scaler" or self.roles.shown((site.module, callee.base)) == "scaler"
            return shown or (isinstance(callee.base, Call) and self._kind(callee.base, site) == "scaler")
        return name in ("optimizer", "scaler") or (
            name != "scheduler" and self._kind(callee.base, site) in ("optimizer", "scaler")
        )

    def _schedules(self, site: CallSite) -> bool:
        """Whether a scheduler is stepped as PyTorch's are: without arguments."""
        call = site.call.term
        if not isinstance(call.callee, Attr) or call.args or call.kwargs:
            return False
        said = (named(self.knowledge, call.callee.base), self.roles.shown((site.module, call.callee.base)))
        return "scheduler" in said or (
            call.callee.name == "step" and self._kind(call.callee.base, site) in ("scheduler", "plateau")
        )

    def _kind(self, term: Term, site: CallSite) -> str:
        """What a thing is, as its function says; of what that was given, else as the first of its callers does."""
        frames = (
            own_then_called(self.program, site)
            if isinstance(term, (Attr, Param))
            else (self.program.frame(site.module, site.function),)
        )
        kinds = (self.program.ask(Things).of(term, frame).kind for frame in frames)
        return next((kind for kind in kinds if kind not in ("unknown", "object")), "unknown")

    def _assigns(self, function: Function) -> bool:
        names = self.knowledge.gradient_attributes
        stored = any(isinstance(node.target, Attr) and node.target.name in names for node in of_kind(function, Store))
        return stored or any(isinstance(node.target, Attr) and node.target.name in names for node in of_kind(function, Keep))


def _counts_on(node: Statement) -> bool:
    """Whether an attribute is counted on: ``self.step += 1``."""
    return isinstance(node, Store) and isinstance(node.value, Augmented) and isinstance(node.target, Attr)


def _may_update(call: Call) -> bool:
    """Whether this is how a scaler is updated that a function was given: by ``scaler.update()``, and nothing is handed over."""
    callee = call.callee
    given = call.args or call.kwargs
    return isinstance(callee, Attr) and callee.name == "update" and isinstance(callee.base, Param) and not given


def _taking_part(call: Call) -> Iterator[Term]:
    """What steps by a call, or is stepped: ``scaler.step(optimizer)``; not what is scaled."""
    callee = call.callee
    assert isinstance(callee, Attr)
    for part in (callee.base, *(call.args if callee.name == "step" else ())):
        whole = part
        while isinstance(whole, (Subscript, Element)):
            whole = whole.stem
        yield from (each for each in _written_out(whole) if isinstance(each, _NAMED))


def _given(call: Call) -> tuple[Term, ...]:
    """What a callee gets hold of: its arguments, and the object whose method it is, by a name that nobody knows."""
    callee = call.callee
    named = callee.args[:1] if is_call_of(callee, "builtins.getattr") else ()
    return (*call.args, *(value for _, value in call.kwargs), *(each for each in named if not isinstance(each, Self)))


def _written_out(term: Term) -> Iterator[Term]:
    """A thing, or of several that are written out together, or of which one is chosen, each."""
    if isinstance(term, (Display, Select, BoolOp)):
        for part in term.arms if isinstance(term, Select) else term.subterms():
            yield from _written_out(part)
    else:
        yield term


def words_of(callee: Term) -> set[str]:
    """The words in what is called: ``self.callbacks.on_step_end`` has `callbacks`, `on`, `step` and `end`."""
    found: set[str] = set()
    while True:
        if isinstance(callee, NAMED):
            found.update(words_in(callee.name))
        if not isinstance(callee, (Access, Call, Element)):
            return found
        callee = callee.stem


#: What takes part in a step: whoever gets one may do a part of it, whatever it is called.
_PARTS = ("optimizer", "scaler", "engine")


class Handed(NamedTuple):
    """What somebody out of sight got hold of.

    ``things`` are optimizers, scalers and engines, ``objects`` what may hold others (a term, in an activation). ``whole``:
    gradients of whatever optimizer may be meant: it got the object whose step this is, a model, or a loss.
    """

    things: tuple[Thing, ...] = ()
    objects: tuple[tuple[Term, Context], ...] = ()
    whole: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether it got nothing that takes part in a step, as far as anybody can see."""
        return not (self.things or self.objects or self.whole)


#: Nobody can say what it got.
EVERYTHING = Handed(whole=True)


class Spoiled:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.things = program.ask(Things)
        self.roles = program.ask(Roles)
        self.index = program.ask(CallGraph)
        self._objects: dict[tuple[Term, Context], _Found] = {}

    @remembered()
    def by(self, call: Call, frame: Context) -> Handed | None:
        """What a call of something out of sight may change of a step; None where it changes nothing of one."""
        targets = self.index.targets(call, frame)
        if any(isinstance(target, FunctionValue) for target in targets):
            return None
        libraries = [target.name for target in targets if isinstance(target, Library)]
        if not libraries and only_holds(self.program, call, frame):
            return None
        if libraries and {library.partition(".")[0] for library in libraries} <= self.knowledge.harmless_packages:
            return None
        arguments, found = _given(call), _Found()
        for given in arguments:
            self._parts(given, frame, found)
        asked = (
            call.callee.base if isinstance(call.callee, Attr) and not isinstance(call.callee.base, Ref) else None
        )  # the object whose method is called
        if not (found.whole or found.things or (self._speaks(call.callee) and not self._only_computes(call, arguments, frame))):
            return None
        if libraries and found.is_nothing and (asked is None or self.things.of(asked, frame).sure):
            return None
        for given in arguments:
            self._opaque(given, frame, found)
        if asked is not None and not found.whole:
            found.whole = self._is_callback(asked, frame)
            found.take(self._held_by(asked, frame))
        return None if found.is_nothing else found.all()

    def _is_callback(self, term: Term, frame: Context) -> bool:
        """Whether an object is one of many that came from outside: whoever made those gave them what they need."""
        return isinstance(term, Element) and all(
            isinstance(value, Unresolved) and value.term is term for value in self.program.values(term, frame)
        )

    def _only_computes(self, call: Call, arguments: Iterable[Term], frame: Context) -> bool:
        """Whether a call only hands out parameters, or computes a part of the loss and is handed no model to do more with."""
        if isinstance(call.callee, Attr) and call.callee.name in self.knowledge.hands_parameters:
            return True
        return self.roles.is_forward(frame.module, call) and not any(
            not isinstance(given, Call) and self._is_model(given, frame) for given in arguments
        )

    def _is_model(self, term: Term, frame: Context) -> bool:
        return term in self._with_graphs(frame.module) or self.things.of(term, frame).kind == "module"

    def _speaks(self, callee: Term) -> bool:
        return not self.knowledge.step_hooks.isdisjoint(words_of(callee))

    # -- what is handed over ---------------------------------------------------------------------------------------

    def _parts(self, term: Term, frame: Context, found: _Found) -> None:
        """The parts of a step that an argument is, or has in it as it is written."""
        if isinstance(term, Display):
            for part in term.subterms():
                self._parts(part, frame, found)
        elif isinstance(term, Select):
            for part in likely_arms(self.program, term, frame):
                self._parts(part, frame, found)
        elif isinstance(term, Self):
            found.whole = True
        elif isinstance(term, (*OBJECTS, Element, Subscript)):
            thing = self.things.of(term, frame)
            if thing.kind in _PARTS:
                found.things.append(thing)

    def _opaque(self, term: Term, frame: Context, found: _Found) -> None:
        """What else an argument may bring along: a model, a loss, an object that holds an optimizer."""
        term = whole_of(term)
        if isinstance(term, Display):
            for part in term.subterms():
                self._opaque(part, frame, found)
        elif isinstance(term, Call) and isinstance(term.callee, Attr) and term.callee.name in self.knowledge.hands_parameters:
            found.whole = True
        elif isinstance(term, (*OBJECTS, Select)):
            if self._is_model(term, frame):
                found.whole = True
            found.objects.append((term, frame))

    def _held_by(self, term: Term, frame: Context) -> _Found:
        """What an object holds (each is asked once)."""
        known = self._objects.get((term, frame))
        if known is None:
            known = self._objects[term, frame] = _Found()
            self._held(term, frame, known)
        return known

    def _held(self, term: Term, frame: Context, found: _Found) -> None:
        """What an object holds: what it was made with, and what its methods were given in sight."""
        term = whole_of(term)
        if found.whole or (term, frame) in found.met:
            return  # more than all there is nothing
        found.met.add((term, frame))
        if isinstance(term, (Select, BoolOp, Display)):
            for part in likely_arms(self.program, term, frame) if isinstance(term, Select) else term.subterms():
                self._held(part, frame, found)
            return
        self._parts(term, frame, found)
        if not isinstance(term, OBJECTS):
            return
        self._opaque(term, frame, found)
        for value in self.program.values(term, frame):
            if isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
                self._made_with(value.call, value.frame, found)
            elif isinstance(value, Unresolved) and value.term is not term:
                self._held(value.term, value.frame, found)
            elif isinstance(value, Unresolved) and isinstance(term, Call):
                self._made_with(term, frame, found)
        self._met_with(term, frame, found)

    def _made_with(self, call: Call, frame: Context, found: _Found) -> None:
        """What an object was made with, and what it was given where it was made, before anybody had a name for it."""
        for given in (*call.args, *(value for _, value in call.kwargs)):
            self._held(given, frame, found)
        self._met_with(call, frame, found)

    def _met_with(self, term: Term, frame: Context, found: _Found) -> None:
        for function, given in self._given_to(frame.module).get(term, ()):
            where = frame if function is frame.function else self.program.frame(frame.module, function)
            self._held(given, where, found)

    # -- what a file does with its objects -------------------------------------------------------------------------

    @remembered()
    def _given_to(self, module: str) -> dict[Term, list[tuple[Function, Term]]]:
        """What the functions of a file hand to the methods of each object, or put into its attributes."""
        known: dict[Term, list[tuple[Function, Term]]] = {}
        for function in self.program.modules[module].functions.values():
            for receiver, given in _meetings(function):
                known.setdefault(whole_of(receiver), []).append((function, given))
        return known

    @remembered()
    def _with_graphs(self, module: str) -> frozenset[Term]:
        """What a file calls as one calls a model, asks for parameters, or computes gradients of."""
        functions = self.program.modules[module].functions.values()
        return frozenset(whole_of(term) for each in functions for term in self._of_graphs(each))

    def _of_graphs(self, function: Function) -> Iterator[Term]:
        for node in calls_of(function):
            callee = node.term.callee
            if not isinstance(callee, Attr):
                yield callee
                continue
            yield callee  # ``self.model(x)``
            if callee.name in self.knowledge.hands_parameters or callee.name in self.knowledge.backward:
                yield callee.base
            if callee.name in self.knowledge.scales:
                yield from node.term.args[:1]


class _Found:
    """What is found on the way."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.objects: list[tuple[Term, Context]] = []
        self.whole = False
        #: What was looked into.
        self.met: set[tuple[Term, Context]] = set()

    def take(self, other: _Found) -> None:
        """Add what was found elsewhere."""
        self.things += other.things
        self.objects += other.objects
        self.whole = self.whole or other.whole

    @property
    def is_nothing(self) -> bool:
        return not (self.things or self.objects or self.whole)

    def all(self) -> Handed:
        return Handed(tuple({id(each): each for each in self.things}.values()), tuple(dict.fromkeys(self.objects)), self.whole)


def _meetings(function: Function) -> Iterator[tuple[Term, Term]]:
    """An object, and what a function gives to one of its methods or puts into one of its attributes."""
    for node in calls_of(function):
        if isinstance(node.term.callee, Attr):
            for given in (*node.term.args, *(value for _, value in node.term.kwargs)):
                yield node.term.callee.base, given
    stored: tuple[Store | Keep, ...] = (*of_kind(function, Store), *of_kind(function, Keep))
    for put in stored:
        if isinstance(put.target, Attr):
            yield put.target.base, put.value


def concerns(program: Program, handed: Handed, *parts: Thing | None) -> bool:
    """Whether somebody who got hold of something may have changed one of these parts of a step (None: nobody knows which)."""
    if handed.whole:
        return True
    asked = program.ask(Things)
    for part in parts:
        if part is None:
            if handed.things:
                return True
            continue
        for each in handed.things:
            if each.kind == "engine" or (each.kind == part.kind and asked.same(each, part) is not False):
                return True
    if handed.objects:
        got = {key_of(program, term, frame) for term, frame in handed.objects}
        return any(part is not None and not got.isdisjoint(_around(program, part)) for part in parts)
    return False


def _around(program: Program, part: Thing) -> Iterator[Any]:
    """The keys of what a thing may be reached by: itself, the objects whose attribute it is, what it was made with."""
    key = part.key
    while isinstance(key, Term):
        yield key
        key = key.base if isinstance(key, Access) else None
    for made in part.made or ():
        if made.call is not None and made.frame is not None:
            given = (*made.call.args, *(value for _, value in made.call.kwargs))
            yield from (key_of(program, each, made.frame) for each in given)
