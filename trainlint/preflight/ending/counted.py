"""What the loops of a training count against: a test that leaves them, the stop of their condition, the length of the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.facts.values import FunctionValue
from trainlint.finding import Spot
from trainlint.ir.nodes import Access, And, Attr, BinOp, Call, Compare, Const, Global, Nested, Not, Or, Ref, Self, Term
from trainlint.ir.order import within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.preflight.jobs import Job
from trainlint.preflight.running.trail import Trail
from trainlint.preflight.values.unsaid import is_of_configuration
from trainlint.preflight.values.words import split, words_of

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


#: Attributes that one value is followed through.
_MOST = 8


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
    """The option, off unless it is said, without which a test never holds: ``args.debug and step == args.debug_steps``."""
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
            if name is None or not _is_counter(job, path, other, loops):
                continue
            words = {*split(name), *words_of(job.program, path, side)}
            if words.isdisjoint(EPOCHS) and words.isdisjoint(ELSE):
                return name
    return None


def _is_counter(job: Job, path: str, term: Term, loops: list[Loop]) -> bool:
    """Whether something counts steps: by its words, or as the number that ``enumerate`` gives a batch."""
    words = frozenset(words_of(job.program, path, term))
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
            elif value not in done and len(done) < _MOST:
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
    for _ in range(8):
        if not waiting:
            return
        call = waiting.pop()
        for part in (*call.args[:1], *(value for name, value in call.kwargs if name in ("fun", "func", "f"))):
            if isinstance(part, Call):
                waiting.append(part)
            else:
                yield part
