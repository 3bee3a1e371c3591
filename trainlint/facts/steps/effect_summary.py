"""Which functions may do a part of a training step, themselves or in what they call. All others are passed by.

By names first, which is cheap and leaves few; then by what the calls in those few really run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.program import Program, calls_of
from trainlint.facts.steps.objects import Things, named
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import NAMED, Access, Attr, Call, Display, Element, Global, LoopPhi, Param, Self, Subscript, Term
from trainlint.ir.sketch import Block, CallStep, Exit, Function, Keep, Statement, Store
from trainlint.ir.walk import of_kind, walk

#: Methods that many other things have, too: they count where their object is a part of a step.
COMMON = ("step", "update", "scale")
#: How many parts of ``a.b.c()`` are looked at.
_DEEPEST = 6
#: Terms that stand for one thing, and those that are written out with others in them.
_NAMED = (Param, Attr, Global, LoopPhi, Self, Call)


class Reach:
    """Answers for one program, by names."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._names = frozenset(name.rpartition(".")[2] for name in self.knowledge.step_calls)
        self._functions: set[int] = set()
        self._leading: set[str] = set()
        self._objects = False
        self._exact: dict[int, bool] = {}
        self._calls: dict[Term, bool] = {}
        self._blocks: dict[int, tuple[Block, tuple[Statement, ...]]] = {}
        #: What is seen to step, or to be stepped.
        self._parts: set[Term] = set()
        self._close(self._seeds())

    def leads(self, module: str, function: Function) -> bool:
        """Whether a function may do a part of a step."""
        if id(function) not in self._functions:
            return False
        known = self._exact.get(id(function))
        if known is None:
            self._exact[id(function)] = False  # ends recursion
            known = self._exact[id(function)] = self._leads(module, function)
        return known

    def _leads(self, module: str, function: Function) -> bool:
        """The same, with the callees that can be seen in place of their names."""
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
            if any(self.leads(target.module, target.function) for target in functions) or "zero_grad" in (
                last_name(node.term.callee) or ""
            ):
                return True
        return False

    def _is_other(self, call: Call) -> bool:
        """Whether a call of a library's function has a name that is no part's: it only may be handed something."""
        return (last_name(call.callee) or "") not in self._names

    def of_interest(self, block: Block) -> tuple[Statement, ...]:
        """The statements of a block that may be a part of a step, or leave."""
        known = self._blocks.get(id(block))
        if known is None:
            known = self._blocks[id(block)] = (block, tuple(node for node in block if self._matters(node)))
        return known[1]

    def _matters(self, node: Statement) -> bool:
        for each in walk((node,)):
            if isinstance(each, Exit) or (isinstance(each, CallStep) and self.may_lead(each.term)):
                return True
            if (
                isinstance(each, (Store, Keep))
                and isinstance(each.target, Attr)
                and each.target.name in self.knowledge.gradient_attributes
            ):
                return True
        return False

    def may_lead(self, call: Call) -> bool:
        """Whether a call may do, or run, a part of a step."""
        known = self._calls.get(call)
        if known is None:
            known = self._calls[call] = self._may_lead(call)
        return known

    def _may_lead(self, call: Call) -> bool:
        name = last_name(call.callee) or ""
        if name in self._names or name in self._leading or "zero_grad" in name:
            return True
        if name.endswith("_") and isinstance(call.callee, Attr):
            return self._of_gradient(call.callee.base)
        if self._objects and (
            isinstance(call.callee, (Param, Subscript, Element, Call))
            or (isinstance(call.callee, Attr) and isinstance(call.callee.base, (Self, Global)))
        ):
            return True
        return self._handed(call) or not self.knowledge.step_hooks.isdisjoint(words_of(call.callee))

    def _of_gradient(self, term: Term) -> bool:
        """Whether something is the gradient of a parameter, or taken from one: ``p.grad.data``."""
        for _ in range(_DEEPEST):
            if isinstance(term, Attr) and term.name in self.knowledge.gradient_attributes:
                return True
            if not isinstance(term, (Access, Call)):
                return False
            term = term.stem
        return False

    def _handed(self, call: Call) -> bool:
        """Whether something out of sight is given a thing that takes part in a step."""
        given = (*call.args, *(value for _, value in call.kwargs))
        return any(isinstance(part, _NAMED) and self._speaks(part) for each in given for part in _written_out(each))

    def _speaks(self, term: Term) -> bool:
        return isinstance(term, Self) or term in self._parts or named(self.knowledge, term) in ("optimizer", "scaler", "engine")

    def _seeds(self) -> list[CallSite]:
        found: list[CallSite] = []
        for name in self._names:
            for site in self.index.sites.get(name, ()):
                steps = name in COMMON and self.steps(site)
                if steps:
                    self._parts.update(_taking_part(site.call.term))
                if name not in COMMON or steps or self._schedules(site):
                    found.append(site)
        found += [
            site for name, sites in self.index.sites.items() if "zero_grad" in name and name not in self._names for site in sites
        ]
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
            return name == "scaler" or (isinstance(callee.base, Call) and self._kind(callee.base, site) == "scaler")
        return name in ("optimizer", "scaler") or (
            name != "scheduler" and self._kind(callee.base, site) in ("optimizer", "scaler")
        )

    def _schedules(self, site: CallSite) -> bool:
        """Whether a scheduler is stepped as PyTorch's are: without arguments."""
        call = site.call.term
        return (
            isinstance(call.callee, Attr)
            and not call.args
            and not call.kwargs
            and named(self.knowledge, call.callee.base) == "scheduler"
        )

    def _kind(self, term: Term, site: CallSite) -> str:
        return self.program.ask(Things).of(term, self.program.frame(site.module, site.function)).kind

    def _close(self, seeds: list[CallSite]) -> None:
        """From the functions that hold a seed to all that may run them."""
        queue = [site.function for site in seeds]
        queue += [function for _, function in self.program.functions() if self._assigns(function)]
        while queue:
            function = queue.pop()
            if id(function) in self._functions:
                continue
            self._functions.add(id(function))
            for name in self._called_as(function):
                if name not in self._leading:
                    self._leading.add(name)
                    queue += [site.function for site in self.index.sites_named(name)]

    def _assigns(self, function: Function) -> bool:
        targets = [node.target for node in of_kind(function, Store)] + [node.target for node in of_kind(function, Keep)]
        return any(isinstance(target, Attr) and target.name in self.knowledge.gradient_attributes for target in targets)

    def _called_as(self, function: Function) -> list[str]:
        """The names by which a function may be called; an object is called by any."""
        name = function.name
        if name in ("__call__", "forward") and function.cls is not None:
            self._objects = True
            return [name]
        if name == "__init__" and function.cls is not None:
            return [function.cls.rpartition(".")[2]]
        if function.kind == "module":
            return []
        return [name]


def _taking_part(call: Call) -> Iterator[Term]:
    """What steps by a call, or is stepped: ``scaler.step(optimizer)``; not what is scaled."""
    callee = call.callee
    assert isinstance(callee, Attr)
    for part in (callee.base, *(call.args if callee.name == "step" else ())):
        whole = part
        while isinstance(whole, (Subscript, Element)):
            whole = whole.stem
        yield from (each for each in _written_out(whole) if isinstance(each, _NAMED))


def _written_out(term: Term) -> Iterable[Term]:
    """A thing, or of several that are written out together, each."""
    return term.subterms() if isinstance(term, Display) else (term,)


def words_of(callee: Term) -> set[str]:
    """The words in what is called: ``self.callbacks.on_step_end`` has `callbacks`, `on`, `step` and `end`."""
    found: set[str] = set()
    for _ in range(_DEEPEST):
        if isinstance(callee, NAMED):
            found.update(callee.name.lower().split("_"))
        if not isinstance(callee, (Access, Call, Element)):
            break
        callee = callee.stem
    return found
