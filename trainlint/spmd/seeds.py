"""How random generators begin: alike on all ranks, differently, or each from entropy of its own.

Python, NumPy and torch seed their global generators from entropy when nobody does (torch's with a fixed number only where a
``torch.Generator`` is made), so processes that are not seeded draw different numbers. Doubt counts as "alike".
"""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import Attr, Call, Const, List, Param, Slice, Subscript, Term, Tuple, Unknown
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Keep, Store
from trainlint.ir.walk import of_kind, statements_of
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import contexts_at
from trainlint.program.heap import holds_none
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, FunctionValue, Library, LibraryObject, Unresolved
from trainlint.spmd.ranks import Evaluator

_OWN = "own"
_SEED = "seed"
#: The parameter of a loader whose function runs in the loader's workers, not in the ranks.
_IN_WORKERS = "worker_init_fn"


class Beginning(Enum):
    """How a generator begins on the ranks."""

    ALIKE = "alike"
    PER_RANK = "per rank"
    ENTROPY = "entropy"


class Seeded(NamedTuple):
    """How a generator begins, and the call that says so (none for what nobody seeds)."""

    how: Beginning
    module: str = ""
    spot: Spot | None = None


ALIKE = Seeded(Beginning.ALIKE)
ENTROPY = Seeded(Beginning.ENTROPY)


