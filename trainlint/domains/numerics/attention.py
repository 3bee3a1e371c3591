"""Attention that is written out: scores of queries and keys, a softmax over them, their product with the values.

Products of tensors, and the scores of attention that are made of one: scaled, masked, of another type, nothing
else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.domains.expressions import number
from trainlint.domains.last_operation import Heads
from trainlint.finding import Spot
from trainlint.ir.nodes import NAMED, Attr, BinOp, Call, Const, Global, MatMul, Ref, Select, Subscript, Term
from trainlint.ir.printer import name_in
from trainlint.ir.sketch import CallStep, Function, If, Keep
from trainlint.ir.terms import LARGEST, Terms, mentions, parts_of
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallSite, last_name
from trainlint.program.def_use import Uses, made_in
from trainlint.program.imports import imported
from trainlint.program.library_uses import targeted
from trainlint.program.naming import reference
from trainlint.program.program import Program, calls_of
from trainlint.program.software_tests import tests_software
from trainlint.program.values import Context, Library, LibraryObject, Unresolved

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


def multiplied(program: Program, term: Term) -> Multiplied | None:
    """The two tensors that a term is the product of."""
    if isinstance(term, MatMul) and len(term.factors) == _PAIR:
        return Multiplied(term.factors[0], term.factors[1], term.site)
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


def scores(program: Program, term: Term, frame: Context) -> Scores | None:
    """The scores that a term is made of, if nothing is done with them but what attention does."""
    if isinstance(term, Select):
        arms = [scores(program, arm, frame) for arm in (term.then, term.other)]
        if arms[0] is None or arms[1] is None or arms[0].product.left is not arms[1].product.left:
            return None
        return max((arm for arm in arms if arm is not None), key=lambda arm: arm.masked)
    product = multiplied(program, term)
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


def _arithmetic(program: Program, term: BinOp, frame: Context) -> Scores | None:
    operator, left, right = term.op, term.left, term.right
    found = scores(program, left, frame)
    other = right
    if found is None and operator in ("Add", "Mult"):
        found, other = scores(program, right, frame), left
    if found is None:
        return None
    if operator in ("Add", "Sub"):
        # What is computed of the queries is as large as the scores themselves.
        of_queries = any(part is found.product.left or multiplied(program, part) for part in parts_of(other))
        return found._replace(masked=True) if not of_queries else None
    if operator in ("Mult", "Div") and _is_scale(program, other, frame) and not found.masked:
        return found._replace(factors=(*found.factors, (operator, other)))
    return None


def _is_scale(program: Program, term: Term, frame: Context) -> bool:
    """Whether a term is a plain number by which scores are scaled, as far as can be seen; none that is learned."""
    if number(term) is not None:
        return True
    words, names, powers = program.knowledge.tables["attention"], [], False
    kept = [value for part in parts_of(term) if isinstance(part, Attr) for value in program.values(part, frame)]
    if any(isinstance(value, LibraryObject) and value.name in words["learned"] for value in kept):
        return False
    for value in (Unresolved(term, frame), *program.values(term, frame)):
        if isinstance(value, LibraryObject):
            names.append(value.name)
        elif isinstance(value, Unresolved):
            parts = tuple(parts_of(value.term))
            names += [part.name for part in parts if isinstance(part, NAMED)]
            powers = powers or any(isinstance(part, BinOp) and part.op == "Pow" for part in parts)
    return powers or any(word in name.lower() for name in names for word in words["scales"])


def _of_queries(program: Program, term: Term, product: Multiplied, frame: Context) -> Scores | None:
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


_SOFTMAX = "softmax"
_LAST = -1
#: What is larger may have become an unknown where it was put into something else, and then nobody sees that.
_LARGEST = LARGEST // 4


class WrittenOut(NamedTuple):
    """A softmax of scores all of whose results end in a product; ``code`` does the same, where it can be said in names."""

    site: CallSite
    scores: Spot
    product: Spot
    masked: bool
    code: str | None


def written_out(program: Program) -> Iterator[WrittenOut]:
    """Each attention that only its result is needed of, in files that know no other way, for versions that have one."""
    words = program.knowledge.tables["attention"]
    framework, since = words["since"]
    seen: dict[str, bool] = {}
    for module, function in program.functions():
        if not any(_multiplies(program, function)):
            continue
        for call in calls_of(function):
            found = _attention(program, CallSite(module, function, call))
            if found is None:
                continue
            if module not in seen:
                seen[module] = targeted(program, module, framework).older_than(since) or _knows_another(program, module)
            if not seen[module] and not _is_meant(program, module, function) and not tests_software(program, module, function):
                yield found


def _multiplies(program: Program, function: Function) -> Iterator[bool]:
    words = program.knowledge.tables["attention"]
    yield from (True for call in calls_of(function) if last_name(call.term.callee) in (*words["multiplies"], *words["sums"]))
    yield from (True for _ in made_in(function, MatMul))


def _attention(program: Program, site: CallSite) -> WrittenOut | None:
    frame = program.frame(site.module, site.function)
    given, dimension = _softmax_of(program, site.call.term, frame) or (None, None)
    found = scores(program, given, frame) if given is not None else None
    if found is None or given is None or dimension not in (_LAST, _dimensions(found.product) - 1):
        return None
    if Terms().size(site.call.term) > _LARGEST or _are_needed(program, site, found, given):
        return None
    found = _changed_in_place(program, found, site.function)
    if found is None:
        return None
    weighted = _product_of(program, site, frame)
    if weighted is None:
        return None
    return WrittenOut(site, found.product.spot, weighted.spot, found.masked, _code(program, site, found, weighted))


# -- the softmax ----------------------------------------------------------------------------------------------------------


def _softmax_of(program: Program, call: Call, frame: Context) -> tuple[Term, float | None] | None:
    """What a call takes the softmax of, and over which dimension."""
    table, asked = program.knowledge.numerics, program.ask(Heads)
    method = asked.method(call, frame) if last_name(call.callee) == _SOFTMAX else None
    if method is not None and table.get(method) == _SOFTMAX and isinstance(call.callee, Attr):
        return call.callee.base, _dimension(call, 0)
    if not call.args or (last_name(call.callee) != _SOFTMAX and not isinstance(call.callee, (Attr, Call))):
        return None
    dimensions = set()
    for value in program.values(call.callee, frame):
        if not isinstance(value, (Library, LibraryObject)) or table.get(value.name) != _SOFTMAX:
            return None
        made = value.call if isinstance(value, LibraryObject) else None
        dimensions.add(_dimension(made, 0) if made is not None else _dimension(call, 1))
    return (call.args[0], dimensions.pop()) if len(dimensions) == 1 else None


def _dimension(call: Call, position: int) -> float | None:
    given = next((value for name, value in call.kwargs if name == "dim"), None)
    if given is None and len(call.args) > position:
        given = call.args[position]
    return number(given) if given is not None else None


def _dimensions(product: Multiplied) -> int:
    """How many dimensions a product has: four where nothing says otherwise."""
    if product.equation is not None:
        return len(product.equation[-1])
    return 3 if product.batched else 4


# -- the scores -------------------------------------------------------------------------------------------------------------


def _are_needed(program: Program, site: CallSite, found: Scores, given: Term) -> bool:
    """Whether the scores, at any time on their way, are needed for anything but the softmax."""
    parents, words = program.ask(Uses).parents(site.module), program.knowledge.tables["attention"]
    chain = {term for term in parts_of(given) if mentions(term, found.term)}
    for term in chain:
        for parent, _ in parents.of.get(term, ()):
            if isinstance(parent, CallStep) or parent in chain or parent is site.call.term:
                continue
            if not isinstance(parent, Term):
                return not isinstance(parent, Keep) or not isinstance(parent.target, Subscript)
            if isinstance(parent, Attr) and parent.name in (
                *words["asks"],
                *words["in_place"],
                *words["keeps"],
                *words["masks"],
                _SOFTMAX,
            ):
                continue
            if (
                isinstance(parent, Call)
                and isinstance(parent.callee, Attr)
                and parent.callee.base is term
                and parent.callee.name in words["in_place"]
            ):
                continue
            return True
    return False


def _changed_in_place(program: Program, found: Scores, function: Function) -> Scores | None:
    """The scores with what statements of their own do to them; nothing where that is something else than masking and scaling."""
    allowed = program.knowledge.tables["attention"]["in_place"]
    for call in calls_of(function):
        callee = call.term.callee
        if isinstance(callee, Attr) and callee.name.endswith("_") and mentions(callee.base, found.term):
            if callee.name not in allowed:
                return None
            found = found._replace(masked=True)
    for node in of_kind(function, Keep):
        if mentions(node.target, found.term):
            found = found._replace(masked=True)
    return found


# -- what becomes of the weights --------------------------------------------------------------------------------------------


def _product_of(program: Program, site: CallSite, frame: Context) -> Multiplied | None:
    """The only product in which the weights end, if they are needed for nothing else."""
    parents = program.ask(Uses).parents(site.module)
    products = [product for product in made_in(site.function, MatMul) if len(product.factors) == _PAIR]
    pending, seen, found = list[Term]((site.call.term,)), set[Term](), list[Multiplied]()
    while pending:
        term = pending.pop()
        if term in seen:
            continue
        seen.add(term)
        found += (
            Multiplied(each.factors[0], each.factors[1], each.site) for each in products if _is_one_of(each.factors[0], term)
        )
        if any(mentions(each.factors[1], term) for each in products):
            return None
        for parent, _ in parents.of.get(term, ()):
            if isinstance(parent, CallStep):
                continue  # that it is computed
            ended = multiplied(program, parent) if isinstance(parent, Term) else None
            method = isinstance(parent, Call) and parent.callee is term  # weights.matmul(values)
            left = term.base if isinstance(term, Attr) and ended is not None and method else term
            if ended is not None and ended.left is left and not mentions(ended.right, left):
                found.append(ended)
            elif isinstance(parent, Term) and _hands_on(program, parent, term, frame):
                pending.append(parent)
            else:
                return None
    return found[0] if len({each.spot for each in found}) == 1 and weighs(found[0]) else None


def _is_one_of(factor: Term, term: Term) -> bool:
    """Whether a factor is a term, in some runs at least: ``if rate: weights = dropout(weights)``."""
    return factor is term or (isinstance(factor, Select) and any(part is term for part in factor.arms))


def _hands_on(program: Program, parent: Term, term: Term, frame: Context) -> bool:
    """Whether what is made of the weights are still weights: of another type, with some dropped; or nothing that needs them."""
    words = program.knowledge.tables["attention"]
    if isinstance(parent, Attr):
        return parent.name in (*words["asks"], *words["keeps"], *words["multiplies"])
    if isinstance(parent, Select):
        return parent.test is not term
    if not isinstance(parent, Call):
        return False
    callee = parent.callee
    if isinstance(callee, Attr) and callee.base is term:
        return callee.name in words["keeps"]
    if callee is term or isinstance(term, Attr):
        return isinstance(term, Attr) and term.name in (*words["keeps"], *words["asks"])
    values = program.values(callee, frame)
    return (
        bool(values)
        and parent.args[:1] == (term,)
        and all(isinstance(value, (Library, LibraryObject)) and value.name in words["drops"] for value in values)
    )


# -- what else is known -----------------------------------------------------------------------------------------------------


def _knows_another(program: Program, module: str) -> bool:
    """Whether a file has another way to compute attention: this one is for what that cannot do."""
    words = program.knowledge.tables["attention"]["others"]
    sketch = program.modules[module]
    if any(word in dotted.lower() for dotted in imported(sketch) for word in words):
        return True
    for function in sketch.functions.values():
        names = [function.name, *function.parameters]
        names += (
            part.name for call in calls_of(function) for part in parts_of(call.term) if isinstance(part, (Attr, Ref, Global))
        )
        names += (
            part.name
            for node in of_kind(function, If)
            for part in parts_of(node.condition)
            if isinstance(part, (Attr, Ref, Global))
        )
        if any(word in name.lower() for name in names for word in words):
            return True
    return any(word in name.lower() for name in (*sketch.classes, *sketch.names) for word in words)


def _is_meant(program: Program, module: str, function: Function) -> bool:
    """Whether a name says that this is written out on purpose: to compare with, for other devices."""
    words = {*program.knowledge.tables["attention"]["plain"]}
    text = f"{module.rpartition('/')[2].removesuffix('.py')}.{function.qualname}"
    parts = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in text.replace(".", "_"))
    return not words.isdisjoint(parts.split("_"))


def _code(program: Program, site: CallSite, found: Scores, weighted: Multiplied) -> str | None:
    """The call that does the same, where there is no mask, nothing is dropped, and all that it needs has a name here."""
    if found.masked or found.key is None or weighted.equation or found.product.equation or weighted.left is not site.call.term:
        return None
    names = [name_in(term, site.function) for term in (found.product.left, found.key, weighted.right)]
    if len(found.factors) > 1 or any(name is None for name in names):
        return None
    scale = "1.0"
    for operator, factor in found.factors:
        known = name_in(factor, site.function) or (
            str(factor.value) if isinstance(factor, Const) and number(factor) is not None else None
        )
        if known is None:
            return None
        scale = known if operator == "Mult" else f"1 / {known}"
    instead = program.knowledge.tables["attention"]["instead"][0]
    maker = reference(instead, program.modules[site.module])
    return f"{maker}({', '.join(map(str, names))}, scale={scale})" if maker else None
