"""What runs only in some mode of a model: when it is sharded, when it is evaluated.

What a function runs for sharded models only, and whether a call may have to do with such a model.

A function that saves any kind of model often meets the other ranks in one case only: where the model is sharded
(``if isinstance(model, FSDP): dist.barrier()``). Who calls it on one rank, with a model of which nothing says that it is sharded,
does not get there.

Calls with a model in evaluation mode: what they come to only ``if self.training`` does not run.

``model.eval()``, then ``score(model)`` on one rank: a barrier in the model's forward pass that is there for training only is none
of this call. The mode is taken to be that of every model in the call.
"""

from __future__ import annotations

from trainlint.domains.data_parallel.models import SHARDED, Parallel
from trainlint.finding import Spot
from trainlint.ir.nodes import And, Attr, Call, Comprehension, Not, Or, Param, Select, Term, Tuple
from trainlint.ir.order import before
from trainlint.ir.sketch import Function
from trainlint.program.call_graph import last_name
from trainlint.program.memo import remembered
from trainlint.program.program import Program, calls_of
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, Library
from trainlint.spmd.symbols import Uniform
from trainlint.spmd.trace import Guard, Invoke

_TYPE_TEST, _QUANTIFIERS = "builtins.isinstance", ("builtins.any", "builtins.all", "builtins.bool")


class Modes:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.parallel = program.ask(Parallel)
        #: Whether there can be such models at all.
        self.active = self.parallel.active
        knowledge = program.knowledge
        made = {name for name, kind in knowledge.parallel.items() if kind in SHARDED}
        #: Classes that only sharded models, and parameters of such models, are of.
        states = (name for name, kind in knowledge.collective_kinds.items() if kind == "sharded-state")
        self.classes = made | {name.rpartition(".")[0] for name in states}

    @remembered()
    def excludes(self, symbol: Uniform, guard: Guard) -> bool:
        """Whether a condition asks for a sharded model, in a call behind a test on the rank that hands over none."""
        return self._is_excluded(symbol.key, guard)

    def _is_excluded(self, key: object, guard: Guard) -> bool:
        match key:
            case (Term() as term, Context() as frame):
                pass
            case _:
                return False
        outermost = _call_from(frame, guard.frame)
        if outermost is None or not self.asks(term, frame):
            return False
        return guard.admits or not self._hands_over(outermost, guard.frame)  # `if sharded or rank == 0`: who asks knows both

    def _hands_over(self, call: Call, frame: Context) -> bool:
        receiver = (call.callee.base,) if isinstance(call.callee, Attr) else ()
        handed = (*receiver, *call.args, *(value for _, value in call.kwargs))
        return any(not SHARDED.isdisjoint(self.parallel.kinds(term, frame)) for term in handed)

    @remembered()
    def asks(self, term: Term, frame: Context) -> bool:
        """Whether a condition asks if something is sharded."""
        return any(self._is_type_test(each.term, each.frame) for each in reached(self.program, term, frame, self._asked))

    def _asked(self, term: Term, frame: Context) -> list[Argument] | None:
        """Whose truth a condition depends on; of a helper's, that of what it returns."""
        if isinstance(term, Not):
            return [Argument(term.operand, frame)]
        if isinstance(term, (And, Or)):
            return [Argument(part, frame) for part in term.operands]
        if isinstance(term, Comprehension):
            return [Argument(term.item, frame)]
        if isinstance(term, Call) and any(name in _QUANTIFIERS for name in self._called(term, frame)):
            return [Argument(given, frame) for given in term.args[:1]]
        return None if isinstance(term, (Select, Param, Call)) else []

    def _called(self, call: Call, frame: Context) -> list[str]:
        return [value.name for value in self.program.values(call.callee, frame) if isinstance(value, Library)]

    def _is_type_test(self, term: Term, frame: Context) -> bool:
        """Whether a call asks if something is of a sharded class."""
        if not isinstance(term, Call) or len(term.args) <= 1 or _TYPE_TEST not in self._called(term, frame):
            return False
        return self._is_sharded_class(term.args[1], frame)

    def _is_sharded_class(self, term: Term, frame: Context) -> bool:
        classes = term.items if isinstance(term, Tuple) else (term,)
        named = (value for part in classes for value in self.program.values(part, frame))
        return any(isinstance(value, Library) and value.name in self.classes for value in named)


def _call_from(frame: Context, outer: Context) -> Call | None:
    """The call in the activation ``outer`` from which an activation comes; None when it is that one, or comes from elsewhere."""
    while frame.caller is not None:
        if frame.caller is outer:
            return frame.call
        frame = frame.caller
    return None


class Evaluating:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def at(self, call: Invoke) -> bool:
        """Whether the function in which a call stands has put a model into evaluation mode before it, and not back."""
        caller = call.frame.caller
        if caller is None or caller.module != call.where.module:
            return False
        function = caller.function
        earlier = [evaluates for spot, evaluates in self._of(function) if before(function, spot, call.where.spot)]
        return bool(earlier) and earlier[-1]

    def is_in(self, function: Function) -> bool:
        """Whether a function does so itself, before anything."""
        switches = self._of(function)
        return bool(switches) and switches[0][1]

    def asks(self, symbol: Uniform) -> bool:
        """Whether a condition is that a model is in training mode."""
        phases = self.program.knowledge.phases
        parts = symbol.key if type(symbol.key) is tuple else ()
        return any(part in phases if isinstance(part, str) else _names(part, phases) for part in parts)

    @remembered()
    def _of(self, function: Function) -> tuple[tuple[Spot, bool], ...]:
        """The calls of a function that put a model into a mode, in order, each with whether that is evaluation."""
        knowledge = self.program.knowledge
        names = {**dict.fromkeys(knowledge.ends_evaluation, False), **dict.fromkeys(knowledge.evaluates, True)}
        found = ((node.term.site, names.get(last_name(node.term.callee) or "")) for node in calls_of(function))
        return tuple((spot, mode) for spot, mode in found if mode is not None)


def _names(part: object, phases: frozenset[str]) -> bool:
    return isinstance(part, Attr) and part.name in phases
