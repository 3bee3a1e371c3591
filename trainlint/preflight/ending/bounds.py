"""What ends a training after a few steps: an option, a switch, few data, or what its loop is asked about.

Switches that end a training after some batches, for those who look for mistakes: ``if args.debug and i == 5: break``.

Leaving the loop over the batches is not enough, each epoch would only be short: the loop over the epochs ends with the switch as
well, or the function around both is left, or its help says that the script exits.

What makes a training short from the side of its data: fewer of them and a single epoch, or few steps to an epoch of
Keras.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trainlint.finding import Spot
from trainlint.ir.nodes import Access, And, Attr, BinOp, Call, Compare, Const, Global, Not, Param, Ref, Slice, Subscript, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Keep, Loop, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.preflight.ending.counters import (
    EPOCHS,
    against,
    amount,
    is_length,
    option_of,
    said_by_configuration,
    starts_within,
)
from trainlint.preflight.evidence.answers import runs, table
from trainlint.preflight.instantiation.targets import target_of
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence, Place
from trainlint.preflight.values.constants import is_of_configuration
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.def_use import is_comprehension
from trainlint.program.values import FunctionValue, LibraryObject

_LEAVES = ("break", "return", "exit")
_BACKWARD = ("backward", "manual_backward")
_COMPARED = ("Lt", "LtE", "Gt", "GtE", "Eq")
#: Words of switches that end a training when it has gained all it can, or that only judge.
_ELSE = frozenset(("early", "patience", "stop", "stopping", "converged", "resume", "eval", "test", "val", "validate", "evaluate"))
#: Words of what is measured, and not counted.
_GAINS = frozenset(("loss", "losses", "acc", "accuracy", "score", "metric", "metrics", "norm", "lr", "time"))
_EXITS = re.compile(r"\b(?:and|then)\s{1,8}exits?\b|\bexits?\s{1,8}(?:after|early)\b|\bsmoke.?test|\bdry.?run", re.IGNORECASE)


def switch(job: Job, training: list[tuple[str, Function]]) -> tuple[str, Evidence] | None:
    """The name of such a switch, and where the loop over the batches is left; ``training`` are the functions of the training."""
    left: list[tuple[str, str, Function, Exit, Spot]] = []
    for path, function in training:
        left += [(name, path, function, node, loop) for name, node, loop in _exits(job, path, function)]
    names = {*_BACKWARD, *(function.name for _, function in training)}
    for name, path, function, node, inner in left:
        if not _steps(function, inner):
            continue
        outside = any(
            name == other and (function is not around or spot != inner) and _is_round(around, spot, names)
            for other, _, around, _, spot in left
        )
        rounds = [each for each in loops_around(function, node) if not is_comprehension(each)]
        whole = node.kind == "exit" or (node.kind == "return" and len(rounds) > 1)
        if outside or whole or _says_so(job, name):
            return name, Evidence(path, node.spot, f"{job.options.written(name)} ends the training here")
    return None


def _exits(job: Job, path: str, function: Function) -> Iterator[tuple[str, Exit, Spot]]:
    """The exits out of loops behind a switch that is off by default, and behind nothing else than a count."""
    for node in of_kind(function, Exit):
        if node.kind not in _LEAVES or node.error is not None:
            continue
        around = [loop for loop in loops_around(function, node) if not is_comprehension(loop)]
        if not around:
            continue
        inner = around[-1]
        tests = [each for each in walk(inner.body) if isinstance(each, If) and within(function, each, node)]
        name = _switch(job, path, [(each.condition, any(one is node for one in walk(each.body))) for each in tests])
        if name is not None:
            yield name, node, inner.spot


def _switch(job: Job, path: str, tests: list[tuple[Term, bool]]) -> str | None:
    """The option among some tests, when all others count."""
    found: list[str] = []
    for test, arm in tests:
        for leaf in test.operands if isinstance(test, And) and arm else (test,):
            if _counts(job, leaf):
                continue
            name = option_of(job, leaf, path) if arm and not isinstance(leaf, (Compare, Not)) else None
            declared = job.options.declared.get(name) if name is not None else None
            if declared is None or declared.default not in ((False,), (0,)) or not _ELSE.isdisjoint(split(declared.name)):
                return None
            found.append(declared.name)
    return found[0] if len(set(found)) == 1 else None


def _counts(job: Job, test: Term) -> bool:
    """Whether a test compares what counts with a whole number that is written down."""
    if not isinstance(test, Compare) or test.op not in _COMPARED or not any(_is_whole(each) for each in test.sides):
        return False
    counted = next((each for each in test.sides if not _is_whole(each)), test)
    while isinstance(counted, BinOp) and _is_whole(counted.right):
        counted = counted.left
    return not isinstance(counted, (Call, BinOp, Const)) and _GAINS.isdisjoint(words_of(job.program, *test.sides))


def _is_whole(term: Term) -> bool:
    return bool(isinstance(term, Const) and type(term.value) is int)


def _steps(function: Function, spot: Spot) -> bool:
    """Whether a loop takes steps itself: a backward pass stands in it, and in no loop within it."""
    for node in of_kind(function, CallStep):
        if last_name(node.term.callee) in _BACKWARD:
            around = [loop for loop in loops_around(function, node) if not is_comprehension(loop)]
            if around and around[-1].spot == spot:
                return True
    return False


def _is_round(function: Function, spot: Spot, names: set[str]) -> bool:
    """Whether a loop calls what trains, or holds a loop that does."""
    return any(within(function, spot, node) and last_name(node.term.callee) in names for node in of_kind(function, CallStep))


def _says_so(job: Job, name: str) -> bool:
    """Whether the help of an option says that the script exits."""
    declared = job.options.declared[name]
    for site in job.program.ask(CallGraph).sites.get("add_argument", ()):
        if site.module == declared.module and site.call.term.site == declared.spot:
            said = dict(site.call.term.kwargs).get("help")
            return (
                said is not None
                and isinstance(said, Const)
                and isinstance(said.value, str)
                and bool(_EXITS.search(said.value[:2000]))
            )
    return False


#: Words of options that say how many data there are; of those that say it of something else, or how long each is.
_DATA = frozenset(
    ("dataset", "data", "samples", "sample", "examples", "example", "images", "items", "records", "limit", "subset")
)
_MOST = frozenset(("max", "limit", "size", "num", "n", "first", "subset", "debug", "truncate", "nb", "number"))
_CUT_ELSE = frozenset(
    (
        *(
            "eval",
            "val",
            "valid",
            "validation",
            "test",
            "vis",
            "log",
            "save",
            "gen",
            "generate",
            "len",
            "length",
            "tokens",
            "seq",
        ),
        *("start", "warmup", "freq", "every", "interval", "decay", "resume", "per", "last", "begin", "which", "init", "pretrain"),
        *("epoch_count", "fid", "buffer", "workers", "batch", "image_size", "crop", "width", "height", "dim", "stop", "load"),
    )
)
_JUDGES = frozenset(("eval", "evaluate", "val", "valid", "validate", "validation", "test"))
_TOTAL = frozenset(("total", "max", "num", "n", "end"))
_TAKES = frozenset(("take", "islice", "head", "limit"))
#: So many steps are a few: what is said to an option that makes a run short.
_FEW = 10


def cut(job: Job) -> tuple[str, Evidence, str] | None:
    """The option that makes it short, where it does, and what the command line says; only where it says the epochs, too."""
    return _of_keras(job) or _of_data(job)


def _of_keras(job: Job) -> tuple[str, Evidence, str] | None:
    """The option that ``fit(steps_per_epoch=…)`` is worked out of: ``args.examples // args.batch_size``."""
    if job.framework != "keras":
        return None
    for place in runs(job.trail.calls(("steps_per_epoch=",))):
        call = place.term
        given = dict(call.kwargs) if isinstance(call, Call) and last_name(call.callee) in ("fit", "fit_generator") else {}
        found = _few(job, place.module, given["steps_per_epoch"]) if "steps_per_epoch" in given else None
        if found is not None:
            epochs = option_of(job, given["epochs"], place.module) if "epochs" in given else None
            if epochs is None or epochs not in job.options.declared:
                epochs = _epochs(job)
            if epochs is not None or "epochs" not in given:
                name, number = found
                option = job.options.written(name)
                said = [job.options.saying(name, number), *([job.options.saying(epochs, 1)] if epochs is not None else [])]
                return option, Evidence(place.module, place.spot, f"{option} says how many steps there are"), " ".join(said)
    return None


