"""Stale parameters: optimizers whose parameters are no longer those of the model that is trained.

Models that are made anew after an optimizer took the parameters of the one before, which nobody uses any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.nn.registration import Unregistered
from trainlint.domains.optimizer_parameters import Taken, Takers, regrouped
from trainlint.finding import Spot
from trainlint.flow.objects import Things
from trainlint.ir.bindings import carried_names, ever_held
from trainlint.ir.nodes import Access, Attr, Call, Const, Element, Param, Ref, Self, Subscript, Term
from trainlint.ir.order import before, same_round
from trainlint.ir.sketch import CallStep, Exit, Function, Keep, Loop, Statement, Store, With
from trainlint.ir.terms import mentions, parts_of, parts_through
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.contexts import At, calling_contexts, contexts_at, runs_before
from trainlint.program.object_identity import Identities, Key, Part, root_of
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import ClassValue, Context, Instance, Library, LibraryObject


def rebuilt(program: Program, taken: Taken) -> Call | None:
    """The call that makes the model anew, in the function in which the optimizer takes the parameters of the first."""
    function = taken.frame.function
    if len(taken.keys) != 1:
        return None
    maker = program.ask(Identities).makers.get(next(iter(taken.keys)))
    if maker is None or maker.call is None or maker.frame is None or maker.frame.function is not function:
        return None
    if not same_round(function, maker.call, taken.node.term) or _is_used(function, maker.call, taken):
        return None
    for node in calls_of(function):
        call = node.term
        if not before(function, taken.node, node) or call is maker.call or not _is_like(program, maker, call, taken.frame):
            continue
        if _takes_its_place(function, maker.call, call, taken.node.term):
            return call
    return None


def _is_like(program: Program, maker: LibraryObject | Instance, call: Call, frame: Context) -> bool:
    """Whether a call makes a model of the same class, or in the same way."""
    values = program.values(call, frame)
    if len(values) != 1:
        return False
    value = values[0]
    if isinstance(maker, Instance):
        registers = program.knowledge.registers
        own = isinstance(value, Instance) and value.cls is maker.cls and value.call is call
        return own and any(
            isinstance(base, Library) and base.name in registers for base in program.lineage(ClassValue(maker.module, maker.cls))
        )
    if not isinstance(value, LibraryObject) or value.name != maker.name or value.call is not call:
        return False
    return not value.name.startswith(program.knowledge.written["layers"])  # many layers are made in one way


def _takes_its_place(function: Function, old: Term, new: Term, optimizer: Term) -> bool:
    """Whether a name, or an attribute, holds the new one and nothing holds the old one."""
    held = ever_held(function)
    kept = [*(node.value for node in of_kind(function, Store)), *(node.value for node in of_kind(function, Keep))]
    if any(_besides(term, old, optimizer) for term in held):
        return False
    targets = {node.target for node in of_kind(function, Store) if _besides(node.value, old, optimizer)}
    again = {node.target for node in of_kind(function, Store) if mentions(node.value, new)}
    if targets:
        return targets <= again
    return any(mentions(term, new) for term in (*held, *kept))


def _is_used(function: Function, old: Term, taken: Taken) -> bool:
    """Whether the first model is handed to anybody but the optimizer, or goes on to be used behind it."""
    stored = {node.target for node in of_kind(function, Store) if _besides(node.value, old, taken.node.term)}
    carried = [each.name for each in carried_names(function) if mentions(each.entry, old)]
    for node in statements_of(function):
        for term in _terms(node):
            if any(mentions(term, name) for name in carried):
                return True
            if not mentions(term, old) or mentions(taken.node.term, term):
                continue
            if before(function, taken.node, node):
                if _besides(term, old, taken.node.term):
                    return True
            elif not isinstance(node, Store) and not _is_own_method(term, old):
                return True
    return any(not isinstance(target, Attr) or not isinstance(target.base, Self) for target in stored)


def _besides(term: Term, old: Term, optimizer: Term) -> bool:
    """Whether a term mentions the model otherwise than through the optimizer that was made of it."""
    return any(part is old for part in parts_through(term, lambda each: [] if each in (old, optimizer) else each.subterms()))


def _is_own_method(term: Term, old: Term) -> bool:
    """Whether a term is a chain of methods of the model: ``model.to(device)``."""
    while isinstance(term, (Call, Attr)):
        if term is old:
            return True
        if isinstance(term, Call) and any(mentions(given, old) for given in term.args):
            return False
        term = term.stem
    return term is old


def _terms(node: Statement) -> list[Term]:
    if isinstance(node, CallStep):
        return [node.term]
    if isinstance(node, Loop):
        return [node.subject]
    if isinstance(node, With):
        return list(node.items)
    value = node.value if isinstance(node, (Store, Keep, Exit)) else None
    return [value] if isinstance(value, Term) else []


_SETS = "builtins.setattr"
#: What it is given: an object, a name, a value.
_SETTING = 3
_ADDS = "add_param_group"


class Replaced(NamedTuple):
    """Other parameters in the place of those that were there: where, and of which model (or part, by ``name``).

    ``how``: "part", "method" (``called`` so), "model". ``value`` is what comes in their place, where that is written there.
    """

    frame: Context
    spot: Spot
    statement: Spot
    node: str
    base: Term
    name: object
    how: str
    called: str = ""
    value: Term | None = None


class Stale(NamedTuple):
    """Parameters that are replaced after something took them; ``step`` is where the optimizer goes on."""

    taken: Taken
    replaced: Replaced
    step: At


class _Search:
    """Looks for them in one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.identities = program.ask(Identities)
        self._last = {name.rpartition(".")[2] for name in program.knowledge.replaced_by}
        self._handing_out = frozenset(program.knowledge.tables["hands_out_parts"]["names"])
        self._registering = frozenset(program.knowledge.tables["registers.modules"]["names"])
        self._steps: dict[int, list[At]] | None = None

    def all(self) -> Iterator[Stale]:
        index = self.program.ask(CallGraph)
        if index.sites.keys().isdisjoint(self.knowledge.hands_parameters):
            return  # nobody hands parameters to anything
        optimizers = [taken for taken in self.program.ask(Takers).all() if taken.kind == "optimizer"]
        replacing = index.names & {*self._last, *self._registering, _SETS.rpartition(".")[2]}
        sites = (site for name in sorted(replacing) for site in index.sites.get(name, ()))
        made = {id(site.function) for site in sites if self._may_replace(site.call.term)}
        for module, function in self.program.functions() if optimizers else ():
            yield from self._in(module, function, replaces=id(function) in made)
        for taken in optimizers:
            found = rebuilt(self.program, taken)
            if found is not None:
                new = Replaced(taken.frame, found.site, found.site, "Call", found, None, "model")
                step = self._step_behind(taken, new)
                if step is not None:
                    yield Stale(taken, new, step)

    def _in(self, module: str, function: Function, *, replaces: bool) -> Iterator[Stale]:
        assigned: list[Store | Keep] = [*of_kind(function, Store), *of_kind(function, Keep)]
        suspects = [node for node in assigned if _may_be_part(node, function)]
        made = [node for node in calls_of(function) if self._may_replace(node.term)] if replaces else []
        if not suspects and not made:
            return
        for frame in calling_contexts(self.program, module, function):
            for node in suspects:
                found = self._assigned(node, frame)
                if found is not None:
                    yield from self._late(found)
            for call in made:
                found = self._called(call, frame)
                if found is not None:
                    yield from self._late(found)

    # -- what replaces parameters ----------------------------------------------------------------------------------

    def _may_replace(self, call: Call) -> bool:
        name = last_name(call.callee)
        if name in self._last:
            return True
        return call.callee.name == _SETS if isinstance(call.callee, Ref) else name in self._registering

    def _assigned(self, node: Store | Keep, frame: Context) -> Replaced | None:
        target = node.target
        assert isinstance(target, Access)
        if not self._is_fresh(node.value, frame, target):
            return None
        by_name = isinstance(target, Subscript) and isinstance(target.base, Attr) and target.base.name in self._registering
        base = self._whole(target.base.stem if by_name and isinstance(target.base, Attr) else target.base)
        name = None if by_name or base is not target.base else target.selector
        return Replaced(frame, node.spot, node.spot, node.kind, base, name, "part", "", node.value)

    def _called(self, node: CallStep, frame: Context) -> Replaced | None:
        call = node.term
        callee = call.callee
        words = {
            name: self.knowledge.replaced_by[name] for name in self._names(call, frame) if name in self.knowledge.replaced_by
        }
        if any(isinstance(value, Library) and value.name == _SETS for value in self.program.values(callee, frame)):
            if len(call.args) == _SETTING and self._is_fresh(call.args[2], frame, call.args[0]):
                whole = self._whole(call.args[0])
                return Replaced(frame, call.site, node.statement, "Call", whole, None, "part", "", call.args[2])
            return None
        if isinstance(callee, Attr) and callee.name in self._registering:
            value = call.args[1] if len(call.args) > 1 else dict(call.kwargs).get("module")
            if value is None or not self._is_fresh(value, frame, callee.base):
                return None
            return Replaced(frame, call.site, node.statement, "Call", self._whole(callee.base), None, "part", "", value)
        for name, word in words.items():
            kind, _, needed = word.partition(" ")
            given = dict(call.kwargs).get(needed.rstrip("="))
            if needed and (given is None or not isinstance(given, Const) or given.value is not True):
                continue
            base = (
                callee.base
                if kind == "receiver" and isinstance(callee, Attr)
                else call.args[0]
                if kind == "first" and call.args
                else None
            )
            if base is not None:
                return Replaced(frame, call.site, node.statement, "Call", base, None, "method", name.rpartition(".")[2])
        return None

    def _whole(self, part: Term) -> Term:
        """The model of which a term is some part that its methods hand out: ``model.get_submodule(name)``."""
        term: Term | None = part
        whole: Term = part
        while isinstance(term, (Access, Call, Element)):
            term = term.args[0] if isinstance(term, Call) and isinstance(term.callee, Ref) and term.args else term.stem
            if isinstance(term, Attr) and term.name in self._handing_out:
                term = whole = term.base
        return whole

    def _names(self, call: Call, frame: Context) -> Iterator[str]:
        if isinstance(call.callee, Attr):
            yield call.callee.name
        yield from (value.name for value in self.program.values(call.callee, frame) if isinstance(value, Library))

    def _is_fresh(self, value: Term, frame: Context, old: Term) -> bool:
        """Whether a value is made with weights of its own: a class of the project may be around what was there, too."""
        values = self.program.values(value, frame) if isinstance(value, Call) else ()
        if not isinstance(value, Call) or not values or not all(map(self.program.ask(Unregistered).has_weights, values)):
            return False
        if all(isinstance(each, Instance) for each in values):
            return True
        if any(mentions(given, old) and not isinstance(given, Attr) for given in value.args):
            return False  # what is read of it are sizes
        return not any(self._is_other_module(part, frame) for given in value.args for part in parts_of(given))

    def _is_other_module(self, part: Term, frame: Context) -> bool:
        """Whether an argument hands on a layer that is there already: an attribute of some model that is called a module."""
        if not isinstance(part, (Access, Param)):
            return False
        return any(
            isinstance(value, LibraryObject) and value.name in self.knowledge.weights
            for value in self.program.values(part, frame)
        )

    # -- what comes before, and what after -------------------------------------------------------------------------

    def _late(self, found: Replaced) -> Iterator[Stale]:
        if tests_software(self.program, found.frame.module, found.frame.function):
            return
        keys = self.identities.of(found.base, found.frame)
        if not keys:
            return
        fresh = self.identities.of(found.value, found.frame) if found.value is not None else frozenset()
        related = [taken for taken in self.program.ask(Takers).all() if self._of_one(taken, keys | fresh)]
        related = self._of_one_object(related, found.frame, keys)
        place = At(found.frame, found.spot)
        if self._is_cared_for(found):
            return
        for kind in ("optimizer", "wrapper"):
            alike = [taken for taken in related if taken.kind == kind]
            if not all(runs_before(self.program, At(taken.frame, taken.node.term.site), place) is True for taken in alike):
                continue  # one that is made afterwards takes the new ones
            for taken in alike:
                if any(self._is_in(key, found.name, taken.keys) for key in keys) and not regrouped(taken.frame.function):
                    step = self._step_behind(taken, found)
                    if step is not None:
                        yield Stale(taken, found, step)
                        return

    def _of_one(self, taken: Taken, keys: frozenset[Key]) -> bool:
        return not {root_of(key) for key in keys}.isdisjoint(root_of(key) for key in taken.keys)

    def _of_one_object(self, related: list[Taken], frame: Context, keys: frozenset[Key]) -> list[Taken]:
        """Without what objects of another class took, where both have a method that makes the model from one base class."""
        roots = self.identities.among(frozenset(map(root_of, keys)))
        makers = [self.identities.makers[key] for key in roots if key in self.identities.makers]
        bases = [base for maker in makers if maker.frame is not None and (base := self._class_of(maker.frame)) is not None]
        mine = self._inherited(frame.owner(), bases)
        if not mine:
            return related
        lines = [(taken, self._inherited(taken.frame.owner(), bases)) for taken in related]
        alike = [taken for taken, line in lines if line[:1] == mine[:1]]
        return alike or [taken for taken, line in lines if not line or line[0] in mine or mine[0] in line]

    def _class_of(self, frame: Context) -> ClassValue | None:
        cls = self.program.modules[frame.module].classes.get(frame.function.cls or "")
        return ClassValue(frame.module, cls) if cls is not None else None

    def _inherited(self, owner: object, bases: list[ClassValue]) -> list[ClassValue | Library]:
        """The class of an object, and those that it is derived from; nothing if none of these is among them."""
        line = list(self.program.lineage(ClassValue(owner.module, owner.cls))) if isinstance(owner, Instance) else []
        return line if any(base in line for base in bases) else []

    def _is_in(self, key: Key, name: object, taken: frozenset[Key]) -> bool:
        """Whether a model, or the part of it with this name, is among those whose parameters were taken."""
        here: Key = Part(key, name) if name is not None else key
        while True:
            if here in taken:
                return True
            if not isinstance(here, Part):
                return False
            here = here.whole

    def _is_cared_for(self, found: Replaced) -> bool:
        """Whether somebody in these files tells optimizers about new parameters."""
        modules = {found.frame.module}
        caller = found.frame.caller
        while caller is not None:
            modules.add(caller.module)
            caller = caller.caller
        told = any(site.module in modules for site in self.program.ask(CallGraph).sites_named(_ADDS))
        return told or regrouped(found.frame.function)

    def _step_behind(self, taken: Taken, found: Replaced) -> At | None:
        """Where the optimizer steps after that; of a wrapped model, any optimizer of it."""
        place = At(found.frame, found.spot)
        return next((step for step in self._stepped(taken) if runs_before(self.program, place, step) is True), None)

    def _stepped(self, taken: Taken) -> Iterator[At]:
        made = {id(taken.node.term)}
        if taken.kind == "wrapper":
            of_model = [
                each for each in self.program.ask(Takers).all() if each.kind == "optimizer" and self._of_one(each, taken.keys)
            ]
            made = {id(each.node.term) for each in of_model}
        for call, steps in self._all_steps().items():
            yield from steps if call in made else ()

    def _all_steps(self) -> dict[int, list[At]]:
        """Where each optimizer steps, by the id of the call that made it: only where it can be no other."""
        if self._steps is None:
            self._steps = {}
            asked = self.program.ask(Things)
            for site in self.program.ask(CallGraph).sites.get("step", ()):
                callee = site.call.term.callee
                if not isinstance(callee, Attr):
                    continue
                for frame in contexts_at(self.program, site):
                    for term in (callee.base, *site.call.term.args[:1]):
                        made = asked.of(term, frame).made
                        if made is not None and len(made) == 1 and made[0].call is not None:
                            self._steps.setdefault(id(made[0].call), []).append(At(frame, site.call.term.site))
        return self._steps


def _may_be_part(node: Store | Keep, function: Function) -> bool:
    """Whether an assignment may replace a part of a model: of one that is there, not of the one that is being made."""
    if not isinstance(node.value, Call) or not isinstance(node.target, Access):
        return False
    return not (isinstance(node.target.base, Self) and function.name == "__init__")


def stale(program: Program) -> Iterator[Stale]:
    """The optimizers whose parameters are replaced after they were taken, by the first place in a function."""
    seen: set[tuple[int, int]] = set()
    for found in _Search(program).all():
        key = (id(found.taken.node.term), id(found.replaced.frame.function))
        if key not in seen:
            seen.add(key)
            yield found
