"""What is known of the models at one point of a run: who set the mode of which of them last."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.modes.identity import Key, Keys, Part
from trainlint.facts.values import Frame
from trainlint.ir.sketch import CallStep

TRAIN, EVALUATE, UNKNOWN, BEFORE = "train", "evaluate", "unknown", "before"


class Setting(NamedTuple):
    """What the mode of a model was last set to: ``before`` the run began, or by a call in an activation."""

    word: str
    call: CallStep | None = None
    frame: Frame | None = None


Settings = frozenset[Setting]
START: Settings = frozenset({Setting(BEFORE)})
DOUBT: Settings = frozenset({Setting(UNKNOWN)})


class State:
    """The settings of each model. States are never changed, only replaced: branches share them."""

    __slots__ = ("known", "rest")

    def __init__(self, known: dict[Key, Settings] | None = None, rest: Settings = START) -> None:
        self.known = known or {}
        self.rest = rest

    def of(self, keys: Keys) -> Settings:
        """What may hold for a model that is one of these."""
        return frozenset().union(*(self.known.get(key, self.rest) for key in keys)) if keys else DOUBT

    def set(self, keys: Keys, setting: Setting, *, surely: bool = True) -> State:
        """The state after a call; not ``surely``: of these models only one is set, and nobody can say which."""
        known = dict(self.known)
        for key in keys:
            known[key] = frozenset({setting}) if surely else self.known.get(key, self.rest) | {setting}
            for other in self.known:
                if _inside(other, key):
                    known[other] = frozenset({setting})
        return State(known, self.rest)

    def begun(self, keys: Keys) -> State:
        """The state after these models were made: nobody has set their mode, nor that of their parts."""
        known = {
            key: START if key in keys or any(_inside(key, each) for each in keys) else settings
            for key, settings in self.known.items()
        }
        return State(known, self.rest)

    def doubted(self, keys: Keys) -> State:
        """The state after somebody out of sight may have set the mode of these models, or of their parts."""
        doubtful = [key for key in self.known if key in keys or any(_inside(key, each) for each in keys)]
        return State({**self.known, **dict.fromkeys(doubtful, DOUBT)}, self.rest) if doubtful else self

    def joined(self, other: State) -> State:
        """Where two ways meet."""
        if other is self:
            return self
        known = {key: self.known.get(key, self.rest) | other.known.get(key, other.rest) for key in (*self.known, *other.known)}
        return State(known, self.rest | other.rest)


DOUBTFUL = State({}, DOUBT)


def _inside(part: Key, whole: Key) -> bool:
    """Whether a model is a part of another one."""
    while isinstance(part, Part):
        part = part.whole
        if part == whole:
            return True
    return False


def join(states: list[State]) -> State | None:
    """What holds where several ways meet; None where none gets there."""
    if not states:
        return None
    found = states[0]
    for state in states[1:]:
        found = found.joined(state)
    return found