class Seeds:
    """Answers for one program; each is kept."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = program.ask(CallGraph)
        self.evaluator = Evaluator(program, 0, lambda _: None)
        self._global: dict[tuple[str, str], Seeded] = {}
        self._workers: set[int] | None = None

    def differs(self, term: Term, frame: Context) -> bool:
        """Whether a term has another value on each rank: also an item under the rank (``seeds[rank]``)."""
        if self.evaluator.peers()[0].differs(term, frame):
            return True
        if isinstance(term, Subscript):
            return self._item_of_rank(term, frame)
        if isinstance(term, Attr):
            return self._set_by_rank(term, frame)
        if isinstance(term, Unknown):
            return self._computed_by_rank(term, frame)
        inner = [v for v in self.program.values(term, frame) if isinstance(v, Unresolved) and v.term is not term]
        return any(isinstance(value.term, (Subscript, Attr)) and self.differs(value.term, value.frame) for value in inner)

    def _item_of_rank(self, term: Term, frame: Context) -> bool:
        """``seeds[rank]``."""
        return bool(
            isinstance(term, Subscript)
            and not isinstance(term.key, (Const, Slice))
            and self.evaluator.peers()[0].differs(term.key, frame)
        )

    def _computed_by_rank(self, term: Term, frame: Context) -> bool:
        """What is stored in an attribute; what ``+=`` makes of one is unknown, and only its ``keep`` statement says more."""
        if isinstance(term, Unknown):
            kept = (node for node in of_kind(frame.function, Keep) if node.spot[:2] == (term.line, term.column))
            return any(self.evaluator.peers()[0].differs(node.value, frame) for node in kept)
        return self.evaluator.peers()[0].differs(term, frame) or self._item_of_rank(term, frame)

    def _set_by_rank(self, term: Attr, frame: Context) -> bool:
        """``args.seed += rank``, here or in a caller before it hands ``args`` on."""
        base, name = term.base, term.name
        where: Context | None = frame
        until: Call | None = None
        while where is not None:
            stored = [
                node.value
                for node in statements_of(where.function)
                if isinstance(node, Store)
                and isinstance(node.target, Attr)
                and node.target.base is base
                and node.target.name == name
                if until is None or before(where.function, node, until)
            ]
            if stored:
                return all(self._computed_by_rank(value, where) for value in stored)
            holder = where.holder(base.function) if isinstance(base, Param) else None
            bound = holder.arguments.get(base.name) if holder is not None and isinstance(base, Param) else None
            if not isinstance(bound, Argument) or holder is None or holder.call is None:
                return False
            base, where, until = bound.term, bound.frame, holder.call
        return False

    def truth(self, test: Term, frame: Context) -> bool | None:
        """Whether a test holds on all ranks; None where that is not known."""
        answers = [peer.value(test, frame) for peer in self.evaluator.peers()]
        return answers[0] if type(answers[0]) is bool and all(answer is answers[0] for answer in answers) else None

    # -- generators of the process ---------------------------------------------------------------------------------

    def of_process(self, family: str, module: str) -> Seeded:
        """How the process's generator of a family (``random``, ``numpy.random``, ``torch``) begins, as asked in a file."""
        key = (family, self.program.component(module))
        known = self._global.get(key)
        if known is None:
            known = self._global[key] = self._of_process(family, module)
        return known

    def _of_process(self, family: str, module: str) -> Seeded:
        """Seeded per rank only if every call that seeds it does so; alike if one does, or may."""
        found = ENTROPY
        for site in self.program.ask(_sites):
            if not self.program.together(site.module, module) or is_test(site.module) or self._in_worker(site):
                continue
            seeded = self._by(site, family)
            if seeded.how is Beginning.ALIKE:
                return seeded
            if seeded.how is Beginning.PER_RANK:
                found = seeded
        return found

    def _by(self, site: CallSite, family: str) -> Seeded:
        """What one call does to a generator; a call of the project does what is seen in it, an unknown one may do it all."""
        call = site.call.term
        own = self.program.frame(site.module, site.function)
        targets = self.index.targets(call, own)
        if not targets:
            return ALIKE
        found = ENTROPY
        for target in targets:
            if not isinstance(target, Library):
                continue
            families = self.program.knowledge.seeds.get(target.name)
            if families is None:
                if not target.name.startswith(("torch.", "numpy.", "random.", "builtins.", "jax.", "tensorflow.")):
                    return ALIKE
            elif family in families:
                found = self._seeded_with(site, call)
                if found.how is Beginning.ALIKE:
                    return found
        return found

    def _seeded_with(self, site: CallSite, call: Call) -> Seeded:
        frames = contexts_at(self.program, site)
        per_rank = bool(frames) and all(self._per_rank(call, frame) for frame in frames)
        return Seeded(Beginning.PER_RANK if per_rank else Beginning.ALIKE, site.module, call.site)

    def _per_rank(self, call: Call, frame: Context) -> bool:
        """Whether something that a call seeds with is the rank's own, or an item of it (``default_rng([seed, rank])``)."""
        arguments = (*call.args, *(value for _, value in call.kwargs))
        parts = (part for given in arguments for part in (given.items if isinstance(given, (List, Tuple)) else (given,)))
        return any(self.differs(part, frame) for part in parts)

    def _in_worker(self, site: CallSite) -> bool:
        """Whether a call stands in a function that a loader runs in its workers."""
        if self._workers is None:
            self._workers = set()
            names = (name for name, kind in self.program.knowledge.kinds.items() if kind == "loader")
            for name in dict.fromkeys(name.rpartition(".")[2] for name in names):
                for loader in self.index.sites_named(name):
                    frame = self.program.frame(loader.module, loader.function)
                    given = [value for keyword, value in loader.call.term.kwargs if keyword == _IN_WORKERS]
                    values = (v for term in given for v in self.program.values(term, frame))
                    self._workers.update(id(v.function) for v in values if isinstance(v, FunctionValue))
        return id(site.function) in self._workers

    # -- generators of their own -----------------------------------------------------------------------------------

    def of_generator(self, term: Term, frame: Context) -> Seeded:
        """How a generator, or what stands for one (a seed), begins; alike where that cannot be seen."""
        found = ALIKE
        for value in self.program.values(term, frame):
            if isinstance(value, LibraryObject) and value.call is not None and value.frame is not None:
                found = self._of_made(value, term, frame)
            elif holds_none(value):
                return ENTROPY
            if found.how is Beginning.ALIKE:
                break
        if found.how is Beginning.ALIKE and self.differs(term, frame):
            return Seeded(Beginning.PER_RANK)
        return found

    def _of_made(self, value: LibraryObject, term: Term, frame: Context) -> Seeded:
        """``Random(seed)``, ``Generator().manual_seed(seed)``, or a generator that this function seeds."""
        assert value.call is not None
        assert value.frame is not None
        knowledge = self.program.knowledge
        if _OWN in knowledge.seeds.get(value.name, ()):
            per_rank = self._per_rank(value.call, value.frame)
            return Seeded(Beginning.PER_RANK, value.frame.module, value.call.site) if per_rank else ALIKE
        begins = knowledge.generators.get(value.name)
        if begins is None:
            return ALIKE
        given = (*value.call.args[:1], *(v for name, v in value.call.kwargs if name == _SEED))
        if any(isinstance(argument, Unknown) and not self.differs(argument, value.frame) for argument in given):
            return ALIKE
        if given and not (isinstance(given[0], Const) and given[0].value is None):
            per_rank = self._per_rank(value.call, value.frame)
            return Seeded(Beginning.PER_RANK, value.frame.module, value.call.site) if per_rank else ALIKE
        later = [node.term for node in of_kind(frame.function, CallStep) if _seeds(node.term, term)]
        if later:
            per_rank = all(self._per_rank(call, frame) for call in later)
            return Seeded(Beginning.PER_RANK, frame.module, later[0].site) if per_rank else ALIKE
        return Seeded(Beginning.ENTROPY, value.frame.module, value.call.site) if begins == "entropy" else ALIKE


def _sites(program: Program) -> list[CallSite]:
    """The calls whose name speaks of seeds."""
    index = program.ask(CallGraph)
    names = [name for name in index.sites if _SEED in name.lower()]
    names += [name.rpartition(".")[2] for name in program.knowledge.seeds]
    return [site for name in dict.fromkeys(names) for site in index.sites_named(name)]


def _seeds(call: Call, generator: Term) -> bool:
    """``generator.manual_seed(…)``, ``generator.seed(…)``."""
    return isinstance(call.callee, Attr) and call.callee.base is generator and _SEED in (last_name(call.callee) or "")


def is_test(path: str) -> bool:
    """Whether a file is part of a test suite."""
    parts = PurePath(path).parts
    return any(part in ("test", "tests", "testing") for part in parts[:-1]) or parts[-1].startswith(("test_", "conftest"))
