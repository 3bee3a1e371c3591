"""The state of a training: what is stepped or averaged while it goes on, and which of that some checkpoint has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trainlint.domains.checkpoints.saves import States, Written
from trainlint.domains.nn.modules import is_module
from trainlint.flow.objects import Things
from trainlint.ir.nodes import VARIABLES, Attr, Call, Element, Param, Self, Subscript, Term
from trainlint.ir.sketch import CallStep, Function, Keep, Statement, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.container_parts import source_of
from trainlint.program.contexts import contexts_at
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Instance, LibraryObject, Value, is_class

_STEP = "step"


class Kept:
    """Of which things some checkpoint may have the state.

    ``made`` are the calls that made those whose state is taken or put back, or which are saved themselves, or a part of which is.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.made: set[Call] = set()
        known = program.ask(States)
        mixing = {function for _, function, _ in program.ask(averaging)}
        for name in sorted({*known.taking, *program.knowledge.takes_weights}):
            for site in program.ask(CallGraph).sites.get(name, ()):
                callee = site.call.term.callee
                if not isinstance(callee, Attr) or site.function in mixing or tests_software(program, site.module, site.function):
                    continue
                if name in known.taking or known.is_from_outside(site):
                    for frame in contexts_at(program, site):
                        self._whole(callee.base, frame)
        for name in program.knowledge.tables["checkpoints.registers"]["names"]:
            for site in program.ask(CallGraph).sites.get(name, ()):
                for given in site.call.term.args:
                    self._whole(given, program.frame(site.module, site.function))
        for save in program.ask(Written).saves:
            self._whole(save.given, save.frame)
            for contents in program.ask(Written).contents(save):
                for bound in (each for values in contents.items.values() for each in values):
                    self._written(bound.term, bound.frame)

    def _written(self, term: Term, frame: Context) -> None:
        """Note what is in a checkpoint, or is handed to what puts it in there: not what a thing was constructed with."""
        pending = [term]
        while pending:
            part = pending.pop()
            if isinstance(part, Call):
                self._whole(part.callee.base if isinstance(part.callee, Attr) else part, frame)
                constructs = any(map(is_class, self.program.values(part.callee, frame)))
                pending += () if constructs else (*part.args, *(value for _, value in part.kwargs))
            elif isinstance(part, (*VARIABLES, Subscript)):
                self._whole(part, frame)
            else:
                pending += part.subterms()

    def _whole(self, term: Term, frame: Context) -> None:
        """Note what something is, and what that is a part of: ``average.module`` is of the average."""
        pending = [term]
        while pending:
            part = pending.pop()
            found = makers(self.program, part, frame)
            self.made |= found
            if isinstance(part, (Attr, Subscript)):
                pending.append(part.base)
            elif isinstance(part, Call) and len(part.args) == 1 and not found:
                pending.append(part.args[0])  # what hands out the model in a wrapper


def makers(program: Program, term: Term, frame: Context) -> set[Call]:
    """The calls that may have made a thing, before a library wrapped it."""
    return {
        value.call
        for value in program.ask(Things).of(term, frame).values
        if isinstance(value, (LibraryObject, Instance)) and value.call is not None
    }


class Progress:
    """What goes on with the training: ``users`` are the functions in which what a call made is stepped, or an average updated."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.users: dict[Call, dict[tuple[str, Function], None]] = {}
        self.averages: list[tuple[str, Function, Call]] = []
        sites = program.ask(CallGraph).sites
        for site in sites.get(_STEP, ()) if program.ask(States).saved else ():
            for frame in contexts_at(program, site):
                if isinstance(site.call.term.callee, Attr):
                    for made in makers(program, site.call.term.callee.base, frame):
                        self._used(made, site)
        if program.ask(States).saved:
            self._by_libraries(program.knowledge.tables["checkpoints.averages"])
            for path, function, owner in program.ask(averaging):
                for site in program.ask(CallGraph).callers(function):
                    for frame in contexts_at(program, site):
                        self._averaged(path, function, owner, site, frame)

    def _used(self, made: Call, site: CallSite) -> None:
        self.users.setdefault(made, {})[site.module, site.function] = None

    def _note(self, value: Value, site: CallSite) -> None:
        if isinstance(value, (LibraryObject, Instance)) and value.call is not None and value.frame is not None:
            if value.call not in self.users:
                self.averages.append((value.frame.module, value.frame.function, value.call))
            self._used(value.call, site)

    def _by_libraries(self, updates: Mapping[str, str]) -> None:
        for method in sorted(set(updates.values())):
            for site in self.program.ask(CallGraph).sites.get(method, ()):
                for frame in contexts_at(self.program, site):
                    callee = site.call.term.callee
                    for value in self.program.values(callee.base, frame) if isinstance(callee, Attr) else ():
                        if isinstance(value, LibraryObject) and updates.get(value.name) == method:
                            self._note(value, site)

    def _averaged(self, path: str, function: Function, owner: Term, site: CallSite, frame: Context) -> None:
        """An update by the project's own code: of what it is handed, of the object whose method it is, or of what that keeps."""
        program, callee = self.program, site.call.term.callee
        if isinstance(owner, Param):
            for target in program.ask(CallGraph).targets(site.call.term, frame):
                bound = (
                    program.enter(target, site.call.term, frame).given(owner)
                    if isinstance(target, FunctionValue) and target.function is function
                    else None
                )
                for value in program.values(bound.term, bound.frame) if isinstance(bound, Argument) else ():
                    if _is_copy(program, value):
                        self._note(value, site)
        elif isinstance(callee, Attr):
            cls = class_of(program, path, function)
            if cls is not None and isinstance(owner, Attr) and _is_given(program, cls, owner.name):
                return  # whoever constructed the object has the average, too
            kept = owner if isinstance(owner, Attr) and cls is not None and _steps_itself(program, cls) else callee.base
            if kept is callee.base or (cls is not None and not is_module(program, cls)):
                for value in program.values(kept, frame):
                    if isinstance(value, Instance) if kept is callee.base else _is_copy(program, value):
                        self._note(value, site)


