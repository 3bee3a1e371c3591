"""What a job saves: where it writes checkpoints, and what their files are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trainlint.facts.calls import CallSite, calls, last_name
from trainlint.facts.checkpoints.names import Shape, is_fixed, is_numbered
from trainlint.facts.checkpoints.written import Save, written
from trainlint.facts.contexts import activations
from trainlint.facts.files.operations import argument
from trainlint.facts.uses import is_comprehension
from trainlint.facts.values import FunctionValue
from trainlint.model.sketch import Call, Exit, Loop, Store
from trainlint.model.terms import Term, parts_of
from trainlint.model.walk import of_kind
from trainlint.preflight.evidence.asking import runs, table, without_option
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence
from trainlint.preflight.saving.cached import is_of_data
from trainlint.preflight.saving.hooked import shapes_of
from trainlint.preflight.values.words import handed, split, words_of
from trainlint.preflight.ways import Place

_KEPT = frozenset(
    ("ckpt", "ckpts", "checkpoint", "checkpoints", "checkpointer", "snapshot", "snapshots", "prune", "rotate", "saver")
)
#: Of what speaks of a state, one word stands in each save of one.
_STATES = frozenset(
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
_SAVERS = frozenset(("checkpoint", "checkpointer", "ckpt", "saver", "checkpoint_manager", "ckptr", "checkpoints"))
#: A whole name of a file, and who only tells of names.
_FILE = re.compile(r"\w\w\.\w")
_TELLS = frozenset(
    ("print", "info", "log", "debug", "warning", "print_log", "write", "replace", "split", "startswith", "glob", "master_print")
)
#: What an object does that was made to read a checkpoint.
_READING = frozenset(("restore", "read", "expect_partial", "assert_consumed", "assert_existing_objects_matched"))
#: What reads a file whole.
_READS = frozenset(("load", "open", "safe_open", "load_file", "load_safetensors", "torch_load", "read"))
#: Methods of objects that write the file which they are told first.
_TAKE_PATHS = frozenset(("save_weights", "save_pretrained", "save_model", "save_to_file", "save_lora_weights"))
#: Where things are put away.
_AWAY = frozenset(("backup", "backups", "bak", "old", "archive", "archived", "previous", "prev", "trash", "history"))
#: What folders are called.
_FOLDERS = frozenset(("dir", "directory", "folder"))
#: What names of checkpoints end in or hold, and what counts in them.
_ENDINGS = (".pt", ".pth", ".ckpt", ".bin", ".tar", ".pkl", ".h5", ".safetensors", "checkpoint", "ckpt", "epoch_", "step_")
_NUMBERS = frozenset(
    (
        "epoch",
        "step",
        "global_step",
        "iter",
        "iteration",
        "completed_steps",
        "overall_step",
        "enumerate",
        "range",
        "num_updates",
        "trange",
    )
)


def saves_of(job: Job) -> list[Place]:
    """The calls in the files of a job that save a state."""
    own = [
        each
        for each in job.trail.calls([".save", ".save_ckpt"])
        if each.term[0] == "call" and not job.trail.words(each).isdisjoint(_SAVERS)
    ]
    found = [each for each in job.trail.calls(table(job, "saves")) if not _saves_data(job, each) and not _only_reads(job, each)]
    if job.framework == "transformers":  # the trainer's own writes what was logged, and no checkpoint
        found = [each for each in found if each.term[0] != "call" or last_name(each.term[1]) != "save_state"]
    if runs(found):
        own = [each for each in own if not job.trail.is_followed(each)]
    known = {(each.module, each.spot) for each in found}
    again = [*table(job, "handlers-that-save"), *(table(job, "callbacks-that-save") if job.framework == "keras" else ())]
    handlers = {each.term for each in job.trail.calls(again)}
    found = [
        each._replace(way=each.way._replace(looped=True)) if each.way is not None and each.term in handlers else each
        for each in found
    ]
    return [*found, *(each for each in own if (each.module, each.spot) not in known)]


def of_engine(job: Job, name: str, *, chosen: bool = False) -> list[Place]:
    """The calls of a method of DeepSpeed's engine, where what it is called of is not seen to be something else.

    ``chosen``: those that need an option, too.
    """
    if job.framework != "deepspeed":
        return []
    kept = runs if chosen else without_option
    found = [each for each in kept(job.trail.calls([f".{name}"])) if each.term[0] == "call" and each.term[1][0] == "a"]
    index = calls(job.program)
    return [
        each
        for each in found
        if not any(
            isinstance(target, FunctionValue)
            for target in index.targets(each.term, job.program.frame(each.module, each.function))
        )
    ]


def _saves_data(job: Job, place: Place) -> bool:
    """Whether what ``torch.save`` is given has to do with no state: cached data, what an evaluation found, a probe's tensors."""
    term = place.term
    if term[0] != "call" or last_name(term[1]) != "save" or not term[2]:
        return False
    words = job.trail.words(place)
    if (term[2][0][0] == "call" or not words.isdisjoint(_RESULTS)) and words.isdisjoint(_STATES):
        return True
    return is_of_data(job, place)


