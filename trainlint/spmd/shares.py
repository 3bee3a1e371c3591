"""Whether somebody gives each rank data of its own: asked to keep silent, so doubt counts as yes.

Besides samplers there are many ways: a dataset that is told the rank, a list that is cut by it, a library's ``shard``, data that
each rank makes or collects for itself. Their names speak of it (table ``shares.words``).
"""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.loops import Loops
from trainlint.facts.precision.surroundings import surroundings
from trainlint.facts.program import Program
from trainlint.facts.values import Bound, ClassValue, Frame, FunctionValue, Instance, Library, Made, Other, Value
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    Call,
    Const,
    Dict,
    Global,
    List,
    LoopPhi,
    Param,
    Ref,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Function, Keep, Loop, Store
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import statements_of
from trainlint.spmd.seeds import Seeds

_DEEPEST = 8
_MADE_UP = "made-up"
_CONTAINERS = (Tuple, List, Dict, Subscript)


class Shares:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._functions: dict[int, bool] = {}
        self._elsewhere: dict[str, bool] = {}
        #: Datasets of libraries that read what a path leads to: an unknown argument of theirs is a text, no list.
        self._readers = tuple(name for name in self.knowledge.map_style if name[-1] == ".")
        self._paths: set[Term] = set()

    # -- names -----------------------------------------------------------------------------------------------------

    def names_share(self, name: str) -> bool:
        """Whether a name speaks of ranks and their parts."""
        low = name.lower()
        return any(word in low for word in self.knowledge.share_words)

    def speaks(self, term: Term) -> bool:
        """Whether a name in a term does, as it is written there."""
        return any(self.names_share(name) for part in parts_of(term) for name in _names(part))

    def asks_for_processes(self, test: Term) -> bool:
        """Whether a test is about how many processes there are, by the names in it."""
        names = [name.lower() for part in parts_of(test) for name in _names(part)]
        return any(word in name for name in names for word in self.knowledge.share_tests)

    # -- datasets --------------------------------------------------------------------------------------------------

    def by_index(self, data: Value, drawn: bool) -> bool:
        """Whether a dataset is read by index, and not made up; ``drawn``: a loader shuffles it, which no stream allows."""
        if self.program.ask(Loops).library(data, "stream"):
            return False
        if isinstance(data, Instance):
            cls = ClassValue(data.module, data.cls)
            items = self.program.method(cls, "__getitem__")
            if items is None or self.program.method(cls, "__iter__") is not None:
                return False
            frame = self.program.instance_frame(data, *items)
            return not any(self._made_up(term, frame) for term in self.program.returns(items[1]))
        if isinstance(data, Made):
            if data.call is None or data.frame is None or self._made_up(data.call, data.frame):
                return False
            return drawn or self._named(data, self.knowledge.map_style)
        if not isinstance(data, Other):
            return False
        if isinstance(data.term, (Subscript, Call)):
            base = (
                data.term.base
                if isinstance(data.term, Subscript)
                else data.term.callee.base
                if isinstance(data.term.callee, Attr)
                else None
            )
            values = self.program.values(base, data.frame) if isinstance(base, Term) else ()
            return bool(values) and all(isinstance(value, (Made, Other)) and self.by_index(value, drawn) for value in values)
        return False

    def _named(self, data: Made, names: tuple[str, ...]) -> bool:
        """Whether a name is among these, or begins with one that ends in a dot."""
        return any(data.name.startswith(name) if name[-1] == "." else data.name == name for name in names)

    def _made_up(self, term: Term, frame: Frame, depth: int = 0) -> bool:
        """Whether a value is random numbers or constants, or has such in it: each rank makes its own."""
        if depth > _DEEPEST:
            return False
        if isinstance(term, _CONTAINERS):
            return any(
                self._made_up(part, frame, depth + 1) for part in term.subterms()[: 1 if isinstance(term, Subscript) else None]
            )
        for value in self.program.values(term, frame):
            if isinstance(value, Made):
                if self.knowledge.kinds.get(value.name) == _MADE_UP:
                    return True
                if value.call is not None and value.frame is not None and self.knowledge.kinds.get(value.name) == "tensors":
                    return any(self._made_up(part, value.frame, depth + 1) for part in value.call.args)
            elif isinstance(value, Other) and value.term is not term and isinstance(value.term, _CONTAINERS):
                inside = self._made_up(value.term, value.frame, depth + 1)
                if inside:
                    return True
        return False

    def of_rank(self, term: Term, frame: Frame) -> bool:
        """Whether anything that a dataset is made of may have to do with the rank: arguments, functions, its classes."""
        return self._of_rank(term, frame, set(), 0)

    def _of_rank(self, term: Term, frame: Frame, seen: set[tuple[Term, Frame]], depth: int) -> bool:
        key = (term, frame)
        if key in seen or isinstance(term, Const):
            return False
        seen.add(key)
        if depth > _DEEPEST:
            return False
        if any(self.names_share(name) for name in _names(term)):
            return True
        if isinstance(term, (Param, Attr, Call, BinOp)) and self.program.ask(Seeds).differs(term, frame):
            return True
        if isinstance(term, Unknown) and (self._written(term, frame.function) or self._may_choose(term, frame)):
            return True
        if isinstance(term, Param):
            bound = frame.given(term)
            return isinstance(bound, Bound) and self._of_rank(bound.term, bound.frame, seen, depth + 1)
        if any(self._value_of_rank(value, term, seen, depth) for value in self.program.values(term, frame)):
            return True
        if isinstance(term, Call):
            for target in self.program.values(term.callee, frame):
                if isinstance(target, FunctionValue) and self._function_speaks(target.function):
                    return True
        return any(self._of_rank(part, frame, seen, depth + 1) for part in term.subterms())

    def _value_of_rank(self, value: Value, term: Term, seen: set[tuple[Term, Frame]], depth: int) -> bool:
        above = self.program.lineage(ClassValue(value.module, value.cls)) if isinstance(value, Instance) else ()
        if any(self._class_speaks(cls) for cls in above):
            return True
        if isinstance(value, Made) and value.call is not None and self._named(value, self._readers):
            self._paths.update(argument for argument in value.call.args if isinstance(argument, Unknown))
        if isinstance(value, (Instance, Made)) and value.call is not None and value.frame is not None:
            return value.call is not term and self._of_rank(value.call, value.frame, seen, depth + 1)
        if isinstance(value, Other) and value.term is not term:
            return self._of_rank(value.term, value.frame, seen, depth + 1)
        return False

    def _class_speaks(self, cls: ClassValue | Library) -> bool:
        if isinstance(cls, Library):
            return False
        functions = self.program.modules[cls.module].functions
        return any(self._function_speaks(functions[qualname]) for qualname in cls.cls.methods.values())

    def _function_speaks(self, function: Function) -> bool:
        """Whether a function has to do with ranks, by the names in it."""
        known = self._functions.get(id(function))
        if known is None:
            known = any(self.names_share(name) for name in function.parameters)
            known = known or any(self.speaks(term) for node in statements_of(function) for term in node if isinstance(term, Term))
            self._functions[id(function)] = known
        return known

    def _may_choose(self, unknown: Unknown, frame: Frame) -> bool:
        """Whether an unknown value may be a comprehension, of whose tests nothing is kept, in a function that knows of ranks."""
        if unknown in self._paths:
            return False
        return self._function_speaks(frame.function)

    def _written(self, unknown: Unknown, function: Function) -> bool:
        """Whether what is written where a value is unknown (a comprehension, a text) speaks of the rank."""
        for node in statements_of(function):
            spot = node.statement if isinstance(node, CallStep) else node.spot
            if spot.line <= unknown.line <= spot.end_line:
                parts = [term for term in node if isinstance(term, Term)]
                if isinstance(node, (Loop, CallStep, Store)) and any(self.speaks(term) for term in parts):
                    return True
        return False

    def touched(self, data: Term, frame: Frame, loader: Term) -> bool:
        """Whether the function that makes a loader does something with the data that has to do with the rank."""
        for node in statements_of(frame.function):
            if isinstance(node, (CallStep, Store)):
                terms = [term for term in node if isinstance(term, Term) and not mentions(term, loader)]
                if any(mentions(term, data) for term in terms) and any(self.speaks(term) for term in terms):
                    return True
        return False

    # -- the program around ----------------------------------------------------------------------------------------

    def in_loop(self, call: Call, frame: Frame) -> bool:
        """Whether a call runs again and again: what it makes may hold what a rank just collected."""
        return bool(self.program.ask_of(surroundings, frame.function).of(call).loops)

    def elsewhere(self, frame: Frame) -> bool:
        """Whether the program is one in which ranks may have to see the same batch, or one process is all there is."""
        component = self.program.component(frame.module)
        known = self._elsewhere.get(component)
        if known is None:
            known = self._elsewhere[component] = self._mixed(frame.module) or self._alone(frame.module)
        return known

    def _mixed(self, module: str) -> bool:
        names = self.knowledge.mixed_parallelism
        return any(self.program.together(site.module, module) for name in names for site in self.index.sites.get(name, ()))

    def _alone(self, module: str) -> bool:
        """A group of one process, written out."""
        for dotted, parameter in self.knowledge.launches.items():
            for site in self.index.sites_named(dotted.rpartition(".")[2]):
                given = [value for name, value in site.call.term.kwargs if name == parameter]
                if self.program.together(site.module, module) and any(
                    isinstance(term, Const) and term.value == 1 for term in given
                ):
                    return True
        return any(self.program.together(path, module) for path in self.program.ask(_set_alone))


def _set_alone(program: Program) -> frozenset[str]:
    """The files that set the number of processes in their environment to one, whatever the launcher said."""
    sizes = frozenset(name for name, word in program.knowledge.environment.items() if word == "world")
    stores = ((path, node) for path, function in program.functions() for node in function.body if type(node) is Keep)
    return frozenset(path for path, node in stores if _sets_to_one(node, sizes))


def _sets_to_one(node: Keep, variables: frozenset[str]) -> bool:
    """``os.environ["WORLD_SIZE"] = "1"``."""
    target, value = node.target, node.value
    if (
        not isinstance(target, Subscript)
        or not isinstance(target.base, Ref)
        or not isinstance(target.key, Const)
        or not isinstance(value, Const)
    ):
        return False
    return target.key.value in variables and str(value.value) == "1"


def _names(term: Term) -> Iterator[str]:
    """The names that a term itself is written with."""
    if isinstance(term, (Ref, Global)):
        yield term.name.rpartition(".")[2]
    elif isinstance(term, (Attr, Param, LoopPhi)):
        yield term.name
    elif isinstance(term, Call):
        yield from (str(name) for name, _ in term.kwargs if name is not None)
