"""What becomes of the files of checkpoints: old ones are removed, or written over, and whether one is whole that is cut off."""

from __future__ import annotations

from trainlint.ir.nodes import Call
from trainlint.preflight.evidence.asking import (
    argument_of_trainer,
    evidence,
    is_switch,
    judged,
    not_needed,
    runs,
    table,
    without_doubt,
    without_saves,
)
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence, Line, Verdict
from trainlint.preflight.saving.ends import callbacks_of_keras, has_own_files
from trainlint.preflight.saving.files import files_of, picked
from trainlint.preflight.saving.one_name import by_one_name, keeps_all
from trainlint.preflight.saving.orbax import keeps_few
from trainlint.preflight.saving.saved import (
    is_of_checkpoints,
    is_put_away,
    keeps_the_last,
    makes_way,
    saves_of,
    when_saved,
)
from trainlint.preflight.saving.savers import of_composer
from trainlint.preflight.ways import Place

_TRAINERS = ("lightning", "transformers")
#: What an option is called that has old checkpoints removed.
_KEEPING = ("keep", "delete", "remove", "prune", "rotate", "limit", "overwrite", "clean")


def pruned(job: Job) -> Line:
    """Something that removes old files, or one file that is written again and again."""
    if not saves_of(job) and job.does_itself:
        return without_saves(job, "pruned")
    found = [each for each in job.trail.calls(table(job, "prunes")) if is_of_checkpoints(job, each) and not makes_way(job, each)]
    found = [without_doubt(each, _KEEPING) for each in (*found, *keeps_few(job))]
    always = [each for each in when_saved(job, found) if not has_own_files(job, each)]
    if always:
        return Line("pruned", Verdict.SEEN, "Old ones are removed.", evidence(always))
    if job.framework == "lightning":
        everything = [
            each for each in job.trail.places if each.way is not None and isinstance(each.term, Call) and keeps_all(each)
        ]
        if everything:
            return Line("pruned", Verdict.MISSING, "`save_top_k=-1` keeps all of them.", evidence(everything))
        return not_needed(job, "pruned", "The trainer keeps the last (or best) one unless it is told otherwise.")
    if job.framework == "transformers":
        return argument_of_trainer(job, "pruned", "save_total_limit", "not set, and all are kept")
    if not saves_of(job):
        return without_saves(job, "pruned")
    again = callbacks_of_keras(job)
    if again and not any(each.way is not None for each in found if each.term not in {one.term for one in again}):
        own = [each for each in again if has_own_files(job, each)]
        if own:
            return Line("pruned", Verdict.MISSING, "Saves have files of their own, and none is removed.", evidence(own))
        if all(has_own_files(job, each) is False for each in again):
            return not_needed(job, "pruned", "The same files are written again.")
    if job.framework == "composer" and not [each for each in found if each.way is not None or each.is_unsaid]:
        return of_composer(job, "pruned")
    numbered, fixed = files_of(job)
    looped = [each for each in runs(saves_of(job)) if each.way is not None and each.way.looped]
    decided = [each for each in found if each.way is not None or each.is_unsaid]
    if decided and (numbered or not fixed or not looped):
        return judged(job, "pruned", decided, seen="Old ones are removed.", missing="", words=_KEEPING)
    if numbered and looped:
        return _of_own_files(job, numbered, found)
    if fixed and looped:
        return not_needed(job, "pruned", "The same files are written again.")
    if runs(saves_of(job)) and not looped:
        return not_needed(job, "pruned", "It saves once.")
    return Line(
        "pruned",
        Verdict.UNKNOWN,
        "Whether the files have other names each time is not seen.",
        evidence(saves_of(job)),
        "count the files after some saves",
    )


