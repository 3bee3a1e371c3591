"""What a job saves, by which calls and objects; and which saves are of data alone.

Which saves and loads are of data: processed files, caches. They have nothing to do with what a training has learned.

Nothing but words and classes tell: the words of what is saved and where, those of the callers that hand it over, and whether
all of it happens in a class of data.

Saves by what is not seen: methods of unknown libraries that are visibly handed states.

What a job saves: where it writes checkpoints, and what their files are called.

Objects that save states for others: what they are made with they save, and whether they write on one rank only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trainlint.app.preflight.evidence.answers import evidence, not_needed, runs, table, without_option
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.app.preflight.values.constants import leaves_of
from trainlint.app.preflight.values.words import handed, split, words_of
from trainlint.domains.checkpoints.saves import Save, Written
from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.files import argument
from trainlint.ir.bindings import held_at_end
from trainlint.ir.control_dependence import conditions
from trainlint.ir.nodes import (
    Attr,
    BoolOp,
    Call,
    Compare,
    Const,
    Dict,
    Not,
    Param,
    Ref,
    Select,
    Self,
    SequenceDisplay,
    Term,
)
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Exit, Function, Store
from trainlint.ir.terms import is_none, parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import CallGraph, CallSite, last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.origins import definitions
from trainlint.program.values import ClassValue, FunctionValue, Library

#: Words of data that are made ready, and kept.
_DATA = frozenset(
    (
        "dataset", "datasets", "processed", "preprocessed", "preprocess", "cache", "cached", "slices", "samples", "examples",
        "tokenized", "indices", "loader", "dataloader", "pre_transform", "pre_filter", "data_list",
    )
)  # fmt: skip
#: Words of the state of a training: a thing of which any speaks is no data.
_STATES = frozenset(
    (
        "state_dict", "state", "states", "model", "models", "module", "net", "network", "checkpoint", "checkpoints", "ckpt",
        "snapshot", "weights", "params", "parameters", "optimizer", "optim", "scheduler", "ema", "generator", "discriminator",
        "encoder", "decoder", "best", "last", "pretrained", "resume", "restore", "trainer", "unwrap_model",
    )
)  # fmt: skip
#: Words of what JAX learns.
_PICKLED = frozenset(("state", "states", "train_state", "opt_state", "params", "weights", "checkpoint", "ckpt"))
_TOP = "<module>"
_TORCH = frozenset(("torch.utils.data.Dataset", "torch.utils.data.IterableDataset"))


def is_of_data(job: Job, place: Place) -> bool:
    """Whether a save or a load is of data, whoever of the job comes to it."""
    if not isinstance(place.term, Call):
        return False
    waiting, seen = [_Saved(place.module, place.function, place.term)], set[tuple[int, Call, bool, bool]]()
    while waiting:
        path, function, call, in_data, says_so = waiting.pop()
        kept = (word for name, value in held_at_end(function).items() if value is call for word in split(name))
        words = frozenset((*_spoken(job, call), *kept, *(split(function.qualname) if function.name != _TOP else ())))
        if not words.isdisjoint(_STATES):
            return False
        in_data = in_data or _is_in_data(job, path, function)
        says_so = says_so or not words.isdisjoint(_DATA)
        key = (id(function), call, in_data, says_so)
        if key in seen:
            continue
        seen.add(key)
        if not any(isinstance(part, Param) and part.function == function.qualname for part in parts_of(*handed(call))):
            if not in_data and not says_so:
                return False
            continue
        sites = [
            _Saved(site.module, site.function, site.call.term, in_data, says_so)
            for site in job.program.ask(CallGraph).callers(function)
            if job.trail.reaches(site.function, site.module) and site.function is not function
        ]
        if not sites and not in_data:
            return False
        waiting += sites
    return True


class _Saved(NamedTuple):
    """A call of a function that leads to a save: whether one on the way is of a class of data, or speaks of data."""

    module: str
    function: Function
    call: Call
    in_data: bool = False
    says_so: bool = False


def _spoken(job: Job, call: Call) -> Iterator[str]:
    """The words of what a call is handed, and what it is a method of; of imports the last name alone."""
    base = (call.callee.base,) if isinstance(call.callee, Attr) and not isinstance(call.callee.base, (Ref, Self)) else ()
    yield from split(last_name(call.callee) or "")
    yield from (word for keyword, _ in call.kwargs if keyword for word in split(keyword))
    yield from words_of(job.program, *base, *handed(call))


def _is_in_data(job: Job, path: str, function: Function) -> bool:
    """Whether a function is a method of a class of data."""
    cls = job.program.modules[path].classes.get(function.cls) if function.cls is not None else None
    above = () if cls is None else job.program.lineage(ClassValue(path, cls))
    return any(isinstance(each, Library) and each.name in _TORCH for each in above)


#: What puts states together.
_GATHERS = frozenset(("dict", "OrderedDict"))


def handed_states(job: Job) -> list[Place]:
    """The calls of what is named ``save_…`` and is handed states: ``model.save_to_folder(folder, {"opt": opt.state_dict()})``.

    A function of the project is looked at itself.
    """
    gives = frozenset(table(job, "gives-states"))
    return [
        each
        for each in job.trail.places
        if isinstance(each.term, Call)
        and (last_name(each.term.callee) or "").startswith("save")
        and any(_holds_states(given, gives) for given in handed(each.term))
        and not is_of_project(job, each)
    ]


def _pickled_states(job: Job) -> list[Place]:
    """Where Python itself writes what a training of JAX has learned, whoever hands it over: ``pickle.dump(state, file)``."""
    found = runs(job.trail.calls(table(job, "pickles"))) if job.library == "jax" else []
    return [each for each in found if _hands_a_state(job, each)]


def _hands_a_state(job: Job, place: Place) -> bool:
    waiting, seen = [(place.function, place.term)], set[Term]()
    while waiting:
        function, call = waiting.pop()
        if call in seen or not isinstance(call, Call):
            continue
        seen.add(call)
        if not _PICKLED.isdisjoint(_spoken(job, call)):
            return True
        if any(isinstance(part, Param) and part.function == function.qualname for part in parts_of(*handed(call))):
            sites = job.program.ask(CallGraph).callers(function)
            waiting += [(each.function, each.call.term) for each in sites if job.trail.reaches(each.function, each.module)]
    return False


def _holds_states(term: Term, gives: frozenset[str]) -> bool:
    """Whether a state is handed over: itself, or in a dict or a list; not what is only computed from one."""
    return any(isinstance(each, Call) and last_name(each.callee) in gives for each in parts_through(term, _gathered))


def _gathered(part: Term) -> Sequence[Term]:
    if isinstance(part, Call):
        return list(handed(part)) if last_name(part.callee) in _GATHERS else ()
    if isinstance(part, Dict):
        return [value for _, value in part.items if value is not None]
    return part.subterms() if isinstance(part, SequenceDisplay) else ()


def is_of_project(job: Job, place: Place) -> bool:
    """Whether a call is seen to run functions of the project."""
    call = place.term
    if not isinstance(call, Call):
        return False
    frame = job.program.frame(place.module, place.function)
    found = [*job.program.values(call.callee, frame), *job.program.ask(CallGraph).targets(call, frame)]
    return any(isinstance(each, (FunctionValue, ClassValue)) for each in found) or bool(job.trail.method(call.callee))


_KEPT = frozenset(
    ("ckpt", "ckpts", "checkpoint", "checkpoints", "checkpointer", "snapshot", "snapshots", "prune", "rotate", "saver")
)
#: What saves checkpoints is called.
SAVERS = frozenset(("checkpoint", "checkpointer", "ckpt", "saver", "checkpoint_manager", "ckptr", "checkpoints"))
#: What an object does that was made to read a checkpoint.
_READING = frozenset(("restore", "read", "expect_partial", "assert_consumed", "assert_existing_objects_matched"))
#: What reads a file whole.
_READS = frozenset(("load", "open", "safe_open", "load_file", "load_safetensors", "torch_load", "read"))
#: Where things are put away.
_AWAY = frozenset(("backup", "backups", "bak", "old", "archive", "archived", "previous", "prev", "trash", "history"))
#: What makes a link: one that is there is removed before.
_LINKS = ("symlink_to", "symlink", "link_to", "hardlink_to", "link")


def saves_of(job: Job) -> list[Place]:
    """The calls in the files of a job that save a state."""
    own = [
        each
        for each in job.trail.calls([".save", ".save_ckpt"])
        if isinstance(each.term, Call) and not job.trail.words(each).isdisjoint(SAVERS)
    ]
    found = [each for each in job.trail.calls(table(job, "saves")) if not _saves_data(job, each) and not _only_reads(job, each)]
    if job.framework == "transformers":  # the trainer's own writes what was logged, and no checkpoint
        found = [each for each in found if not isinstance(each.term, Call) or last_name(each.term.callee) != "save_state"]
    if runs(found):
        own = [each for each in own if not job.trail.is_followed(each)]
    own += [*handed_states(job), *_pickled_states(job)]
    known = {(each.module, each.spot) for each in found}
    again = [*table(job, "handlers-that-save"), *(table(job, "callbacks-that-save") if job.framework == "keras" else ())]
    handlers = {each.term for each in job.trail.calls(again)}
    found = [
        each._replace(way=each.way._replace(looped=True)) if each.way is not None and each.term in handlers else each
        for each in found
    ]
    others = {(each.module, each.spot): each for each in own if (each.module, each.spot) not in known}
    return [*found, *others.values()]


def of_engine(job: Job, name: str, *, chosen: bool = False) -> list[Place]:
    """The calls of a method of DeepSpeed's engine, where what it is called of is not seen to be something else.

    ``chosen``: those that need an option, too.
    """
    if job.framework != "deepspeed":
        return []
    kept = runs if chosen else without_option
    index = job.program.ask(CallGraph)
    return [
        each
        for each in kept(job.trail.calls([f".{name}"]))
        if isinstance(each.term, Call)
        and isinstance(each.term.callee, Attr)
        and not any(
            isinstance(target, FunctionValue)
            for target in index.targets(each.term, job.program.frame(each.module, each.function))
        )
    ]


def _saves_data(job: Job, place: Place) -> bool:
    """Whether what ``torch.save`` is given has to do with no state: cached data, what an evaluation found, a probe's tensors."""
    term = place.term
    if not isinstance(term, Call) or last_name(term.callee) != "save" or not term.args:
        return False
    words = job.trail.words(place)
    results = isinstance(term.args[0], Call) or not words.isdisjoint(table(job, "words-of-results"))
    if results and words.isdisjoint(table(job, "words-of-states")):
        return True
    return is_of_data(job, place)


