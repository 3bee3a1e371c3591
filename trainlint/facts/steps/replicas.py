"""Which optimizers and schedulers change a model of which every rank has a replica, or a part.

So it is if the optimizer took parameters of a model that is wrapped, sharded or prepared for several ranks, before or after that,
or where the ranks average its gradients themselves.
"""

from __future__ import annotations

from trainlint.facts.averaged_by_hand import averaged_by_hand
from trainlint.facts.call_graph import CallGraph
from trainlint.facts.contexts import activations
from trainlint.facts.modes.identity import Identities, Key
from trainlint.facts.parallel import Parallel
from trainlint.facts.program import Program
from trainlint.facts.steps.events import Event
from trainlint.facts.steps.objects import Thing, Things
from trainlint.facts.steps.taken import Taken, Takers
from trainlint.facts.values import Library, Made
from trainlint.facts.wrapped import KINDS
from trainlint.ir.nodes import Term

_MOST_FRAMES = 4
_OPTIMIZER = "optimizer"


class Replicas:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.by_hand = program.ask(averaged_by_hand)
        self._optimizers: dict[Term, list[Taken]] | None = None
        self._shared: frozenset[Key] | None = None

    @property
    def active(self) -> bool:
        """Whether there can be such models at all."""
        return self.program.ask(Parallel).active or bool(self.by_hand)

    def changed_by(self, event: Event) -> frozenset[Term]:
        """The calls that made the optimizer of a step (or of a scheduler's), if it changes such a model; else nothing."""
        thing = event.thing
        if thing is None or not thing.sure:
            return frozenset()
        optimizers = self._made(thing) if thing.kind == _OPTIMIZER else self._of_scheduler(thing)
        if not optimizers:
            return frozenset()
        if id(event.frame.function) in self.by_hand or all(self._is_shared(made) for made in optimizers):
            return optimizers
        return frozenset()

    def _made(self, thing: Thing) -> frozenset[Term]:
        return frozenset(value.call for value in thing.made or () if value.call is not None)

    def _of_scheduler(self, thing: Thing) -> frozenset[Term]:
        """The calls that made the optimizers that schedulers were given."""
        found: set[Term] = set()
        for made in thing.made or ():
            if made.call is None or made.frame is None or not made.call.args:
                return frozenset()
            given = self.program.ask(Things).of(made.call.args[0], made.frame)
            if given.kind != _OPTIMIZER:
                return frozenset()
            found |= self._made(given)
        return frozenset(found)

    def _is_shared(self, made: Term) -> bool:
        """Whether an optimizer, by the call that made it, took parameters of a model that is on several ranks."""
        if self._optimizers is None:
            self._optimizers = {}
            for taken in self.program.ask(Takers).all(some=True):
                if taken.kind == _OPTIMIZER:
                    self._optimizers.setdefault(taken.node.term, []).append(taken)
        known = self._optimizers.get(made, ())
        kinds = self.program.ask(Parallel).kinds
        return any(taken.keys & self._models() or any(kinds(base, taken.frame) for base in taken.bases) for taken in known)

    def _models(self) -> frozenset[Key]:
        """The models that something wraps, shards or prepares."""
        if self._shared is None:
            found: set[Key] = set()
            table = self.program.knowledge.parallel
            for last in sorted({name.rpartition(".")[2] for name, word in table.items() if word in KINDS}):
                for site in self.program.ask(CallGraph).sites_named(last):
                    for frame in activations(self.program, site.module, site.function)[:_MOST_FRAMES]:
                        values = self.program.values(site.call.term.callee, frame)
                        if any(isinstance(value, (Library, Made)) and table.get(value.name) in KINDS for value in values):
                            given = (*site.call.term.args, *(value for _, value in site.call.term.kwargs))
                            found.update(key for term in given for key in self.program.ask(Identities).of(term, frame))
            self._shared = frozenset(found)
        return self._shared


__all__ = ["Replicas"]