def _switched(job: Job, name: str) -> Line | None:
    """The line of saves that all stand behind the one switch of everything that keeps checkpoints."""
    found = runs(saves_of(job))
    options = {each.way.option for each in found if each.way is not None}
    option = next(iter(options)) if len(options) == 1 else None
    if option is None or not is_switch(option):
        return None
    written = job.options.written(option)
    why = f"It saves only with {written}, which is off unless it is said."
    return Line(name, Verdict.UNKNOWN, why, evidence(found), f"start it with {written}")


def _of_own_files(job: Job, numbered: list[Evidence], found: list[Place]) -> Line:
    """The line of saves that have names of their own, where nothing is seen to remove old ones."""
    choice = picked(job, fixed=False) if not found else None
    if choice is not None:
        return _of_choice("pruned", *choice)
    if job.trail.is_dynamic and found:
        why = "Old ones are removed in a place that the training is not seen to reach: parts of it are named in a configuration."
        return Line("pruned", Verdict.UNKNOWN, why, evidence(found), "count the files after some saves")
    return _switched(job, "pruned") or Line(
        "pruned", Verdict.MISSING, "Saves have files of their own, and none is removed.", tuple(numbered[:3])
    )


def _of_choice(name: str, option: str, places: tuple[Evidence, ...]) -> Line:
    """The line of saves that have names of their own or one name, as an option says which has no value unless it is said."""
    why = f"{option} decides whether saves have files of their own or one that is written over; its value is not in the code."
    return Line(name, Verdict.UNKNOWN, why, places, f"look whether the job is started with {option}")


def atomic(job: Job) -> Line:
    """A file that gets its name when it is whole, or another file each time."""
    moved = [each for each in runs(job.trail.calls(table(job, "moves"))) if is_of_checkpoints(job, each)]
    moves = [each for each in moved if not is_put_away(job, each)]
    if not saves_of(job) and job.does_itself:
        return without_saves(job, "atomic")
    if job.framework == "lightning" and (over_one := by_one_name(job)) is not None:
        return over_one
    if job.framework in (*_TRAINERS, "composer"):
        return not_needed(job, "atomic", "The trainer writes each checkpoint to a place of its own.")
    always = when_saved(job, moves)
    if always:
        return Line("atomic", Verdict.SEEN, "A file gets its name when it is written.", evidence(always))
    away = when_saved(job, [each for each in moved if keeps_the_last(job, each)])
    if away:
        return Line("atomic", Verdict.SEEN, "The last one is put away before the next is written.", evidence(away))
    again = callbacks_of_keras(job)
    if again and all(has_own_files(job, each) for each in again):
        return not_needed(job, "atomic", "Saves have files of their own: the one before stays whole.")
    if again and any(has_own_files(job, each) is False for each in again):
        over = [each for each in again if has_own_files(job, each) is False]
        why = "The file is written over: cut off, neither it nor the last one is left."
        return Line("atomic", Verdict.MISSING, why, evidence(over))
    careful = when_saved(job, job.trail.calls(table(job, "saves-atomically")))
    if careful:
        return not_needed(job, "atomic", "What saves here writes beside the last one, and names it in the end.")
    numbered, fixed = files_of(job, resumed=True)
    looped = [each for each in runs(saves_of(job)) if each.way is not None and each.way.looped]
    if not looped and runs(saves_of(job)):
        return not_needed(job, "atomic", "It saves once: there is no earlier one to lose.")
    if numbered and not fixed:
        return not_needed(job, "atomic", "Saves have files of their own: the one before stays whole.")
    if moves:
        return judged(job, "atomic", moves, seen="A file gets its name when it is written.", missing="")
    choice = picked(job, fixed=True) if fixed and numbered else None
    if choice is not None:
        return _of_choice("atomic", *choice)
    if fixed:
        why = "The file is written over: cut off, neither it nor the last one is left."
        return _switched(job, "atomic") or Line("atomic", Verdict.MISSING, why, tuple(fixed[:3]))
    return Line(
        "atomic",
        Verdict.UNKNOWN,
        "Whether a file is written over is not seen.",
        evidence(saves_of(job)),
        "look at the names of the files",
    )
