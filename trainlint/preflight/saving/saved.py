"""What a job saves: where it writes checkpoints, and what their files are called."""

from __future__ import annotations

from collections.abc import Iterable

from trainlint.facts.call_graph import CallGraph, CallSite, last_name
from trainlint.facts.checkpoints.written import Save, Written
from trainlint.facts.contexts import activations
from trainlint.facts.files.operations import argument
from trainlint.facts.values import FunctionValue
from trainlint.ir.nodes import Attr, Call, Select, Term
from trainlint.ir.order import before
from trainlint.ir.sketch import CallStep, Exit, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.preflight.evidence.asking import runs, table, without_option
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence
from trainlint.preflight.saving.by_others import handed_states
from trainlint.preflight.saving.cached import is_of_data
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

_KEPT = frozenset(
    ("ckpt", "ckpts", "checkpoint", "checkpoints", "checkpointer", "snapshot", "snapshots", "prune", "rotate", "saver")
)
#: Of what speaks of a state, one word stands in each save of one.
STATES = frozenset(
    (
        "state_dict",
        "state",
        "states",
        "model",
        "module",
        "net",
        "network",
        "checkpoint",
        "ckpt",
        "snapshot",
        "weights",
        "params",
        "parameters",
        "optimizer",
        "ema",
        "dict",
        "generator",
        "discriminator",
        "encoder",
        "decoder",
        "best",
        "last",
        "unwrap_model",
        "copy",
        "deepcopy",
    )
)
#: What speaks of a file that holds no state: nobody goes on training from it.
_RESULTS = frozenset(
    (
        "eval",
        "evaluation",
        "result",
        "results",
        "metric",
        "metrics",
        "prediction",
        "predictions",
        "feature",
        "features",
        "embedding",
        "embeddings",
        "tensor",
        "tensors",
        "stats",
        "statistics",
        "score",
        "scores",
        "history",
    )
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
    own += handed_states(job)
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
    if (isinstance(term.args[0], Call) or not words.isdisjoint(_RESULTS)) and words.isdisjoint(STATES):
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
        for frame in activations(job.program, each.module, each.function)
    ]
    sharded += [
        Save(CallSite(each.module, each.function, CallStep(each.term, each.spot)), frame, given, argument(each.term, "0", "path"))
        for each in runs(job.trail.calls(table(job, "saves-with-states-second")))
        if isinstance(each.term, Call) and (given := argument(each.term, "1", "state")) is not None
        for frame in activations(job.program, each.module, each.function)
    ]
    return sharded + [
        each
        for each in job.program.ask(Written).saves
        if job.trail.reaches(each.site.function, each.site.module)
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
    words = frozenset(words_of(job.program, place.module, *to))
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
