"""What ends a training after a few steps: an option, a switch, few data, or what its loop is asked about.

A loop ends by its condition or by a way out of it (:class:`_End`). An option bounds the training where that compares it with what
counts steps, whatever it is called (``--duration``); where each epoch is one step; where it is a switch for those who look for
mistakes, ``if args.debug and i == 5: break``; or where it makes the data few. Leaving the loop over the batches is not enough for
a switch, each epoch would only be short: the loop over the epochs ends with it as well, or the function around both is left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from trainlint.app.preflight.evidence.answers import runs, table
from trainlint.app.preflight.instantiation.targets import target_of
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Place
from trainlint.app.preflight.saving.files import grows
from trainlint.app.preflight.values.constants import is_of_configuration
from trainlint.app.preflight.values.words import named_by, split, terms_of, words_of
from trainlint.finding import Spot
from trainlint.ir import nodes
from trainlint.ir.control_dependence import conditions, raising_arms, walk_tested
from trainlint.ir.nodes import (
    Access,
    And,
    Attr,
    BinOp,
    Call,
    Compare,
    Const,
    LoopPhi,
    Not,
    Or,
    Param,
    Ref,
    Select,
    Self,
    Slice,
    Subscript,
    Term,
)  # fmt: skip
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Store
from trainlint.ir.terms import is_true, parts_of, whole_number
from trainlint.ir.walk import of_kind, walk
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.def_use import is_comprehension
from trainlint.program.environment import declarations
from trainlint.program.induction import is_range
from trainlint.program.memo import Memo
from trainlint.program.sources import reached
from trainlint.program.values import Context, FunctionValue, LibraryObject

#: What steps are counted by, and what is more than a step.
_COUNTERS = frozenset(("step", "steps", "iter", "iters", "iteration", "iterations", "update", "updates", "batch", "tokens"))
_EPOCHS = frozenset(("epoch", "epochs"))
#: Words of numbers that end something else than the training, or only sometimes: the rounds without a gain, a warmup.
_ELSE = frozenset(
    (
        *("patience", "early", "tolerance", "warmup", "accumulation", "accum", "accumulate", "interval", "freq", "every", "save"),
        *("eval", "val", "valid", "validation", "test", "critic", "best", "bad", "wait", "improvement", "start", "resume", "log"),
    )
)
#: Words of switches that end a training when it has gained all it can, or that only judge; and of what is measured, not counted.
_NO_SWITCH = frozenset(("early", "patience", "stop", "stopping", "converged", "resume", "eval", "test", "val", "validate"))
_GAINS = frozenset(("loss", "losses", "acc", "accuracy", "score", "metric", "metrics", "norm", "lr", "time"))
_COMPARED = ("Lt", "LtE", "Gt", "GtE", "NotEq", "Eq")
_LEAVES = ("break", "return", "exit")
_BACKWARD = ("backward", "manual_backward")
_EXITS = re.compile(r"\b(?:and|then)\s{1,8}exits?\b|\bexits?\s{1,8}(?:after|early)\b|\bsmoke.?test|\bdry.?run", re.IGNORECASE)
#: Words of options that may as well mean that nothing is trained.
_TRIES = ("dry_run", "dryrun")
#: Parts of a job that are not the training: ``validation.max_steps``.
_OTHERS = frozenset(("validation", "valid", "val", "eval", "evaluation", "test"))
_TRAINS = frozenset(("train", "training"))


class Bound(NamedTuple):
    """A value that ends the training: how a reader knows it, where it stands, and the argument that sets it to ten (or on)."""

    name: str
    where: Evidence
    argument: str | None


def bound(job: Job) -> Bound | None:
    """The best one: an option made for it, before one that the loop of the training asks about, before another value."""
    words = table(job, "dry-run-words")
    loose, of_engine = table(job, "dry-run-loose-words"), table(job, "dry-run-words-of-composer")
    for word in words:
        found = _option(job, word) if word not in _TRIES or not _ends_before(job, word) else None
        if found is not None:
            return found
    asked = _asked(job)
    for word in loose:
        is_known = word in asked or (job.framework == "composer" and word in of_engine)
        found = _option(job, word) if is_known else None
        if found is not None:
            return found
    for word in (*words, *loose):
        found = _value(job, word, asked[word]) if word in asked else None
        if found is not None:
            return found
    for word in (*words, *loose):
        if word in asked and (word not in _TRIES or not _ends_before(job, word)):
            return Bound(f"`{word}`", asked[word], _as_launched(job, word))
    ends = list(_ends(job))
    return (
        next((found for each in ends if (found := _counted(job, each)) is not None), None)
        or _of_epochs(job)
        or _switched(job, ends)
        or next((found for each in ends if (found := _of_amount(job, each)) is not None), None)
        or _of_keras(job)
        or _of_data(job)
    )


# -- what is called so -------------------------------------------------------------------------------------------------


def _as_launched(job: Job, word: str) -> str | None:
    """The argument that sets a value to ten, where a launch line says it in that way: ``train.py base.yml steps=20``."""
    begins = f"{word}="
    words = (each.start if each.text is None else each.text for launch in job.launches for each in launch.arguments)
    return f"{begins}10" if any(each.startswith(begins) for each in words) else None


def _ends_before(job: Job, word: str) -> bool:
    """Whether a word's tests stand outside of loops, and one of them ends there or leaves the training out: no step is taken."""
    names = {function.name for found in job.trail.training for _, function in found}
    skips = False
    for _, function in job.trail.functions:
        way = job.trail.run.get(id(function))
        for node in of_kind(function, If) if way is not None else ():
            if not any((_named(part, function) or "").lower() == word for part in parts_of(node.condition)):
                continue
            if (way is not None and way.looped) or loops_around(function, node):
                return False
            skips = skips or any(
                isinstance(each, Exit) or (isinstance(each, CallStep) and last_name(each.term.callee) in names)
                for each in walk((*node.body, *node.orelse))
            )
    return skips