def _few(job: Job, path: str, value: Term) -> tuple[str, int] | None:
    """The option, and its value, with which a number comes to a few steps."""
    each = 1
    if isinstance(value, Call) and last_name(value.callee) in ("int", "ceil", "floor") and value.args:
        value = value.args[0]
    if isinstance(value, BinOp) and value.op in ("FloorDiv", "Div"):
        name = option_of(job, value.right, path)
        said = (
            job.options.declared[name].default
            if name in job.options.declared and name
            else job.options.default(value.right, path)
        )
        if said is None or not isinstance(said[0], int) or isinstance(said[0], bool) or said[0] < 1:
            return None
        each, value = said[0], value.left
    if not isinstance(value, (Access, Global, Param, Ref, Call)):
        return None
    name = option_of(job, value, path)
    return (name, _FEW * each) if name is not None and name in job.options.declared else None


def _of_data(job: Job) -> tuple[str, Evidence, str] | None:
    """The option that says how many of the data are taken, where another one says how many epochs there are."""
    wanted = {name for name in job.options.declared if _is_number_of_data(name)}
    epochs = _epochs(job) if wanted else None
    if epochs is None:
        return None
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            if not _JUDGES.isdisjoint(split(function.qualname)):
                continue
            for stop, spot in _stops(function):
                for part in parts_of(stop):
                    name = option_of(job, part, path) if isinstance(part, (Access, Param, Ref)) else None
                    if name in wanted and name is not None:
                        option = f"{job.options.written(name)} together with {job.options.written(epochs)}"
                        said = f"{job.options.saying(name, _FEW)} {job.options.saying(epochs, 1)}"
                        return option, Evidence(path, spot, f"`{name}` says how many of the data are taken"), said
    return None


