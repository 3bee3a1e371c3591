"""Def-use: what is done with an object, wherever it goes, and of what the terms of a file are parts.

The methods that are called on it, the attributes that are read, and whether it gets out of sight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from trainlint.ir.bindings import carried_values, ever_held, names_of, values_of
from trainlint.ir.nodes import (
    Asserted,
    Attr,
    BoolOp,
    Call,
    Compare,
    Comprehension,
    Const,
    Global,
    LoopPhi,
    Not,
    Param,
    Ref,
    Select,
    Self,
    Star,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.order import in_block, loops_around
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Module, Statement, Store, Try, With
from trainlint.ir.terms import dotted_name, is_call_of, mentions, root_of
from trainlint.ir.walk import of_kind, roots, statements_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.handed_back import is_unknown, likely_arms
from trainlint.program.heap import fields_of, only_holds
from trainlint.program.loops import Loops
from trainlint.program.program import Program, calls_of
from trainlint.program.values import Argument, ClassValue, Context, Instance, Library

#: A term or statement of which something is a part, and the function in which that is.
_Place = tuple[Term | Statement, Function]

Kind = TypeVar("Kind", bound=Unknown)


class UseIndex:
    """Of one file: what each term is a part of, with the function and the statement in which that is."""

    def __init__(self, module: Module) -> None:
        # There are as many places as parts: one object is the place of all parts of a term, and a list is for several only.
        self.of: dict[Term, Sequence[_Place]] = {}
        for function in module.functions.values():
            seen: set[Term] = set()
            for node in statements_of(function):
                here = ((node, function),)
                for root in roots(node):
                    self._note(root, here)
                    self._below(root, function, seen)

    def _below(self, root: Term, function: Function, seen: set[Term]) -> None:
        pending = [root]
        while pending:
            term = pending.pop()
            if term in seen:
                continue
            seen.add(term)
            parts, here = term.subterms(), ((term, function),)
            for part in parts:
                self._note(part, here)
            pending += parts

    def _note(self, part: Term, here: tuple[_Place]) -> None:
        known = self.of.get(part)
        if known is None:
            self.of[part] = here
        elif type(known) is list:
            known.append(here[0])
        else:
            self.of[part] = [*known, *here]


def made_in(function: Function, kind: type[Kind]) -> Iterator[Kind]:
    """The values of one kind that are made in a function, also for others of them, and for what its names hold."""
    if function.unknowns is None:
        function.unknowns = tuple(_unknowns(function))
    return (each for each in function.unknowns if isinstance(each, kind))


def _unknowns(function: Function) -> Iterator[Unknown]:
    pending = [term for node in statements_of(function) for term in roots(node)]
    pending += [*values_of(function), *function.defaults.values(), *function.decorators]
    pending += carried_values(function)
    seen: set[Term] = set()
    while pending:
        term = pending.pop()
        if term not in seen:
            seen.add(term)
            pending += term.made_of()
            if isinstance(term, Unknown):
                yield term


#: Questions about a thing that change nothing.
_ASKS = frozenset(f"builtins.{name}" for name in ("print", "len", "isinstance", "type", "repr", "str", "id", "bool", "hasattr"))
_GETS = "builtins.getattr"


class Use(NamedTuple):
    """All that is done: names of methods and attributes that are used of the thing, and whether it may go out of sight.

    ``given`` are the dotted names of libraries' functions and classes that are handed it; of a callee that nobody knows, its
    name with ``()``. ``classes`` are those whose objects hold it, ``functions`` those in which something of it is used.
    ``shared``: it has a name at the top level of a file that trains nothing when it is run; who imports that may use it, too.
    """

    methods: frozenset[str]
    escapes: bool
    given: frozenset[str]
    classes: tuple[ClassValue, ...]
    functions: tuple[tuple[str, Function], ...]
    shared: bool = False


class Uses:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._parents: dict[str, UseIndex] = {}

    def parents(self, path: str) -> UseIndex:
        """The parents of the terms of a file."""
        known = self._parents.get(path)
        if known is None:
            known = self._parents[path] = UseIndex(self.program.modules[path])
        return known

    def glance(self, path: str) -> UseIndex:
        """The same for who goes over all files: what nobody has asked for is not kept. Of a million lines it is 100 MB."""
        return self._parents.get(path) or UseIndex(self.program.modules[path])

    def of(self, path: str, function: Function, node: CallStep, *, named: bool = False, called: bool = False) -> Use:
        """What is done with what a call of a function makes.

        ``named``: an attribute is taken to be asked for by its name, but for the file of its class. ``called``: that the thing
        itself is called, as models are, does not let it out of sight.
        """
        following = _Following(self, path, node.term, named=named, called=called)
        following.escapes = is_lost(function, node)
        return following.all()


class _Following:
    """One thing on its way."""

    def __init__(self, uses: Uses, path: str, made: Term, *, named: bool = False, called: bool = False) -> None:
        self.uses = uses
        self.named = named
        self.called = called
        self.program = uses.program
        self.index = uses.program.ask(CallGraph)
        self.pending: list[tuple[str, Term]] = [(path, made)]
        self.seen: set[tuple[str, Term]] = set()
        self.methods: set[str] = set()
        self.given: set[str] = set()
        self.classes: list[ClassValue] = []
        self.functions: dict[tuple[str, Function], None] = {}
        self.attributes: set[tuple[str, str]] = set()
        self.escapes = False
        self.shared = False

    def all(self) -> Use:
        """Follow it to the end, or until it is out of sight."""
        while self.pending and not self.escapes:
            key = self.pending.pop()
            if key not in self.seen:
                self.seen.add(key)
                self._goes_by(*key)
        classes, functions = tuple(self.classes), tuple(self.functions)
        return Use(frozenset(self.methods), self.escapes, frozenset(self.given), classes, functions, self.shared)

    def _also(self, path: str, term: Term) -> None:
        self.pending.append((path, term))

    def _goes_by(self, path: str, term: Term) -> None:
        module = self.program.modules[path]
        for top, held in module.names.items():
            if held is term or _is_one_of(held, term):
                self._global(path, top)
        parents = self.uses.parents(path)
        for function in module.functions.values():
            inside = [part for each in made_in(function, Comprehension) for part in each.made_of() if part is not each.target]
            if any(mentions(part, term) for part in (*inside, *(star.of for star in made_in(function, Star)))):
                self.escapes = True
            for name, phi in function.phis.items():
                if any(end is term or _is_one_of(end, term) for end in phi.looped):
                    self._also(path, name)
            names = names_of(function, term)
            for other in parents.of if names else ():
                if isinstance(other, LoopPhi) and other.name in names:
                    self._also(path, other)
        for parent, function in parents.of.get(term, ()):
            if isinstance(parent, Term):
                self._inside(path, term, parent, function)
            else:
                self._stands(path, parent, function)

    def _global(self, path: str, name: str) -> None:
        """A name of the top level: used by the functions of its file; who imports it is not followed."""
        for other in self.uses.parents(path).of:
            if isinstance(other, Global) and other.name == name:
                self._also(path, other)
        whole = self.program.modules[path].functions["<module>"]
        if not self.program.ask(Loops).says(path, whole, whole.body, self.program.knowledge.training):
            self.shared = True
        for module in self.program.modules.values():
            dotted = (*(held.name for held in module.names.values() if isinstance(held, Ref)), *module.imports)
            if module.path != path and (
                any(each.rpartition(".")[2] == name for each in dotted) or self._takes(module, path, name)
            ):
                self.escapes = True

    def _takes(self, module: Module, path: str, name: str) -> bool:
        """Whether a file imports another one, and takes something of this name out of a module: ``state.scheduler``."""
        own = path.rpartition("/")[2].removesuffix(".py")
        near = any(
            each.rpartition(".")[2] == own
            for each in (*(term.name for term in module.names.values() if isinstance(term, Ref)), *module.imports)
        )
        if not near or not self.program.together(path, module.path):
            return False
        return any(
            isinstance(term, (Ref, Attr)) and term.name.rpartition(".")[2] == name for term in self.uses.glance(module.path).of
        )

    # -- where it stands -------------------------------------------------------------------------------------------

    def _stands(self, path: str, node: Statement, function: Function) -> None:
        """A statement that is about the thing itself."""
        if isinstance(node, (CallStep, If)):
            return
        if isinstance(node, Exit):
            if node.kind == "return":
                self._returned(path, function, None)
        elif isinstance(node, (Store, Keep)):
            target = node.target
            if isinstance(target, Attr):
                self._attribute(path, target, function)
            elif isinstance(target, Global):
                self._global(path, target.name)
            elif isinstance(target, LoopPhi):
                self._also(path, target)
            else:
                self.escapes = True
        else:
            self.escapes = True

    def _inside(self, path: str, term: Term, parent: Term, function: Function) -> None:
        """A larger expression in which it stands."""
        if isinstance(parent, Attr):
            self.methods.add(parent.name)
            self.functions[path, function] = None
        elif isinstance(parent, Call):
            self._handed(path, term, parent, function)
        elif isinstance(parent, (Compare, Not)) or (isinstance(parent, Select) and parent.test is term):
            return
        elif isinstance(parent, (Select, BoolOp, Asserted)):
            self._also(path, parent)
        elif isinstance(parent, Tuple) and self._is_returned(path, parent):
            self._returned(path, function, list(parent.items).index(term))
        else:
            self.escapes = True

    def _is_returned(self, path: str, term: Term) -> bool:
        """Whether a tuple is only ever returned."""
        parents = self.uses.parents(path).of[term]
        return all(isinstance(parent, Exit) and parent.kind == "return" for parent, _ in parents)

    # -- where it goes ---------------------------------------------------------------------------------------------

    def _handed(self, path: str, term: Term, call: Call, function: Function) -> None:
        given = (*call.args, *(value for _, value in call.kwargs))
        if term not in given:
            self.escapes = self.escapes or not self.called  # it is called itself
            return
        frame = self.program.frame(path, function)
        if self._takes_its_place(path, term, call, frame):
            return
        targets = self.index.targets(call, frame)
        if not targets and not self._is_field(path, term, call, frame):
            name = last_name(call.callee) or ""
            self.given.add(f"{name}()")
        for target in targets:
            if isinstance(target, Library):
                if target.name not in _ASKS:
                    self.given.add(target.name)
                continue
            if frame.runs(target.function):
                continue
            inner = self.program.enter(target, call, frame)
            passed = [name for name, bound in inner.arguments.items() if isinstance(bound, Argument) and bound.term is term]
            if not passed or target.function.generator or target.function.decorators:
                self.escapes = True
            for other in self.uses.parents(target.module).of:
                if isinstance(other, Param) and other.function == target.function.qualname and other.name in passed:
                    self._also(target.module, other)

    def _takes_its_place(self, path: str, term: Term, call: Call, frame: Context) -> bool:
        """Whether an unknown call hands the thing back, under a test, to the name or the attribute that holds it."""
        parents = self.uses.parents(path).of
        for parent, _ in parents.get(call, ()):
            if isinstance(parent, Select) and likely_arms(self.program, parent, frame) == (term,):
                return True
            if isinstance(parent, Store) and is_unknown(self.program, call, frame):
                others = (each for each, _ in parents.get(term, ()))
                if any(isinstance(each, Store) and each.target is parent.target for each in others):
                    return True
        return False

    def _returned(self, path: str, function: Function, position: int | None) -> None:
        sites = self.index.callers(function)
        if not sites or function.generator or function.decorators or function.kind == "property":
            self.escapes = True
            return
        cls = self.program.modules[path].classes.get(function.cls or "")
        if cls is not None and not self._is_plain(ClassValue(path, cls)):
            self.escapes = True
        for site in sites:
            if position is None:
                self._also(site.module, site.call.term)
                continue
            held = self.uses.parents(site.module).of.get(site.call.term, ())
            items = [parent for parent, _ in held if isinstance(parent, Term)]
            for item in items:
                if isinstance(item, Subscript) and isinstance(item.key, Const) and type(item.key.value) is int:
                    if item.key.value == position:
                        self._also(site.module, item)
                else:
                    self.escapes = True

    # -- attributes ------------------------------------------------------------------------------------------------

    def _attribute(self, path: str, target: Attr, function: Function) -> None:
        """An attribute holds it, of the object itself or of another one of the project."""
        if isinstance(target.base, Self):
            cls = self.program.modules[path].classes.get(str(target.base.cls))
            owners = [] if cls is None else [ClassValue(path, cls)]
        else:
            values = self.program.values(target.base, self.program.frame(path, function))
            known = all(isinstance(value, Instance) for value in values)
            owners = [ClassValue(value.module, value.cls) for value in values if isinstance(value, Instance) and known]
        self.escapes = self.escapes or not owners
        for owner in owners:
            self._kept(owner, target.name)

    def _kept(self, own: ClassValue, name: str) -> None:
        """Objects of a class keep it: all attributes of that name count, but those of objects of unrelated classes."""
        path = own.module
        if not self._is_plain(own):
            self.escapes = True
            return
        if (path, name) in self.attributes:
            return
        self.attributes.add((path, name))
        self.classes.append(own)
        for other in self._beside(path):
            for term in self.uses.parents(other).of:
                if isinstance(term, Attr) and term.name == name and self._may_be(term.base, other, own):
                    self._also(other, term)
                elif is_call_of(term, _GETS) and len(term.args) > 1 and not self._is_of_library(term.args[0], other):
                    unknown = not isinstance(term.args[1], Const) and (not self.named or other == path)
                    self.escapes = self.escapes or unknown or term.args[1].parts == ("str", name)

    def _is_of_library(self, term: Term, path: str) -> bool:
        """Whether something is a module or class of a library, which has no attribute of the project."""
        found = self.program.lookup(path, term.name) if isinstance(term, Ref) else None
        return isinstance(found, Library) and not found.name.startswith("<project>")

    def _is_field(self, path: str, term: Term, call: Call, frame: Context) -> bool:
        """Whether it becomes a field of an object of the project that only holds it, and that nobody else is handed whole."""
        made = self.program.values(call.callee, frame) if only_holds(self.program, call, frame) else ()
        for value in made:
            if not isinstance(value, ClassValue) or not self._is_plain(value):
                return False
            fields = zip(fields_of(self.program, value), call.args, strict=False)
            names = [name for name, given in (*fields, *call.kwargs) if given is term and name is not None]
            if not names or any(isinstance(parent, Call) for parent, _ in self.uses.parents(path).of.get(call, ())):
                return False
            for name in names:
                self._kept(value, name)
        return bool(made)

    def _beside(self, path: str) -> Iterable[str]:
        """The files that belong together with one."""
        return [other for other in self.program.modules if self.program.together(path, other)]

    def _may_be(self, base: Term, path: str, own: ClassValue) -> bool:
        if not isinstance(base, Self):
            return True
        cls = self.program.modules[path].classes.get(str(base.cls))
        if cls is None:
            return True
        other = ClassValue(path, cls)
        return own in self.program.lineage(other) or other in self.program.lineage(own)

    def _is_plain(self, cls: ClassValue) -> bool:
        """Whether no library may use what an object of a class has: it is derived from none."""
        knowledge = self.program.knowledge
        above = {each.name for each in self.program.lineage(cls) if isinstance(each, Library)}
        return above <= knowledge.plain_bases | knowledge.module_bases


def is_comprehension(node: Loop) -> bool:
    """Whether a loop is that of a comprehension."""
    return node.kind == "for" and not node.names


def is_lost(function: Function, node: CallStep) -> bool:
    """Whether a name may hold the thing behind a test or a loop, and the sketch says no more of it than that it holds something.

    That is so where another arm does not bind the name. What stands in a statement of its own nobody holds.
    """
    if any(is_comprehension(each) for each in loops_around(function, node.term)):
        return True
    regions = [each for each in statements_of(function) if isinstance(each, (If, Loop, Try, With))]
    led = any(node.statement == each.spot or in_block(function, (each,), node) for each in regions)
    if node.statement == node.term.site or not led:
        return False
    if any(mentions(term, node.term) for term in ever_held(function)):
        return False
    stored = (store.value for store in of_kind(function, Store))
    return not any(value is node.term or _is_one_of(value, node.term) for value in stored)


def _is_one_of(whole: Term, part: Term) -> bool:
    return isinstance(whole, (Select, BoolOp)) and any(each is part for each in whole.subterms())


def made_by(program: Program) -> tuple[tuple[str, Function, CallStep, str], ...]:
    """Every call of a library's class or function that makes an optimizer or a scheduler: file, function, call, kind."""
    return tuple(_made_by(program))


def _made_by(program: Program) -> Iterator[tuple[str, Function, CallStep, str]]:
    knowledge = program.knowledge
    libraries = {name.partition(".")[0] for name in (*knowledge.optimizers, *knowledge.tables["aliases"])}
    for path, function in program.functions():
        for node in calls_of(function):
            if not _is_of(node.term.callee, libraries):
                continue
            dotted = dotted_name(node.term.callee)
            kind = knowledge.optimizer_kind(knowledge.canonical(dotted)) if dotted is not None else None
            if kind is not None and (node.term.args or node.term.kwargs):
                yield path, function, node, kind


def _is_of(callee: Term, libraries: Collection[str]) -> bool:
    """Whether something is imported from one of these packages, or an attribute of that."""
    root = root_of(callee)
    return isinstance(root, Ref) and root.name.partition(".")[0] in libraries