def _option(job: Job, word: str) -> Bound | None:
    for name, option in job.options.declared.items():
        is_here = option.module in job.files and _OTHERS.isdisjoint(split(option.flags[0]))
        if name.lower() == word and is_here and job.options.is_read(option) and not _is_of_a_part(job, name):
            value = "true" if option.default in ((True,), (False,)) else 10
            where = Evidence(option.module, option.spot, f"the option {option.flags[0]}")
            return Bound(option.flags[0], where, job.options.saying(name, value))
    return None


def _is_of_a_part(job: Job, option: str) -> bool:
    """Whether an option says how often a loop goes round that is a part of a step, and no loop that takes steps."""
    found = set[bool]()
    training, names = _training(job), _steps(job)
    for path, function in training:
        for loop in _loops(function):
            if any(job.options.name(part, path) == option for part in parts_of(*_rounds(loop))):
                found.add(_is_part_of_a_step(function, loop, names))
    return found == {True}


def _steps(job: Job) -> frozenset[str | None]:
    """What takes a step is called like this."""
    return frozenset((*_BACKWARD, *(function.name for _, function in _training(job))))


def _is_part_of_a_step(function: Function, loop: Loop, names: Collection[str | None]) -> bool:
    """Whether a loop takes no step itself, and stands in one that does: the moves of a game before each step."""
    around = (each for each in _loops(function) if each is not loop and within(function, each, loop))
    return not _takes_steps(loop, names) and any(_takes_steps(each, names) for each in around)


def _value(job: Job, word: str, where: Evidence) -> Bound | None:
    """A value of a configuration that the command line may say: ``--config.training.n_iters=10``."""
    for name, option in job.options.configurations.options.items():
        before, _, last = name.rpartition(".")
        if last.lower() == word and _OTHERS.isdisjoint(split(before)) and job.options.configurations.is_said(name):
            value = "true" if isinstance((option.default or (None,))[0], bool) else 10
            return Bound(job.options.written(name), where, job.options.saying(name, value))
    return None


def told_by_configuration(job: Job) -> tuple[Place, str | None] | None:
    """Where a trainer is made that takes its arguments from a configuration; and its key, where a command line may add some.

    ``instantiate(cfg.trainer)``, ``Trainer(**cfg.trainer)``.
    """
    for place in runs(job.trail.calls([".instantiate", *table(job, "trainers")])):
        if not isinstance(place.term, Call):
            continue
        if last_name(place.term.callee) == "instantiate":
            made = job.program.values(place.term, job.program.frame(place.module, place.function))
            if any(target_of(job.program, each) in table(job, "trainers") for each in made if isinstance(each, LibraryObject)):
                return place, last_name(place.term.args[0]) if place.term.args else None
            continue
        spread = [value for keyword, value in place.term.kwargs if keyword is None]
        spread = [value.args[0] if isinstance(value, Call) and value.args else value for value in spread]
        if any(is_of_configuration(value) for value in spread):
            return place, None
    return None