def _only_reads(job: Job, place: Place) -> bool:
    """Whether what could save is made to read: ``Checkpoint(model=net).restore(path)``; or only times what it looks at."""
    if place.term[0] != "call" or job.trail.keys(place).isdisjoint(table(job, "holds-its-arguments")):
        return place.term[0] == "call" and (last_name(place.term[1]) or "").endswith(("ProfilerHook", "SummarySaverHook"))
    done = set()
    for other in job.trail.inside(place):
        if other.term[0] == "call" and other.term[1][0] == "a" and other.term[1][1] is place.term:
            done.add(other.term[1][2])
        elif other.term[0] == "call" and any(part is place.term for part in parts_of(*handed(other.term))):
            return False
    kept = any(part is place.term for node in of_kind(place.function, Store) for part in parts_of(node.value))
    given = any(node.value is place.term for node in of_kind(place.function, Exit))
    return not kept and not given and not done.isdisjoint(_READING) and done <= _READING


def own_saves(job: Job) -> list[Save]:
    """The saves of PyTorch that the job runs."""
    sharded = [
        Save(CallSite(each.module, each.function, Call(each.term, each.spot)), frame, given, path)
        for each in runs(job.trail.calls(table(job, "saves-sharded")))
        if (given := argument(each.term, "0", "state_dict")) is not None
        for path in (argument(each.term, "99", "checkpoint_id"),)
        for frame in activations(job.program, each.module, each.function)
    ]
    sharded += [
        Save(CallSite(each.module, each.function, Call(each.term, each.spot)), frame, given, argument(each.term, "0", "path"))
        for each in runs(job.trail.calls(table(job, "saves-with-states-second")))
        if (given := argument(each.term, "1", "state")) is not None
        for frame in activations(job.program, each.module, each.function)
    ]
    return sharded + [
        each
        for each in written(job.program).saves
        if job.trail.reaches(each.site.function, each.site.module)
        and not _saves_data(job, Place(each.site.module, each.site.function, each.site.call.term, each.site.call.term[4], None))
    ]


def when_saved(job: Job, places: Iterable[Place]) -> list[Place]:
    """Those that run whenever the job saves: without an option, or with the very option that its saves stand behind."""
    options = {each.way.option for each in runs(saves_of(job)) if each.way is not None}
    allowed = {None} if None in options else {None, *options}
    return [each for each in places if each.way is not None and each.way.option in allowed]


def places_of(found: list[Save]) -> tuple[Evidence, ...]:
    """Saves as evidence, the first few of them."""
    return _by_line(Evidence(save.site.module, save.site.call.term[4], "this save") for save in found)[:3]


