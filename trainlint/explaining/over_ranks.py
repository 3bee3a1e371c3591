"""What a value is from rank to rank, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trainlint.explaining.account import OverRanks
from trainlint.explaining.places import Places
from trainlint.facts.program import Program
from trainlint.facts.values import Frame
from trainlint.ir.nodes import Term, Unknown
from trainlint.ir.printer import SIGNS, spelled
from trainlint.spmd.data_divergence import Twins
from trainlint.spmd.ranks import Evaluator
from trainlint.spmd.symbols import UNKNOWN, WORLD, Choice, PerRank, Something, Sym, World, data_in

_SOURCES = {
    "loss": "computed from each rank's own batch",
    "batch": "each rank draws batches of its own",
    "clock": "each rank reads its own clock",
    "drawn": "each rank draws random numbers of its own",
    "process": "this is another one in each process",
    "memory": "each rank asks for its own memory",
    "progress": "how far each rank's own work in the background is",
    "error": "an error of one rank",
    "file": "a file that one rank may make meanwhile",
}

_OPPOSITE = {"Eq": "NotEq", "LtE": "Gt", "GtE": "Lt", "Is": "IsNot", "In": "NotIn"}
_OPPOSITE |= {other: word for word, other in _OPPOSITE.items()}
#: How long a condition may be that stands in a sentence.
_LONGEST = 60


def named(ranks: Sequence[int]) -> str:
    """Example ranks in words: ``rank 0``, ``ranks 1, 2, 3``, ``every rank``."""
    if len(ranks) == WORLD:
        return "every rank"
    return f"rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}"


def admitted(ranks: Sequence[bool], *, certain: bool) -> OverRanks:
    """Which example ranks a decorator lets in."""
    texts = tuple(map(str, ranks))
    who = named([rank for rank, runs in enumerate(ranks) if runs])
    return (
        OverRanks("rank-dependent", f"{who} in, the others not", texts) if certain else OverRanks("rank-dependent", "some ranks")
    )


class Meanings:
    """Asks the evaluators of a program."""

    def __init__(self, program: Program, places: Places) -> None:
        self.program = program
        self.places = places
        self.peers = Evaluator(program, 0, lambda _: None).peers()

    def of(self, term: Term, frame: Frame) -> OverRanks:
        """What a term is over the ranks, in an activation."""
        answers = [peer.evaluate(term, frame) for peer in self.peers]
        values = [value for value, _ in answers]
        if any(asked for _, asked in answers) and self.peers[0].differs(term, frame):
            if any(isinstance(value, PerRank) for value in values):
                return OverRanks("rank-dependent", "differs from rank to rank in a way that cannot be computed")
            texts = tuple(_printed(value) for value in values)
            return OverRanks("rank-dependent", _grouped(texts), texts)
        own = self._own(term, frame)
        if own is not None:
            return own
        value = values[0]
        if isinstance(value, World):
            return OverRanks("uniform", "the number of ranks")
        if isinstance(value, Something):
            return OverRanks("unknown", "some object, not None")
        if isinstance(value, UNKNOWN):
            return OverRanks("unknown", "taken to be the same on every rank")
        text = _printed(value)
        return OverRanks("uniform", f"{text} on every rank", (text,) * WORLD)

    def own_condition(self, key: Any) -> bool:
        """Whether the key of a symbol leads to data that each rank has for itself."""
        if isinstance(key, Sym):
            return self.own_condition(key.key)
        if not isinstance(key, tuple) or isinstance(key, Term):
            return False
        if len(key) == 2 and isinstance(key[0], Term) and isinstance(key[1], Frame):  # noqa: PLR2004 - a term and where
            return self._own(*key) is not None
        return any(self.own_condition(part) for part in key)

    def _own(self, term: Term, frame: Frame) -> OverRanks | None:
        """Whether a rank computed it from data of its own, which is proved or not said."""
        data = data_in(self.program.ask(Twins)._sample.value(term, frame))  # noqa: SLF001 - the evaluator that knows of data
        if data is None:
            return None
        source = data.source
        text = _SOURCES.get(getattr(source, "word", ""), "computed from data that each rank has for itself")
        spot = getattr(source, "spot", None)
        return OverRanks("per-rank data", text, (), self.places.at(source.module, spot) if spot is not None else None)


def symbol(value: Sym, *, truth: bool = True) -> tuple[str, bool]:
    """The unknown condition behind a symbol, as well as it can be named, and whether the text says that it is ``truth``."""
    key = value.key
    if not truth and isinstance(key, tuple) and len(key) == 3 and key[0] in _OPPOSITE:  # noqa: PLR2004 - a comparison
        key, truth = (_OPPOSITE[key[0]], *key[1:]), True
    text = _key(key) or "something unknown"
    return (text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."), truth


def _key(key: Any) -> str:
    if isinstance(key, Term):
        return spelled(key) if not isinstance(key, Unknown) else f"something of line {key.line}"
    if isinstance(key, str):
        return key
    if isinstance(key, tuple):
        if len(key) == 3 and key[0] == "attribute":  # noqa: PLR2004 - of what, which
            inner = _key(key[1].key) if isinstance(key[1], (Sym, Something)) else ""
            return f"{inner}.{key[2]}" if inner else str(key[2])
        if len(key) == 3 and key[0] in SIGNS:  # noqa: PLR2004 - a comparison, each side with its type
            left, right = (_key(value.key) if isinstance(value, Sym) else repr(value) for _, value in key[1:])
            return f"{left} {SIGNS[key[0]]} {right}" if left and right else ""
        for part in key:
            found = _key(part) if isinstance(part, (Term, tuple)) else ""
            if found:
                return found
    return ""


def _grouped(texts: tuple[str, ...]) -> str:
    by_text: dict[str, list[int]] = {}
    for rank, text in enumerate(texts):
        by_text.setdefault(text, []).append(rank)
    return "; ".join(f"{text} on {named(ranks)}" for text, ranks in by_text.items())


def _printed(value: Any) -> str:
    if isinstance(value, Choice):
        return f"{_printed(value.then)} if {symbol(value.condition)[0]}, else {_printed(value.other)}"
    if isinstance(value, Sym):
        return "unknown"
    if isinstance(value, (Something, PerRank)):
        return "an object" if isinstance(value, Something) else "unknown"
    return repr(int(value)) if isinstance(value, World) else repr(value)
