"""Products of tensors, and the scores of attention that are made of one: scaled, masked, of another type, nothing else."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import last_name
from trainlint.facts.numerics.expressions import number
from trainlint.facts.program import Program
from trainlint.facts.values import Frame, Library, Made, Other
from trainlint.finding import Spot
from trainlint.ir.nodes import NAMED, Attr, BinOp, Call, Const, Select, Term
from trainlint.ir.terms import parts_of

_LAST_TWO = ({-2, -1}, {2, 3})
_OF_THREE = {1, 2}
_ORDERS = ((0, 1, 3, 2), (0, 2, 1))
_ARROW = "->"
_OPERANDS = 3
_PAIR = 2
_REST = "..."


class Multiplied(NamedTuple):
    """A product of two tensors, and where it is written; ``equation`` says how, where one does: two operands and the result.

    ``batched``: both have three dimensions.
    """

    left: Term
    right: Term
    spot: Spot
    equation: tuple[tuple[str, ...], ...] | None = None
    batched: bool = False


class Scores(NamedTuple):
    """The scores (``term``) of queries and keys, with the numbers they are multiplied with or divided by, if any.

    ``key`` are the keys before they were turned, where that is in sight; ``masked``: something is added or filled in.
    """

    term: Term
    product: Multiplied
    key: Term | None
    factors: tuple[tuple[str, Term], ...]
    masked: bool


def multiplied(program: Program, term: Term, frame: Frame) -> Multiplied | None:
    """The two tensors that a term is the product of."""
    product = frame.function.products.get(term)
    if product is not None and len(product.factors) == _PAIR:
        return Multiplied(product.factors[0], product.factors[1], product.spot)
    if not isinstance(term, Call):
        return None
    words, name = program.knowledge.tables["attention"], last_name(term.callee)
    if name in words["sums"]:
        return _by_equation(term)
    if name not in words["multiplies"]:
        return None
    batched = name == "bmm"
    given = (term.callee.base, *term.args) if len(term.args) == 1 and isinstance(term.callee, Attr) else term.args
    return Multiplied(given[0], given[1], Spot(*term.site), None, batched) if len(given) == _PAIR else None


def _by_equation(call: Call) -> Multiplied | None:
    """``einsum``: the equation is the first argument (of torch's) or the last (of einops')."""
    texts = [(at, given.value) for at, given in enumerate(call.args) if isinstance(given, Const) and isinstance(given.value, str)]
    if len(call.args) != _OPERANDS or len(texts) != 1:
        return None
    place, text = texts[0]
    parts = text.replace(_ARROW, ",").split(",")
    if len(parts) != _OPERANDS or _ARROW not in text:
        return None
    left, right = (given for index, given in enumerate(call.args) if index != place)
    equation = tuple(_letters(part) if place == 0 else tuple(part.split()) for part in parts)
    return Multiplied(left, right, Spot(*call.site), equation)


def _letters(part: str) -> tuple[str, ...]:
    before, rest, after = part.replace(" ", "").partition(_REST)
    return (*before, *((rest,) if rest else ()), *after)


def weighs(product: Multiplied) -> bool:
    """Whether a product takes sums of its second operand, with the last dimension of the first one as weights."""
    if product.equation is None:
        return True
    weights, values, result = product.equation
    return len(weights) > 1 and weights[-1] in values and weights[-1] not in result and weights[-2] in result


def scores(program: Program, term: Term, frame: Frame) -> Scores | None:
    """The scores that a term is made of, if nothing is done with them but what attention does."""
    if isinstance(term, Select):
        arms = [scores(program, arm, frame) for arm in (term.then, term.other)]
        if arms[0] is None or arms[1] is None or arms[0].product.left is not arms[1].product.left:
            return None
        return max((arm for arm in arms if arm is not None), key=lambda arm: arm.masked)
    product = multiplied(program, term, frame)
    if product is not None:
        return _of_queries(program, term, product, frame)
    if isinstance(term, BinOp):
        return _arithmetic(program, term, frame)
    if not isinstance(term, Call):
        return None
    words, name = program.knowledge.tables["attention"], last_name(term.callee)
    if isinstance(term.callee, Attr) and name in (*words["masks"], *words["keeps"]):
        found = scores(program, term.callee.base, frame)
        return found._replace(masked=found.masked or name in words["masks"]) if found else None
    if len(term.args) == _OPERANDS and any(
        isinstance(each, Library) and each.name in words["chooses"] for each in program.values(term.callee, frame)
    ):
        found = scores(program, term.args[1], frame)
        return found._replace(masked=True) if found else None
    return None


def _arithmetic(program: Program, term: BinOp, frame: Frame) -> Scores | None:
    operator, left, right = term.op, term.left, term.right
    found = scores(program, left, frame)
    other = right
    if found is None and operator in ("Add", "Mult"):
        found, other = scores(program, right, frame), left
    if found is None:
        return None
    if operator in ("Add", "Sub"):
        # What is computed of the queries is as large as the scores themselves.
        of_queries = any(part is found.product.left or multiplied(program, part, frame) for part in parts_of(other))
        return found._replace(masked=True) if not of_queries else None
    if operator in ("Mult", "Div") and _is_scale(program, other, frame) and not found.masked:
        return found._replace(factors=(*found.factors, (operator, other)))
    return None


def _is_scale(program: Program, term: Term, frame: Frame) -> bool:
    """Whether a term is a plain number by which scores are scaled, as far as can be seen; none that is learned."""
    if number(term) is not None:
        return True
    words, names, powers = program.knowledge.tables["attention"], [], False
    kept = [value for part in parts_of(term) if isinstance(part, Attr) for value in program.values(part, frame)]
    if any(isinstance(value, Made) and value.name in words["learned"] for value in kept):
        return False
    for value in (Other(term, frame), *program.values(term, frame)):
        if isinstance(value, Made):
            names.append(value.name)
        elif isinstance(value, Other):
            parts = tuple(parts_of(value.term))
            names += [part.name for part in parts if isinstance(part, NAMED)]
            powers = powers or any(isinstance(part, BinOp) and part.op == "Pow" for part in parts)
    return powers or any(word in name.lower() for name in names for word in words["scales"])


def _of_queries(program: Program, term: Term, product: Multiplied, frame: Frame) -> Scores | None:
    """A product of queries with keys, each of them one row: what is multiplied is what a row has."""
    if product.equation is not None:
        first, second, result = product.equation
        inner = [letter for letter in first if letter in second and letter not in result]
        rows = [letter for letter in first if letter not in second], [letter for letter in second if letter not in first]
        if len(inner) != 1 or first[-1] != inner[0] or any(len(each) != 1 for each in rows):
            return None
        return Scores(term, product, product.right, (), masked=False) if result[-2:] == (rows[0][0], rows[1][0]) else None
    keys, factors = product.right, []
    while isinstance(keys, BinOp) and keys.op in ("Mult", "Div") and _is_scale(program, keys.right, frame):
        factors.append((keys.op, keys.right))
        keys = keys.left
    turned = _turned(program, keys, product)
    if turned is None or _turned(program, turned, product) or _turned(program, product.left, product):
        return None
    return Scores(term, product, turned, tuple(factors), masked=False)


def _turned(program: Program, term: Term, product: Multiplied) -> Term | None:
    """What a term is with its last two dimensions exchanged."""
    words, name = program.knowledge.tables["attention"], last_name(term.callee) if isinstance(term, Call) else None
    if isinstance(term, Attr) and term.name in words["mirrors"]:
        return term.base
    if not isinstance(term, Call) or name not in (*words["transposes"], *words["permutes"]):
        return None
    receiver, given = (
        (term.callee.base, term.args)
        if isinstance(term.callee, Attr)
        else (term.args[0], term.args[1:])
        if term.args
        else (None, ())
    )
    numbers = tuple(number(each) for each in given)
    if name in words["permutes"]:
        return receiver if numbers in _ORDERS else None
    last = {*numbers} in _LAST_TWO or (product.batched and {*numbers} == _OF_THREE)
    return receiver if last else None