def _only_reads(job: Job, place: Place) -> bool:
    """Whether what could save is made to read: ``Checkpoint(model=net).restore(path)``; or only times what it looks at."""
    if not isinstance(place.term, Call) or job.trail.keys(place).isdisjoint(table(job, "holds-its-arguments")):
        return isinstance(place.term, Call) and (last_name(place.term.callee) or "").endswith(
            ("ProfilerHook", "SummarySaverHook")
        )
    done = set()
    for other in job.trail.inside(place):
        if isinstance(other.term, Call) and isinstance(other.term.callee, Attr) and other.term.callee.base is place.term:
            done.add(other.term.callee.name)
        elif isinstance(other.term, Call) and any(part is place.term for part in parts_of(*handed(other.term))):
            return False
    kept = any(part is place.term for node in of_kind(place.function, Store) for part in parts_of(node.value))
    given = any(node.value is place.term for node in of_kind(place.function, Exit))
    return not kept and not given and not done.isdisjoint(_READING) and done <= _READING


def own_saves(job: Job) -> list[Save]:
    """The saves of PyTorch that the job runs."""
    sharded = [
        Save(CallSite(each.module, each.function, CallStep(each.term, each.spot)), frame, given, path)
        for each in runs(job.trail.calls(table(job, "saves-sharded")))
        if isinstance(each.term, Call) and (given := argument(each.term, "0", "state_dict")) is not None
        for path in (argument(each.term, "99", "checkpoint_id"),)
        for frame in calling_contexts(job.program, each.module, each.function)
    ]
    sharded += [
        Save(CallSite(each.module, each.function, CallStep(each.term, each.spot)), frame, given, argument(each.term, "0", "path"))
        for each in runs(job.trail.calls(table(job, "saves-with-states-second")))
        if isinstance(each.term, Call) and (given := argument(each.term, "1", "state")) is not None
        for frame in calling_contexts(job.program, each.module, each.function)
    ]
    return sharded + [
        each
        for each in job.program.ask(Written).saves
        if job.trail.reaches(each.site.function, each.site.module)
        and (each.site.module, each.site.call.term.site) not in job.trail.never
        and not _saves_data(job, Place(each.site.module, each.site.function, each.site.call.term, each.site.call.term.site, None))
    ]