def _asked(job: Job) -> dict[str, Evidence]:
    """The names and keys that tests and loops of what trains ask about, in small letters."""
    found: dict[str, Evidence] = {}
    names = _steps(job)
    for path, function in _training(job):
        loops = (node for node in of_kind(function, Loop) if not _is_part_of_a_step(function, node, names))
        asked = [(node.subject, node.spot) for node in loops]
        asked += [(node.condition, node.spot) for node in of_kind(function, If)]
        for term, spot in asked:
            for part in parts_of(term):
                own = _set_to(job, part, job.program.frame(path, function))
                name = _named(part, function) if not own or not all(map(_is_length, own)) else None
                told = (str(each.selector) for each in own if isinstance(each, Access) and is_of_configuration(each))
                for each in (*((name,) if name is not None else ()), *told):
                    found.setdefault(each.lower(), Evidence(path, spot, f"`{each}` is asked about here"))
    for name in job.program.modules[job.path].names:
        found.setdefault(name.lower(), Evidence(job.path, job.place, "the training is started here"))
    return found


def _set_to(job: Job, term: Term, frame: Context) -> list[Term]:
    """What an attribute of the object is set to, over others of its attributes."""

    def is_own(each: Term) -> bool:
        return isinstance(each, Attr) and isinstance(each.base, Self)

    found = reached(job.program, term, frame, lambda each, _: None if is_own(each) else ()) if is_own(term) else ()
    return [each.term for each in found][1:]


def _is_length(value: Term) -> bool:
    """Whether a value is a length, or one that is reckoned with: ``len(loader) // 2``; what bounds it may be said elsewhere."""
    if isinstance(value, BinOp):
        return _is_length(value.left) or (isinstance(value.left, Const) and _is_length(value.right))
    return bool(isinstance(value, Call) and last_name(value.callee) == "len")


def _named(term: Term, function: Function) -> str | None:
    """What somebody else says: an attribute, a key, a parameter that has no default; nothing of an evaluation."""
    if isinstance(term, Access) and isinstance(term.base, Attr) and not _OTHERS.isdisjoint(split(term.base.name)):
        return None
    if isinstance(term, Access):
        return named_by(term)
    if isinstance(term, Param) and term.name not in function.defaults:
        return term.name
    return term.name.rpartition(".")[2] if isinstance(term, Ref) and "." in term.name else None


# -- the training ------------------------------------------------------------------------------------------------------


def _training(job: Job) -> list[tuple[str, Function]]:
    """The functions with a backward pass, those that call them, and those whose loops lead to one."""
    steps, callers = job.trail.training
    found = {id(function): (path, function) for path, function in (*steps, *callers)}
    if job.trail.is_chosen:  # the step is found by a name, and nobody is seen to call it: its loop is that of the script
        at = [each for each in job.trail.ran if each.module == job.path and each.spot == job.trail.step]
        found.update((id(each.function), (each.module, each.function)) for each in at if each.way is not None and each.way.looped)
    for path, function in job.trail.functions:
        led = any(looped and id(target.function) in found for looped, target in job.trail.led.get(id(function), ()))
        if id(function) in job.trail.run and (led or (job.framework == "jax" and _takes_steps_of_jax(function))):
            found.setdefault(id(function), (path, function))
    return sorted(found.values(), key=lambda each: (each[0] != job.path, each[0], each[1].spot))


def _takes_steps_of_jax(function: Function) -> bool:
    """Whether a loop of a function that is called so trains: what JAX compiles comes to it as a value, by no name of its own."""
    calls = (node for loop in _loops(function) for node in walk(loop.body) if isinstance(node, CallStep))
    return not _TRAINS.isdisjoint(split(function.name)) and any(
        not _TRAINS.isdisjoint(split(last_name(node.term.callee) or "")) for node in calls
    )


def _loops(function: Function) -> list[Loop]:
    return [each for each in of_kind(function, Loop) if not is_comprehension(each)]