def _is_number_of_data(name: str) -> bool:
    words = frozenset(split(name))
    return not words.isdisjoint(_DATA) and not words.isdisjoint(_MOST) and words.isdisjoint(_CUT_ELSE)


def _stops(function: Function) -> Iterator[tuple[Term, Spot]]:
    """Where something is cut short: ``paths[:n]``, ``data.take(n)``, ``data.select(range(n))``."""
    roots = [(each.value, each.spot) for each in of_kind(function, Store)]
    roots += [(each.value, each.spot) for each in of_kind(function, Keep)]
    roots += [(value, each.term.site) for each in of_kind(function, CallStep) for value in handed(each.term)]
    for root, spot in roots:
        for part in parts_of(root):
            if (
                isinstance(part, Subscript)
                and isinstance(part.key, Slice)
                and part.key.lower == part.key.step
                and not isinstance(part.key.upper, Const)
            ):
                yield part.key.upper, spot
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
        if (
            option.module in job.files
            and not words.isdisjoint(EPOCHS)
            and words.isdisjoint(_CUT_ELSE)
            and _is_data_looped(job, name)
        ):
            return name
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            for node in of_kind(function, Store):
                words = frozenset(split(node.target.name)) if isinstance(node.target, Attr) else frozenset()
                if words.isdisjoint(EPOCHS) or words.isdisjoint(_TOTAL) or not isinstance(node.value, (Attr, BinOp)):
                    continue
                parts = node.value.sides if isinstance(node.value, BinOp) and node.value.op == "Add" else (node.value,)
                names = [job.options.name(part, path) for part in parts if isinstance(part, Attr)]
                known = [name for name in names if name is not None and name in job.options.declared]
                if known and len(known) == len(parts) and all(job.options.declared[one].default == (0,) for one in known[1:]):
                    return known[0]
    return None


def _is_data_looped(job: Job, name: str) -> bool:
    """Whether a loop of the job goes round as often as an option says."""
    return any(
        option_of(job, part, path) == name
        for path in sorted(job.files)
        for function in job.program.modules[path].functions.values()
        for loop in of_kind(function, Loop)
        if not is_comprehension(loop)
        for part in parts_of(loop.subject)
        if isinstance(part, (Access, Param, Ref))
    )


_BOUNDS_BACKWARD = ("backward",)
#: Words of options that may as well mean that nothing is trained.
_TRIES = ("dry_run", "dryrun")
#: What is called so trains.
_TRAINS = frozenset(("train", "training"))
#: Parts of a job that are not the training: ``validation.max_steps``.
_OTHERS = frozenset(("validation", "valid", "val", "eval", "evaluation", "test"))


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
    short = _compared(job) or _of_epochs(job) or _switched(job) or _of_amount(job)
    if short is None and (fewer := cut(job)) is not None:
        short = Bound(*fewer)
    return short


