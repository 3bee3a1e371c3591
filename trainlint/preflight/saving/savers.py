"""Objects that save states for others: what they are made with they save, and whether they write on one rank only."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import calls_of
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import Attr, BoolOp, Call, Compare, Const, Dict, Global, NestedClass, Not, Param, Select, Self, Term
from trainlint.ir.sketch import Function, If, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.evidence.asking import evidence, not_needed, runs, table, without_option
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Line, Verdict
from trainlint.preflight.saving.saved import saves_of
from trainlint.preflight.values.words import split, words_of
from trainlint.preflight.ways import Place

_DEEPEST = 4


def holders(job: Job, words: list[str]) -> list[Place]:
    """Where a checkpointer is made that saves the state of each keyword, or of each item of a dict, that has one of the words."""
    wanted = frozenset(words)
    found = runs(job.trail.calls(table(job, "saves-its-keywords")))
    return [each for each in found if any(not wanted.isdisjoint(split(name)) for name in _held(each.term))]


def _held(term: Term) -> Iterator[str]:
    """The names under which a call is handed things, as keywords or in dicts; what is None is nothing."""
    if not isinstance(term, Call):
        return
    pairs = [(name, value) for name, value in term.kwargs if name]
    for given in (*term.args, *(value for _, value in term.kwargs)):
        if isinstance(given, Dict):
            pairs += [(key.value, value) for key, value in given.items if isinstance(key, Const) and isinstance(key.value, str)]
    yield from (name for name, value in pairs if value is None or not (isinstance(value, Const) and value.value is None))


def weights_only(job: Job) -> list[Place]:
    """The calls that tell a trainer to save weights alone; nothing where it saves something else besides."""
    asked = [f"{name}=" for name in table(job, "saves-weights-only")]
    told = [
        each
        for each in without_option(job.trail.calls(asked))
        if isinstance(each.term, Call)
        and any(f"{name}=" in asked and isinstance(value, Const) and value.value is True for name, value in each.term.kwargs)
    ]
    others = runs(job.trail.calls(["lightning.callbacks.ModelCheckpoint"])) if job.framework == "lightning" else []
    return told if all(any(each.term is other.term for each in told) for other in others) else []


def of_composer(job: Job, name: str) -> Line:
    """What Composer's trainer does by itself (0.32): it saves each epoch where it is told a folder, and keeps all."""
    places = job.trail.calls(["save_folder="])
    if not runs(places):
        why = "Whether the trainer saves, `save_folder` decides, which is not in the code."
        return Line(name, Verdict.UNKNOWN, why, evidence(places), "print the folder, and look into it after some saves")
    if name == "pruned":
        why = "`save_num_checkpoints_to_keep` is -1, and all are kept."
        return Line(name, Verdict.MISSING, why, evidence(places))
    return not_needed(job, name, "The trainer saves in each epoch unless it is told otherwise.")


def of_one_rank(job: Job) -> list[Place]:
    """Where a saver is made that is told by a test of the rank whether it writes.

    Either a library's (``save_to_disk=rank == 0``), or one of the project's own whose methods ask what is kept of that, and
    save (``enable=process_index() == 0``, then ``path = … if self.enable else os.devnull``).
    """
    told = [
        each
        for each in runs(job.trail.calls(["save_to_disk="]))
        if isinstance(each.term, Call) and _asks_a_rank(job, each, dict(each.term.kwargs)["save_to_disk"])
    ]
    return told or [
        each
        for each in job.trail.places
        if each.way is not None and isinstance(each.term, Call) and _keeps_a_test(job, each, each.term)
    ]


def _asks_a_rank(job: Job, place: Place, value: Term) -> bool:
    """Whether a value is a test of the rank: not the rank itself, and nothing that is only called after it."""
    if not isinstance(value, (Compare, Not, BoolOp, Call)):
        return False
    return not frozenset(table(job, "rank-words")).isdisjoint(words_of(job.program, place.module, value)) and (
        not isinstance(value, Call)
        or any(word in ("is", "main", "master", "zero", "primary", "chief") for word in split(str(value.callee.parts[-1])))
    )


def _keeps_a_test(job: Job, place: Place, call: Call) -> bool:
    """Whether a call makes an object that keeps a test of the rank, and asks it in the methods that save."""
    if not any(_asks_a_rank(job, place, each) for each in (*call.args, *(value for _, value in call.kwargs))):
        return False
    frame = job.program.frame(place.module, place.function)
    for target in job.program.ask(CallGraph).targets(call, frame):
        if not isinstance(target, FunctionValue) or target.function.name != "__init__":
            continue
        bound = job.program.enter(target, call, frame).arguments
        names = {
            name for name, value in bound.items() if (term := getattr(value, "term", None)) and _asks_a_rank(job, place, term)
        }
        kept = {
            node.target.name
            for node in of_kind(target.function, Store)
            if isinstance(node.target, Attr)
            and isinstance(node.target.base, Self)
            and any(_is_named(part, names) for part in parts_of(node.value))
        }
        if kept and _asks_where_it_saves(job, target, kept):
            return True
    return False


def _is_named(part: Term, names: set[str]) -> bool:
    return isinstance(part, Param) and part.name in names


def _asks_where_it_saves(job: Job, made: FunctionValue, kept: set[str]) -> bool:
    """Whether the methods of a class that save a state all ask one of some attributes, or are called by those that do."""
    own = [each for each in job.program.modules[made.module].functions.values() if each.cls == made.function.cls]
    asking = {id(each) for each in own if any(_asks(test, kept) for test in _tests(each))}
    saving = {
        id(each.function): each.function
        for each in runs(saves_of(job))
        if any(each.function is method for method in own)
        and not (isinstance(each.term, Call) and any(_names(each.term, method) for method in own))
    }
    return bool(saving) and all(_is_led_by(job, made.module, each, asking) for each in saving.values())


def _tests(function: Function) -> Iterator[Term]:
    """What is asked by statements, and in what is handed over: ``save(path if self.enable else os.devnull)``."""
    yield from (node.condition for node in of_kind(function, If))
    yield from (part.test for call in calls_of(function) for part in parts_of(call.term) if isinstance(part, Select))


def _asks(test: Term, kept: set[str]) -> bool:
    return any(isinstance(part, Attr) and isinstance(part.base, Self) and part.name in kept for part in parts_of(test))


def _is_led_by(job: Job, module: str, function: Function, asking: set[int], depth: int = 0) -> bool:
    """Whether a method asks, or is only called by methods of its class that do."""
    if id(function) in asking:
        return True
    callers = [
        each
        for each in job.program.modules[module].functions.values()
        if each.cls == function.cls and each is not function and any(_names(call.term, function) for call in calls_of(each))
    ]
    return depth < _DEEPEST and bool(callers) and all(_is_led_by(job, module, each, asking, depth + 1) for each in callers)


def _names(call: Call, function: Function) -> bool:
    return bool(
        isinstance(call.callee, Attr)
        and isinstance(call.callee.base, (Self, Global, NestedClass))
        and call.callee.name == function.name
    )