def _takes_steps(loop: Loop, names: Collection[str | None]) -> bool:
    """Whether a loop takes steps: a backward pass stands in it, or a call of what trains."""
    return any(isinstance(each, CallStep) and last_name(each.term.callee) in names for each in walk(loop.body))


class _End(NamedTuple):
    """What ends a loop of the training: a test of its condition (``way_out`` is None), or a way out of it, behind some tests.

    ``is_outermost``: it is the one loop of its function, which runs once, that takes steps.
    """

    path: str
    function: Function
    loop: Loop
    tests: tuple[tuple[Term, bool], ...]
    spot: Spot
    way_out: Exit | None
    is_outermost: bool


def _ends(job: Job) -> Iterator[_End]:
    """All of them: those of conditions first, in each function."""
    training = _training(job)
    names = _steps(job)
    for path, function in training:
        loops, way = _loops(function), job.trail.run.get(id(function))
        trains = [loop for loop in loops if _takes_steps(loop, names)]
        once = way is not None and not way.looped
        outer = [loop for loop in trains if once and not any(within(function, each, loop) for each in loops)]
        for loop in loops:
            if loop.kind == "while":
                for where, test in ((path, loop.subject), *_answers(job, path, function, loop.subject)):
                    yield _End(where, function, loop, ((test, True),), loop.spot, None, loop in outer)
        for node in of_kind(function, Exit):
            around = [loop for loop in loops_around(function, node) if not is_comprehension(loop)]
            if node.kind not in _LEAVES or node.error is not None or not around or around[-1] not in trains:
                continue
            asked = [each for each in walk(around[-1].body) if isinstance(each, If) and within(function, each, node)]
            tests = tuple((each.condition, any(one is node for one in walk(each.body))) for each in asked)
            if tests:
                yield _End(path, function, around[-1], tests, asked[-1].spot, node, around[-1] in outer)


def _answers(job: Job, path: str, function: Function, test: Term) -> Iterator[tuple[str, Term]]:
    """What a function of the project returns that a loop asks whether to go on: ``while self.goes_on():``."""
    if isinstance(test, Call) and not test.args and not test.kwargs:
        for each in job.program.ask(CallGraph).targets(test, job.program.frame(path, function)):
            if isinstance(each, FunctionValue):
                yield from ((each.module, term) for term in job.program.returns(each.function))


def _option_of(job: Job, term: Term, path: str) -> str | None:
    """The option that a term is, or is made from."""
    return job.options.name(term, path) if not isinstance(term, Const) else None


# -- steps that are counted --------------------------------------------------------------------------------------------


def _counted(job: Job, end: _End) -> Bound | None:
    """The option that a loop's counter is compared with: ``while step < args.n``, ``if i + 1 == args.n: break``.

    Several have to say the end where only all of them end it: ``while step < args.a or done < args.b``.
    """
    switch: str | None = None
    if end.way_out is None:
        names = _ending(job, end, end.tests[0][0])
    else:
        test = next((test for test, arm in end.tests if arm and _compared_with(job, end, test) is not None), None)
        name = None if test is None else _compared_with(job, end, test)
        names = () if name is None else (name,)
        for part in test.operands if isinstance(test, And) else ():  # ``args.debug and step == args.debug_steps``
            option = job.options.declared.get(job.options.name(part, end.path) or "")
            if option is not None and option.name != name and option.default == (False,):
                switch = switch or option.name
    if not names:
        return None
    option_ = " together with ".join(job.options.written(name) for name in names)
    where = Evidence(end.path, end.spot, f"{option_} is compared with the step here")
    argument = " ".join(job.options.saying(name, 10) for name in names)
    if switch is None:
        return Bound(option_, where, argument)
    return Bound(job.options.written(switch), where, f"{job.options.saying(switch, 'true')} {argument}")


def _ending(job: Job, end: _End, test: Term) -> tuple[str, ...]:
    """The options that end a ``while`` together; nothing where one of several parts may keep it going whatever they say.

    ``while not args.n or step < args.n``: the first part is the option again, which is more than nothing once it is said.
    """
    if isinstance(test, And):
        return next((found for part in test.operands if (found := _ending(job, end, part))), ())
    if not isinstance(test, Or):
        name = _compared_with(job, end, test)
        return () if name is None else (name,)
    ending: list[str] = []
    asked: list[str | None] = []
    for part in test.operands:
        more = _ending(job, end, part)
        said = None if more else job.options.default(part, end.path)
        if isinstance(part, Not) and not more:
            asked.append(_option_of(job, part.operand, end.path))
        elif not more and (said is None or said[0]):
            return ()
        ending += more
    return tuple(dict.fromkeys(ending)) if all(each in ending for each in asked) else ()


