"""What the loops of a training count, and against what: rounds, lengths, samples, tokens.

What the loops of a training count against: a test that leaves them, the stop of their condition, the length of the
data.

Does an option bound what a training counts up by itself: images, samples, tokens? ``if seen >= total: break``.

The option may come to the loop through a dict, a parameter and some reckoning, and be called anything: ``--duration``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions, raising_arms, walk_tested
from trainlint.ir.nodes import (
    Access,
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    Global,
    LoopPhi,
    Nested,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Term,
)
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Store
from trainlint.ir.terms import is_true, parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.preflight.jobs import Job
from trainlint.preflight.running.trail import Trail
from trainlint.preflight.saving.files import grows
from trainlint.preflight.values.constants import is_of_configuration
from trainlint.preflight.values.words import split, words_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.def_use import is_comprehension
from trainlint.program.memo import Memo
from trainlint.program.values import FunctionValue

#: What steps are counted by, and what is more than a step.
COUNTERS = frozenset(("step", "steps", "iter", "iters", "iteration", "iterations", "update", "updates", "batch", "tokens"))
EPOCHS = frozenset(("epoch", "epochs"))
#: Words of numbers that end something else than the training, or only sometimes: the rounds without a gain, a warmup.
ELSE = frozenset(
    (
        *("patience", "early", "tolerance", "warmup", "accumulation", "accum", "accumulate", "interval", "freq", "every", "save"),
        *("eval", "val", "valid", "validation", "test", "critic", "best", "bad", "wait", "improvement", "start", "resume", "log"),
    )
)
_COMPARED = ("Lt", "LtE", "Gt", "GtE", "NotEq", "Eq")
LEAVES = ("break", "return", "exit")
BACKWARD = ("backward", "manual_backward")


class Against(NamedTuple):
    """An option, by its name, that a loop's counter is compared with, and where; ``switch``: only with this one besides.

    ``others`` are those that have to say the end as well: ``while step < args.a or done < args.b`` ends with both.
    """

    name: str
    path: str
    spot: Spot
    switch: str | None = None
    others: tuple[str, ...] = ()


def against(job: Job, training: list[tuple[str, Function]]) -> Against | None:
    """The option that says how many steps there are, whatever it is called, in the functions of a training.

    In the condition of its ``while``: ``while step < args.n``; or in a test that leaves its loop: ``if i + 1 == args.n: break``.
    """
    names = {*BACKWARD, *(function.name for _, function in training)}
    for path, function in training:
        loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
        trains = [loop for loop in loops if takes_steps(loop, names)]
        for loop in loops:
            if loop.kind == "while":
                asked = [(path, loop.subject), *_answers(job, path, function, loop.subject)]
                kinds = ("Lt", "LtE", "Gt", "GtE", "NotEq")
                names_of = next((some for where, term in asked if (some := _ends(job, where, term, loops, kinds))), ())
                if names_of:
                    return Against(names_of[0], path, loop.spot, others=names_of[1:])
        for node in of_kind(function, If):
            around = [loop for loop in loops if within(function, loop, node)]
            if not around or around[-1] not in trains:
                continue
            if any(isinstance(each, Exit) and each.kind in LEAVES and each.error is None for each in walk(node.body)):
                found = _option(job, path, node.condition, loops, _COMPARED)
                if found is not None:
                    return Against(found, path, node.spot, _switch(job, path, node.condition, found))
    return None


def _switch(job: Job, path: str, test: Term, name: str) -> str | None:
    """The option, off by default, without which a test never holds: ``args.debug and step == args.debug_steps``."""
    for part in test.operands if isinstance(test, And) else ():
        option = job.options.declared.get(job.options.name(part, path) or "")
        if option is not None and option.name != name and option.default == (False,):
            return option.name
    return None


def _answers(job: Job, path: str, function: Function, test: Term) -> Iterator[tuple[str, Term]]:
    """What a function of the project returns that a loop asks whether to go on: ``while self.goes_on():``."""
    if isinstance(test, Call) and not test.args and not test.kwargs:
        for each in job.program.ask(CallGraph).targets(test, job.program.frame(path, function)):
            if isinstance(each, FunctionValue):
                yield from ((each.module, term) for term in job.program.returns(each.function))


def option_of(job: Job, term: Term, path: str) -> str | None:
    """The option that a term is, or is made from; absl's are attributes of what is imported: ``flags.FLAGS.steps``."""
    if isinstance(term, Ref):
        before, _, name = term.name.rpartition(".")
        return name if before.endswith("flags.FLAGS") and name in job.options.declared else None
    return job.options.name(term, path) if not isinstance(term, Const) else None


def takes_steps(loop: Loop, names: set[str]) -> bool:
    """Whether a loop takes steps: a backward pass stands in it, or a call of what trains."""
    return any(isinstance(each, CallStep) and last_name(each.term.callee) in names for each in walk(loop.body))