def _is_given(program: Program, cls: ClassValue, name: str) -> bool:
    """Whether objects of a class are handed what they keep under a name."""
    return any(isinstance(value, Param) for *_, value in program.stores(cls, name))


def _is_copy(program: Program, value: Value) -> bool:
    return isinstance(value, LibraryObject) and value.name in _words(program)["copies"]


def _words(program: Program) -> Mapping[str, list[str]]:
    return program.knowledge.tables["checkpoints.averaging"]


def _steps_itself(program: Program, cls: ClassValue) -> bool:
    """Whether the objects of a class step an optimizer: the averages that they keep are not all that they are."""
    functions = (each for each in program.modules[cls.module].functions.values() if each.cls == cls.cls.qualname)
    return any(last_name(node.term.callee) == _STEP for each in functions for node in calls_of(each))


def averaging(program: Program) -> tuple[tuple[str, Function, Term], ...]:
    """The functions that mix weights into others, each with what holds the others: the object itself, or a parameter.

    ``average.mul_(decay).add_(weight, alpha=1 - decay)``, ``shadow[name] = decay * shadow[name] + (1 - decay) * weight``: what is
    changed stays a part of what it becomes, and the weights of another model come in.
    """
    return tuple(_averaging(program))


def _averaging(program: Program) -> Iterator[tuple[str, Function, Term]]:
    asked = program.ask(CallGraph)
    near = {(site.module, site.function) for name in sorted(_words(program)["weights"]) for site in asked.sites.get(name, ())}
    for path, function in sorted(near, key=lambda each: (each[0], each[1].qualname)):
        for node in statements_of(function):
            owner = _mixed(program, node, program.frame(path, function))
            if owner is not None:
                yield path, function, owner
                break


def _mixed(program: Program, node: Statement, frame: Context) -> Term | None:
    """Whose weights a statement mixes with those of somebody else; None of any other statement."""
    words, mixes = _words(program), program.knowledge.tables["retained"]["writes"]
    target: Term
    names: list[str] = []
    given: list[Term] = []
    keeps = False
    if isinstance(node, CallStep):
        target = node.term
        while isinstance(target, Call) and isinstance(target.callee, Attr) and target.callee.name in mixes:
            names.append(target.callee.name)
            given += (*target.args, *(value for _, value in target.kwargs))
            target = target.callee.base
        keeps = not set(words["keeps"]).isdisjoint(names)
    elif isinstance(node, (Store, Keep)):
        target, given, names = node.target, [node.value], ["="]
    else:
        return None
    whole = _plain(target)
    keeps = keeps or any(_plain(part) is whole for part in parts_of(*given) if isinstance(part, (Attr, Subscript, Element)))
    if not names or not keeps or not isinstance(whole, (Subscript, Element)):
        return None
    owner = _owner(program, whole, frame)
    others = {
        _owner(program, part, frame)
        for part in parts_of(*given)
        if isinstance(part, (Subscript, Element)) and _is_weight(part, words)
    }
    return owner if owner is not None and others - {owner, None} else None


def _plain(term: Term) -> Term:
    """A tensor without ``.data``."""
    return term.base if isinstance(term, Attr) and term.name in ("data", "_data") else term


def _is_weight(term: Term, words: Mapping[str, list[str]]) -> bool:
    return any(isinstance(part, Call) and last_name(part.callee) in words["weights"] for part in parts_of(term))


def _owner(program: Program, term: Term, frame: Context) -> Term | None:
    """Whose weight something is: the object itself, what that keeps, or a parameter of the function."""
    while not isinstance(term, (Self, Param)):
        source = source_of(program, term, frame)
        if source is not None:
            term = source
        elif isinstance(term, (Subscript, Element)):
            term = term.stem
        elif isinstance(term, Call) and (isinstance(term.callee, Attr) or term.args):
            term = term.callee.base if isinstance(term.callee, Attr) else term.args[0]
        elif isinstance(term, Attr) and not isinstance(term.base, Self):
            term = term.base
        else:
            return term if isinstance(term, Attr) else None
    return term


def class_of(program: Program, module: str, function: Function) -> ClassValue | None:
    """The class whose method a function is."""
    cls = program.modules[module].classes.get(function.cls or "")
    return ClassValue(module, cls) if cls is not None else None