def _compared_with(job: Job, end: _End, test: Term) -> str | None:
    kinds = _COMPARED if end.way_out is not None else _COMPARED[:-1]
    for part in parts_of(test):
        for side, other in ((part.left, part.right), (part.right, part.left)) if isinstance(part, Compare) else ():
            name = _option_of(job, side, end.path) if isinstance(part, Compare) and part.op in kinds else None
            if name is None or not _is_counter(job, other, _loops(end.function)):
                continue
            said = {*split(name), *words_of(job.program, side)}
            if not _COUNTERS.isdisjoint(words_of(job.program, other)):
                said.discard("early")  # what counts steps counts no rounds without a gain
            if said.isdisjoint((*_EPOCHS, *_ELSE)):
                return name
    return None


def _is_counter(job: Job, term: Term, loops: list[Loop]) -> bool:
    """Whether something counts steps: by its words, or as the number that ``enumerate`` gives a batch."""
    words = frozenset(words_of(job.program, term))
    if not words.isdisjoint((*_EPOCHS, *_ELSE)):
        return False
    if not words.isdisjoint(_COUNTERS):
        return True
    drawn = (each for part in parts_of(term) for each in loops if each.target is not None and part is each.target and each.names)
    loop = next((each for each in drawn if _EPOCHS.isdisjoint(split(each.names[0]))), None)
    asked = () if loop is None else parts_of(loop.subject)
    return any(isinstance(each, Call) and last_name(each.callee) == "enumerate" for each in asked)


def _of_epochs(job: Job) -> Bound | None:
    """An option that says how many epochs there are, where one is a single step: all data at once, in no loop of its own."""
    single = {id(function) for _, function in job.trail.training[0] if not _loops_over_passes(function)}
    index = job.program.ask(CallGraph)
    for path, function in _training(job):
        frame = job.program.frame(path, function)
        steps = [
            node
            for node in of_kind(function, CallStep)
            if last_name(node.term.callee) == _BACKWARD[0]
            or any(id(each.function) in single for each in index.targets(node.term, frame) if isinstance(each, FunctionValue))
        ]
        for loop in _loops(function):
            inner = [each for each in _loops(function) if within(function, loop, each)]
            found = [node for node in steps if within(function, loop, node)]
            if not found or any(within(function, each, node) for each in inner for node in found):
                continue
            for part in parts_of(*_rounds(loop)):
                name = job.options.name(part, path)
                if name is not None and not _EPOCHS.isdisjoint(split(name)):
                    option = job.options.written(name)
                    where = Evidence(path, loop.spot, f"{option} is the number of steps here: each iteration is one")
                    return Bound(option, where, job.options.saying(name, 10))
    return None


def _rounds(loop: Loop) -> tuple[Term, ...]:
    """What says how often a loop goes round: the arguments of ``range``, also in a bar, the condition of a ``while``."""
    subject = loop.subject
    for _ in range(2 if loop.kind != "while" else 0):
        if is_range(subject):
            return tuple(subject.args)
        subject = subject.args[0] if isinstance(subject, Call) and subject.args else subject
    return (subject,) if loop.kind == "while" else ()


def _loops_over_passes(function: Function) -> bool:
    """Whether the backward passes of a function stand in a loop of its own."""
    passes = [node for node in of_kind(function, CallStep) if last_name(node.term.callee) == _BACKWARD[0]]
    return not passes or any(within(function, loop, node) for loop in _loops(function) for node in passes)


# -- switches ----------------------------------------------------------------------------------------------------------


def _switched(job: Job, ends: list[_End]) -> Bound | None:
    """A switch that ends the training after some batches."""
    left = [(name, each) for each in ends if each.way_out is not None and (name := _switch(job, each)) is not None]
    for name, end in left:
        passes = [node for node in of_kind(end.function, CallStep) if last_name(node.term.callee) in _BACKWARD]
        around = [_innermost(end.function, node) for node in passes]
        if end.way_out is None or not any(loop is end.loop for loop in around):
            continue
        outside = any(name == other and (end.function, end.loop) != (each.function, each.loop) for other, each in left)
        rounds = [each for each in loops_around(end.function, end.way_out) if not is_comprehension(each)]
        whole = end.way_out.kind == "exit" or (end.way_out.kind == "return" and len(rounds) > 1)
        if outside or whole or _says_so(job, name):
            where = Evidence(end.path, end.way_out.spot, f"{job.options.written(name)} ends the training here")
            return Bound(job.options.written(name), where, job.options.saying(name, "true"))
    return None


