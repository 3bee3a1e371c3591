"""Answers that are remembered: where a question may lead back to itself, and for as long as there is room.

One rule for cycles in place of limits of depth; and what is known of activations is forgotten when it takes too much memory.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial, wraps
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, runtime_checkable

from trainlint.program.values import Context

if TYPE_CHECKING:
    from trainlint.ir.nodes import Term
    from trainlint.program.program import Program

Answer = TypeVar("Answer")
_Asked = TypeVar("_Asked")
_About = ParamSpec("_About")
_VALUES_OF = attrgetter("values")
#: What terms stand for is forgotten when that is more values than this: a hundred bytes or two for each. Accelerate comes to
#: 254,000 (30 MB); with room for 60,000 two of five are worked out again.
_MOST_VALUES = 400_000
#: After so many activations it is looked for again how many values there are.
_MANY = 1_500


class Memo(Generic[Answer]):
    """Remembers what questions are answered; one that leads back to itself has the answer ``circular`` inside of itself.

    What rests on such an answer is remembered only while the question is open with which the cycle began: asked again, it is
    worked out anew, so that no answer depends on which question came first.
    """

    def __init__(self, circular: Answer) -> None:
        self._circular = circular
        self.known: dict[Hashable, Answer] = {}
        #: The questions that are being answered, with how many were open before them.
        self.open: dict[Hashable, int] = {}
        #: Answers that rest on an open question, with how many were open before that.
        self._resting: dict[Hashable, tuple[Answer, float]] = {}
        self._lowest = inf

    def ask(self, question: Hashable, work: Callable[[], Answer], circular: Answer | None = None) -> Answer:
        """The answer to a question, by ``work`` if it is not known; ``circular``: inside of itself it has this one."""
        if question in self.known:
            return self.known[question]
        return self.work_out(question, work, self._circular if circular is None else circular)

    def work_out(self, question: Hashable, work: Callable[[], Answer], circular: Answer) -> Answer:
        """The answer to a question that is not known."""
        if question in self.open or question in self._resting:
            answer, lowest = (circular, self.open[question]) if question in self.open else self._resting[question]
            self._lowest = min(self._lowest, lowest)
            return answer
        depth, outer, before = len(self.open), self._lowest, len(self._resting)
        self.open[question], self._lowest, lowest = depth, inf, inf
        try:
            answer = work()
            lowest = self._lowest
        finally:
            del self.open[question]
            self._lowest = outer
            while lowest >= depth and len(self._resting) > before:
                self._resting.popitem()
        if lowest >= depth:
            self.known[question] = answer
        else:
            self._resting[question] = (answer, lowest)
            self._lowest = min(outer, lowest)
        return answer

    def forget(self) -> None:
        """Forget all answers: something that they rest on is known better now."""
        self.known.clear()
        self._resting.clear()

    def leave(self, concerns: Callable[[Hashable], bool]) -> None:
        """Forget the answers to these questions: asked again, they are the same."""
        for question in [question for question in self.known if concerns(question)]:
            del self.known[question]


#: Where an object keeps the memory of its questions.
_MEMORY = "remembered"


def remembered(
    circular: object = None,
) -> Callable[[Callable[Concatenate[_Asked, _About], Answer]], Callable[Concatenate[_Asked, _About], Answer]]:
    """Make a method a question: its answers are remembered (:class:`Memo`), and inside of itself it has the answer ``circular``.

    All questions of one object have one memory, so that a cycle through several of them is seen. What is asked about activations
    is forgotten with the values in these, when they take too much room.
    """

    def of(method: Callable[Concatenate[_Asked, _About], Answer]) -> Callable[Concatenate[_Asked, _About], Answer]:
        @wraps(method)
        def asked(self: _Asked, /, *about: _About.args, **more: _About.kwargs) -> Answer:
            memory: Memo[Answer] = self.__dict__.get(_MEMORY) or self.__dict__.setdefault(_MEMORY, Memo(None))
            question = (method, *about, *more.items()) if more else (method, *about)
            if question in memory.known:  # by far the most often
                return memory.known[question]
            return memory.work_out(question, partial(method, self, *about, **more), circular)  # type: ignore[arg-type]

        return asked

    return of


def is_busy(asked: object) -> bool:
    """Whether a question of an object is being answered: what is found meanwhile may rest on it."""
    memory: Memo[Any] | None = asked.__dict__.get(_MEMORY)
    return memory is not None and bool(memory.open)


def forget_questions(asked: object) -> None:
    """Forget what an object has remembered: something that it rests on is known better now."""
    memory = vars(asked).get(_MEMORY)
    if isinstance(memory, Memo):
        memory.forget()


def _is_of_activation(question: Hashable) -> bool:
    return isinstance(question, tuple) and any(isinstance(part, Context) for part in question)


@runtime_checkable
class Forgetful(Protocol):
    """An analysis that remembers answers about activations, for as long as there is room."""

    def forget(self) -> None:
        """Forget them: asked again, they are the same."""


def relieve(program: Program) -> None:
    """Forget what takes too much room, where much was asked since the last look.

    To be called by who asks of many activations, between two of them: no question about a term may be open.
    """
    program.unseen += 1
    if program.unseen > _MANY:
        forget_values(program)


def forget_values(program: Program) -> None:
    """Forget what terms stand for in all activations, and all answers about them, if there are too many values."""
    program.unseen = 0
    entered = list(program.entered())
    if sum(map(len, map(_VALUES_OF, entered))) > _MOST_VALUES:
        for answer in program.answers():
            if isinstance(answer, Forgetful):
                answer.forget()
            memory = getattr(answer, _MEMORY, None)
            if isinstance(memory, Memo):
                memory.leave(_is_of_activation)
        for frame in entered:
            frame.empty()
        program.remembering.clear()
        del entered, frame
        program.leave_unheld()


def kept_in(frame: Context, name: str, who: type, program: Program) -> dict[Term, Any]:
    """The answers that are kept under a name in an activation, to be written in; ``who`` finds them, and can do so again."""
    known = frame.answers.get(name)
    if known is None:
        program.remembering.setdefault(name, (who, []))[1].append(frame)
        known = frame.answers_of(name)
    return known


def forget_answers(program: Program, most: int) -> None:
    """Forget answers, the memory that is in most activations first, until no more than that many activations keep any."""
    remembering = program.remembering
    while sum(len(frames) for _, frames in remembering.values()) > most:
        forget_answers_of(program, max(remembering, key=lambda name: len(remembering[name][1])))


def forget_answers_of(program: Program, name: str) -> None:
    """Forget the answers that go by a name."""
    for frame in program.remembering.pop(name)[1]:
        frame.answers.pop(name, None)
