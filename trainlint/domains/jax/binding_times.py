"""Binding times: which functions JAX traces, and which of their parameters are arrays, trees or static.

What a value is while JAX traces.

Which functions JAX traces: decorated with ``jit`` and its like, handed to it, or the methods of a model.

Which parameters of a traced function are traced, as far as what traces it, and those who call it, say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeVar

from trainlint.domains.traced.functions import Root, Roots
from trainlint.ir.bindings import held_at_end
from trainlint.ir.nodes import Attr, Call, Const, Global, Ref, Self, SequenceDisplay, Term, Unknown
from trainlint.ir.sketch import Function
from trainlint.ir.terms import is_none, parts_of
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.memo import remembered
from trainlint.program.program import Program
from trainlint.program.values import Argument, ClassValue, Context, FunctionValue, Library, LibraryObject, Unresolved

Level = Literal["array", "tree", "static"]
"""One traced array; something of which the parts are traced (or it is an array after all); what Python knows."""
ARRAY: Level = "array"
TREE: Level = "tree"
STATIC: Level = "static"
TRACED = (ARRAY, TREE)


Traced = Literal["function", "method"]
PMAP = "pmap"
#: Words of the table ``tracing``: what keeps what it compiled by the function, what maps one over examples or devices, and all.
COMPILES = frozenset(("jit", PMAP))
MAPS = frozenset(("vmap", PMAP))
_DIVIDES = ("vmap", "shard_map")
TRACES = frozenset((*COMPILES, *MAPS, "shard_map", "grad", "remat", "custom", "loop", "branch"))


class TracedFunctions:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._bases = frozenset(program.knowledge.tables["traced.bases"]["names"])

    def how(self, module: str, function: Function) -> Traced | None:
        """Whether a function is traced itself, and as what."""
        if any(root.word in TRACES for root in self.program.ask(Roots).of(function)):
            return "function"
        cls = self.program.modules[module].classes.get(function.cls or "")
        if cls is not None and function.kind == "method" and not function.name.startswith("setup"):
            above = self.program.lineage(ClassValue(module, cls))
            if any(isinstance(each, Library) and each.name in self._bases for each in above):
                return "method"
        return None


#: Numbers that ``argnums`` may say.
_NUMBERS = ("int", "float", "bool")
_Constant = TypeVar("_Constant", int, str)


class Parameters:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        tables = program.knowledge.tables
        self._types = frozenset(tables["tracers.types"]["names"])
        self._plain = self._types | frozenset(tables["tracers.numbers"]["names"])
        self._numbers: list[str] = tables["tracers.argnums"]["names"]
        self._names: list[str] = tables["tracers.argnames"]["names"]
        self._axes: list[str] = tables["tracers.axes"]["names"]
        self._filters = frozenset(tables["tracers.filters"]["names"])
        self._counts = frozenset(tables["tracers.counts"]["names"])

    def names(self, root: Root) -> list[str]:
        """The parameters that a caller gives in order: without what is bound, or given by a ``partial``."""
        function = root.target.function
        names = list(function.parameters[: function.positional])
        if function.kind in ("method", "classmethod") and root.target.receiver is not None and not self._is_decorator(root):
            names = names[1:]
        filled = sum(len(given.term.args) - 1 for given in root.target.given if isinstance(given.term, Call))
        return names[filled:]

    def _is_decorator(self, root: Root) -> bool:
        return root.spot in root.target.function.decorator_spots

    def static(self, root: Root) -> list[str] | None:
        """The parameters that are said to be static; None where nobody can see which these are."""
        found: list[str] = []
        names = self.names(root)
        options = root.call.kwargs if root.call is not None else ()
        for name, value in options:
            if name is None:
                return None
            if name in self._numbers:
                numbers = self._constants(value, root.frame, int)
                if numbers is None:
                    return None
                found += [names[number] for number in numbers if -len(names) <= number < len(names)]
            elif name in self._names:
                texts = self._constants(value, root.frame, str)
                if texts is None:
                    return None
                found += texts
        return found

    @remembered()
    def always_static(self, function: Function) -> frozenset[str]:
        """The parameters that are static wherever a function is called, because its decorator says so."""
        found = [self.static(root) or () for root in self.program.ask(Roots).of(function) if self._is_decorator(root)]
        return frozenset(name for names in found for name in names)

    def _constants(self, term: Term, frame: Context, kind: type[_Constant]) -> list[_Constant] | None:
        """A constant or several of them."""
        if not isinstance(term, (Const, SequenceDisplay)):
            values = self.program.values(term, frame)
            if len(values) != 1 or not isinstance(values[0], Unresolved):
                return None
            term = values[0].term
        found = []
        for item in term.items if isinstance(term, SequenceDisplay) else (term,):
            if not isinstance(item, Const) or type(item.value) is not kind:
                return None
            found.append(item.value)
        return found

    def levels(self, root: Root) -> list[tuple[str, Level | None]] | None:
        """What each parameter is in the trace; None where nothing can be said."""
        static = self.static(root)
        if static is None:
            return None
        function = root.target.function
        names = self.names(root)
        mapped = self._mapped(root, names)
        if mapped is None:
            return None
        found: list[tuple[str, Level | None]] = []
        given = self.filled(root.target)
        for name in function.parameters:
            if name in given:
                continue
            handed = name in mapped and (name in names or name in function.parameters[function.positional :])
            if name in static:
                found.append((name, STATIC))
            elif not handed or self._is_self(root, name) or (name in function.defaults and not self._is_passed(root, name)):
                found.append((name, None))
            else:
                found.append((name, self._level(root, name)))
        return found

    def _is_self(self, root: Root, name: str) -> bool:
        function = root.target.function
        return name == function.parameters[0] and function.kind == "method" and self._is_decorator(root)

    def _mapped(self, root: Root, names: list[str]) -> list[str] | None:
        """The parameters that hold traced values because of what maps, or differentiates: all of them under ``jit``."""
        function = root.target.function
        if root.word == "grad":
            numbers = next((value for name, value in (root.call.kwargs if root.call else ()) if name == "argnums"), None)
            positions = [0] if numbers is None else self._constants(numbers, root.frame, int)
            if positions is None:
                return None
            return [names[each] for each in positions if 0 <= each < len(names)]
        axes = self._in_axes(root) if root.word in (*_DIVIDES, "loop") else None
        if root.word not in _DIVIDES:  # of a loop, whoever says more than numbers has arguments that are the same in each round
            return list(function.parameters) if axes is None or self._constants(axes, root.frame, int) is not None else None
        if axes is None:
            return names
        if isinstance(axes, Const):
            return names if axes.value is not None else []
        if not isinstance(axes, SequenceDisplay) or type(axes.items) is not tuple:
            return None
        return [
            name for name, axis in zip(names, axes.items, strict=False) if not isinstance(axis, Const) or axis.value is not None
        ]

    def _in_axes(self, root: Root) -> Term | None:
        """What is mapped of each argument, as the call says."""
        if root.call is None:
            return None
        named: Term | None = next((value for name, value in root.call.kwargs if name in self._axes), None)
        if named is not None:
            return named
        given: tuple[Term, ...] = root.call.args if root.word in _DIVIDES else ()
        return given[1] if len(given) > 1 and not self._is_decorator(root) else None

    def _is_passed(self, root: Root, name: str) -> bool:
        """Whether some call gives a parameter that has a default: what nobody gives keeps its default, which is static."""
        given = (self.given(root, site.call.term, name) for site in self.calls(root))
        return any(each is not None and not is_none(each) for each in given)

    def handed(self, root: Root) -> dict[str, Argument]:
        """What the first call that is seen gives for the static parameters: objects, the methods of which run in the trace."""
        static = self.static(root)
        site = next(iter(self.calls(root)), None) if static else None
        if site is None or static is None:
            return {}
        frame = self.program.frame(site.module, site.function)
        given = {name: self.given(root, site.call.term, name) for name in static}
        return {name: Argument(term, frame) for name, term in given.items() if term is not None and isinstance(term, Self)}

    def filled(self, target: FunctionValue) -> dict[str, Argument]:
        """What ``partial`` has given a function before it is traced."""
        function = target.function
        names = function.parameters[: function.positional]
        if function.kind in ("method", "classmethod") and target.receiver is not None:
            names = names[1:]
        found: dict[str, Argument] = {}
        for made, frame in target.given:
            if isinstance(made, Call):
                found.update({name: Argument(term, frame) for name, term in zip(names, made.args[1:], strict=False)})
                found.update({name: Argument(term, frame) for name, term in made.kwargs if name in function.parameters})
                names = names[len(made.args) - 1 :]
        return found

    def calls(self, root: Root) -> Iterator[CallSite]:
        """The calls of what is traced: of the decorated function, or of what the call that traces it returned."""
        function = root.target.function
        index = self.program.ask(CallGraph)
        if root.spot in function.decorator_spots:
            yield from (site for site in index.callers(function) if site.function is not function)
            return
        names = {
            name for name, term in held_at_end(root.frame.function).items() if isinstance(term, Call) and term.site == root.spot
        }
        top = self.program.modules[root.frame.module].names
        names |= {name for name, term in top.items() if isinstance(term, Call) and term.site == root.spot}
        for name in sorted(names):
            for site in index.sites_named(name):
                frame = self.program.frame(site.module, site.function)
                for value in self.program.values(site.call.term.callee, frame):
                    if isinstance(value, LibraryObject) and value.call is not None and value.call.site == root.spot:
                        yield site

    def given(self, root: Root, call: Call, name: str) -> Term | None:
        """What such a call gives for a parameter; None where that is nothing, or not seen."""
        named: Term | None = next((value for key, value in call.kwargs if key == name), None)
        if named is not None:
            return named
        names = self.names(root)
        if (
            root.target.function.kind == "method"
            and root.spot in root.target.function.decorator_spots
            and isinstance(call.callee, Attr)
        ):
            names = names[1:]
        position = names.index(name) if name in names else None
        if position is None or len(call.args) <= position or any(isinstance(each, Unknown) for each in call.args[: position + 1]):
            return None
        given: tuple[Term, ...] = call.args
        return given[position]

    def _level(self, root: Root, name: str) -> Level | None:
        """Traced as a whole; an array where the annotation says so. What is said to be a text or an object is left alone."""
        function = root.target.function
        said = self.annotated(root.target.module, function, name, numbers=root.name not in self._filters)
        if said == ARRAY:
            return ARRAY
        if root.name in self._filters:  # what is no array is static there
            return None
        if said is not None:
            return said
        default = function.defaults.get(name)
        number = default is not None and isinstance(default, Const) and default.type in _NUMBERS
        return ARRAY if number or (root.name in self._counts and name == function.parameters[0]) else TREE

    def annotated(self, module: str, function: Function, name: str, *, numbers: bool = False) -> Level | None:
        """What the annotation of a parameter says: an array (or a number), or something that may be one."""
        annotation = function.annotations.get(name)
        if annotation is None:
            return None
        frame = self.program.frame(module, function)
        types = self._plain if numbers else self._types
        plain = isinstance(annotation, (Ref, Global, Attr))
        for part in parts_of(annotation):
            if not isinstance(part, (Ref, Global, Attr)):
                continue
            for value in self.program.values(part, frame):
                if isinstance(value, Library) and value.name in types:
                    return ARRAY if plain else TREE
        return None