def when_saved(job: Job, places: Iterable[Place]) -> list[Place]:
    """Those that run whenever the job saves: without an option, or with the very option that its saves stand behind."""
    options = {each.way.option for each in runs(saves_of(job)) if each.way is not None}
    allowed = {None} if None in options else {None, *options}
    return [each for each in places if each.way is not None and each.way.option in allowed]


def places_of(found: list[Save]) -> tuple[Evidence, ...]:
    """Saves as evidence, the first few of them."""
    return by_line(Evidence(save.site.module, save.site.call.term.site, "this save") for save in found)[:3]


def by_line(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each line once, however many of its parts are evidence."""
    lines: dict[tuple[str, int], Evidence] = {}
    for each in found:
        lines.setdefault((each.path, each.spot.line), each)
    return tuple(lines.values())


def is_of_checkpoints(job: Job, place: Place) -> bool:
    """Whether what a call removes or moves is a checkpoint: by the words of it, or because its function saves."""
    if not isinstance(place.term, Call) or any(
        isinstance(each.term, Call) and last_name(each.term.callee) == "symlink" for each in job.trail.inside(place)
    ):
        return False
    if last_name(place.term.callee) not in ("remove", "unlink", "rmtree", "replace", "rename", "move"):
        return True
    words = {*job.trail.words(place), *split(place.function.qualname), *split(place.function.cls or "")}
    saved = {(each.module, each.spot) for each in saves_of(job)}
    own = place.function.cls
    near = any((each.module, each.spot) in saved for each in job.trail.inside(place)) or (
        own is not None and any(each.module == place.module and each.function.cls == own for each in saves_of(job))
    )
    return near or not words.isdisjoint(_KEPT)


def makes_way(job: Job, place: Place) -> bool:
    """Whether what a call removes is made anew by the same function: a file that is in the way of the next one."""
    call = place.term
    if not isinstance(call, Call):
        return False
    gone = call.callee.base if isinstance(call.callee, Attr) and not call.args else next(iter(call.args), None)
    if gone is None:
        return False
    return _is_written_anew(job, place, gone) or any(
        before(place.function, place.spot, each.spot)
        and isinstance(each.term, Call)
        and (
            each.term.callee == gone
            or gone in (*handed(each.term), each.term.callee.base if isinstance(each.term.callee, Attr) else None)
        )
        and (
            is_save(each)
            or last_name(each.term.callee) in ("mkdir", "makedirs", "open", "rename", "replace", "copytree", *_LINKS)
        )
        for each in job.trail.inside(place)
    )


def _is_written_anew(job: Job, place: Place, gone: Term) -> bool:
    """Whether a function reads a file, removes it, and saves then: it writes what it read in another way."""
    files = {gone, *(gone.arms if isinstance(gone, Select) else ())}
    others = [each for each in job.trail.inside(place) if isinstance(each.term, Call)]
    reads = any(
        isinstance(each.term, Call)
        and before(place.function, each.spot, place.spot)
        and last_name(each.term.callee) in _READS
        and not files.isdisjoint(handed(each.term))
        for each in others
    )
    return reads and any(before(place.function, place.spot, each.spot) and is_save(each) for each in others)


def is_put_away(job: Job, place: Place) -> bool:
    """Whether what is moved is only put away: a folder or file that is there already becomes a backup."""
    to = place.term.args[-1:] if isinstance(place.term, Call) else ()
    words = frozenset(words_of(job.program, *to))
    return not words.isdisjoint(_AWAY) or any("backup" in each or each.startswith("old_") for each in words)


def keeps_the_last(job: Job, place: Place) -> bool:
    """Whether a function puts the last file away before it writes the next one: ``rename(path, old)``, ``save(path)``."""
    return is_put_away(job, place) and any(
        before(place.function, place.spot, each.spot) and is_save(each) for each in job.trail.inside(place)
    )


def is_save(place: Place) -> bool:
    """Whether what is called is named after a save."""
    return (
        (last_name(place.term.callee if isinstance(place.term, Call) else place.term) or "").lower().startswith(("save", "_save"))
    )


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
    yield from (name for name, value in pairs if value is None or not is_none(value))


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


def of_composer(job: Job, *, pruned: bool = False) -> Line:
    """What Composer's trainer does by itself (0.32): it saves each epoch where it is told a folder, and keeps all."""
    places = job.trail.calls(["save_folder="])
    if not runs(places):
        why = "Whether the trainer saves, `save_folder` decides, which is not in the code."
        return Line(Verdict.UNKNOWN, why, evidence(places), "print the folder, and look into it after some saves")
    if pruned:
        why = "`save_num_checkpoints_to_keep` is -1, and all are kept."
        return Line(Verdict.MISSING, why, evidence(places))
    return not_needed(job, "The trainer saves in each epoch by default.")


def of_one_rank(job: Job) -> list[Place]:
    """Where a saver is made that is told by a test of the rank whether it writes (``save_to_disk=rank == 0``).

    Or the saves, if each of them asks what its object was told so: ``save(path if self.enable else os.devnull)``.
    """
    saves = runs(saves_of(job))
    told = [
        each
        for each in runs(job.trail.calls(["save_to_disk="]))
        if isinstance(each.term, Call) and _asks_a_rank(job, dict(each.term.kwargs)["save_to_disk"])
    ]
    return told or (saves if all(_is_told_its_rank(job, each) for each in saves) else [])


def _is_told_its_rank(job: Job, place: Place) -> bool:
    """Whether a save, whoever comes to it, asks for something that is a test of the rank where its object is made."""
    tests = [part.test for part in parts_of(place.term) if isinstance(part, Select)]
    tests += [test for test, _ in conditions(led_to(place.function, place.term))]
    asked = [leaf for test in tests for leaf in leaves_of(test) if isinstance(leaf, (Attr, Param))]
    return bool(asked) and all(
        any(made is not None and _asks_a_rank(job, made.term) for each in asked for made in definitions(job.program, each, frame))
        for frame in calling_contexts(job.program, place.module, place.function)
    )


def _asks_a_rank(job: Job, value: Term) -> bool:
    """Whether a value is a test of the rank: not the rank itself, and nothing that is only called after it."""
    if not isinstance(value, (Compare, Not, BoolOp, Call)):
        return False
    return not frozenset(table(job, "rank-words")).isdisjoint(words_of(job.program, value)) and (
        not isinstance(value, Call)
        or any(word in ("is", "main", "master", "zero", "primary", "chief") for word in split(str(value.callee.parts[-1])))
    )
