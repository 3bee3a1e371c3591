"""Which unknown things are one: those that say the same of the same things, wherever that stands.

``use["gpu"]``, ``len(use) > 0`` and ``ready(use)`` are unknown in each function that asks, and the same in all that are handed
one ``use``: the question has one answer, so ranks that ask it in two helpers go one way. It is known by what is done (an item is
taken, this method is called) and with what: the values of the operands, which have an identity themselves. Where the rank has a
part in an operand, or it is a matter of the place what it holds, each place has an unknown thing of its own.

It is asked of the forks of traces, and only where ranks seem to part: hardly any of what is evaluated is ever one of these.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from trainlint.ir.nodes import (
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Comprehension,
    Global,
    Invert,
    List,
    Not,
    Or,
    Select,
    Slice,
    Subscript,
    Term,
    Tuple,
    Unknown,
)
from trainlint.ir.terms import mentions
from trainlint.program.program import Program
from trainlint.program.values import Argument, Context, Library
from trainlint.spmd.model_modes import Modes
from trainlint.spmd.symbols import SIZE, UNKNOWN, Data, Truthy, Uniform, Varying

if TYPE_CHECKING:
    from trainlint.spmd.ranks import Evaluator

#: Plain values that can be told apart.
_PLAIN = (str, int, float, bool, type(None), bytes)
#: Stands for what a comprehension draws.
_EACH = "each"
#: What cannot be told from others.
_OPEN = ("open",)
#: Operators: what they say is their tag, the words beside it, and their operands.
_OPERATORS = frozenset((Compare, BinOp, Invert, Not, And, Or, Select))
#: What asks for a variable of the environment.
_VARIABLES = ("os.environ.get", "os.getenv")


class Unknowns:
    """Answers for one kind of evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self._first = self.program.ask(_first)
        self._known = self.program.ask_of(_known, type(evaluator))
        self._modes = self.program.ask(Modes)

    def one(self, symbol: Uniform) -> Uniform:
        """The symbol that stands for all that say the same as this one."""
        known = symbol if self.evaluator.loops else self._known.get(symbol)
        if known is None:
            self._known[symbol] = symbol  # ends recursion
            known = self._known[symbol] = self._one(symbol)
        return known

    def _one(self, symbol: Uniform) -> Uniform:
        key = symbol.key
        if type(key) is not tuple:
            return symbol
        if len(key) == 2 and type(key[1]) is Context:  # noqa: PLR2004 - a term or a statement, and its activation
            return self._of_place(symbol, key[0], key[1])
        if type(key[-1]) is Context and [isinstance(part, Term) for part in key[1:-1]] == [True, True]:
            return self._quietly(symbol, self._met_first, ("cmp", *key[:-1]), key[-1], symbol)  # type: ignore[no-any-return]
        parts = tuple(self._within(part) for part in key)
        return symbol if parts == key else symbol._replace(key=parts)

    def _within(self, part: Any) -> Any:
        """A part of a key, with what stands for the unknown things in it."""
        if isinstance(part, Uniform):
            return self.one(part)
        return tuple(map(self._within, part)) if type(part) is tuple else part

    def _of_place(self, symbol: Uniform, what: object, frame: Context) -> Uniform:
        """The symbol for what a term, or a statement (by its id), comes to in an activation."""
        if not isinstance(what, Term):
            return symbol._replace(key=(what, self._quietly(frame, self._alike, frame)))
        if self._modes.active and self._modes.asks(what, frame):
            return symbol  # which call leads there counts
        return self._quietly(symbol, self._of_term, symbol, what, frame)  # type: ignore[no-any-return]

    def _quietly(self, otherwise: Any, question: Any, *given: Any) -> Any:
        """The answer to a question, which is the same on all ranks and at all places, else ``otherwise``.

        Nobody is told which parameters it hangs on: a function decides the same, whichever unknown thing it is handed.
        """
        evaluator = self.evaluator
        saved = evaluator.tell, evaluator.heard, evaluator.place_dependent, evaluator.rank_dependent
        evaluator.tell, evaluator.rank_dependent, evaluator.place_dependent = _nobody, False, False
        try:
            answer = question(*given)
            return otherwise if evaluator.rank_dependent or evaluator.place_dependent else answer
        finally:
            evaluator.tell, evaluator.heard, evaluator.place_dependent, evaluator.rank_dependent = saved

    def _of_term(self, symbol: Uniform, term: Term, frame: Context) -> Uniform:
        if isinstance(term, Global):
            return self._of_file(symbol, term.name, frame.module)
        made = self._made(term, frame)
        if made is None:
            return symbol._replace(key=(term, self._alike(frame)))
        if made[0] == SIZE:
            whole = self.evaluator.value(made[1], frame)
            if isinstance(whole, Uniform) and not isinstance(whole.key, Data):
                return symbol._replace(key=(SIZE, self.one(Uniform(whole.key))))
        return self._met_first(made, frame, symbol)  # type: ignore[no-any-return]

    def _of_file(self, symbol: Uniform, name: str, path: str) -> Uniform:
        """The symbol for what a name of a file's top level holds: what was bound to it, whoever imports it."""
        module = self.program.modules[path]
        bound = module.names.get(name)
        if bound is not None and not isinstance(bound, Global) and name not in module.rebound:
            value = self.evaluator.value(bound, self.program.frame(path, module.functions["<module>"]))
            if isinstance(value, Uniform):
                return symbol._replace(key=self.one(Uniform(value.key)).key)
        return symbol._replace(key=(path, name))

    def _made(self, term: Term, frame: Context) -> tuple[Any, ...] | None:
        """What is done, and with what: words and terms; None for what is unknown by itself."""
        if isinstance(term, Subscript):
            return ("item", term.base, term.key)
        if type(term) in _OPERATORS:
            return (term.tag, *(term.operands if isinstance(term, (And, Or)) else term.parts))
        if isinstance(term, Call):
            return self._called(term, frame)
        if isinstance(term, Attr):
            return ("attribute", term.name, term.base)
        if isinstance(term, Unknown):
            return ("text", *term.pieces) if term.pieces else ("drawn", term) if isinstance(term, Comprehension) else None
        return None

    def _called(self, term: Call, frame: Context) -> tuple[Any, ...] | None:
        callee, given, named = term.callee, term.args, term.kwargs
        knowledge = self.program.knowledge
        if any(word is None for word, _ in named):
            return None
        values = self.program.values(callee, frame)
        name = next((value.name for value in values if isinstance(value, Library)), "")
        if name in _VARIABLES and given:
            return ("variable", given[0])
        if name in knowledge.measures and len(given) == 1 and not named:
            return (SIZE, given[0])
        if isinstance(callee, Attr) and callee.name in knowledge.hands_out and given:
            return ("item", callee.base, given[0])  # with another default it is no other setting
        called = (name,) if name else ("method", callee.name, callee.base) if isinstance(callee, Attr) else ("of", callee)
        words = tuple(str(word) for word, _ in named)
        return ("call", len(given), *words, *called, *given, *(value for _, value in named))

    def _alike(self, frame: Context) -> Context:
        """The first activation of a function that was handed what this one was: what its names hold is the same in both."""
        if frame.caller is None or frame.open or frame.rest is None:
            return frame
        names = (*frame.arguments, "*", *frame.surplus)
        given = (*frame.arguments.values(), *frame.rest, *frame.surplus.values())
        found: Context = self._met_first((id(frame.function), frame.receiver, frame.closure, names, *given), frame, frame)
        return found

    def _met_first(self, made: Iterable[object], frame: Context, own: Any) -> Any:
        """What was made like this first."""
        parts = tuple(self._operand(part, frame) for part in made)
        return own if _OPEN in parts else self._first.setdefault(parts, own)

    def _operand(self, part: Any, frame: Context) -> Hashable:
        """What a part is, as far as it can be told from others; :data:`_OPEN` where it cannot."""
        if type(part) is Argument:
            return self._identity(part.term, part.frame)
        return self._identity(part, frame) if isinstance(part, Term) else part

    def _identity(self, term: Term, frame: Context) -> Hashable:
        """What an operand is."""
        if isinstance(term, Slice) or (isinstance(term, (Tuple, List)) and type(term.items) is tuple):
            parts = tuple(self._identity(part, frame) for part in (term.items if not isinstance(term, Slice) else term.bounds))
            return _OPEN if _OPEN in parts else (term.tag, parts)
        if isinstance(term, Comprehension):
            made = (term.of, term.item, *term.tests, *((term.key,) if term.key is not None else ()))
            parts = tuple(self._pattern(part, term.target, frame) for part in made)
            return _OPEN if _OPEN in parts else (_EACH, len(term.tests), term.kind == "set", parts)
        value = self.evaluator.value(term, frame)
        if isinstance(value, Truthy):
            value = Uniform(value.key)
        if isinstance(value, Varying) or not isinstance(value, (*UNKNOWN, *_PLAIN)):
            return _OPEN
        return (type(value).__name__, self.one(value) if isinstance(value, Uniform) else value)

    def _pattern(self, term: Term, each: Term, frame: Context) -> Hashable:
        """What a comprehension does with what it draws."""
        if term is each:
            return _EACH
        if not mentions(term, each):
            return self._identity(term, frame)
        parts = (
            term.tag,
            *(self._in_pattern(part, each, frame) for part in (term.parts[:-1] if isinstance(term, Call) else term.parts)),
        )
        return _OPEN if _OPEN in parts else parts

    def _in_pattern(self, part: Any, each: Term, frame: Context) -> Hashable:
        if isinstance(part, Term):
            return self._pattern(part, each, frame)
        if type(part) is not tuple:
            return part  # type: ignore[no-any-return]
        parts = tuple(self._in_pattern(inner, each, frame) for inner in part)
        return _OPEN if _OPEN in parts else parts


def _first(_program: Program) -> dict[Hashable, Any]:
    """By what is done, and with what, the unknown thing that it comes to."""
    return {}


def _known(_program: Program, _kind: type[Evaluator]) -> dict[Uniform, Uniform]:
    """What is known already, by the kind of evaluator: data of its own is data for one kind only."""
    return {}


def _nobody(_parameter: str) -> None:
    """Nobody is told which parameters were asked for."""
