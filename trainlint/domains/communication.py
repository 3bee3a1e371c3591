"""Which functions run a collective, directly or through others, and by which shortest way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from trainlint.domains.data_parallel.models import ImplicitCollective, Parallel, is_of_some
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Global,
    List,
    LoopPhi,
    Nested,
    NestedClass,
    Not,
    Param,
    Ref,
    Select,
    Self,
    Set,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.sketch import CallStep, Exit, Function, Loop, Store
from trainlint.ir.terms import root_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import SIDES, CallGraph, CallSite, iterated, last_name, method_of
from trainlint.program.callables import bound
from trainlint.program.contexts import calling_contexts, contexts_at
from trainlint.program.indirect_calls import Decorated, FrameworkCallbacks, Registration, added_to, kept_under
from trainlint.program.leading import Leading
from trainlint.program.library_uses import targeted
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.values import ClassValue, Context, FunctionValue, Instance, Library, LibraryObject, Value

#: Methods of what models are made of: layers in lists run them all the time.
_OF_MODELS = ("forward", "__call__", "step")
#: Kinds of terms that are never a model.
_NO_MODELS = frozenset((Const, Compare, Not, BinOp, List, Tuple, Dict, Set, Nested, NestedClass, Ref))


class Step(NamedTuple):
    """One step towards a collective: the call, and what it runs."""

    site: CallSite
    target: FunctionValue | Library


class Communication:
    """For every function that can reach a collective, its first step on a shortest way there."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index: CallGraph = program.ask(CallGraph)
        self.steps: dict[int, Step] = {}
        #: Functions (by id) of which a comment says that every rank must call them.
        self.declared: set[int] = set()
        self._queue: deque[FunctionValue] = deque()
        self._protocols = frozenset(program.knowledge.protocols.values())
        self.parallel: Parallel = program.ask(Parallel)
        #: The calls that communicate, in some activation, because of a model that all ranks train.
        self.unnamed: set[Term] = set()
        #: Functions that communicate because of what they are handed, if at all.
        self.obeying: set[int] = set()
        #: Calls that communicate as methods of what a function is given.
        self.given: set[Term] = set()
        #: Attributes in which objects keep functions that communicate.
        self.kept: set[str] = set()
        plain = {name.rpartition(".")[2] for name in program.knowledge.collectives if name not in program.knowledge.only_with}
        for name in sorted(self.index.names & program.knowledge.collective_names.keys()):
            only_with_keyword = name not in plain
            for site in self.index.sites_named(name):
                if not only_with_keyword or site.call.term.kwargs:
                    self._try(site, None)
            for site in self.index.handed.get(name, ()):
                self._hand_over(site)
        self._heed_comments()
        if self.parallel.active:
            self._find_unnamed()
        #: The calls of items, and what each may run.
        self._item_targets: list[tuple[CallSite, list[FunctionValue | Library]]] | None = None
        self._follow()
        while self._queue or self._items():
            self._follow()

    def _items(self) -> bool:
        """Whether a function is found that calls an item of something, and that item communicates."""
        if self._item_targets is None:
            left = (site for site in self.index.items if id(site.function) not in self.steps)
            frames = ((site, self.program.frame(site.module, site.function)) for site in left)
            self._item_targets = [(site, self.index.targets(site.call.term, frame)) for site, frame in frames]
        for site, targets in self._item_targets:
            if id(site.function) not in self.steps:
                talking = next((target for target in targets if self.talks(target)), None)
                if talking is not None:
                    self._reach(site, talking)
        return bool(self._queue)

    @cached_property
    def raising(self) -> dict[int, Function]:
        """The functions that raise, by their ids."""
        return {
            id(function): function
            for _, function in self.program.functions()
            if function.kind != "module" and any(node.kind == "raise" for node in of_kind(function, Exit))
        }

    def _follow(self) -> None:
        while self._queue:
            reached = self._queue.popleft()
            unnamed = self.index.choosers(reached.function) if reached.function.kind == "lambda" else ()
            named = (*self.index.candidates(reached.function), *self.index.objects_called(reached.function))
            for site in (*named, *unnamed):
                self._try(site, reached.function)
            for site in self.index.handed.get(reached.function.name, ()):
                self._hand_over(site)
            self._behind_decorators(reached)
            self._by_default(reached)
            self._where_registered(reached)
            if reached.function.name in ("__iter__", "__next__"):
                self._iterated(reached)

    def _find_unnamed(self) -> None:
        """Calls of models, and the like: they name no collective, so every call that may be one is asked about."""
        knowledge = self.program.knowledge
        names = {
            *knowledge.backward,
            *knowledge.parallel_steps,
            *knowledge.runs_model,
            *knowledge.parallel_method_names,
            *knowledge.parallel_distinct,
        }
        names |= {name.rpartition(".")[2] for name in knowledge.parallel_given}
        holders = self._holders()
        for path, function in self.program.functions():
            if self.program.component(path) not in self.parallel.parts:
                continue
            sites = [
                node
                for node in calls_of(function)
                if _may_be_unnamed(node.term.callee, names, holders) and not self._is_plain(node.term.callee, path, names)
            ]
            if not sites:
                continue
            frames = calling_contexts(self.program, path, function)
            for node in sites:
                found = next((met for met in (self.parallel.met(node.term, frame) for frame in frames) if met is not None), None)
                if found is not None:
                    self.unnamed.add(node.term)
                    if id(function) not in self.steps:
                        self._reach(CallSite(path, function, node), Library(found.name))

    def _holders(self) -> set[str]:
        """The names of the attributes that may hold such a model: what is stored there is no constant and no other object."""
        index, knowledge = self.index, self.program.knowledge
        words = {name.rpartition(".")[2] for name in knowledge.parallel}
        # Any object may be sharded in place, and an object of a derived class is one as it is made.
        objects = any(name.rpartition(".")[2] in index.sites for name in knowledge.parallel_in_place) or any(
            last_name(base) in words
            for module in self.program.modules.values()
            for cls in module.classes.values()
            for base in cls.bases
        )
        found: set[str] = set()
        for path, function in self.program.functions():
            if self.program.component(path) in self.parallel.parts:
                for store in of_kind(function, Store):
                    target = store.target
                    if isinstance(target, Attr) and target.name not in found and self._may_hold(store.value, path, objects):
                        found.add(target.name)
        classes = (cls for module in self.program.modules.values() for cls in module.classes.values())
        return found.union(*(cls.attributes for cls in classes))

    def _may_hold(self, value: Term, path: str, objects: bool) -> bool:
        """Whether a value may be a model that ranks train together, by what makes it only; ``objects``: any object may be."""
        if type(value) in _NO_MODELS:
            return False
        if not isinstance(value, Call) or not isinstance(value.callee, (Ref, Global)):
            return True
        if isinstance(value.callee, Global):
            return objects or value.callee.name not in self.program.modules[path].classes
        made = self.program.lookup(path, value.callee.name)
        if isinstance(made, ClassValue):
            return objects
        knowledge = self.program.knowledge
        if not isinstance(made, Library):
            return True
        return made.name in knowledge.parallel or knowledge.kinds.get(made.name) == "wrapper" or objects

    def _is_plain(self, callee: Term, path: str, names: set[str]) -> bool:
        """Whether a callee is a function, a class or a method by its name already: most calls are, and no model."""
        if isinstance(callee, Global):
            module = self.program.modules[path]
            return callee.name in module.functions or callee.name in module.classes
        if not isinstance(callee, Attr) or callee.name in names:
            return False
        return callee.name in self.program.knowledge.common_methods or bool(self.program.methods_named(callee.name, path))

    def met(self, call: Call, frame: Context) -> ImplicitCollective | None:
        """What a call runs on all ranks because of a model that they train together."""
        return self.parallel.met(call, frame) if call in self.unnamed else None

    def runs(self, function: Function) -> bool:
        """Whether the function can reach a collective."""
        return id(function) in self.steps

    def chain(self, function: Function) -> list[Step]:
        """The shortest way from a function to a collective."""
        found: list[Step] = []
        seen: set[int] = set()
        current: Function | None = function
        while current is not None and id(current) in self.steps and id(current) not in seen:
            seen.add(id(current))
            step = self.steps[id(current)]
            found.append(step)
            current = step.target.function if isinstance(step.target, FunctionValue) else None
        return found

    def leaves(self, function: Function) -> bool:
        """Whether the function can end the process, directly or through others."""
        return id(function) in self.leaving()

    @remembered()
    def leaving(self) -> set[int]:
        """The functions (by id) that may end the process or leave the job, themselves or through others."""
        ends = {name.rpartition(".")[2] for name in self.program.knowledge.ends}
        exits = [site.function for name in sorted(ends) for site in self.index.sites_named(name)]
        exits += [f for _, f in self.program.functions() if any(node.kind == "exit" for node in of_kind(f, Exit))]
        leading = self.program.ask(Leading).to(*exits)
        return {each for each, lead in leading.items() if lead.function.kind != "module"}

    def _heed_comments(self) -> None:
        """Calls and functions of which a comment says that they communicate."""
        for path, module in self.program.modules.items():
            for function in module.functions.values() if module.meets else ():
                if function.spot in module.meets and function.kind != "module":
                    self.declared.add(id(function))
                    itself = CallStep(Call.new(Nested.new(function.qualname), (), (), function.spot), function.spot)
                    self._reach(CallSite(path, function, itself), Library(function.name))
                for call in calls_of(function):
                    if call.term.site in module.meets and id(function) not in self.steps:
                        self._reach(CallSite(path, function, call), Library(last_name(call.term.callee) or "call"))

    def says(self, module: str, call: Call) -> bool:
        """Whether a comment says of this very call that it communicates."""
        return call.site in self.program.modules[module].meets

    def collective(self, target: FunctionValue | Library) -> bool:
        """Whether a callee is itself a collective."""
        return isinstance(target, Library) and target.name in self.program.knowledge.collectives

    def communicates(self, name: str, call: Call, frame: Context) -> bool:
        """Whether a collective is one as it is called: a keyword may switch it off, or be needed to switch it on."""
        silencer = self.program.knowledge.silenced_by.get(name)
        if silencer is not None and any(key == silencer and not _is(False, value) for key, value in call.kwargs):
            return False
        if self.is_too_old(name, frame.module):
            return False
        if name in self.program.knowledge.made_without and self._made_otherwise(name, call, frame):
            return False
        if is_of_some(self.program, call, frame):
            return False
        needed = self.program.knowledge.only_with.get(name)
        return needed is None or self._switched_on(needed, call, frame)

    def is_too_old(self, name: str, path: str) -> bool:
        """Whether the project asks only for releases of a library in which a call does not communicate yet."""
        version, *packages = self.program.knowledge.communicates_since.get(name, [""])
        return any(not targeted(self.program, path, package).reaches(version) for package in packages)

    def _made_otherwise(self, name: str, call: Call, frame: Context) -> bool:
        """Whether the object whose method is called was made with a keyword that changes whether, or how, it communicates."""
        words = self.program.knowledge.made_without[name]
        made = self._makers(call.callee.base, frame) if isinstance(call.callee, Attr) else ()
        return any(key in words for each in made for key, _ in each.kwargs)

    def _makers(self, term: Term, frame: Context) -> Iterator[Call]:
        """The calls of a library that may have made an object, with those of methods that return it: ``Metric().to(device)``."""
        for value in self.program.values(term, frame):
            if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                yield value.call
                callee = value.call.callee
                if isinstance(callee, Attr) and callee.name in self.program.knowledge.fluent:
                    yield from self._makers(callee.base, value.frame)

    def _switched_on(self, keyword: str, call: Call, frame: Context) -> bool:
        """Whether a keyword is ``True`` in a call, or in the call that made one of its arguments (``f(Options(full=True))``).

        In a function on its own, an argument that nobody is seen to pass says nothing.
        """
        if any(key == keyword and _is(True, value) for key, value in call.kwargs):
            return True
        given = (*call.args, *(value for _, value in call.kwargs))
        made = (
            value
            for term in given
            if not isinstance(term, Const)
            for value in self.program.values(term, frame)
            if isinstance(value, LibraryObject)
        )
        return any(key == keyword and _is(True, term) for each in made if each.call is not None for key, term in each.call.kwargs)

    def _try(self, site: CallSite, wanted: Function | None) -> None:
        if id(site.function) in self.steps:
            return
        frame = self.program.frame(site.module, site.function)
        for target in self.index.targets(site.call.term, frame):
            if wanted is not None:
                fits = isinstance(target, FunctionValue) and target.function is wanted
            else:
                fits = self.collective(target) and self.communicates(str(target[0]), site.call.term, frame)
            if fits:
                self._reach(site, target)
                return
        if wanted is None:
            self._try_given(site)
            return
        if self._overrides(site, wanted) or self._enters(site, frame, wanted):
            self._reach(site, FunctionValue(site.module, wanted))
        elif self._is_polymorphic(wanted) and _is_drawn(site.call.term.callee):
            self._reach(site, FunctionValue(site.module, wanted))  # an object out of a list: which, a caller knows
            self.obeying.add(id(site.function))

    def _try_given(self, site: CallSite) -> None:
        """A method of what a function is given: whether it communicates, the callers know."""
        callee = site.call.term.callee
        if not isinstance(callee, Attr) or not isinstance(root_of(callee), Param) or not isinstance(callee.base, (Attr, Param)):
            return
        having = self.program.knowledge.collective_names.get(callee.name)
        if having is not None and having.isdisjoint(self.program.packages(site.module)):
            return
        for frame in contexts_at(self.program, site):
            for target in self.index.targets(site.call.term, frame):
                if self.collective(target) and self.communicates(str(target[0]), site.call.term, frame):
                    self.given.add(site.call.term)
                    self._reach(site, target)
                    self.obeying.add(id(site.function))
                    return

    def _behind_decorators(self, wrapper: FunctionValue) -> None:
        """The functions in whose place a decorator puts this one communicate as well."""
        applied = self.program.ask(Decorated)
        for module, function, index in applied.by(wrapper.function):
            if id(function) not in self.steps:
                call = CallStep(applied.application(function, index), function.decorator_spots[index])
                self._reach(CallSite(module, function, call), wrapper)

    def _where_registered(self, reached: FunctionValue) -> None:
        """The functions that make a library run this one, which was registered with it."""
        registration = self.program.ask(FrameworkCallbacks).registration(reached.function)
        if registration is not None:
            for site in self.index.sites_named(registration.runner.rpartition(".")[2]):
                if id(site.function) not in self.steps:
                    self._reach_by(site, registration, reached)

    def _reach_by(self, site: CallSite, registration: Registration, reached: FunctionValue) -> None:
        frame = self.program.frame(site.module, site.function)
        if any(target == Library(registration.runner) for target in self.index.targets(site.call.term, frame)):
            found = self.program.ask(FrameworkCallbacks).run_by(registration.runner, site.call.term, frame)
            if any(each.function.function is reached.function for each in found):
                self._reach(site, reached)

    def talks(self, target: Value) -> bool:
        """Whether what is called (or handed on) is a collective, a function that can reach one, or a partial of such."""
        if isinstance(target, LibraryObject):
            return any(self.talks(run.callee) for run in bound(self.program, target) if run.given)
        return (
            self.collective(target)
            if isinstance(target, Library)
            else isinstance(target, FunctionValue) and self.runs(target.function)
        )

    def _is_polymorphic(self, wanted: Function) -> bool:
        """Whether a function is a method that objects of several classes may have, each its own."""
        return wanted.cls is not None and wanted.name not in _OF_MODELS

    def _enters(self, site: CallSite, frame: Context, wanted: Function) -> bool:
        return wanted.name in SIDES and self.index.enters(site.call.term, frame, wanted)

    def _overrides(self, site: CallSite, wanted: Function) -> bool:
        return wanted.cls is not None and any(found is wanted for found in self.overriding(site.call.term, site.module))

    def overriding(self, call: Call, module: str) -> list[Function]:
        """The methods that a call on ``self`` runs instead when the object is of a derived class."""
        callee = call.callee
        if not isinstance(callee, Attr) or not isinstance(callee.base, Self):
            return []
        cls = self.program.modules[module].classes.get(callee.base.cls)
        return [found for _, found in self.program.overriding(ClassValue(module, cls), callee.name)] if cls is not None else []

    def _reach(self, site: CallSite, target: FunctionValue | Library) -> None:
        self.steps[id(site.function)] = Step(site, target)
        if site.function.cls is not None and site.function.name in self._protocols:
            self.index.asked.add(id(site.function))
        self._queue.append(FunctionValue(site.module, site.function))

    def _by_default(self, reached: FunctionValue) -> None:
        """Functions that call a parameter whose default communicates."""
        for path, function, parameter, default in self.index.defaults.get(reached.function.name, ()):
            frame = self.program.frame(path, self.program.modules[path].functions["<module>"])
            if id(function) in self.steps or reached.function not in (
                value.function for value in self.program.values(default, frame) if isinstance(value, FunctionValue)
            ):
                continue
            for call in calls_of(function):
                if isinstance(call.term.callee, Param) and call.term.callee.parts == (function.qualname, parameter):
                    self._reach(CallSite(path, function, call), reached)
                    self.obeying.add(id(function))
                    break

    def _iterated(self, reached: FunctionValue) -> None:
        """Functions that loop over an object whose iteration communicates, or over a loader that draws from one."""
        for path, function in self.program.functions():
            if id(function) in self.steps:
                continue
            frame = self.program.frame(path, function)
            for loop in of_kind(function, Loop):
                owners = iterated(self.program, loop.subject, frame) if loop.kind == "for" else ()
                methods = (method_of(self.program, owner, reached.function.name) for owner in owners)
                if any(method is not None and method.function is reached.function for method in methods):
                    step = self.steps[id(reached.function)]  # nothing is called where the loop stands
                    self.steps[id(function)] = step._replace(site=step.site._replace(function=function))
                    self._queue.append(FunctionValue(path, function))
                    break

    def _hand_over(self, site: CallSite) -> None:
        """What calls a function that it is given communicates where it is given one that does."""
        frame, handed = self.program.frame(site.module, site.function), site.call.term
        if last_name(handed.callee) in self.index.partials:
            for node in calls_of(site.function):
                if any(given is handed for given in (*node.term.args, *(value for _, value in node.term.kwargs))):
                    self._hand_over(site._replace(call=node))
        if last_name(handed.callee) in self.program.knowledge.changes:
            self._add(site, frame)
        self._applied(site, frame)
        for target in self.index.targets(site.call.term, frame):
            if not isinstance(target, FunctionValue) or id(target.function) in self.steps:
                continue
            inner = self.program.enter(target, site.call.term, frame)
            if target.function.name == "__init__":
                self._keep(target, inner)
            self._register(target, inner)
            given = (call for call in calls_of(target.function) if _is_handed(call.term.callee))
            found = ((call, value) for call in given for value in self.index.targets(call.term, inner) if self.talks(value))
            for call, value in found:
                self._reach(CallSite(target.module, target.function, call), value)
                self.obeying.add(id(target.function))
                break

    def _applied(self, site: CallSite, frame: Context) -> None:
        """A library calls a function that it is given (``map(reduce, parts)``, ``stack.callback(barrier)``)."""
        applies = self.program.knowledge.applies
        callee, arguments = site.call.term.callee, site.call.term.args
        if id(site.function) in self.steps or not arguments:
            return
        known = (isinstance(callee, Attr) and callee.name in applies) or (
            isinstance(callee, Ref) and self.program.may_be_one_of(callee, frame, applies)
        )
        for value in self.program.values(arguments[0], frame) if known else ():
            if isinstance(value, (FunctionValue, Library)) and self.talks(value):
                self._reach(site, value)
                return

    def _add(self, site: CallSite, frame: Context) -> None:
        """A function that communicates is put into a list: where that is handed on, an item of it is called."""
        callee = site.call.term.callee
        if not isinstance(callee, Attr) or not any(
            self.talks(value) for value in self.program.values(site.call.term.args[0], frame)
        ):
            return
        for call in calls_of(site.function):
            if (
                isinstance(call.term.callee, Element)
                and call.term.callee.of is callee.base
                and id(site.function) not in self.steps
            ):
                self._reach(site._replace(call=call), self._first(site, frame))
            if callee.base not in call.term.args:
                continue
            for target in self.index.targets(call.term, frame):
                if isinstance(target, FunctionValue) and id(target.function) not in self.steps:
                    items = [node for node in calls_of(target.function) if _is_handed(node.term.callee)]
                    for node in items[:1]:
                        self._reach(CallSite(target.module, target.function, node), self._first(site, frame))
                        self.obeying.add(id(target.function))

    def _register(self, target: FunctionValue, frame: Context) -> None:
        """A method adds what it is given, and what communicates, to a list of its object: who calls the items communicates."""
        for name, node in added_to(self.program, target):
            found = [value for value in self.program.values(node.term.args[0], frame) if self.talks(value)]
            for site in self.index.items if found else ():
                callee = site.call.term.callee
                while isinstance(callee, (Subscript, Element)):
                    callee = callee.stem
                place = kept_under(self.program.knowledge.hands_out, callee)
                own = place is not None and place[0] == name and site.function.cls == target.function.cls
                if own and site.module == target.module and id(site.function) not in self.steps:
                    value = found[0]
                    assert isinstance(value, (FunctionValue, Library))
                    self._reach(site, value)
                    self.obeying.add(id(site.function))

    def _first(self, site: CallSite, frame: Context) -> FunctionValue | Library:
        """What is put into a list, and communicates."""
        found = self.program.values(site.call.term.args[0], frame)
        return next(value for value in found if isinstance(value, (FunctionValue, Library)) and self.talks(value))

    def _keep(self, target: FunctionValue, frame: Context) -> None:
        """An object keeps what it is given and communicates: the methods that call it communicate there."""
        owner = target.receiver
        if not isinstance(owner, Instance):
            return
        kept = {
            store.target.name
            for store in of_kind(target.function, Store)
            if isinstance(store.target, Attr)
            and isinstance(store.target.base, Self)
            and isinstance(store.value, Param)
            and any(self.talks(value) for value in self.program.values(store.value, frame))
        }
        for name in kept:
            for site in self.index.sites_named(str(name)):
                callee = site.call.term.callee
                if isinstance(callee, Attr) and isinstance(callee.base, Self) and id(site.function) not in self.steps:
                    found = self.index.targets(site.call.term, self.program.instance_frame(owner, site.module, site.function))
                    if any(map(self.talks, found)):
                        self.kept.add(str(name))
                        self._reach(site, next(value for value in found if self.talks(value)))
                        self.obeying.add(id(site.function))