def _ends(job: Job, path: str, test: Term, loops: list[Loop], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The options that end a ``while`` together; nothing where one of several parts may keep it going whatever they say.

    ``while not args.n or step < args.n``: the first part is the option again, which is more than nothing once it is said.
    """
    if isinstance(test, And):
        return next((found for part in test.operands if (found := _ends(job, path, part, loops, kinds))), ())
    if not isinstance(test, Or):
        name = _option(job, path, test, loops, kinds)
        return () if name is None else (name,)
    ending: list[str] = []
    asked: list[str | None] = []
    for part in test.operands:
        more = _ends(job, path, part, loops, kinds)
        said = None if more else job.options.default(part, path)
        if isinstance(part, Not) and not more:
            asked.append(option_of(job, part.operand, path))
        elif not more and (said is None or said[0]):
            return ()
        ending += more
    return tuple(dict.fromkeys(ending)) if all(each in ending for each in asked) else ()


def _option(job: Job, path: str, test: Term, loops: list[Loop], kinds: tuple[str, ...]) -> str | None:
    for part in parts_of(test):
        if not isinstance(part, Compare) or part.op not in kinds:
            continue
        for side, other in ((part.left, part.right), (part.right, part.left)):
            name = option_of(job, side, path)
            if name is None or not _is_counter(job, other, loops):
                continue
            words = {*split(name), *words_of(job.program, side)}
            if words.isdisjoint(EPOCHS) and words.isdisjoint(ELSE):
                return name
    return None


def _is_counter(job: Job, term: Term, loops: list[Loop]) -> bool:
    """Whether something counts steps: by its words, or as the number that ``enumerate`` gives a batch."""
    words = frozenset(words_of(job.program, term))
    if not words.isdisjoint(EPOCHS) or not words.isdisjoint(ELSE):
        return False
    if not words.isdisjoint(COUNTERS):
        return True
    for part in parts_of(term):
        loop = next((each for each in loops if each.target is not None and part is each.target), None)
        if loop is not None and loop.names and EPOCHS.isdisjoint(split(loop.names[0])):
            subject = loop.subject
            return any(isinstance(each, Call) and last_name(each.callee) == "enumerate" for each in parts_of(subject))
    return False


def _set_to(trail: Trail, term: Attr, path: str) -> list[Term]:
    """What an attribute of the object is set to in its file."""
    return [
        node.value
        for function in trail.program.modules[path].functions.values()
        for node in of_kind(function, Store)
        if isinstance(node.target, Attr) and node.target.base is term.base and node.target.name == term.name
    ]


def is_length(trail: Trail, term: Term, path: str) -> bool:
    """Whether an attribute of the object is only ever set to the length of something: ``self.max_iter = len(self.loader)``."""
    if not isinstance(term, Attr) or not isinstance(term.base, Self):
        return False
    found = _set_to(trail, term, path)
    return bool(found) and all(_is_length(value) for value in found)


def said_by_configuration(trail: Trail, term: Term, path: str) -> Iterator[str]:
    """The names in a configuration that an attribute of the object may get its value from, over others of its attributes."""
    waiting, done = [term], {term}
    while waiting:
        each = waiting.pop()
        if not isinstance(each, Attr) or not isinstance(each.base, Self):
            continue
        for value in _set_to(trail, each, path):
            if isinstance(value, Access) and is_of_configuration(value):
                yield str(value.selector)
            elif value not in done:
                done.add(value)
                waiting.append(value)


def _is_length(value: Term) -> bool:
    """Whether a value is a length, or one that is reckoned with: ``len(loader) // 2``; what bounds it may be said elsewhere."""
    if isinstance(value, BinOp):
        return _is_length(value.left) or (isinstance(value.left, Const) and _is_length(value.right))
    return bool(isinstance(value, Call) and last_name(value.callee) == "len")


def starts_within(function: Function, names: set[str]) -> bool:
    """Whether a loop of a function calls what holds one of some functions: ``step = jax.pmap(partial(train_step))``."""
    for loop in of_kind(function, Loop):
        if is_comprehension(loop):
            continue
        for each in walk(loop.body):
            if isinstance(each, CallStep) and isinstance(each.term.callee, Call):
                held = {
                    part.name.rpartition(".")[2] for part in _handed(each.term.callee) if isinstance(part, (Global, Ref, Nested))
                }
                if not held.isdisjoint(names):
                    return True
    return False


def _handed(made: Call) -> Iterator[Term]:
    """What a call that makes a function is handed, and what calls within it are: ``jit(partial(step, n=2))``."""
    waiting = [made]
    while waiting:
        call = waiting.pop()
        for part in (*call.args[:1], *(value for name, value in call.kwargs if name in ("fun", "func", "f"))):
            if isinstance(part, Call):
                waiting.append(part)
            else:
                yield part


#: Reckoning with a bound that leaves it one.
_RECKONED = frozenset(("Add", "Mult", "FloorDiv", "Div"))
_ROUNDS = frozenset(("int", "float", "max", "min", "round", "ceil", "floor"))


class Amount(NamedTuple):
    """The option, by its name, that says how much is trained with, and where the loop asks whether it is enough."""

    name: str
    path: str
    spot: Spot


def amount(job: Job, training: list[tuple[str, Function]]) -> Amount | None:
    """The one in the functions of a training: its outermost loop counts something up, and ends when that is as much."""
    names = {*BACKWARD, *(function.name for _, function in training)}
    for path, function in training:
        way = job.trail.run.get(id(function))
        if way is None or way.looped:
            continue
        loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
        for loop in loops:
            if any(within(function, each, loop) for each in loops) or not takes_steps(loop, names):
                continue
            inner = [each for each in loops if within(function, loop, each)]
            asked = [node for node in of_kind(function, If) if within(function, loop, node) and _leaves(node)]
            tests = [(node.condition, node.spot) for node in asked if not any(within(function, each, node) for each in inner)]
            steady = _steady(function, loop)
            for test, spot in tests:
                name = _bounds(job, path, (function, steady), test, ("GtE", "Gt"))
                if name is not None:
                    return Amount(name, path, spot)
            for test in _going_on(loop):
                name = _bounds(job, path, (function, steady), test, ("Lt", "LtE"))
                if name is not None:
                    return Amount(name, path, loop.spot)
    return None


def _going_on(loop: Loop) -> list[Term]:
    """The comparisons that a ``while`` needs, each of them, to go on; of those joined by ``or`` any other would do."""
    test = loop.subject
    parts = (test.operands if isinstance(test, And) else (test,)) if loop.kind == "while" else ()
    return [each for each in parts if isinstance(each, Compare)]


def _leaves(node: If) -> bool:
    """Whether a branch ends the loop, and with no error."""
    last = node.body[-1] if node.body else None
    return isinstance(last, Exit) and last.kind in LEAVES and last.error is None


def _steady(function: Function, loop: Loop) -> frozenset[Term]:
    """What a loop counts in each of its rounds, and not only in some: batches that were skipped end nothing."""
    raising = raising_arms(function.body)
    counted: dict[Term, bool] = {}
    for node, led in walk_tested(loop.body):
        if isinstance(node, Keep) and isinstance(node.target, LoopPhi):
            tests = [each for each in conditions(led) if each not in raising]
            counted[node.target] = counted.get(node.target, True) and not tests
    return frozenset(each for each, steady in counted.items() if steady)


def _bounds(job: Job, path: str, counting: tuple[Function, frozenset[Term]], test: Term, kinds: tuple[str, ...]) -> str | None:
    """The option that something which is counted up is compared with, where that alone makes a test hold."""
    function, steady = counting
    if isinstance(test, Or) or (
        isinstance(test, Select) and all(is_true(each) or isinstance(each, (Compare, Or, Select)) for each in test.arms)
    ):
        parts = test.operands if isinstance(test, Or) else [each for each in test.arms if not is_true(each)]
        found = [_bounds(job, path, counting, each, kinds) for each in parts]
        if isinstance(test, Select) and None in found:
            return None
        return next((each for each in found if each is not None), None)
    if not isinstance(test, Compare) or test.op not in kinds or not grows(function, test.left):
        return None
    if not steady.issuperset(each for each in parts_of(test.left) if isinstance(each, LoopPhi)):
        return None
    words = frozenset(words_of(job.program, test.left))
    if not words.isdisjoint((*EPOCHS, *ELSE)) and words.isdisjoint(COUNTERS):
        return None
    found_options = _options(job, path, test.right)
    if found_options is None or len(found_options) != 1:
        return None
    name = found_options.pop()
    option = job.options.declared[name]
    is_number = option.default is None or option.default[0] is None or type(option.default[0]) in (int, float)
    return name if is_number and {*split(name)}.isdisjoint((*EPOCHS, *ELSE)) else None


def _options(job: Job, path: str, term: Term, known: Memo[set[str] | None] | None = None) -> set[str] | None:
    """The options that a number is made of, with constants alone besides; None where anything else may be in it."""
    memo = known or Memo[set[str] | None](None)

    def inner(where: str, part: Term) -> set[str] | None:
        return memo.ask((where, part), lambda: _options(job, where, part, memo))

    if isinstance(term, Const):
        return set()
    if isinstance(term, BinOp) and term.op in _RECKONED:
        parts = list(term.sides)
    elif isinstance(term, Call) and last_name(term.callee) in _ROUNDS and not term.kwargs:
        parts = list(term.args)
    elif isinstance(term, Param) and (origins := job.options.origins.passed(term, path)):
        found = [None if each.value is None else inner(each.module, each.value) for each in origins]
        return {name for each in found for name in each or ()} if all(found) else None
    elif isinstance(term, (Access, Param)):
        name = job.options.name(term, path)
        written = term.selector if isinstance(term, Access) else term.name
        return {name} if name is not None and name == written and name in job.options.declared else None
    else:
        return None
    options: set[str] = set()
    for each in parts:
        more = inner(path, each)
        if more is None:
            return None
        options |= more
    return options