def _as_launched(job: Job, word: str) -> str | None:
    """The argument that sets a value to ten, where a launch line says it in that way: ``train.py base.yml steps=20``."""
    begins = f"{word}="
    words = (each.start if each.text is None else each.text for launch in job.launches for each in launch.arguments)
    return f"{begins}10" if any(each.startswith(begins) for each in words) else None


def _ends_before(job: Job, word: str) -> bool:
    """Whether a word's tests stand outside of loops, and one of them ends there or leaves the training out: no step is taken."""
    names = {function.name for found in job.trail.training for _, function in found}
    skips = False
    for path in job.files:
        for function in job.program.modules[path].functions.values():
            way = job.trail.run.get(id(function))
            for node in of_kind(function, If) if way is not None else ():
                if not any((_named(part, function) or "").lower() == word for part in parts_of(node.condition)):
                    continue
                if (way is not None and way.looped) or loops_around(function, node):
                    return False
                inside = walk((*node.body, *node.orelse))
                skips = skips or any(
                    isinstance(each, Exit) or (isinstance(each, CallStep) and last_name(each.term.callee) in names)
                    for each in inside
                )
    return skips


def _of_epochs(job: Job) -> Bound | None:
    """An option that says how many epochs there are, where one is a single step: all data at once, in no loop of its own."""
    steps, _ = job.trail.training
    single = {id(function) for _, function in steps if not _is_value_looped(function)}
    index = job.program.ask(CallGraph)
    for path, function in _training(job):
        frame = job.program.frame(path, function)
        rounds = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
        for loop in rounds:
            inner = [each for each in rounds if within(function, loop, each)]
            found = [
                node
                for node in of_kind(function, CallStep)
                if within(function, loop, node)
                and (
                    last_name(node.term.callee) in _BOUNDS_BACKWARD
                    or any(
                        id(each.function) in single for each in index.targets(node.term, frame) if isinstance(each, FunctionValue)
                    )
                )
            ]
            if not found or any(within(function, each, node) for each in inner for node in found):
                continue
            for part in parts_of(*_counted(loop)):
                name = job.options.name(part, path)
                if name is not None and not EPOCHS.isdisjoint(split(name)):
                    option = job.options.written(name)
                    where = Evidence(path, loop.spot, f"{option} is the number of steps here: each iteration is one")
                    return Bound(option, where, job.options.saying(name, 10))
    return None


def _counted(loop: Loop) -> tuple[Term, ...]:
    """What says how often a loop goes round: the arguments of ``range``, the condition of a ``while``."""
    subject = loop.subject
    if loop.kind == "while":
        return (subject,)
    for _ in range(2):  # a bar around it
        if isinstance(subject, Call) and last_name(subject.callee) in ("range", "trange"):
            return tuple(subject.args)
        subject = subject.args[0] if isinstance(subject, Call) and subject.args else subject
    return ()


def _is_value_looped(function: Function) -> bool:
    """Whether the backward passes of a function stand in a loop of its own."""
    loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
    passes = [node for node in of_kind(function, CallStep) if last_name(node.term.callee) in _BOUNDS_BACKWARD]
    return not passes or any(within(function, loop, node) for loop in loops for node in passes)


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


def _compared(job: Job) -> Bound | None:
    """An option with which the training compares the number of its steps, whatever it is called."""
    found = against(job, _training(job))
    if found is None:
        return None
    option = " together with ".join(job.options.written(name) for name in (found.name, *found.others))
    where = Evidence(found.path, found.spot, f"{option} is compared with the step here")
    argument = " ".join(job.options.saying(name, 10) for name in (found.name, *found.others))
    if found.switch is None:
        return Bound(option, where, argument)
    return Bound(job.options.written(found.switch), where, f"{job.options.saying(found.switch, 'true')} {argument}")


def _of_amount(job: Job) -> Bound | None:
    """An option that says how many images or samples there are. How few of them make ten steps, it does not say."""
    found = amount(job, _training(job))
    if found is None:
        return None
    option = job.options.written(found.name)
    return Bound(option, Evidence(found.path, found.spot, f"the training ends here when it has come to {option}"), None)


def _switched(job: Job) -> Bound | None:
    """A switch that ends the training after some batches."""
    found = switch(job, _training(job))
    return None if found is None else Bound(job.options.written(found[0]), found[1], job.options.saying(found[0], "true"))