def _is_drawn(callee: Term) -> bool:
    """Whether what is called is a method of what a loop draws."""
    return bool(
        isinstance(callee, Attr)
        and isinstance(callee.base, (Element, Subscript))
        and isinstance(callee.base.stem, (Element, Attr, Param, Call, List))
    )


def _may_be_unnamed(callee: Term, names: set[str], holders: set[str]) -> bool:
    """Whether what is called may be a model, or a method that needs all ranks when the model is sharded."""
    if isinstance(callee, Ref):
        return callee.name.rpartition(".")[2] in names
    if not isinstance(callee, Attr):
        return isinstance(callee, (Param, Global, Call, Select, Subscript, LoopPhi))
    if callee.name in names:
        return True
    return callee.name in holders and (
        isinstance(callee.base, Self) or (isinstance(callee.base, Attr) and isinstance(callee.base.base, Self))
    )


def _is(constant: bool, term: Term) -> bool:
    return bool(isinstance(term, Const) and term.value is constant)


def _is_handed(callee: Term) -> bool:
    """Whether what is called is a parameter, or an item of one."""
    while isinstance(callee, (Subscript, Element)):
        callee = callee.stem
        if isinstance(callee, Call) and callee.args:
            callee = callee.args[0]  # of an enumeration, say
    return isinstance(callee, Param)
