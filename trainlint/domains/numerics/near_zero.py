"""Operations that are undefined at 0: divisions by a norm or deviation, logarithms and roots, without a guard.

Where something is divided by its own norm, or by its standard deviation, and nothing keeps that from 0.

Logarithms and roots of what is 0 for some inputs: of squares, absolute values, mixtures of probabilities, 1 minus a
square.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.autograd.gradient_free import Graphless
from trainlint.domains.expressions import Applied, applied, computed, number, operations, picked_of, reshaped, without_guard
from trainlint.domains.last_operation import argument
from trainlint.domains.precision.autocast import Regimes
from trainlint.flow.path_condition import key_of
from trainlint.ir.nodes import (
    Attr,
    BinOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Format,
    Global,
    Not,
    Param,
    Ref,
    Subscript,
    Term,
    Unknown,
)
from trainlint.ir.sketch import CallStep, Function, If, Keep
from trainlint.ir.terms import is_call_of, mentions, parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite
from trainlint.program.consteval import constant
from trainlint.program.contexts import contexts_at, own_then_called
from trainlint.program.def_use import Uses, made_in
from trainlint.program.leading import Leading
from trainlint.program.memo import remembered
from trainlint.program.origins import reaching_definition
from trainlint.program.program import Program
from trainlint.program.values import Context

NORM, DEVIATION, SIZES, _MEAN = "norm", "deviation", "sizes", "mean"
_ABS = "abs"
#: What a function may ask or change: the number by which something is divided, or more than that.
_OF_IT, _OF_MORE = "it", "more"


class Divided(NamedTuple):
    """The call of the norm or deviation (``word``) that something is divided by; of several absolute values the first.

    ``sure``: the function tests nothing that is computed of the quotient, and changes nothing of that. ``here``: it divides in
    the function in which the norm is computed.
    """

    site: CallSite
    word: str
    sure: bool = True
    here: bool = True


def unguarded_divisions(program: Program) -> Iterator[Divided]:
    """Each ``x / x.norm(…)`` and ``(x - x.mean()) / x.std()`` where nobody looks at what it is divided by.

    Only where gradients may be recorded: in what only predicts, one row that is not a number harms no other.
    """
    seen: set[Term] = set()
    yield from _by_sizes(program)
    table = program.knowledge.numerics
    names = {name.rpartition(".")[2] for name, word in table.items() if word in (NORM, DEVIATION)}
    for name in sorted(names):
        for site in program.ask(CallGraph).sites_named(name):
            call, frame = site.call.term, program.frame(site.module, site.function)
            found = applied(program, call, frame) if call not in seen else None
            seen.add(call)
            if found is None or found.word not in (NORM, DEVIATION):
                continue
            asked = [(asks, here) for asks, here in _divisions(program, site, found)]
            if not asked or any(asks == _OF_IT for asks, _ in asked):
                continue
            if any(program.ask(Regimes).of(call, one).grad for one in contexts_at(program, site)):
                sure, here = all(asks is None for asks, _ in asked), all(here for _, here in asked)
                yield Divided(site, found.word, sure, here)


def _divisions(program: Program, site: CallSite, found: Applied) -> Iterator[tuple[str | None, bool]]:
    """What is asked where something is divided by its norm: in the function that computes it, and in those that get it returned.

    And whether that is the function which computes it.
    """
    returned = any(mentions(each, found.call) for each in program.returns(site.function))
    leading = program.ask(Leading).to(site.function).values() if returned else ()
    for module, function in [(each.module, each.function) for each in leading] or [(site.module, site.function)]:
        quotients = _quotients(program, function, program.frame(module, function), found)
        for name in dict.fromkeys(name for _, name in quotients):
            asks = _asked(program, function, name, [part for part, _ in quotients])
            yield asks, function is site.function


def _quotients(program: Program, function: Function, frame: Context, found: Applied) -> list[tuple[Term, Term]]:
    """Where a function divides something by its norm or deviation, and how it names that; nothing if by none of its own."""
    quotients: list[tuple[Term, Term]] = []
    is_own = False
    for part in program.ask_of(operations, function):
        number = reshaped(program, part.right, frame, found.call) if isinstance(part, BinOp) and part.op == "Div" else None
        if isinstance(part, BinOp) and number is not None:
            quotients.append((part, number.term))
            is_own = is_own or _is_own(program, part.left, frame, found._replace(frame=number.frame))
    return quotients if is_own else []


def _is_own(program: Program, left: Term, frame: Context, found: Applied) -> bool:
    """Whether what is divided is what the norm is of; for a deviation, that without its mean."""
    wanted = key_of(program, found.of, found.frame)
    if found.word == NORM:
        return key_of(program, left, frame) is wanted
    if not isinstance(left, BinOp) or left.op != "Sub" or key_of(program, left.left, frame) is not wanted:
        return False
    mean = computed(program, left.right, frame)
    return mean is not None and mean.word == _MEAN and key_of(program, mean.of, mean.frame) is wanted


def _asked(program: Program, function: Function, call: Term, quotients: list[Term]) -> str | None:
    """What a function tests, or changes some of: the number or the quotient, or what it computes of that and of others."""
    terms: list[Term] = [part for part in program.ask_of(operations, function) if isinstance(part, Compare)]
    terms += [node.condition for node in of_kind(function, If)]
    terms += [node.target for node in of_kind(function, Keep)]
    told = [part for term in terms if _says(program, term, call) for part in _operands(term)]
    if any(_is_of(program, part, call, quotients) for part in told):
        return _OF_IT
    return _OF_MORE if told else None


def _operands(term: Term) -> Iterator[Term]:
    """What a test compares or asks, and what an item that is changed is one of."""
    if isinstance(term, (BoolOp, Not, Compare, Subscript)):
        for part in term.subterms():
            yield from _operands(part)
    else:
        yield term


def _is_of(program: Program, term: Term, call: Term, quotients: list[Term]) -> bool:
    """Whether a term is computed of the number, otherwise than by the quotient, or of the quotient alone (``isnan(x).any()``)."""
    parts = parts_through(term, lambda part: [] if part in quotients else part.subterms())
    return any(_is_it(program, part, call) for part in parts) or _is_alone(term, quotients)


def _is_it(program: Program, part: Term, call: Term) -> bool:
    """Whether a term is a call, or the same one written again."""
    return part is call or (isinstance(part, Call) and program.sayings.of(part) == program.sayings.of(call))


def _is_alone(term: Term, quotients: list[Term]) -> bool:
    """Whether a term is computed of quotients and of what is written down, and of nothing else."""
    if term in quotients:
        return True
    if not isinstance(term, (Call, BinOp, Subscript)):
        return False
    parts = [*term.args, *(value for _, value in term.kwargs)] if isinstance(term, Call) else term.subterms()
    if isinstance(term, Call) and isinstance(term.callee, Attr):
        parts.append(term.callee.base)
    given = [part for part in parts if not isinstance(part, (Const, Ref))]
    return bool(given) and all(_is_alone(part, quotients) for part in given)


def _says(program: Program, term: Term, call: Term) -> bool:
    """Whether a call, or the same one written again, stands in a term."""
    return any(_is_it(program, part, call) for part in parts_of(term))


def _by_sizes(program: Program) -> Iterator[Divided]:
    """Each quotient by the sum of two absolute values (``|x - y| / (|x| + |y|)``)."""
    for site in program.ask(CallGraph).sites_named(_ABS):
        call, frame = site.call.term, program.frame(site.module, site.function)
        sums = (part.right for part in program.ask_of(operations, site.function) if isinstance(part, BinOp) and part.op == "Div")
        if not any(
            isinstance(each, BinOp) and each.op == "Add" and each.left is call and _is_abs(program, each, frame) for each in sums
        ):
            continue
        if any(program.ask(Regimes).of(call, one).grad for one in contexts_at(program, site)):
            yield Divided(site, SIZES)


def _is_abs(program: Program, total: BinOp, frame: Context) -> bool:
    found = [applied(program, part, frame) if isinstance(part, Call) else None for part in total.sides]
    return all(one is not None and one.word == _ABS for one in found)


#: Words of functions whose result is never below 0 and may be 0, whatever they are given; and of those for which that goes on.
_NEVER_BELOW = frozenset(("square", "abs", "relu", "norm", "distance", "one-hot", "softmax", "sigmoid"))
_GOES_ON = frozenset(("sum", "mean", "sqrt"))
#: What people take the root of by a power.
_TOTALS = frozenset(("sum", "mean", "square", "distance"))
#: What has a rule of its own: the logarithm of these directly.
_TWO_STEPS = frozenset(("softmax", "sigmoid"))
#: The functions that are asked about: at 0 the one is minus infinity, the other has an infinite slope.
LOG, ROOT = "log", "sqrt"
_EXPONENT = "exponent"
#: What is given a tensor for its number.
_READ_BY = ("builtins.float", "builtins.print")
_DATA = "data"
_POW, _POWER = "pow", "power"
_SQUARES = frozenset((_POWER, "square"))
#: Terms that are names of things.
_BARE = frozenset((Param, Global, Attr, Const))


class Unguarded(NamedTuple):
    """A logarithm or root (``word``) of something that may be 0: a call, or a power of what one computes (``raised``)."""

    site: CallSite
    word: str
    raised: bool = False


def unguarded_functions(program: Program) -> Iterator[Unguarded]:
    """Each logarithm and square root of what may be 0 and is not kept from it, where gradients may be recorded."""
    zeros = Zeros(program)
    for site, word, of, raised in (*_functions(program), *_roots(program)):
        if not any(_is_zero(program, zeros, of, each) for each in own_then_called(program, site)):
            continue
        whole = raised or site.call.term
        if _is_only_read(program, site, whole):
            continue  # how large an error is, to be logged
        frames = contexts_at(program, site)
        if any(_is_recorded(program, site.call.term, of, one) for one in frames):
            yield Unguarded(site, word, raised is not None)


#: A call, the word for what is asked about, what that is computed of, and the power that it is, if no call computes it.
_Function = tuple[CallSite, str, Term, BinOp | None]


def _functions(program: Program) -> Iterator[_Function]:
    """The calls of logarithms and roots, and of powers that are roots."""
    for word in (LOG, ROOT, _POW):
        for site in program.ask(CallGraph).sites_named(word):
            call, frame = site.call.term, program.frame(site.module, site.function)
            found = applied(program, call, frame)
            if found is None:
                continue
            as_method = isinstance(call.callee, Attr) and found.of is call.callee.base
            if found.word == _POWER:
                exponent = argument(call, 0 if as_method else 1, _EXPONENT)
                if exponent is not None and _is_root(program, exponent, frame):
                    yield site, ROOT, found.of, None
            elif found.word == word and not (as_method and (call.args or call.kwargs)):
                yield site, word, found.of, None


def _roots(program: Program) -> Iterator[_Function]:
    """The powers of what a call computes that are roots (``x.sum() ** 0.5``), as calls of that."""
    names = {name.rpartition(".")[2] for name, word in program.knowledge.numerics.items() if word in _TOTALS}
    for name in sorted(names):
        for site in program.ask(CallGraph).sites_named(name):
            call, frame = site.call.term, program.frame(site.module, site.function)
            powers = (part for part in program.ask_of(operations, site.function) if isinstance(part, BinOp) and part.op == "Pow")
            for power in powers:
                if power.left is call and _is_root(program, power.right, frame):
                    yield site, ROOT, call, power


def _is_root(program: Program, exponent: Term, frame: Context) -> bool:
    """Whether a power with this exponent has an infinite slope at 0: a number, or one by another."""
    over, under = exponent.sides if isinstance(exponent, BinOp) and exponent.op == "Div" else (exponent, None)
    value = number(constant(program, over, frame) or over)
    by = number(constant(program, under, frame) or under) if under is not None else 1.0
    return value is not None and by is not None and 0 < value < by


def _is_recorded(program: Program, call: Call, of: Term, frame: Context) -> bool:
    """Whether a graph may be recorded in an activation, and what the function is of may have one."""
    return program.ask(Regimes).of(call, frame).grad and program.ask(Graphless).of(of, frame) is None


def _is_only_read(program: Program, site: CallSite, whole: Term) -> bool:
    """Whether what a call computes (or a power of it) is read as a number, or written, and goes nowhere else: no gradient."""
    parents = program.ask(Uses).parents(site.module).of
    pending = [whole]
    while pending:
        term = pending.pop()
        above = [parent for parent, function in parents.get(term, ()) if function is site.function]
        hidden = [part for each in made_in(site.function, Unknown) for part in (each, *parts_of(*each.made_of()))]
        above += [part for part in hidden if term in part.made_of()]
        used = [parent for parent in above if not isinstance(parent, CallStep)]
        if not used:
            return False  # ``.backward()``
        for parent in used:
            if not isinstance(parent, Term) or not _reads(program, parent):
                if not isinstance(parent, Attr) and not (isinstance(parent, Call) and parent.callee is term):
                    return False
                pending.append(parent)  # ``.mean()``, and then what is done with that
    return True


def _reads(program: Program, term: Term) -> bool:
    """Whether a term is the number of a tensor that is part of it, or a text that says it, or cuts off its graph."""
    if isinstance(term, Attr):
        return term.name in program.knowledge.ends_graph or term.name == _DATA
    written = isinstance(term, BinOp) and isinstance(term.left, Const) and isinstance(term.left.value, str)
    return written or isinstance(term, Format) or is_call_of(term, *_READ_BY)


def _is_zero(program: Program, zeros: Zeros, of: Term, frame: Context) -> bool:
    """Whether something may be 0 in an activation, and is neither kept from it nor compared with anything there."""
    given, guarded = without_guard(program, of, frame)
    if guarded or not zeros.may_be(*given, outermost=True):
        return False
    return not any(_tested(each.function, term) for each in frame.active() for term in (of, given.term))


def _tested(function: Function, given: Term) -> bool:
    """Whether a function compares what is asked about with something."""
    conditions = [node.condition for node in of_kind(function, If)]
    return any(part is given for condition in conditions for part in parts_of(condition))


class Zeros:
    """Whether a value is never below 0, and 0 for some inputs, as far as the function in which it is computed says."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @remembered(False)
    def may_be(self, term: Term, frame: Context, *, outermost: bool = False) -> bool:
        """See the class; ``outermost``: what has a rule of its own does not count."""
        (term, frame), guarded = without_guard(self.program, term, frame)
        if guarded:
            return False
        if isinstance(term, Call):
            return self._called(term, frame, outermost=outermost)
        return isinstance(term, BinOp) and self._computed(term, frame)

    def _called(self, call: Call, frame: Context, *, outermost: bool) -> bool:
        found = applied(self.program, call, frame)
        if found is None:
            return False
        word, given = found.word, found.of
        if word == _POWER:
            as_method = isinstance(call.callee, Attr) and given is call.callee.base
            exponent = argument(call, 0 if as_method else 1, _EXPONENT)
            return self._power(given, exponent, frame)
        if word in _GOES_ON:
            return self.may_be(given, frame)
        return word in _NEVER_BELOW and not (outermost and word in _TWO_STEPS)

    def _power(self, base: Term, exponent: Term | None, frame: Context) -> bool:
        value = number(reaching_definition(self.program, exponent, frame).term) if exponent is not None else None
        if (value is not None and value <= 0) or without_guard(self.program, base, frame)[1]:
            return False
        return (value is not None and value % 2 == 0) or self.may_be(base, frame)

    def _computed(self, term: BinOp, frame: Context) -> bool:
        operator, left, right = term.op, term.left, term.right
        if operator == "Pow":
            return self._power(left, right, frame)
        if operator == "Sub":
            return number(left) is not None and self._is_square(right, frame)
        if operator in ("Mult", "Div"):
            if operator == "Mult" and self.program.sayings.of(left) == self.program.sayings.of(right):
                return not without_guard(self.program, left, frame)[1]
            sides = [self._factor(side, frame) for side in (left, right)]
            return None not in sides and any(sides)
        if operator != "Add" or _excluded(self.program, left, right):
            return False
        return self.may_be(left, frame) and self.may_be(right, frame)

    def _factor(self, term: Term, frame: Context) -> bool | None:
        """Whether a factor may be 0 (False: it is a number above 0; None: nobody knows)."""
        value = number(term)
        if value is not None:
            return False if value > 0 else None
        return True if self.may_be(term, frame) else None

    def _is_square(self, term: Term, frame: Context) -> bool:
        term, frame = reaching_definition(self.program, term, frame)
        found = applied(self.program, term, frame) if isinstance(term, Call) else None
        base = (
            term.left if isinstance(term, BinOp) and term.op == "Pow" else found.of if found and found.word in _SQUARES else None
        )
        return base is not None and not without_guard(self.program, base, frame)[1]


def _excluded(program: Program, left: Term, right: Term) -> bool:
    """Whether two squares are not 0 together: of ``t`` and ``1 - t``, or of an error and a number by which it is smoothed."""
    bases = [_in_shape(program, term.left) for term in (left, right) if isinstance(term, BinOp) and term.op == "Pow"]
    if len(bases) < len((left, right)):
        return False
    one, other = bases
    return (type(one) in _BARE) != (type(other) in _BARE) or mentions(one, other) or mentions(other, one)


def _in_shape(program: Program, term: Term) -> Term:
    """What is given another shape (a smoothing number, for broadcasting: ``c.view(-1, 1)``)."""
    while isinstance(term, Call) and (inner := picked_of(program, term)) is not None:
        term = inner
    return term