def _innermost(function: Function, node: CallStep) -> Loop | None:
    around = [loop for loop in loops_around(function, node) if not is_comprehension(loop)]
    return around[-1] if around else None


def _switch(job: Job, end: _End) -> str | None:
    """The option among the tests of a way out, off by default, when all others count."""
    found: set[str] = set()
    for test, arm in end.tests:
        for leaf in test.operands if isinstance(test, And) and arm else (test,):
            if _counts(job, leaf):
                continue
            name = _option_of(job, leaf, end.path) if arm and not isinstance(leaf, (Compare, Not)) else None
            declared = job.options.declared.get(name or "")
            if declared is None or declared.default not in ((False,), (0,)) or not _NO_SWITCH.isdisjoint(split(declared.name)):
                return None
            found.add(declared.name)
    return found.pop() if len(found) == 1 else None


def _counts(job: Job, test: Term) -> bool:
    """Whether a test compares what counts with a whole number that is written down."""
    if not isinstance(test, Compare) or test.op not in _COMPARED or not any(_is_whole(each) for each in test.sides):
        return False
    counted = next((each for each in test.sides if not _is_whole(each)), test)
    while isinstance(counted, BinOp) and _is_whole(counted.right):
        counted = counted.left
    return not isinstance(counted, (Call, BinOp, Const)) and _GAINS.isdisjoint(words_of(job.program, *test.sides))


def _is_whole(term: Term) -> bool:
    return whole_number(term) is not None


def _says_so(job: Job, name: str) -> bool:
    """Whether the help of an option says that the script exits."""
    declared = job.options.declared[name]
    site = next(
        (each for each in declarations(job.program) if (each.module, each.call.term.site) == (declared.module, declared.spot)),
        None,
    )
    said = None if site is None else dict(site.call.term.kwargs).get("help")
    return isinstance(said, Const) and isinstance(said.value, str) and bool(_EXITS.search(said.value[:2000]))


# -- samples that are counted ------------------------------------------------------------------------------------------

#: Reckoning with a bound that leaves it one.
_RECKONED = frozenset(("Add", "Mult", "FloorDiv", "Div"))
_ROUNDS = frozenset(("int", "float", "max", "min", "round", "ceil", "floor"))


def _of_amount(job: Job, end: _End) -> Bound | None:
    """An option that says how many images or samples there are. How few of them make ten steps, it does not say."""
    if not end.is_outermost or len(end.tests) > 1 or not end.tests[0][1]:
        return None
    test = end.tests[0][0]
    parts = test.operands if end.way_out is None and isinstance(test, And) else (test,)
    kinds = ("Lt", "LtE") if end.way_out is None else ("GtE", "Gt")
    asked = [each for each in parts if end.way_out is not None or isinstance(each, Compare)]
    name = next((found for each in asked if (found := _bounding(job, end, each, kinds)) is not None), None)
    if name is None:
        return None
    option = job.options.written(name)
    return Bound(option, Evidence(end.path, end.spot, f"the training ends here when it has come to {option}"), None)


def _steady(end: _End) -> frozenset[Term]:
    """What a loop counts in each of its rounds, and not only in some: batches that were skipped end nothing."""
    raising = raising_arms(end.function.body)
    counted: dict[Term, bool] = {}
    for node, led in walk_tested(end.loop.body):
        if isinstance(node, Keep) and isinstance(node.target, LoopPhi):
            tests = [each for each in conditions(led) if each not in raising]
            counted[node.target] = counted.get(node.target, True) and not tests
    return frozenset(each for each, steady in counted.items() if steady)


