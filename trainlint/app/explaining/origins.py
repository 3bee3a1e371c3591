"""What an expression can stand for, and the way from it to where its value is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from trainlint.app.explaining.around import Places
from trainlint.app.explaining.text import Step, first_few
from trainlint.ir.nodes import (
    Access,
    Asserted,
    Attr,
    BinaryOp,
    BoolOp,
    Call,
    Const,
    Display,
    Element,
    Entered,
    Global,
    Invert,
    LoopPhi,
    Not,
    Param,
    Ref,
    Select,
    SequenceDisplay,
    Subscript,
    Term,
)
from trainlint.ir.printer import spelled
from trainlint.ir.sketch import Bind, Exit, Store
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph
from trainlint.program.indirect_calls import Spawned
from trainlint.program.program import Program
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    ModuleValue,
    Unresolved,
    Value,
)

#: What something returns, for those words of the table ``kinds`` that no article makes English.
_RETURNED = {
    "accelerator": "returns an accelerator",
    "engine": "returns an engine",
    "layers": "runs modules one after another",
    "made-up": "returns random or constant tensors",
    "prepared": "returns what it is given, wrapped",
    "tensors": "holds the tensors it is given",
}
#: What the words of the table ``ranks`` mean.
_RANKS = {
    "rank": "the rank",
    "local_rank": "the rank on its node",
    "node_rank": "the number of the node",
    "world": "the number of ranks",
    "main": "whether this is rank 0",
    "local_main": "whether this is rank 0 of its node",
    "last": "whether this is the last rank",
    "yes": "true on every rank",
    "uniform": "the same on every rank",
    "per-rank": "a different value on each rank",
}


class Origins:
    """Follows terms for people; the questions are those that the rules ask."""

    def __init__(self, program: Program, places: Places) -> None:
        self.program = program
        self.places = places
        #: By what a term of a kind is followed.
        self._handlers: dict[type[Term], Callable[[Any, Context, int, set[tuple[Term, Context]]], Iterator[Step]]] = {
            Ref: self._of_imported,
            Global: self._of_global_name,
            Param: self._of_parameter,
            Attr: self._of_attribute,
            Call: self._of_call,
            Element: self._of_element,
            LoopPhi: self._of_carried,
        }

    # -- what it can stand for -------------------------------------------------------------------------------------

    def stands_for(self, term: Term, frame: Context, but: Term | None = None) -> Iterator[str]:
        """What the analysis follows a term to, one sentence for each value it may be; not what the call ``but`` makes."""
        for value in self.program.values(term, frame):
            if but is not None and isinstance(value, LibraryObject) and value.call is but:
                continue
            said = self.value(value)
            if said:
                yield said

    def value(self, value: Value) -> str:
        """A value in words; nothing for one of which nothing is known."""
        if isinstance(value, FunctionValue):
            return f"the function `{value.function.qualname}` ({self._where(value.module, value.function.spot)})"
        if isinstance(value, ClassValue):
            return f"the class `{value.cls.qualname}` ({self._where(value.module, value.cls.spot)})"
        if isinstance(value, Instance):
            made = self._where(value.frame.module, value.call.site) if value.call is not None and value.frame is not None else ""
            return f"an object of `{value.cls.qualname}`{f', made at {made}' if made else ''}"
        if isinstance(value, ModuleValue):
            return f"the file {self.places.spelled.get(value.module, value.module)}"
        if isinstance(value, Library):
            return f"`{value.name.removeprefix('builtins.')}`{self.role(value.name)}"
        if isinstance(value, LibraryObject):
            made = self._where(value.frame.module, value.call.site) if value.call is not None and value.frame is not None else ""
            kind = self.program.knowledge.kinds.get(value.name)
            name = value.name.removeprefix("builtins.")
            what = f"what `{name}` returns" if made else f"a `{value.name}`, by its annotation or name"
            plain = f" ({kind.replace('-', ' ')})" if kind and kind not in _RETURNED else ""
            return f"{what}{plain}{f', made at {made}' if made else ''}"
        assert isinstance(value, Unresolved)
        return f"the constant {value.term.value!r}" if isinstance(value.term, Const) else ""

    def role(self, name: str) -> str:
        """What the tables say of something of a library: nothing, or words behind its name."""
        knowledge = self.program.knowledge
        said = []
        if name in knowledge.collectives:
            collective = knowledge.collective_kinds.get(name)
            said.append(f"a collective ({collective})" if collective else "a collective")
        if name in knowledge.ranks:
            said.append(_RANKS[knowledge.ranks[name]])
        if name in knowledge.kinds:
            kind = knowledge.kinds[name]
            said.append(_RETURNED.get(kind) or f"returns a {kind.replace('-', ' ')}")
        if name in knowledge.optional:
            said.append(f"communicates only {knowledge.optional[name]}")
        if name in knowledge.ends or name in knowledge.exits:
            said.append("ends the process")
        return f": {', '.join(said)}" if said else ""

    def _where(self, module: str, spot: object) -> str:
        at = self.places.at(module, spot)  # type: ignore[arg-type]
        return f"{at.path.name}:{at.line}" if at.cell is None else f"{at.path.name}:cell {at.cell}:{at.line}"

    # -- where it comes from ---------------------------------------------------------------------------------------

    def chain(self, term: Term, frame: Context, name: str | None = None) -> tuple[Step, ...]:
        """The way from a term, and from a name that holds it here, to where its value is made, or is not followed any more."""
        found = list(self._bound(term, frame, name))
        return first_few(chain(found, self._steps(term, frame, len(found), set())))

    def _bound(self, term: Term, frame: Context, name: str | None) -> Iterator[Step]:
        """The statement by which a name of the function holds a value that is written out."""
        if isinstance(term, (Ref, Global, Param, Element, LoopPhi, Select)):
            return
        for node in of_kind(frame.function, Bind):
            if node.name == name and node.value is term:
                written = self.places.text(frame.module, term.site) if isinstance(term, Call) else spelled(term)
                yield Step(f"`{name}` is `{written}`", self.places.at(frame.module, node.spot))
                return

    def _steps(self, term: Term, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        key = (term, frame)
        if key in seen or isinstance(term, Const):
            return
        seen.add(key)
        handler = self._handlers.get(type(term))
        if handler is not None:
            yield from handler(term, frame, depth, seen)
        elif isinstance(term, (Not, BoolOp, BinaryOp, Subscript, SequenceDisplay, Invert, Select, Asserted, Entered)):
            for part in term.subterms():
                yield from self._steps(part, frame, depth, seen)

    def _of_parameter(self, term: Param, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        holder = frame.holder(term.function)
        if holder is None:
            return
        name, function = term.name, holder.function
        bound = holder.arguments.get(name)
        if isinstance(bound, Argument):
            at = self.places.at(bound.frame.module, holder.call.site) if holder.call is not None else None
            yield Step(f"`{name}` is passed `{spelled(bound.term)}`", at, depth)
            yield from self._steps(bound.term, bound.frame, depth + 1, seen)
            return
        if name in self.program.ask(Spawned).numbers(function):
            yield Step(f"`{name}`: `{function.name}` is started as a process, this is its number", None, depth)
            return
        passed = 0
        index = self.program.ask(CallGraph)
        for site in index.callers(function):
            caller = self.program.frame(site.module, site.function)
            for target in index.targets(site.call.term, caller):
                if isinstance(target, FunctionValue) and target.function is function:
                    given = self.program.enter(target, site.call.term, caller).arguments.get(name)
                    at = self.places.at(site.module, site.call.term.site)
                    if isinstance(given, Argument):
                        passed += 1
                        yield Step(f"`{name}` is passed `{spelled(given.term)}` by {_of(site.function.qualname)}", at, depth)
                        yield from self._steps(given.term, given.frame, depth + 1, seen)
                    break
        if not passed:
            default = function.defaults.get(name)
            behind = f", its default is `{spelled(default)}`" if default is not None else ""
            word = self.program.knowledge.conventions.get(name.lower())
            behind += f"; by its name it is taken for {_RANKS[word]}" if word is not None else ""
            yield Step(f"`{name}` is a parameter of `{function.qualname}`; no caller is seen to pass it{behind}", None, depth)

    def _of_global_name(self, term: Global, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        module = self.program.modules[frame.module]
        known = module.names.get(term.name)
        if known is None or known is term or term.name in module.functions or term.name in module.classes:
            return
        rebound = ", and functions rebind it" if term.name in module.rebound else ""
        yield Step(f"`{term.name}` is bound at the top level to `{spelled(known)}`{rebound}", None, depth)
        yield from self._steps(known, self.program.frame(frame.module, module.functions["<module>"]), depth + 1, seen)

    def _of_imported(self, term: Ref, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        value = self.program.lookup(frame.module, term.name)
        if isinstance(value, Unresolved):
            at = self.places.at(value.frame.module, value.frame.function.spot)._replace(line=1, column=1)
            yield Step(f"`{term.name.lstrip('.')}` is `{spelled(value.term)}` in {at.path}", None, depth)
            yield from self._steps(value.term, value.frame, depth + 1, seen)

    def _of_attribute(self, term: Attr, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        found = 0
        for base in self.program.values(term.base, frame):
            if isinstance(base, Instance):
                for step, inner in self._stored(base, term.name):
                    found += 1
                    yield step._replace(depth=depth)
                    yield from self._steps(*inner, depth + 1, seen)
        if not found:
            yield from self._steps(term.base, frame, depth, seen)

    def _stored(self, instance: Instance, name: str) -> Iterator[tuple[Step, tuple[Term, Context]]]:
        cls = ClassValue(instance.module, instance.cls)
        for module, function, value in self.program.stores(cls, name):
            stores = (node for node in statements_of(function) if isinstance(node, Store) and node.value is value)
            at = next((self.places.at(module, node.spot) for node in stores), None)
            step = Step(f"`{instance.cls.name}.{name}` is stored by `{function.name}`: `{spelled(value)}`", at)
            yield step, (value, self.program.instance_frame(instance, module, function))

    def _of_call(self, term: Call, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        callees = self.program.values(term.callee, frame)
        root = term.callee
        while isinstance(root, (Access, Call)):
            root = root.stem
        if any(isinstance(callee, Unresolved) for callee in callees) and not isinstance(root, (Const, Display)):
            what, at = self.places.text(frame.module, term.site), self.places.at(frame.module, term.site)
            yield Step(f"what `{what}` runs is not known", at, depth)
            yield from self._steps(root, frame, depth + 1, seen)
        for callee in callees:
            if isinstance(callee, FunctionValue) and not frame.runs(callee.function):
                inner = self.program.enter(callee, term, frame)
                for node in [n for n in statements_of(callee.function) if isinstance(n, Exit) and n.kind == "return"]:
                    if node.value is not None:
                        at = self.places.at(callee.module, node.spot)
                        yield Step(f"`{callee.function.name}` returns `{spelled(node.value)}`", at, depth)
                        yield from self._steps(node.value, inner, depth + 1, seen)
            elif isinstance(callee, Library) and self.role(callee.name):
                yield Step(
                    f"`{callee.name.removeprefix('builtins.')}`{self.role(callee.name)}",
                    self.places.at(frame.module, term.site),
                    depth,
                )
            elif isinstance(callee, Library) and callee.name in self.program.knowledge.transparent and term.args:
                yield from self._steps(term.args[0], frame, depth, seen)

    def _of_element(self, term: Element, frame: Context, depth: int, seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        yield Step(f"an item of `{spelled(term.of)}`, by the loop in line {term.line}", None, depth)
        yield from self._steps(term.of, frame, depth + 1, seen)

    def _of_carried(self, term: LoopPhi, _frame: Context, depth: int, _seen: set[tuple[Term, Context]]) -> Iterator[Step]:
        yield Step(f"`{term.name}` is changed by the loop in line {term.line}: its value is not followed", None, depth)


def _of(qualname: str) -> str:
    return "the top level" if qualname == "<module>" else f"`{qualname}`"
