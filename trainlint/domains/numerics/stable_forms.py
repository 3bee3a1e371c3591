"""Expressions for which a library has a numerically stable form: ``log(softmax(x))``, ``log(1 + x)``, ``exp(x) - 1``.

Expressions that lose digits, or overflow, where a library has one function that does not.

``log(1 + x)`` and ``exp(x) - 1`` round away what is small against 1; ``log(exp(x).sum())`` and ``exp(x) /
exp(x).sum()`` overflow where the logarithm, or the quotient, would not.

Where the logarithm of a softmax or sigmoid is taken in two steps, in one function.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from trainlint.domains.expressions import Applied, applied, computed, is_clamped, number, operations, reshaped, without_guard
from trainlint.domains.grad_mode import GradMode
from trainlint.domains.last_operation import Head, Heads, argument
from trainlint.domains.numerics.losses import Path
from trainlint.edits.changes import Change, Replace, Rewrite
from trainlint.finding import Applicability, Spot
from trainlint.flow.path_condition import key_of
from trainlint.ir.nodes import Attr, BinOp, Call, Const, Ref, SequenceDisplay, Subscript, Term
from trainlint.ir.printer import lasting, name_in
from trainlint.ir.sketch import Function
from trainlint.ir.terms import mentions, parts_of
from trainlint.ir.walk import roots, walk_all
from trainlint.program import naming
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.callables import partial_of
from trainlint.program.contexts import own_then_called
from trainlint.program.origins import definitions, reaching_definition
from trainlint.program.program import Program
from trainlint.program.software_tests import tests_software
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, FunctionValue, Instance, Library, Value

OperandPath = tuple[tuple[str, int | str], ...]
#: The functions that are exact, by what they compute.
LOG1P, EXPM1, LOGSUMEXP, SOFTPLUS = "torch.log1p", "torch.expm1", "torch.logsumexp", "torch.nn.functional.softplus"
#: Parts of complex tensors, and what makes them.
_COMPLEX = frozenset(("imag", "view_as_complex", "view_as_real", "cfloat"))
_SOFTMAX = "torch.softmax"
_PRODUCTS = frozenset(("Mult", "Div"))
_KEEP_WHOLE = frozenset(("Add", "Sub", "Mult"))
_BUILTIN = "builtins."
#: How a dimension is given to a sum, beside its first position behind the tensor; and whether the sum keeps it.
_DIM, _KEEP = "dim", "keepdim"


class Imprecise(NamedTuple):
    """A call that stands in such an expression, the function that computes all of it (``instead``), and the repair."""

    site: CallSite
    instead: str
    change: Change | None


def imprecise(program: Program) -> Iterator[Imprecise]:
    """Each ``log(1 + x)``, ``exp(x) - 1`` and ``log(exp(x).sum(dim))`` of tensors."""
    for found in _imprecise(program):
        change = found.change
        if change is not None and _has_complex_numbers(program, found.site.module):
            change = replace(change, applicability=Applicability.UNSAFE)
        yield found._replace(change=change)


def _has_complex_numbers(program: Program, module: str) -> bool:
    """Whether tensors in a file may be complex: before PyTorch 2.1 the exact functions took real ones, and two still do."""
    functions = program.modules[module].functions.values()
    values = (part for each in functions for node in walk_all(each.body) for part in parts_of(*roots(node)))
    return any(
        (isinstance(value, Attr) and value.name in _COMPLEX) or (isinstance(value, Const) and isinstance(value.value, complex))
        for value in values
    )


def _imprecise(program: Program) -> Iterator[Imprecise]:
    for site in program.ask(CallGraph).sites_named("log"):
        frame = program.frame(site.module, site.function)
        found = applied(program, site.call.term, frame)
        if found is not None and found.word == "log":
            given = reaching_definition(program, found.of, frame)
            one = _one_more(program, site, *given) or _summed(program, site, *given)
            if one is not None and given.term is not found.of:
                one = one._replace(change=None)  # it is made elsewhere, perhaps for others, too
            if one is not None:
                yield one
    seen: set[Term] = set()
    for site in program.ask(CallGraph).sites_named("exp"):
        frame = program.frame(site.module, site.function)
        found = applied(program, site.call.term, frame)
        if found is None or found.word != "exp" or site.call.term in seen:
            continue
        seen.add(site.call.term)
        less = list(_one_less(program, site, frame))
        if less:
            name = _name(program, site, EXPM1) if any(part.left is site.call.term for part in less) else None
            change = Rewrite(
                Applicability.SAFE,
                "Use `expm1`",
                spot=site.call.term.site,
                code=f"{name}({{0}})",
                paths=((("left", 0), *_given(site.call.term)),),
                around=True,
            )
            yield Imprecise(site, EXPM1, change if name is not None else None)


def _one_less(program: Program, site: CallSite, frame: Context) -> Iterator[BinOp]:
    """Where the function of a call subtracts 1 from what the call gives."""
    for term in program.ask_of(operations, site.function):
        less = isinstance(term, BinOp) and term.op == "Sub" and number(term.right) == 1
        if isinstance(term, BinOp) and less and reaching_definition(program, term.left, frame).term is site.call.term:
            yield term


def _given(call: Call) -> OperandPath:
    """The way from a function or method of one tensor to that tensor."""
    return (("argument", 0),) if call.args else (("receiver", 0),)


def _name(program: Program, site: CallSite, dotted: str) -> str | None:
    return naming.reference(dotted, program.modules[site.module])


def _one_more(program: Program, site: CallSite, given: Term, frame: Context) -> Imprecise | None:
    """``log(1 + x)``; of ``log(1 + exp(x))`` it is known what it is."""
    if not isinstance(given, BinOp) or given.op != "Add":
        return None
    side = "left" if number(given.left) == 1 else "right" if number(given.right) == 1 else None
    if side is None or (number(given.left) is not None and number(given.right) is not None):
        return None
    log = site.call.term
    if _is_whole(program, given, frame):
        return None
    other, way = (given.right, "right") if side == "left" else (given.left, "left")
    inner = computed(program, other, frame)
    grows = inner is not None and inner.word == "exp" and not _is_at_most_zero(program, inner.of, inner.frame)
    softplus = _name(program, site, SOFTPLUS) if grows else None
    path: OperandPath = (*_given(log), (way, 0))
    if softplus is not None and isinstance(other, Call) and log.site.holds(other.site):
        change = Rewrite(
            Applicability.SAFE, "Use `softplus`", spot=log.site, code=f"{softplus}({{0}})", paths=((*path, *_given(other)),)
        )
        return Imprecise(site, SOFTPLUS, change)
    name = _name(program, site, LOG1P)
    one = Rewrite(Applicability.SAFE, "Use `log1p`", spot=log.site, code=f"{name}({{0}})", paths=(path,))
    return Imprecise(site, SOFTPLUS if grows else LOG1P, one if name is not None else None)


def _is_at_most_zero(program: Program, term: Term, frame: Context) -> bool:
    """Whether something is the negative of an absolute value: its exponential does not overflow."""
    term, frame = reaching_definition(program, term, frame)
    if not isinstance(term, BinOp) or term.op not in _PRODUCTS | {"Sub"}:
        return False
    signs = [number(each) for each in term.sides]
    negates = signs[0] == 0 if term.op == "Sub" else any(each is not None and each < 0 for each in signs)
    return negates and any((inner := computed(program, each, frame)) is not None and inner.word == "abs" for each in term.sides)


def _is_whole(program: Program, term: Term, frame: Context) -> bool:
    """Whether something is a whole number for sure: a count, a position, a sum or product of such. None of them is small."""
    term, frame = reaching_definition(program, term, frame)
    whole, keeps = (program.knowledge.tables[f"numerics.{name}"]["names"] for name in ("whole", "keeps_whole"))
    value = number(term)
    if value is not None:
        return value == int(value)
    if isinstance(term, BinOp):
        return term.op in _KEEP_WHOLE and all(_is_whole(program, side, frame) for side in term.sides)
    if isinstance(term, Subscript):
        return _is_whole(program, term.base, frame)
    if isinstance(term, Call):
        name = last_name(term.callee)
        if name in whole:
            return all(number(each) is None or _is_whole(program, each, frame) for each in term.args)
        parts = [term.callee.base] if isinstance(term.callee, Attr) else list(term.args)
        return name in keeps and bool(parts) and all(_is_whole(program, part, frame) for part in parts)
    if isinstance(term, SequenceDisplay):
        parts = term.subterms()
        return bool(parts) and all(_is_whole(program, part, frame) for part in parts)
    return isinstance(term, Attr) and term.name in whole


def _summed(program: Program, site: CallSite, given: Term, frame: Context) -> Imprecise | None:
    """``log(exp(x).sum(dim))``, unless something is subtracted from ``x`` (its maximum)."""
    total = applied(program, given, frame) if isinstance(given, Call) else None
    if not isinstance(given, Call) or total is None or total.word != "sum" or dimension(given) is None:
        return None
    inner = computed(program, total.of, frame)
    if inner is None or inner.word != "exp" or is_shifted(program, inner.of, inner.frame):
        return None
    log, name = site.call.term, _name(program, site, LOGSUMEXP)
    if name is None or inner.call is not total.of or not log.site.holds(given.site) or not given.site.holds(inner.call.site):
        return Imprecise(site, LOGSUMEXP, None)
    summed = (*_given(log),)
    as_function = isinstance(given.callee, Ref) or bool(given.args and given.args[0] is total.of)
    tensor: OperandPath = (*summed, *((("argument", 0),) if as_function else (("receiver", 0),)), *_given(inner.call))
    rest: OperandPath = (*summed, ("arguments", 1 if as_function else 0))
    change = Rewrite(Applicability.SAFE, "Use `logsumexp`", spot=log.site, code=f"{name}({{0}}{{,1}})", paths=(tensor, rest))
    return Imprecise(site, LOGSUMEXP, change)


def dimension(call: Call) -> Term | None:
    """The dimension over which a sum goes, of a function or a method of a tensor; None: over all of them."""
    function = isinstance(call.callee, Ref) or (isinstance(call.callee, Attr) and isinstance(call.callee.base, Ref))
    position = 1 if function else 0
    return argument(call, position, _DIM)


def is_shifted(program: Program, term: Term, frame: Context) -> bool:
    """Whether what is exponentiated may be small on purpose.

    Something is subtracted (its maximum, for all that is known), or it is negative: a distance, the exponent of a bell curve.
    """
    return any(_shifts(program, *each) for each in reached(program, term, frame, partial(_scaled, program)))


def _scaled(program: Program, term: Term, frame: Context) -> list[Argument]:
    """What is shifted if one of these is: the factors of a product, what a method or an item is of."""
    made = definitions(program, term, frame)
    if (term, frame) not in made:
        return [each for each in made if each is not None]
    parts: tuple[Term, ...] = ()
    if isinstance(term, Call) and isinstance(term.callee, Attr):
        parts = (term.callee.base,)
    elif isinstance(term, Subscript):
        parts = (term.base,)
    elif isinstance(term, BinOp) and term.op in _PRODUCTS:
        parts = term.sides
    return [Argument(part, frame) for part in parts]


def _shifts(program: Program, term: Term, frame: Context) -> bool:
    """Whether an operation subtracts or negates, or nobody knows what it does."""
    if (term, frame) not in definitions(program, term, frame):
        return False
    if not isinstance(term, BinOp):
        return _is_opaque(program, term, frame)
    factors = [number(part) for part in term.sides]
    return term.op == "Sub" or (term.op in _PRODUCTS and any(factor is not None and factor < 0 for factor in factors))


def _is_opaque(program: Program, term: Term, frame: Context) -> bool:
    """Whether a function of the project returns something, or an object of it has it, and what that is cannot be said."""
    if isinstance(term, Call):
        return any(map(_is_own, program.values(term.callee, frame)))
    return isinstance(term, Attr) and any(isinstance(value, Instance) for value in program.values(term.base, frame))


def _is_own(callee: Value) -> bool:
    """Whether a call runs a function of the project, or one of the language, and none that computes with tensors."""
    if isinstance(callee, Library):
        return callee.name.startswith(_BUILTIN)
    return isinstance(callee, FunctionValue) or partial_of(callee) is not None


class Handwritten(NamedTuple):
    """``exp(x) / exp(x).sum(dim)``: the call of the sum, and what a softmax of it would be."""

    site: CallSite
    change: Change | None


def handwritten(program: Program) -> Iterator[Handwritten]:
    """Each softmax that is written out, of what nothing was subtracted from."""
    seen: set[Term] = set()
    for site in program.ask(CallGraph).sites_named("sum"):
        call = site.call.term
        total = applied(program, call, program.frame(site.module, site.function)) if call not in seen else None
        if total is None or total.word != "sum":
            continue
        for frame in own_then_called(program, site):
            inner = computed(program, total.of, frame)
            if inner is None or inner.word != "exp" or is_shifted(program, inner.of, inner.frame):
                continue
            if _is_logarithm(inner.of, inner.frame.function):
                continue
            divided = _divided(program, frame, call, inner)
            if divided is not None:
                seen.add(call)
                change = _as_softmax(program, site, call, divided, inner.of) if isinstance(divided, Call) else None
                yield Handwritten(site, change if inner.call is total.of else None)
                break


def _is_logarithm(term: Term, function: Function) -> bool:
    """Whether a name says that something is the logarithm of probabilities: no power of e is above 1 then."""
    name = (name_in(term, function) or "").lower()
    return "log" in name and "logit" not in name


def _divided(program: Program, frame: Context, total: Call, exponentials: Applied) -> Term | None:
    """The same exponentials, where a function divides them by their sum."""
    wanted = key_of(program, exponentials.call, exponentials.frame)
    for part in program.ask_of(operations, frame.function):
        if isinstance(part, BinOp) and part.op == "Div" and reshaped(program, part.right, frame, total) is not None:
            left = reaching_definition(program, part.left, frame)
            if key_of(program, *left) is wanted:
                return part.left
    return None


def _as_softmax(program: Program, site: CallSite, total: Call, left: Call, given: Term) -> Change | None:
    """A softmax over the dimension of the sum, in the place of the quotient around it."""
    dim, name = dimension(total), _name(program, site, _SOFTMAX)
    over = number(dim) if dim is not None else None
    keeps = any(key == _KEEP and isinstance(value, Const) and value.value is True for key, value in total.kwargs)
    if name is None or over is None or not keeps:
        return None
    spelled = lasting(given, site.function)
    message = "Use `softmax`"
    if left.site.line == total.site.line and not total.site.holds(left.site):
        paths: tuple[OperandPath, ...] = ((("left", 0), *_given(left)),)
        code = f"{name}({{0}}, dim={int(over)})"
        return Rewrite(Applicability.UNSAFE, message, spot=total.site, code=code, paths=paths, around=True)
    if spelled is None:
        return None
    code = f"{name}({spelled}, dim={int(over)})"
    return Rewrite(Applicability.UNSAFE, message, spot=total.site, code=code, paths=(), around=True)


#: What is computed in two steps here, and the word of its second step.
_OF = ("softmax", "sigmoid")
_LOG = "log"
_ONE = 1
#: What keeps the argument of a logarithm from 0: a constant that is added, or a bound.
ADDED, CLAMPED = "added", "clamped"
#: Operators behind which a logarithm is still one, and those behind which a number is 0 where it was.
_LINEAR = frozenset(("Add", "Sub", "Mult", "Div"))


class Logarithm(NamedTuple):
    """A logarithm (``site``) of what ``head`` computed.

    ``guarded``: what keeps it finite, ``ADDED`` or ``CLAMPED``, or None; ``direct``: it is taken of the result as it is;
    ``rest``: of 1 minus that. ``here``: both stand in one function; else others may need the probabilities, too, or it may be
    something else.
    """

    site: CallSite
    frame: Context
    head: Head
    guarded: str | None
    direct: bool
    rest: bool
    here: bool = True


def logarithms(program: Program) -> Iterator[Logarithm]:
    """Each logarithm of a softmax or sigmoid, applied in the same function or elsewhere, or of 1 minus a sigmoid (``rest``).

    A term of an entropy that is kept finite, ``p * log(p + eps)``, is none: where ``p`` is 0 it is as it should be. Nor is one
    that is kept finite where no gradients are recorded (a cost to compare, say), or what tests compare something with.
    """
    for site in program.ask(CallGraph).sites_named(_LOG):
        given = taken_of(program, site.call.term, program.frame(site.module, site.function))
        if given is None or tests_software(program, site.module, site.function):
            continue  # the two steps are what something is compared with
        found = (_logarithm(program, site, frame, given) for frame in own_then_called(program, site))
        yield from islice((each for each in found if each is not None), 1)


def _logarithm(program: Program, site: CallSite, frame: Context, given: Term) -> Logarithm | None:
    """The same of one call in one activation."""
    (inner, where), guarded = without_guard(program, given, frame)
    rest = isinstance(inner, BinOp) and inner.op == "Sub" and number(inner.left) == _ONE
    found = program.ask(Heads).of(inner.right if isinstance(inner, BinOp) and rest else inner, where)
    own = [head for head in found if head.word in _OF]
    if len({head.word for head in own}) != 1 or any(head.word not in (None, own[0].word) for head in found):
        return None
    head = own[0]
    here = head.frame is frame and not head.layer and len(own) == len(found)
    if (rest and head.word != "sigmoid") or (guarded and weighted(program, frame, site.call.term, inner)):
        return None
    if guarded and program.ask(GradMode).always_off(frame, Spot(*site.call.term.site)):
        return None
    if head.given is not None and _is_near_zero(program, head.given):
        return None
    how = (CLAMPED if is_clamped(program, given, frame) else ADDED) if guarded else None
    direct = (given.right if rest and isinstance(given, BinOp) else given) is head.term
    return Logarithm(site, frame, head, how, direct, rest, here)


def _is_near_zero(program: Program, term: Term) -> bool:
    """Whether a number lies between -1 and 1, so that no probability that is computed of it is rounded to 0, or to 1."""
    if isinstance(term, BinOp) and term.op == "Sub" and number(term.left) == 0:
        term = term.right
    return isinstance(term, Call) and last_name(term.callee) in program.knowledge.near_zero


def taken_of(program: Program, call: Call, frame: Context) -> Term | None:
    """What a call takes the logarithm of; None for any other call."""
    found = applied(program, call, frame)
    as_method = found is not None and isinstance(call.callee, Attr) and found.of is call.callee.base
    return found.of if found is not None and found.word == _LOG and not (as_method and (call.args or call.kwargs)) else None


def weighted(program: Program, frame: Context, log: Term, inner: Term) -> bool:
    """Whether a logarithm is multiplied by what it is taken of (``p * log(p)``), anywhere in the function.

    What is computed of that (``(1 - p)**2``, a loss) is another number: 0 times minus infinity is not in sight then.
    """
    for part in program.ask_of(operations, frame.function):
        if isinstance(part, BinOp) and part.op == "Mult" and mentions(part, log):
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if _has(program, one, frame, log, _LINEAR) and _has(program, other, frame, inner, _PRODUCTS):
                    return True
    return False


def _has(program: Program, term: Term, frame: Context, wanted: Term, operators: frozenset[str]) -> bool:
    """Whether a term is another one, whatever that is joined with by these operators, kept from 0, or picked of."""

    def joined(whole: Term, where: Context) -> list[Argument]:
        (whole, where), _ = without_guard(program, whole, where)
        parts: tuple[Term, ...] = ()
        if isinstance(whole, Subscript):
            parts = (whole.base,)
        elif isinstance(whole, BinOp) and whole.op == "Sub" and number(whole.left) == 0:
            parts = (whole.right,)
        elif isinstance(whole, BinOp) and whole.op in operators:
            parts = whole.sides if whole.op != "Div" else (whole.left,)
        return [Argument(part, where) for part in parts]

    return any(without_guard(program, *each)[0].term is wanted for each in reached(program, term, frame, joined))


def as_one(program: Program, found: Logarithm, message: str) -> Change | None:
    """The function that computes both steps as one, in the place of the logarithm; only where it is the same up to rounding.

    All logarithms of one softmax or sigmoid, ``log(p)`` and ``log(1 - p)``, become one function each, or none does.
    """
    halves = [each for each in program.ask(_of_each_value)[_of(found)] if each.site.function is found.site.function]
    taken = {each.site.call.term for each in halves}
    for site in program.ask(CallGraph).sites_named(_LOG):
        if site.function is found.site.function and site.call.term not in taken and mentions(site.call.term, found.head.call):
            return None
    made = {each.site.call.term: _as_one(program, each, message) for each in halves}
    return made.get(found.site.call.term) if None not in made.values() else None


def _of_each_value(program: Program) -> dict[Term, list[Logarithm]]:
    """The logarithms by what their softmax or sigmoid is of."""
    found: dict[Term, list[Logarithm]] = {}
    for each in logarithms(program):
        found.setdefault(_of(each), []).append(each)
    return found


def _of(found: Logarithm) -> Term:
    return found.head.call if found.head.given is None else found.head.given


def _as_one(program: Program, found: Logarithm, message: str) -> Change | None:
    head, module, log = found.head, program.modules[found.site.module], found.site.call.term
    if not found.direct or found.guarded:
        return None
    method = program.ask(Heads).method(head.call, head.frame)
    names = [value.name for value in program.values(head.call.callee, head.frame) if isinstance(value, Library)]
    name = method or (names[0] if len(names) == 1 else "")
    other = program.knowledge.logarithms.get(name)
    if other is None:
        return None
    written = naming.reference(other, module)
    outer: Path = (("argument", 0),) if log.args else (("receiver", 0),)
    outer = (*outer, ("right", 0)) if found.rest else outer
    if head.frame.function is not found.site.function:
        return None
    if not log.site.holds(head.call.site):
        return _by_name(found, written, log, message)
    if method is None or head.word == "sigmoid":
        if written is None:
            return None
        inner: Path = (*outer, ("receiver", 0)) if method is not None else (*outer, ("arguments", 0))
        code = f"{written}({'-' if found.rest else ''}{{0}})"
        return Rewrite(Applicability.SAFE, message, spot=log.site, code=code, paths=(inner,))
    code = f"{{0}}.{other.rpartition('.')[2]}({{1}})"
    paths = ((*outer, ("receiver", 0)), (*outer, ("arguments", 0)))
    return Rewrite(Applicability.SAFE, message, spot=log.site, code=code, paths=paths)


def _by_name(found: Logarithm, written: str | None, log: Call, message: str) -> Change | None:
    """Where the softmax has a name, and what it is of has one, too."""
    call, given = found.head.call, found.head.given
    name = lasting(given, found.site.function) if given is not None else None
    positional = call.args[1:] if call.args and call.args[0] is given else call.args
    if (
        written is None
        or name is None
        or any(number(value) is None for value in (*positional, *(value for _, value in call.kwargs)))
    ):
        return None
    rest = [repr(value.value) for value in positional if isinstance(value, Const)]
    rest += [f"{key}={value.value!r}" for key, value in call.kwargs if isinstance(value, Const)]
    name = f"-{name}" if found.rest else name
    return Replace(Applicability.SAFE, message, spot=log.site, code=f"{written}({', '.join([name, *rest])})")