def _option(job: Job, word: str) -> Bound | None:
    for name, option in job.options.declared.items():
        if name.lower() == word and option.module in job.files and _OTHERS.isdisjoint(split(option.flags[0])):
            value = "true" if option.default in ((True,), (False,)) else 10
            return Bound(
                option.flags[0],
                Evidence(option.module, option.spot, f"the option {option.flags[0]}"),
                job.options.saying(name, value),
            )
    return None


def _value(job: Job, word: str, where: Evidence) -> Bound | None:
    """A value of a configuration that the command line may say: ``--config.training.n_iters=10``."""
    for name, option in job.options.configurations.options.items():
        before, _, last = name.rpartition(".")
        if last.lower() == word and _OTHERS.isdisjoint(split(before)) and job.options.configurations.is_said(name):
            value = "true" if isinstance((option.default or (None,))[0], bool) else 10
            return Bound(job.options.written(name), where, job.options.saying(name, value))
    return None


def _asked(job: Job) -> dict[str, Evidence]:
    """The names and keys that tests and loops of what trains ask about, in small letters."""
    found: dict[str, Evidence] = {}
    for path, function in _training(job):
        asked = [(node.subject, node.spot) for node in of_kind(function, Loop)]
        asked += [(node.condition, node.spot) for node in of_kind(function, If)]
        for term, spot in asked:
            for part in parts_of(term):
                name = _named(part, function)
                if name is not None and not is_length(job.trail, part, path):
                    found.setdefault(name.lower(), Evidence(path, spot, f"`{name}` is asked about here"))
                for told in said_by_configuration(job.trail, part, path):
                    found.setdefault(told.lower(), Evidence(path, spot, f"`{told}` is asked about here"))
    for name in job.program.modules[job.path].names:
        found.setdefault(name.lower(), Evidence(job.path, job.place, "the training is started here"))
    return found


def _named(term: Term, function: Function) -> str | None:
    """What somebody else says: an attribute, a key, a parameter that has no default; nothing of an evaluation."""
    if isinstance(term, Access) and isinstance(term.base, Attr) and not _OTHERS.isdisjoint(split(term.base.name)):
        return None
    if isinstance(term, Attr) or (isinstance(term, Param) and term.name not in function.defaults):
        return term.name
    if isinstance(term, Subscript) and isinstance(term.key, Const) and isinstance(term.key.value, str):
        return term.key.value
    if isinstance(term, Ref) and "." in term.name:
        return term.name.rpartition(".")[2]
    return None


def _takes_steps(function: Function) -> bool:
    """Whether a loop of a function that is called so trains: what JAX compiles comes to it as a value, by no name of its own."""
    if _TRAINS.isdisjoint(split(function.name)):
        return False
    return any(
        isinstance(node, CallStep) and not _TRAINS.isdisjoint(split(last_name(node.term.callee) or ""))
        for loop in of_kind(function, Loop)
        if not is_comprehension(loop)
        for node in walk(loop.body)
    )


def _is_step(job: Job, place: Place) -> bool:
    """Whether a call is the one by which the job trains, in a loop of the script itself."""
    return place.module == job.path and place.spot == job.trail.step and place.way is not None and place.way.looped


def _training(job: Job) -> list[tuple[str, Function]]:
    """The functions with a backward pass, and those that call them; a loop may call one by a name of its own."""
    steps, callers = job.trail.training
    found = {id(function): (path, function) for path, function in (*steps, *callers)}
    if job.trail.is_chosen:  # the step is found by a name, and nobody is seen to call it: its loop is that of the script
        found.update((id(each.function), (each.module, each.function)) for each in job.trail.ran if _is_step(job, each))
    names = {function.name for _, function in found.values()}
    for path in sorted(job.files):
        for function in job.program.modules[path].functions.values():
            if id(function) not in found and id(function) in job.trail.run and starts_within(function, names):
                found[id(function)] = (path, function)
            if id(function) in job.trail.run and job.framework == "jax" and _takes_steps(function):
                found.setdefault(id(function), (path, function))
            led = job.trail.led.get(id(function), ())
            if any(looped and id(target.function) in found for looped, target in led):
                found.setdefault(id(function), (path, function))
    return sorted(found.values(), key=lambda each: (each[0] != job.path, each[0], each[1].spot))
