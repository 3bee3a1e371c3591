"""Abstract interpretation: a block is run on a state that stands for what is known, region by region."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Generic, TypeVar

from trainlint.ir.sketch import Block, Exit, If, Loop, Statement, Try, With
from trainlint.ir.walk import effects

State = TypeVar("State")
#: The statements that say where control goes; most are steps.
_CONTROL = frozenset((If, Loop, With, Try, Exit))


class Interpreter(Generic[State]):
    """Runs blocks. A state is never changed, only replaced, since both arms of a test begin with it; None: nobody comes here.

    Who derives from it says what a step does (:meth:`step`) and what holds where two ways meet (:meth:`join`), and overrides
    what a region does where it has something to add. As it stands both arms of a test may run, a loop runs once, and a handler
    runs on what held before its ``try`` or behind the body.
    """

    def __init__(self) -> None:
        #: The states in which control left what runs now, by the ways out that somebody waits for.
        self._left: dict[str, list[State]] = {}

    def step(self, node: Statement, state: State) -> State | None:
        """The state behind a step that is no region, and no way out. Each analysis says it."""
        raise NotImplementedError

    def join(self, one: State, other: State) -> State:
        """What holds where two ways meet. Each analysis says it."""
        raise NotImplementedError

    def joined(self, *states: State | None) -> State | None:
        """What holds where several ways meet; None where none gets there."""
        come = [state for state in states if state is not None]
        return reduce(self.join, come) if come else None

    def block(self, block: Block, state: State | None) -> State | None:
        """The state at the end of a block."""
        for node in effects(block):
            if state is None:
                break
            state = self.statement(node, state)
        return state

    def caught(self, run: Callable[[], State | None], *ways: str) -> tuple[State | None, State | None]:
        """The state at the end of what runs, and the one in which control left it by these ways out."""
        around = {way: self._left.get(way) for way in ways}
        self._left.update((way, []) for way in ways)
        end = run()
        left = [state for way in ways for state in self._left.pop(way)]
        self._left.update((way, states) for way, states in around.items() if states is not None)
        return end, self.joined(*left)

    def behind(self, run: Callable[[], State | None], *ways: str) -> State | None:
        """The state behind what runs, where these ways out of it lead as well."""
        return self.joined(*self.caught(run, *ways))

    def statement(self, node: Statement, state: State) -> State | None:
        """The state behind a statement."""
        if type(node) not in _CONTROL:
            return self.step(node, state)
        if isinstance(node, If):
            return self.branch(node, state)
        if isinstance(node, Loop):
            return self.loop(node, state)
        if isinstance(node, With):
            return self.context(node, state)
        if isinstance(node, Try):
            return self.attempt(node, state)
        return self.leave(node, state)  # type: ignore[arg-type]  # an exit is what is left

    def loop(self, node: Loop, state: State) -> State | None:
        """The state behind a loop."""
        end, broken = self.caught(lambda: self.behind(lambda: self.round(node, state), "continue"), "break")
        return self.joined(broken, self.block(node.orelse, end))

    def branch(self, node: If, state: State) -> State | None:
        """The state behind a test."""
        return self.joined(self.arm(node, True, state), self.arm(node, False, state))

    def arm(self, node: If, holds: bool, state: State) -> State | None:
        """The state at the end of an arm of a test."""
        return self.block(node.body if holds else node.orelse, state)

    def round(self, node: Loop, state: State) -> State | None:
        """The state at the end of a round of a loop."""
        return self.block(node.body, state)

    def context(self, node: With, state: State) -> State | None:
        """The state behind a ``with``."""
        return self.block(node.body, state)

    def attempt(self, node: Try, state: State) -> State | None:
        """The state behind a ``try``; who leaves it (``return``) runs what stands under ``finally``, too."""
        if not node.final:
            return self._attempted(node, state)
        waiting, self._left = self._left, {way: [] for way in self._left}
        after = self._attempted(node, state)
        leaving, self._left = self._left, waiting
        for way, states in leaving.items():
            left = self.block(node.final, self.joined(*states))
            if left is not None:
                waiting[way].append(left)
        if after is None and not any(leaving.values()):
            self.block(node.final, state)
        return self.block(node.final, after)

    def _attempted(self, node: Try, state: State) -> State | None:
        """The state behind the body, the handlers and ``else``."""
        end = self.block(node.body, state)
        failed = self.joined(state, end)
        return self.joined(*(self.block(handler, failed) for handler in node.handlers), self.block(node.orelse, end))

    def leave(self, node: Exit, state: State) -> State | None:
        """What a way out does: whoever waits for it goes on from there."""
        if node.kind in self._left:
            self._left[node.kind].append(state)
        return None