def _bounding(job: Job, end: _End, test: Term, kinds: tuple[str, ...]) -> str | None:
    """The option that something which is counted up is compared with, where that alone makes a test hold."""
    if isinstance(test, Or) or (
        isinstance(test, Select) and all(is_true(each) or isinstance(each, (Compare, Or, Select)) for each in test.arms)
    ):
        parts = test.operands if isinstance(test, Or) else [each for each in test.arms if not is_true(each)]
        found = [_bounding(job, end, each, kinds) for each in parts]
        return None if isinstance(test, Select) and None in found else next((each for each in found if each is not None), None)
    if not isinstance(test, Compare) or test.op not in kinds or not grows(end.function, test.left):
        return None
    words = frozenset(words_of(job.program, test.left))
    steady = _steady(end).issuperset(each for each in parts_of(test.left) if isinstance(each, LoopPhi))
    if not steady or (not words.isdisjoint((*_EPOCHS, *_ELSE)) and words.isdisjoint(_COUNTERS)):
        return None
    options = _options(job, end.path, test.right, Memo(None))
    if options is None or len(options) != 1:
        return None
    (name,) = options
    default = job.options.declared[name].default
    is_number = default is None or default[0] is None or type(default[0]) in (int, float)
    return name if is_number and {*split(name)}.isdisjoint((*_EPOCHS, *_ELSE)) else None


def _options(job: Job, path: str, term: Term, memo: Memo[frozenset[str] | None]) -> frozenset[str] | None:
    """The options that a number is made of, with constants alone besides; None where anything else may be in it."""

    def inner(where: str, part: Term | None) -> frozenset[str] | None:
        return None if part is None else memo.ask((where, part), lambda: _options(job, where, part, memo))

    if isinstance(term, Param) and (origins := job.options.origins.passed(term, path)):
        found = [inner(each.module, each.value) for each in origins]
        return frozenset().union(*(each or () for each in found)) if all(found) else None
    if isinstance(term, (Access, Param)):
        name = job.options.name(term, path)
        written = term.selector if isinstance(term, Access) else term.name
        return frozenset((name,)) if name is not None and name == written and name in job.options.declared else None
    parts: tuple[Term, ...] | None = () if isinstance(term, Const) else None
    if isinstance(term, BinOp) and term.op in _RECKONED:
        parts = term.sides
    elif isinstance(term, Call) and last_name(term.callee) in _ROUNDS and not term.kwargs:
        parts = term.args
    options = None if parts is None else [inner(path, each) for each in parts]
    return None if options is None or None in options else frozenset().union(*(each or () for each in options))


# -- data that are few -------------------------------------------------------------------------------------------------

#: Words of options that say how many data there are; of those that say it of something else, or how long each is.
_DATA = frozenset(
    ("dataset", "data", "samples", "sample", "examples", "example", "images", "items", "records", "limit", "subset")
)
_MOST = frozenset(("max", "limit", "size", "num", "n", "first", "subset", "debug", "truncate", "nb", "number"))
_CUT_ELSE = frozenset(
    (
        *("eval", "val", "valid", "validation", "test", "vis", "log", "save", "gen", "generate", "len", "length", "tokens"),
        *("start", "warmup", "freq", "every", "interval", "decay", "resume", "per", "last", "begin", "which", "init", "pretrain"),
        *("epoch_count", "fid", "buffer", "workers", "batch", "image_size", "crop", "width", "height", "dim", "stop", "load"),
        "seq",
    )
)
_JUDGES = frozenset(("eval", "evaluate", "val", "valid", "validate", "validation", "test"))
_TOTAL = frozenset(("total", "max", "num", "n", "end"))
_TAKES = frozenset(("take", "islice", "head", "limit"))
#: So many steps are a few: what is said to an option that makes a run short.
_FEW = 10
#: What may be an option.
_ASKED = (Access, nodes.Global, Param, Ref)


def _of_keras(job: Job) -> Bound | None:
    """The option that ``fit(steps_per_epoch=…)`` is worked out of, ``args.examples // args.batch_size``, and one epoch."""
    for place in runs(job.trail.calls(("steps_per_epoch=",))) if job.framework == "keras" else ():
        call = place.term
        given = dict(call.kwargs) if isinstance(call, Call) and last_name(call.callee) in ("fit", "fit_generator") else {}
        few = _few(job, place.module, given["steps_per_epoch"]) if "steps_per_epoch" in given else None
        if few is None:
            continue
        said = _option_of(job, given["epochs"], place.module) if "epochs" in given else None
        epochs = said if said is not None and said in job.options.declared else _epochs(job)
        if epochs is not None or "epochs" not in given:
            option = job.options.written(few[0])
            arguments = (job.options.saying(*few), *((job.options.saying(epochs, 1),) if epochs is not None else ()))
            return Bound(
                option, Evidence(place.module, place.spot, f"{option} says how many steps there are"), " ".join(arguments)
            )
    return None


