"""The linked program: modules, names, classes and values across files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from trainlint.config.target import ANY_VERSION, Target
from trainlint.documents.document import Documents
from trainlint.facts.components import Components, hides, imported
from trainlint.facts.constructed import Constructed
from trainlint.facts.external_types import Attributes, Outside
from trainlint.facts.modules import ModuleFinder
from trainlint.facts.resolve import Following
from trainlint.facts.values import (
    Bound,
    ClassValue,
    Frame,
    FunctionValue,
    Instance,
    Library,
    ModuleValue,
    Other,
    Value,
)
from trainlint.ir.nodes import Attr, Call, Kwargs, Ref, Term, Unknown
from trainlint.ir.sketch import CallStep, Exit, Function, Module
from trainlint.ir.terms import Sayings
from trainlint.ir.walk import of_kind
from trainlint.knowledge import Knowledge

_Answer = TypeVar("_Answer")
_About = TypeVar("_About")


class Program(Following):
    """All lowered modules of a run. Everything asked of it is computed when first asked and then kept."""

    def __init__(
        self,
        modules: Mapping[str, Module],
        finder: ModuleFinder,
        knowledge: Knowledge,
        outside: Outside | None = None,
        target: Target = ANY_VERSION,
    ) -> None:
        super().__init__()
        self.target = target
        self.modules = modules
        self.finder = finder
        self.knowledge = knowledge
        self.receiving = frozenset(knowledge.receivers.values())
        self.attributes = Attributes(knowledge, outside)
        self.closed: dict[Term, bool] = {}
        self.constructed = Constructed(self)
        self._frames: dict[tuple[str, str], Frame] = {}
        self._lookups: dict[tuple[str, str], Value] = {}
        self._members: dict[tuple[Term, str], Term] = {}
        self._entered: dict[tuple[FunctionValue, Term, Frame], Frame] = {}
        self._bound: dict[tuple[int, Instance], Frame] = {}
        self._returns: dict[int, list[Term]] = {}
        self._class_names: frozenset[str] | None = None
        self._components: Components | None = None
        self._packages: dict[str, frozenset[str]] | None = None
        #: Which expressions say the same, wherever they stand.
        self.sayings = Sayings()
        #: What was asked so far: by the question the answer, or the answers by what it was asked about.
        self.analyses: dict[Callable[..., object], Any] = {}
        #: The files beside the Python.
        self.documents = Documents({}, lambda _: None)

    def ask(self, question: Callable[[Program], _Answer]) -> _Answer:
        """What an analysis (a class, or a function) says of this program: made when first asked for, and then kept."""
        try:
            answer: _Answer = self.analyses[question]
        except KeyError:
            answer = self.analyses[question] = question(self)
        return answer

    def ask_of(self, question: Callable[[Program, _About], _Answer], about: _About) -> _Answer:
        """What a question says of one thing, a file, a function or a tuple of such: made when first asked for, and then kept."""
        answers = self.analyses.get(question)
        if answers is None:
            answers = self.analyses[question] = {}
        try:
            answer: _Answer = answers[about]
        except KeyError:
            answer = answers[about] = question(self, about)
        return answer

    def class_names(self) -> frozenset[str]:
        """What the project's own classes are called."""
        if self._class_names is None:
            names = (name for module in self.modules.values() for name in module.classes)
            self._class_names = frozenset(name.rpartition(".")[2] for name in names)
        return self._class_names

    # -- functions and frames --------------------------------------------------------------------------------------

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Every function of every module (the top levels of files among them), with its module's path."""
        for path, module in self.modules.items():
            for function in module.functions.values():
                yield path, function

    def frame(self, module: str, function: Function) -> Frame:
        """The function on its own: nothing known of its arguments."""
        key = (module, function.qualname)
        frame = self._frames.get(key)
        if frame is None:
            closure = None
            if function.outer is not None:
                outer = self.modules[module].functions.get(function.outer)
                closure = self.frame(module, outer) if outer is not None else None
            receiver: Value | None = None
            if function.cls is not None and function.kind != "static":
                cls = self.modules[module].classes.get(function.cls)
                if cls is not None:
                    receiver = ClassValue(module, cls) if function.kind == "classmethod" else Instance(module, cls)
            frame = self._frames[key] = Frame(module, function, receiver=receiver, closure=closure)
        return frame

    def enter(self, target: FunctionValue, call: Call, caller: Frame) -> Frame:
        """The frame of one call of a function (the same object whenever the same call is asked about)."""
        key = (target, call, caller)
        known = self._entered.get(key)
        if known is None:
            known = self._entered[key] = self._enter(target, call, caller)
        return known

    def _enter(self, target: FunctionValue, call: Call, caller: Frame) -> Frame:
        function = target.function
        parameters = function.parameters
        skip = 1 if function.kind in ("method", "property", "classmethod") else 0
        frame = Frame(
            target.module,
            function,
            receiver=target.receiver if function.kind != "static" else None,
            closure=target.closure or self.frame(target.module, function).closure,
            depth=caller.depth + 1,
            caller=caller,
            call=call,
            alone=self.frame(target.module, function),
        )
        if skip and target.receiver is None:
            frame.receiver = self.frame(target.module, function).receiver
            skip = 0  # called through the class: the instance is the first argument
        passes = [(call.args, call.kwargs, caller)]
        if target.given is not None:  # ``partial(function, first)(second)``
            made = target.given.term
            assert isinstance(made, Call)
            passes.insert(0, (made.args[1:], made.kwargs, target.given.frame))
        self._pass_in_order([(argument, at) for given, _, at in passes for argument in given], skip, frame)
        named = [(name, argument, at) for _, pairs, at in passes for name, argument in pairs]
        for name, argument, at in named:
            if name in parameters:
                frame.arguments[name] = Bound(argument, at)
            elif name is not None:
                frame.surplus = {**frame.surplus, name: Bound(argument, at)}
        frame.open = False
        for name, argument, at in named:
            if name is None:
                self._pass_on(argument, at, frame)
        return frame

    def entered(self) -> Iterator[Frame]:
        """The activations that were asked about until now."""
        yield from (*self._frames.values(), *self._entered.values(), *self._bound.values())

    def leave(self, begun: Collection[Frame]) -> None:
        """Forget the activations to which calls lead from these, and what was found out there."""
        for key, frame in list(self._entered.items()):
            first = frame
            while first.caller is not None:
                first = first.caller
            if first in begun:
                del self._entered[key]
                frame.empty()
        for frame in begun:
            frame.empty()

    def take_apart(self) -> None:
        """Let everything go at once: parts of it hold each other, and would be there until garbage is collected."""
        for frame in self.entered():
            frame.empty()
        vars(self).clear()

    def _pass_in_order(self, given: list[tuple[Term, Frame]], skip: int, frame: Frame) -> None:
        """Positional arguments, each with the activation that passes it; ``*args`` hands on what that was given itself."""
        parameters = frame.function.parameters[skip : frame.function.positional]
        passed: list[Bound] = []
        known = True
        for argument, caller in given:
            if not isinstance(argument, Unknown):
                passed.append(Bound(argument, caller))
            elif not caller.function.is_rest(argument):
                passed.append(Bound(argument, caller))
                known = False  # perhaps several
            elif caller.rest is not None:
                passed += caller.rest
            else:
                known = False
                break
        for parameter, bound in zip(parameters, passed, strict=False):
            frame.arguments[parameter] = bound
        if known:
            frame.rest = tuple(passed[len(parameters) :])

    def _pass_on(self, argument: Term, caller: Frame, frame: Frame) -> None:
        """``f(**kwargs)``: what the caller was given and did not name goes on."""
        holder = caller.holder(argument.function) if isinstance(argument, Kwargs) else None
        if holder is None or holder.open:
            frame.open = True
            return
        for name, bound in holder.surplus.items():
            if name in frame.function.parameters:
                frame.arguments.setdefault(name, bound)
            elif name not in frame.surplus:
                frame.surplus = {**frame.surplus, name: bound}

    def returns(self, function: Function) -> list[Term]:
        """The terms a function may return."""
        known = self._returns.get(id(function))
        if known is None:
            known = [node.value for node in of_kind(function, Exit) if node.kind == "return" and node.value is not None]
            self._returns[id(function)] = known
        return known

    # -- names -----------------------------------------------------------------------------------------------------

    def lookup(self, importer: str, dotted: str) -> Value:
        """What an imported dotted name means in file ``importer``: something of the project, or of a library."""
        key = (importer, dotted)
        found = self._lookups.get(key)
        if found is None:
            self._lookups[key] = Library(self.knowledge.canonical(dotted.lstrip(".")))  # ends import cycles
            found = self._lookups[key] = self._lookup(importer, dotted)
        return found

    def _lookup(self, importer: str, dotted: str) -> Value:
        name = dotted.lstrip(".")
        dots = dotted[: len(dotted) - len(name)]
        parts = name.split(".") if name else []
        for count in range(len(parts), -1 if dots else 0, -1):
            path = self.finder.find(importer, dots + ".".join(parts[:count]))
            if path is None or (count == len(parts) and hides(self.modules, self.finder, path)):
                continue
            value: Value | None = ModuleValue(path)
            for part in parts[count:]:
                value = self._part(value, part) if value is not None else None
            if value is not None:
                return value
            if path != importer:
                return Library(f"<project>.{name}")
        return Library(self.knowledge.canonical(name))

    def _part(self, value: Value, name: str) -> Value | None:
        """A member, also of an object that another file makes on its top level (``from comm import world; world.rank``)."""
        if not isinstance(value, Other) or not isinstance(value.term, (Call, Attr)):
            return self.member(value, name)
        term = self._members.setdefault((value.term, name), Attr.new(value.term, name))
        return Other(term, value.frame)

    def member(self, value: Value, name: str) -> Value | None:
        """Attribute ``name`` of a module or class of the project, or of something of a library."""
        if isinstance(value, ModuleValue):
            return self.module_member(value.module, name, set())
        if isinstance(value, ClassValue):
            method = self.method(value, name)
            if method is not None:
                bound = value if method[1].kind == "classmethod" else None
                return FunctionValue(method[0], method[1], bound)
            found = self.class_attribute(value, name)
            return Other(found[1], found[0]) if found is not None else None
        if isinstance(value, Library):
            return Library(self.knowledge.canonical(f"{value.name}.{name}"))
        return None

    def module_member(self, path: str, name: str, seen: set[str]) -> Value | None:
        """What a name of a file means. ``seen`` takes the files looked into: none is twice, however many take all from it."""
        module = self.modules.get(path)
        if module is not None and path not in seen:
            seen.add(path)
            if name in module.functions and name in module.names:
                return FunctionValue(path, module.functions[name])
            if name in module.classes and name in module.names:
                return ClassValue(path, module.classes[name])
            term = module.names.get(name)
            if term is not None:
                if isinstance(term, Ref):
                    return self.lookup(path, term.name)
                return Other(term, self.frame(path, module.functions["<module>"]))
            for star in module.stars:
                source = self.finder.find(path, star)
                found = self.module_member(source, name, seen) if source is not None else None
                if found is not None:
                    return found
        if path.endswith("__init__.py"):
            inner = self.finder.find(path, "." + name)
            if inner is not None:
                return ModuleValue(inner)
        return None

    # -- objects ----------------------------------------------------------------------------------------------------

    def instance_frame(self, instance: Instance, module: str, function: Function) -> Frame:
        """The frame in which a method of this very object runs; for ``__init__`` with the arguments that made it."""
        if instance.call is None or instance.frame is None:
            return self.frame(module, function)
        if function.name == "__init__":
            return self.enter(FunctionValue(module, function, instance), instance.call, instance.frame)
        key = (id(function), instance)
        frame = self._bound.get(key)
        if frame is None:
            depth, alone = instance.frame.depth + 1, self.frame(module, function)
            frame = Frame(module, function, receiver=instance, depth=depth, caller=instance.frame, alone=alone)
            self._bound[key] = frame
        return frame

    def together(self, path: str, other: str) -> bool:
        """Whether two files belong to one project: the imports connect them."""
        return self.component(path) == self.component(other)

    def packages(self, module: str) -> frozenset[str]:
        """The packages that the files belonging together with a file import, by the names that the tables call them."""
        if self._packages is None:
            found: dict[str, set[str]] = {}
            for path, sketch in self.modules.items():
                known = found.setdefault(self.component(path), set())
                known.update(self.knowledge.canonical(dotted).partition(".")[0] for dotted in imported(sketch))
            self._packages = {component: frozenset(names) for component, names in found.items()}
        return self._packages[self.component(module)]

    def component(self, path: str) -> str:
        """A name for the files that belong together with a file (see :class:`trainlint.facts.components.Components`)."""
        if self._components is None:
            self._components = Components({key: imported(module) for key, module in self.modules.items()}, self.finder)
        return self._components.of(path)


def calls_of(function: Function) -> tuple[CallStep, ...]:
    """The calls in a function's own sketch, in order."""
    return of_kind(function, CallStep)
