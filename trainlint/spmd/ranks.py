"""What a condition is worth on one rank (see :mod:`~trainlint.spmd.symbols` for the values it may have)."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

from trainlint.domains.rank_local_data import RankLocalData
from trainlint.ir.nodes import (
    UNKNOWNS,
    And,
    Asserted,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Dict,
    Element,
    Entered,
    Global,
    Invert,
    List,
    LoopPhi,
    Nested,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Set,
    Subscript,
    Term,
    Tuple,
)
from trainlint.ir.pragmas import PER_RANK
from trainlint.ir.terms import is_closed
from trainlint.program.memo import kept_in
from trainlint.program.program import Program
from trainlint.program.values import Context
from trainlint.spmd.consteval import ConstEval
from trainlint.spmd.heap_state import HeapState
from trainlint.spmd.items import Items
from trainlint.spmd.operators import Operators
from trainlint.spmd.origins import Origins
from trainlint.spmd.process_groups import NOTHING, Numbered, numbered
from trainlint.spmd.questions import DEEPEST, place
from trainlint.spmd.remote_stores import RemoteStores
from trainlint.spmd.runs import Runs
from trainlint.spmd.symbols import LOCAL, UNKNOWN, WORLD, AssertedUniform, Uniform, Varying, World, given_up, is_per_rank

#: A value, whether it depended on the rank, and which parameters were asked for.
Answer = tuple[Any, bool, frozenset[str]]
NOBODY: frozenset[str] = frozenset()
#: Operations whose operands may be uniform, each for itself.
_OPERATIONS = (Not, And, Or, Compare, BinOp, Select)


class _Limited(NamedTuple):
    """An answer that would be another one elsewhere: asked less deep than ``depth``, say, if it was ``depth_limited``."""

    depth: int
    depth_limited: bool
    answer: Answer


#: Sets of parameters that are kept with answers: a few hundred different ones, each of them thousands of times.
_SETS: dict[frozenset[str], frozenset[str]] = {}


class Parts(NamedTuple):
    """What makes the parts of an evaluator in which one that knows more differs."""

    heap: Callable[[Evaluator], HeapState] = HeapState
    runs: Callable[[Evaluator], Runs] = Runs
    operators: Callable[[Evaluator], Operators] = Operators
    items: Callable[[Evaluator], Items] = Items
    origins: Callable[[Evaluator], Origins] = Origins


_PARTS = Parts()


class Evaluator:
    """Evaluates terms for one rank.

    ``rank_dependent`` is set when an answer depended on which rank it is. ``heard`` are the parameters that were asked for,
    each of which is said to ``tell`` too (:data:`ANY`: which ones is unknown); ``loops`` says which number a loop over the
    ranks is at.

    Answers are remembered with both flags, by all evaluators of a kind together: what did not depend on the rank holds for all.
    """

    #: Whether what numbers the processes is known: who does not know it has peers that do not.
    NUMBERED = True

    def __init__(self, program: Program, rank: int, tell: Callable[[str], None], parts: Parts = _PARTS) -> None:
        self.program = program
        self.rank = rank
        self.tell = tell
        self.rank_dependent = False
        self.heard = NOBODY
        self.loops: dict[Term, Any] = {}
        self.depth = 0
        self.place = program.ask(place)
        #: Whether an answer would be another one at another place.
        self.place_dependent = False
        #: Whether an answer would be another one if it had been asked less deep in another question.
        self.depth_limited = False
        #: Whether what something holds was left open, since that is being worked out already.
        self.partial = False
        #: What is being answered for all activations, and what cannot be, since it is a matter of the place.
        self._answering: set[tuple[Term, Context]] = set()
        self._placing: set[tuple[Term, Context]] = set()
        #: Whether the question is what a rank runs next; else what is unknown is unknown, whoever changed it.
        self.tracing = False
        self._remember_in("answers")
        # Each of them asks the evaluator, and those before it.
        self.heap = parts.heap(self)
        self.runs = parts.runs(self)
        self.stores = RemoteStores(self)
        self.consteval = ConstEval(self)
        self.operators = parts.operators(self)
        self.items = parts.items(self)
        self.origins = parts.origins(self)
        self.numbered = program.ask(_Numbering).found()

    def take_apart(self) -> None:
        """Nobody asks any more: it and what it asks hold each other, and would stay until garbage is collected."""
        vars(self).clear()

    def traces(self) -> None:
        """From now on the question is what this rank runs next (see :attr:`tracing`): other answers, in a memory of their own."""
        self.tracing = True
        self._remember_in("tracing answers")

    def _remember_in(self, name: str) -> None:
        """Keep answers under a name, with those of all evaluators that answer the same (see ``Context.answers``)."""
        self._memory = f"{name} of {type(self).__name__}"
        #: For answers that hang on how deep in another question they were asked, or on the place of the question.
        self._limited = f"limited {self._memory}"

    def _kept_in(self, frame: Context, name: str) -> dict[Term, Any]:
        """The answers that are kept under a name in an activation, to be written in."""
        return kept_in(frame, name, type(self), self.program)

    def consulted(self, parameter: str) -> None:
        """A parameter was asked for."""
        if parameter not in self.heard:
            self.heard |= {parameter}
        self.tell(parameter)

    def _again(self, heard: frozenset[str]) -> None:
        """Parameters were asked for when an answer was found that is given again."""
        self.heard |= heard
        for parameter in heard:
            self.tell(parameter)

    def evaluate(self, term: Term, frame: Context) -> tuple[Any, bool]:
        """The value of a term on this rank, and whether it depended on the rank."""
        saved, self.rank_dependent = self.rank_dependent, False
        try:
            return self.value(term, frame), self.rank_dependent
        finally:
            self.rank_dependent = saved or self.rank_dependent

    def value(self, term: Term, frame: Context) -> Any:
        """The value of a term on this rank."""
        if isinstance(term, Const):
            return term.value
        memory = frame.answers.get(self._memory)
        if memory is None:
            memory = self._kept_in(frame, self._memory)
        known = memory.get(term)
        if type(known) is dict:  # it depends on the rank
            known = known.get(self.rank)
        if known is not None and not self.loops:
            if known[1]:
                self.rank_dependent = True
            if known[2]:
                self._again(known[2])
            return known[0]
        if self.depth > DEEPEST:
            self.depth_limited = True
            return Uniform((term, frame))
        if frame.alone is not None and not self.loops and is_closed(term, self.program.closed):
            found = self._of_all_activations(term, frame, frame.alone)
            if found is not None:
                return found[0]
        limited = frame.answers.get(self._limited)
        if limited is not None and not self.loops:
            answer = self._within_limits(limited.get(term))
            if answer is not None:
                return answer[0]
        here = self.place.frame, self.place.step
        self.depth += 1
        ranked, placed, shallow, unfinished = self.rank_dependent, self.place_dependent, self.depth_limited, self.partial
        before, self.heard = self.heard, NOBODY
        self.rank_dependent = self.place_dependent = self.depth_limited = self.partial = False
        try:
            handler = _HANDLERS.get(type(term))
            result = Uniform((term, frame)) if handler is None else handler(self)(term, frame)
            if self.numbered is not NOTHING:
                result = self._by_number(result, term)
        finally:
            self.depth -= 1
            by_rank, self.rank_dependent = self.rank_dependent, ranked or self.rank_dependent
            by_place, self.place_dependent = self.place_dependent, placed or self.place_dependent
            by_depth, self.depth_limited = self.depth_limited, shallow or self.depth_limited
            partial, self.partial = self.partial, unfinished or self.partial
            heard = self.heard
            self.heard = before | heard if before and heard else before or heard
        if self.loops:
            return result
        partial = partial and bool(self.heap.holding or self.stores.marking)
        answer = result, by_rank, _SETS.setdefault(heard, heard)
        if by_place or by_depth or partial:
            limits = (*self._limits(here if by_place else None, partial), *((self.rank,) if by_rank else ()))
            known = self._kept_in(frame, self._limited).setdefault(term, {}).setdefault((by_place, partial), {})
            known[limits] = _Limited(self.depth if by_depth else 0, by_depth, answer)
        else:
            self._remember(memory, term, answer)
        return result

    def _by_number(self, value: Any, term: Term) -> Any:
        """A value that is what numbers the processes, or a part of that; every other one as it is."""
        word = self.numbered.terms.get(term) or (self.numbered.things.get(value) if type(value) is Uniform else None)
        return value if word is None else self.word(word, term)

    def _of_all_activations(self, term: Term, frame: Context, alone: Context) -> tuple[Any] | None:
        """The value of a term that says the same in all activations of its function; None where it is a matter of the place."""
        key = (term, alone)
        if key in self._placing:
            return None
        if key in self._answering:
            self.depth_limited = True
            return (Uniform(key),)
        self._answering.add(key)
        before = self.rank_dependent, self.heard, self.depth_limited, self.partial
        placed, self.place_dependent = self.place_dependent, False
        try:
            value = self.value(term, alone)
            if self.place_dependent:
                self._placing.add(key)
                self.rank_dependent, self.heard, self.depth_limited, self.partial = before
                return None
        finally:
            self._answering.discard(key)
            self.place_dependent = placed
        memory, known = frame.answers.get(self._memory), alone.answers.get(self._memory, {}).get(term)
        if known is not None and memory is not None:
            memory[term] = known
        return (value,)

    def _within_limits(self, limited: dict[tuple[bool, bool], dict[Any, _Limited]] | None) -> Answer | None:
        """An answer that hangs on the place, on what is being worked out or on the depth, if there is one for these.

        What was answered less deep in another question is at least as good an answer.
        """
        for (placed, partial), known in limited.items() if limited is not None else ():
            limits = self._limits((self.place.frame, self.place.step) if placed else None, partial)
            found, own = known.get(limits), known.get((*limits, self.rank))
            if found is None or (own is not None and own.depth < found.depth):
                found = own
            if found is not None and found.depth <= self.depth:
                self.rank_dependent, self.place_dependent = self.rank_dependent or found.answer[1], self.place_dependent or placed
                self.depth_limited, self.partial = self.depth_limited or found.depth_limited, self.partial or partial
                if found.answer[2]:
                    self._again(found.answer[2])
                return found.answer
        return None

    def _limits(self, here: tuple[Any, Any] | None, partial: bool) -> tuple[Any, ...]:
        """What an answer hangs on: its place, what is being worked out."""
        if not partial:
            return (here, None)
        heap, marking = self.heap, self.stores.marking
        return (
            here,
            (frozenset(heap.holding), frozenset(marking.keys), marking.has_enough(), heap.is_exhausted()),
        )

    def _remember(self, memory: dict[Any, Any], key: object, answer: Answer) -> None:
        """Keep an answer: for all ranks, or for this one where it depended on which it is."""
        if not answer[1]:
            memory[key] = answer
            return
        known = memory.get(key)
        if type(known) is not dict:
            known = memory[key] = {}
        known[self.rank] = answer

    def _of_asserted(self, term: Asserted, frame: Context) -> Any:
        """A value of which a comment says that it is the same on all ranks, or that it is not."""
        if term.word == PER_RANK:
            self.rank_dependent = True
            return Varying((term, frame))
        value = self.value(term.value, frame)
        differs, self.rank_dependent = self.rank_dependent, False
        if differs or (isinstance(value, UNKNOWN) and type(value) is not Uniform):
            return AssertedUniform((term, frame))
        return AssertedUniform(value.key) if type(value) is Uniform else value

    def word(self, word: str, key: Any) -> Any:
        """What a knowledge word says of a value on this rank."""
        if word == "world":
            return World(WORLD)
        if word == "yes":
            return True
        if word == "uniform":
            return Uniform(key)
        self.rank_dependent = True
        if word == "rank":
            return self.rank
        if word == "local_rank":
            return self.rank % LOCAL
        if word == "node_rank":
            return self.rank // LOCAL
        if word == "main":
            return self.rank == 0
        if word == "local_main":
            return self.rank % LOCAL == 0
        if word == "last":
            return self.rank == WORLD - 1
        return Varying(key)

    def differs(self, term: Term, frame: Context) -> bool:
        """Whether a term has different values on the example ranks (or one that cannot be computed for each)."""
        values: list[Any] = []
        for peer in self.peers():
            values.append(peer.value(term, frame))
            if is_per_rank(values[-1]):
                return True  # whatever it is on the others
        first = values[0]
        return not any(map(given_up, values)) and any(v != first or type(v) is not type(first) for v in values)

    def is_uniform_by_collective(self, term: Term, frame: Context, number: float | None = None) -> bool:
        """Whether ranks met over whatever is the rank's in a value (up to the step of a number, if one is given).

        ``flag = box[0]``, which was broadcast, is equal; ``flag and rank == 0`` is not, though ranks met over a part of it.
        """
        own = self.program.ask(RankLocalData)
        if not own.equal(term, frame, number, filled=True):
            return False
        parts = term.subterms() if isinstance(term, _OPERATIONS) else []
        if not parts or own.met_over(term, frame):
            return True
        return all(self._is_equal(part, frame) or self.is_uniform_by_collective(part, frame, number) for part in parts)

    def _is_equal(self, term: Term, frame: Context) -> bool:
        return not (self.evaluate(term, frame)[1] and self.differs(term, frame))

    def peers(self) -> list[Evaluator]:
        """One evaluator for each example rank, shared by the whole program."""
        return self.program.ask_of(_peers, (self.NUMBERED, self.tracing))


#: What values of a kind are worked out by; of other kinds nothing is known.
_HANDLERS: dict[type[Term], Callable[[Evaluator], Callable[[Any, Context], Any]]] = {
    Ref: attrgetter("origins.of_imported"),
    Global: attrgetter("origins.of_global_name"),
    Param: attrgetter("origins.of_parameter"),
    Attr: attrgetter("origins.of_attribute"),
    Call: attrgetter("origins.of_call"),
    Not: attrgetter("operators.of_negation"),
    Invert: attrgetter("operators.of_inverted"),
    And: attrgetter("operators.of_conjunction"),
    Or: attrgetter("operators.of_disjunction"),
    Compare: attrgetter("operators.of_comparison"),
    BinOp: attrgetter("operators.of_arithmetic"),
    Select: attrgetter("operators.of_choice"),
    **dict.fromkeys((Tuple, List, Set, Dict), attrgetter("origins.of_display")),
    Subscript: attrgetter("items.of_item"),
    Element: attrgetter("items.of_element"),
    Entered: attrgetter("origins.of_entered"),
    Nested: attrgetter("origins.of_function"),
    LoopPhi: attrgetter("items.of_carried"),
    Asserted: attrgetter("_of_asserted"),
    **dict.fromkeys(UNKNOWNS, attrgetter("items.of_unknown")),
}


class UnnumberedEvaluator(Evaluator):
    """One that does not know what numbers the processes, to find that out."""

    NUMBERED = False


def _peers(program: Program, about: tuple[bool, bool]) -> list[Evaluator]:
    knows_numbers, tracing = about
    kind = Evaluator if knows_numbers else UnnumberedEvaluator
    found = [kind(program, rank, lambda _: None) for rank in range(WORLD)]
    for peer in found if tracing else ():
        peer.traces()
    return found


class _Numbering:
    """What numbers the processes of a program: nothing, for who finds that out."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: Numbered | None = None

    def found(self) -> Numbered:
        if self._found is None:
            self._found = NOTHING
            self._found = numbered(self._program, UnnumberedEvaluator(self._program, 0, lambda _: None))
        return self._found