def _few(job: Job, path: str, value: Term) -> tuple[str, int] | None:
    """The option, and its value, with which a number comes to a few steps."""
    each = 1
    if isinstance(value, Call) and last_name(value.callee) in ("int", "ceil", "floor") and value.args:
        value = value.args[0]
    if isinstance(value, BinOp) and value.op in ("FloorDiv", "Div"):
        option = job.options.declared.get(_option_of(job, value.right, path) or "")
        said = option.default if option is not None else job.options.default(value.right, path)
        if said is None or not isinstance(said[0], int) or isinstance(said[0], bool) or said[0] < 1:
            return None
        each, value = said[0], value.left
    name = _option_of(job, value, path) if isinstance(value, (*_ASKED, Call)) else None
    return (name, _FEW * each) if name is not None and name in job.options.declared else None


def _of_data(job: Job) -> Bound | None:
    """The option that says how many of the data are taken, where another one says how many epochs there are."""
    wanted = {name for name in job.options.declared if _is_number_of_data(name)}
    epochs = _epochs(job) if wanted else None
    for path, function in job.trail.functions if epochs is not None else ():
        if not _JUDGES.isdisjoint(split(function.qualname)):
            continue
        for stop, spot in _stops(function):
            for part in parts_of(stop):
                name = _option_of(job, part, path) if isinstance(part, _ASKED) else None
                if name in wanted and name is not None and epochs is not None:
                    option = f"{job.options.written(name)} together with {job.options.written(epochs)}"
                    said = f"{job.options.saying(name, _FEW)} {job.options.saying(epochs, 1)}"
                    return Bound(option, Evidence(path, spot, f"`{name}` says how many of the data are taken"), said)
    return None


def _is_number_of_data(name: str) -> bool:
    words = frozenset(split(name))
    return not words.isdisjoint(_DATA) and not words.isdisjoint(_MOST) and words.isdisjoint(_CUT_ELSE)


def _stops(function: Function) -> Iterator[tuple[Term, Spot]]:
    """Where something is cut short: ``paths[:n]``, ``data.take(n)``, ``data.select(range(n))``."""
    for part in parts_of(*terms_of(function)):
        key = part.key if isinstance(part, Subscript) else None
        if isinstance(key, Slice) and key.lower == key.step and not isinstance(key.upper, Const):
            yield key.upper, function.spot
    for each in of_kind(function, CallStep):
        name, given = last_name(each.term.callee), each.term.args
        if name in _TAKES and given:
            yield given[-1], each.term.site
        elif name == "select" and given and isinstance(given[0], Call) and last_name(given[0].callee) == "range":
            yield given[0], each.term.site


def _epochs(job: Job) -> str | None:
    """The option that says how many epochs there are: by its name, or as what a number of epochs is made of."""
    for name, option in sorted(job.options.declared.items(), key=lambda each: len(each[0])):
        words = frozenset(split(name)) | ({"epochs"} if name.lower().rstrip("s").endswith("epoch") else set())
        is_one = option.module in job.files and not words.isdisjoint(_EPOCHS) and words.isdisjoint(_CUT_ELSE)
        if is_one and any(
            isinstance(part, (Access, Param, Ref)) and _option_of(job, part, path) == name
            for path, function in job.trail.functions
            for loop in _loops(function)
            for part in parts_of(loop.subject)
        ):
            return name
    for path, function in job.trail.functions:
        for node in of_kind(function, Store):
            words = frozenset(split(node.target.name)) if isinstance(node.target, Attr) else frozenset()
            if words.isdisjoint(_EPOCHS) or words.isdisjoint(_TOTAL) or not isinstance(node.value, (Attr, BinOp)):
                continue
            parts = node.value.sides if isinstance(node.value, BinOp) and node.value.op == "Add" else (node.value,)
            names = [job.options.name(part, path) for part in parts if isinstance(part, Attr)]
            known = [name for name in names if name is not None and name in job.options.declared]
            if known and len(known) == len(parts) and all(job.options.declared[one].default == (0,) for one in known[1:]):
                return known[0]
    return None
