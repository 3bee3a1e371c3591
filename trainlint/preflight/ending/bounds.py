"""What ends a training after a few steps: an option, or a value that its loop is asked about."""

from __future__ import annotations

from typing import NamedTuple

from trainlint.facts.call_graph import CallGraph, last_name
from trainlint.facts.def_use import is_comprehension
from trainlint.facts.values import FunctionValue, Made
from trainlint.ir.nodes import Access, Attr, Call, Const, Param, Ref, Subscript, Term
from trainlint.ir.order import loops_around, within
from trainlint.ir.sketch import CallStep, Exit, Function, If, Loop
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind, walk
from trainlint.preflight.ending.amount import amount
from trainlint.preflight.ending.counted import EPOCHS, against, is_length, said_by_configuration, starts_within
from trainlint.preflight.ending.cut import cut
from trainlint.preflight.ending.switched import switch
from trainlint.preflight.evidence.asking import runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence
from trainlint.preflight.made.targets import target_of
from trainlint.preflight.values.unsaid import is_of_configuration
from trainlint.preflight.values.words import split
from trainlint.preflight.ways import Place

_BACKWARD = ("backward",)
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
    single = {id(function) for _, function in steps if not _is_looped(function)}
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
                    last_name(node.term.callee) in _BACKWARD
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
                    where = Evidence(path, loop.spot, f"{option} is the number of steps here: each round is one")
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


def _is_looped(function: Function) -> bool:
    """Whether the backward passes of a function stand in a loop of its own."""
    loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
    passes = [node for node in of_kind(function, CallStep) if last_name(node.term.callee) in _BACKWARD]
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
            if any(target_of(job.program, each) in table(job, "trainers") for each in made if isinstance(each, Made)):
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