def _by_line(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each line once, however many of its parts are evidence."""
    lines: dict[tuple[str, int], Evidence] = {}
    for each in found:
        lines.setdefault((each.path, each.spot.line), each)
    return tuple(lines.values())


def files_of(job: Job) -> tuple[list[Evidence], list[Evidence]]:
    """Where the names of saved files are put together: with a number in them, and without.

    What is saved once, before or behind the loop, writes over nothing of it.
    """
    own = own_saves(job)
    own = [save for save in own if _is_looped(job, save)] or own
    shapes = [(save, shape) for save in own if save.path is not None for shape in shapes_of(job, save.path, save.frame)]
    optional = {
        each.term for each in job.trail.calls(table(job, "saves")) if each.way is not None and each.way.option is not None
    }
    shapes = [(save, shape) for save, shape in shapes if save.site.call.term not in optional] or shapes
    told = [(each, shape) for each, shape in _told_paths(job) if each.term not in {save.site.call.term for save in own}]
    numbered = list(places_of([save for save, shape in shapes if is_numbered(shape)]))
    numbered += [Evidence(each.module, each.spot, "this save") for each, shape in told if is_numbered(shape)]
    fixed = list(places_of([save for save, shape in shapes if is_fixed(shape)]))
    fixed += [Evidence(each.module, each.spot, "this save") for each, shape in told if is_fixed(shape)]
    settled = {save.site.call.term for save, shape in shapes if is_fixed(shape)}
    settled.update(part for save in own for part in parts_of(save.given) if part[0] == "call")  # a state is no name
    if not numbered:
        around_saves = [each for each in job.trail.places if each.way is not None and _is_save(each)]
        plain = [each for each in around_saves if each.way is not None and each.way.option is None] or around_saves
        around = {id(each.function) for each in plain}
        for place in job.trail.places:
            if id(place.function) not in around or place.way is None or not place.way.looped or last_name(place.term) in _TELLS:
                continue
            if (place.way.option is not None and plain is not around_saves) or place.term in settled:
                continue
            for texts, words in job.trail.texts(place):
                if not any(name in text for text in texts for name in _ENDINGS):
                    continue
                if not words.isdisjoint(_NUMBERS):
                    numbered.append(Evidence(place.module, place.spot, "this name"))
                elif not words and _is_save(place) and _FILE.search(texts[0]) and not _is_told_folder(job, place):
                    fixed.append(Evidence(place.module, place.spot, "this name"))
    return list(_by_line(numbered)), list(_by_line(fixed))


def _told_paths(job: Job) -> Iterator[tuple[Place, Shape]]:
    """The saves in the loop by objects that are told a path, and whose code is not seen: each with what its path may be."""
    found = saves_of(job)
    for place in without_option(found) or runs(found):
        term = place.term
        if place.way is None or not place.way.looped or term[0] != "call" or last_name(term[1]) not in _TAKE_PATHS or not term[2]:
            continue
        for frame in activations(job.program, place.module, place.function):
            yield from ((place, shape) for shape in shapes_of(job, term[2][0], frame))


def _is_told_folder(job: Job, place: Place) -> bool:
    """Whether a save is handed a folder before its file's name, there may be one for each save: ``save(folder, "train.pt")``."""
    before = place.term[2][:1] if place.term[0] == "call" else ()
    words = {word for each in before if each[0] != "c" for word in words_of(job.program, place.module, each)}
    return bool(words) and (not _FOLDERS.isdisjoint(words) or words.isdisjoint((*_STATES, *_SAVERS)))


def _is_looped(job: Job, save: Save) -> bool:
    """Whether a save, as it is called here, is done again and again."""
    outermost = save.site.function
    for frame, call in save.leading():
        if any(loop.spot.holds(call[4]) for loop in of_kind(frame.function, Loop) if not is_comprehension(loop)):
            return True
        outermost = frame.function
    way = job.trail.run.get(id(outermost))
    return way is not None and way.looped


def is_of_checkpoints(job: Job, place: Place) -> bool:
    """Whether what a call removes or moves is a checkpoint: by the words of it, or because its function saves."""
    if place.term[0] != "call" or any(
        each.term[0] == "call" and last_name(each.term[1]) == "symlink" for each in job.trail.inside(place)
    ):
        return False
    if last_name(place.term[1]) not in ("remove", "unlink", "rmtree", "replace", "rename", "move"):
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
    gone = place.term[1][1] if place.term[1][0] == "a" and not place.term[2] else next(iter(place.term[2]), None)
    if gone is None or place.term[0] != "call":
        return False
    return _is_written_anew(job, place, gone) or any(
        each.spot > place.spot
        and each.term[0] == "call"
        and (each.term[1] == gone or gone in (*handed(each.term), each.term[1][1] if each.term[1][0] == "a" else None))
        and (_is_save(each) or last_name(each.term[1]) in ("mkdir", "makedirs", "open", "rename", "replace", "copytree"))
        for each in job.trail.inside(place)
    )


def _is_written_anew(job: Job, place: Place, gone: Term) -> bool:
    """Whether a function reads a file, removes it, and saves then: it writes what it read in another way."""
    files = {gone, *(gone[2:] if gone[0] == "if" else ())}
    others = [each for each in job.trail.inside(place) if each.term[0] == "call"]
    reads = any(
        each.spot < place.spot and last_name(each.term[1]) in _READS and not files.isdisjoint(handed(each.term))
        for each in others
    )
    return reads and any(each.spot > place.spot and _is_save(each) for each in others)


def is_put_away(job: Job, place: Place) -> bool:
    """Whether what is moved is only put away: a folder or file that is there already becomes a backup."""
    to = place.term[2][-1:] if place.term[0] == "call" else ()
    words = frozenset(words_of(job.program, place.module, *to))
    return not words.isdisjoint(_AWAY) or any("backup" in each or each.startswith("old_") for each in words)


def keeps_the_last(job: Job, place: Place) -> bool:
    """Whether a function puts the last file away before it writes the next one: ``rename(path, old)``, ``save(path)``."""
    return is_put_away(job, place) and any(each.spot > place.spot and _is_save(each) for each in job.trail.inside(place))


def _is_save(place: Place) -> bool:
    return (last_name(place.term[1] if place.term[0] == "call" else place.term) or "").lower().startswith(("save", "_save"))
