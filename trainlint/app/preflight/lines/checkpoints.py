"""What is kept of the job: saves, what is in them, when, how long; and how it goes on when it was ended.

What becomes of the files of checkpoints: old ones are removed, or written over, and whether one is whole that is cut
off.

What becomes of a job whose machine is taken away: handlers of signals, and those who submit it again.
"""

from __future__ import annotations

from trainlint.app.preflight.evidence.answers import (
    FAULTS,
    KEPT,
    SAVING,
    Lines,
    argument_of_trainer,
    by_framework,
    by_option_of_trainer,
    evidence,
    is_switch,
    judged,
    not_needed,
    runs,
    table,
    without_doubt,
    without_option,
    without_saves,
)
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.app.preflight.saving.checkpoint_callbacks import (
    by_one_name,
    callbacks_of_keras,
    has_own_files,
    holds_weights_alone,
    keeps_all,
)
from trainlint.app.preflight.saving.files import OPTIMIZERS, files_of, picked
from trainlint.app.preflight.saving.orbax import keeps_few, preempted, restored, resumed, saved_whole
from trainlint.app.preflight.saving.saves import (
    holders,
    is_of_checkpoints,
    is_of_data,
    is_of_project,
    is_put_away,
    keeps_the_last,
    makes_way,
    of_composer,
    of_engine,
    own_saves,
    places_of,
    saves_of,
    weights_only,
    when_saved,
)
from trainlint.app.preflight.saving.state_registries import LOADS, SAVES, is_of_unknown, registered
from trainlint.app.preflight.values.words import handed, split, words_of
from trainlint.domains.checkpoints.saves import Save, Written
from trainlint.flow.objects import Things
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Const, Global, Kwargs, LoopPhi, Ref, Subscript, Term
from trainlint.ir.sketch import Exit, Keep
from trainlint.ir.terms import is_none, parts_of
from trainlint.program.call_graph import CallGraph, last_name
from trainlint.program.program import calls_of
from trainlint.program.values import ClassValue, FunctionValue, Library, names_class

_TRAINERS = ("lightning", "transformers")
#: What an option is called that has old checkpoints removed.
_KEEPING = ("keep", "delete", "remove", "prune", "rotate", "limit", "overwrite", "clean")


def pruned(job: Job) -> Line:
    """Something that removes old files, or one file that is written again and again."""
    if not saves_of(job) and job.does_itself:
        return without_saves(job)
    found = [each for each in job.trail.calls(table(job, "prunes")) if is_of_checkpoints(job, each) and not makes_way(job, each)]
    found = [without_doubt(each, _KEEPING) for each in (*found, *keeps_few(job))]
    if job.framework == "lightning":
        everything = [each for each in job.trail.places if each.way is not None and keeps_all(each)]
        if everything:
            return Line(Verdict.MISSING, "`save_top_k=-1` keeps all of them.", evidence(everything))
    always = [each for each in when_saved(job, found) if not has_own_files(job, each)]
    if always:
        return Line(Verdict.SEEN, "Old ones are removed.", evidence(always))
    if job.framework == "lightning":
        return not_needed(job, "The trainer keeps the last (or best) one by default.")
    if job.framework == "transformers":
        return argument_of_trainer(job, "pruned", "save_total_limit", "not set, and all are kept")
    if not saves_of(job):
        return without_saves(job)
    again = callbacks_of_keras(job)
    if again and not any(each.way is not None for each in found if each.term not in {one.term for one in again}):
        own = [each for each in again if has_own_files(job, each)]
        if own:
            return Line(Verdict.MISSING, "Saves have files of their own, and none is removed.", evidence(own))
        if all(has_own_files(job, each) is False for each in again):
            return not_needed(job, "The same files are overwritten.")
    if job.framework == "composer" and not [each for each in found if each.way is not None or each.is_unsaid]:
        return of_composer(job, pruned=True)
    numbered, fixed = files_of(job)
    looped = [each for each in runs(saves_of(job)) if each.way is not None and each.way.looped]
    decided = [each for each in found if each.way is not None or each.is_unsaid]
    if decided and (numbered or not fixed or not looped):
        return judged(job, "pruned", decided, seen="Old ones are removed.", missing="", words=_KEEPING)
    if numbered and looped:
        return _of_own_files(job, numbered, found)
    if fixed and looped:
        return not_needed(job, "The same files are overwritten.")
    if runs(saves_of(job)) and not looped:
        return not_needed(job, "It saves once.")
    return Line(
        Verdict.UNKNOWN,
        "Whether the files have other names each time could not be determined.",
        evidence(saves_of(job)),
        "count the files after some saves",
    )


def _switched(job: Job) -> Line | None:
    """The line of saves that all stand behind the one switch of everything that keeps checkpoints."""
    found = runs(saves_of(job))
    options = {each.way.option for each in found if each.way is not None}
    option = next(iter(options)) if len(options) == 1 else None
    if option is None or not is_switch(option):
        return None
    written = job.options.written(option)
    why = f"It saves only with {written}, which is off by default."
    return Line(Verdict.UNKNOWN, why, evidence(found), f"start it with {written}")


def _of_own_files(job: Job, numbered: list[Evidence], found: list[Place]) -> Line:
    """The line of saves that have names of their own, where nothing is seen to remove old ones."""
    choice = picked(job, fixed=False) if not found else None
    if choice is not None:
        return _of_choice(*choice)
    if job.trail.is_dynamic and found:
        why = "Old ones are removed in a place that the training is not seen to reach: parts of it are named in a configuration."
        return Line(Verdict.UNKNOWN, why, evidence(found), "count the files after some saves")
    return _switched(job) or Line(Verdict.MISSING, "Saves have files of their own, and none is removed.", tuple(numbered[:3]))


def _of_choice(option: str, places: tuple[Evidence, ...]) -> Line:
    """The line of saves that have names of their own or one name, as an option says which has no value unless it is said."""
    why = f"{option} decides whether saves have files of their own or one that is written over; its value is not in the code."
    return Line(Verdict.UNKNOWN, why, places, f"look whether the job is started with {option}")


def atomic(job: Job) -> Line:
    """A file that gets its name when it is whole, or another file each time."""
    moved = [each for each in runs(job.trail.calls(table(job, "moves"))) if is_of_checkpoints(job, each)]
    moves = [each for each in moved if not is_put_away(job, each)]
    if not saves_of(job) and job.does_itself:
        return without_saves(job)
    if job.framework == "lightning" and (over_one := by_one_name(job)) is not None:
        return over_one
    if job.framework in (*_TRAINERS, "composer"):
        return not_needed(job, "The trainer writes each checkpoint to a place of its own.")
    always = when_saved(job, moves)
    if always:
        return Line(Verdict.SEEN, "A file gets its name when it is written.", evidence(always))
    away = when_saved(job, [each for each in moved if keeps_the_last(job, each)])
    if away:
        return Line(Verdict.SEEN, "The last one is put away before the next is written.", evidence(away))
    again = callbacks_of_keras(job)
    if again and all(has_own_files(job, each) for each in again):
        return not_needed(job, "Saves have files of their own: the one before stays whole.")
    if again and any(has_own_files(job, each) is False for each in again):
        over = [each for each in again if has_own_files(job, each) is False]
        why = "The file is overwritten in place: if the job is killed meanwhile, neither it nor the one before is left."
        return Line(Verdict.MISSING, why, evidence(over))
    careful = when_saved(job, job.trail.calls(table(job, "saves-atomically")))
    if careful:
        return not_needed(job, "What saves here writes beside the last one, and names it in the end.")
    numbered, fixed = files_of(job, resumed=True)
    looped = [each for each in runs(saves_of(job)) if each.way is not None and each.way.looped]
    if not looped and runs(saves_of(job)):
        return not_needed(job, "It saves once: there is no earlier one to lose.")
    if numbered and not fixed:
        return not_needed(job, "Saves have files of their own: the one before stays whole.")
    if moves:
        return judged(job, "atomic", moves, seen="A file gets its name when it is written.", missing="")
    choice = picked(job, fixed=True) if fixed and numbered else None
    if choice is not None:
        return _of_choice(*choice)
    if fixed:
        why = "The file is overwritten in place: if the job is killed meanwhile, neither it nor the one before is left."
        return _switched(job) or Line(Verdict.MISSING, why, tuple(fixed[:3]))
    return Line(
        Verdict.UNKNOWN,
        "Whether a file is overwritten could not be determined.",
        evidence(saves_of(job)),
        "look at the names of the files",
    )


#: Errors that say that something failed, and nothing more.
_ERRORS = ("Exception", "RuntimeError", "ChildFailedError", "ChildProcessError", "SystemError")


def requeued(job: Job) -> Line | None:
    """The line of a job that is submitted by a script which says what becomes of it when it is taken away."""
    starter = next((each for each in job.starters if each.requeues is not None), None)
    if starter is None or starter.requeues is None:
        return None
    if all(each.path != job.path for each in job.launches):
        return Line(Verdict.SEEN, "The job is submitted again when it is preempted.", (starter.requeues,))
    script = starter.path.rpartition("/")[2]
    why = f"It is submitted again when {script} has started it, and ends where it stands when other lines have."
    return Line(Verdict.UNKNOWN, why, (starter.requeues,), f"look whether the job is started by {script}")


def by_trainer(job: Job) -> Line | None:
    """The line of a job whose options are those of a trainer that has one for this, in releases that the files ask for."""
    since = table(job, "trainer-handles-signals-since")[0]
    if job.framework != "transformers" or not job.trail.calls(table(job, "parsed-arguments")):
        return None
    if job.asks_below("transformers", since) is not None or (newer := job.asks_for("transformers", since)) is None:
        return None
    why = f"`--enable_jit_checkpoint` has the trainer save at a SIGTERM since {since}, and is off by default."
    return Line(Verdict.UNKNOWN, why, (newer,), "look whether the job is started with --enable_jit_checkpoint")


def may_end(job: Job, place: Place) -> bool:
    """Whether a handler is for a signal by which machines are taken away: not for a key that was pressed, an alarm, a child.

    Of signals in a loop, ``for each in (SIGINT, SIGTERM)``, one is enough.
    """
    if not isinstance(place.term, Call) or not place.term.args:
        return True
    if len(place.term.args) > 1 and last_name(place.term.args[0]) != "SIGTERM" and _only_fails(job, place, place.term.args[1]):
        return False
    if len(place.term.args) > 1 and last_name(place.term.args[1]) == "SIG_DFL":
        return False  # what happens is what happens anyway
    parts = list(parts_of(place.term.args[0]))
    named = {
        name for part in parts if isinstance(part, (Attr, Ref, Global)) and (name := last_name(part) or "").startswith("SIG")
    }
    named = named or {last_name(place.term.args[0]) or ""}
    return not named <= set(table(job, "other-signals"))


def _only_fails(job: Job, place: Place, handler: Term) -> bool:
    """Whether a handler does nothing but fail: it tells a process of the error of another one."""
    frame = job.program.frame(place.module, place.function)
    handlers = [each.function for each in job.program.values(handler, frame) if isinstance(each, FunctionValue)]
    own = {(each.module, each.spot) for each in saves_of(job)}
    return bool(handlers) and all(
        each.body
        and isinstance(each.body[-1], Exit)
        and each.body[-1].kind == "raise"
        and _name(each.body[-1].error) in _ERRORS
        and not any(node.term.site in {spot for _, spot in own} for node in calls_of(each))
        for each in handlers
    )


def _name(error: Term | None) -> str | None:
    return None if error is None else last_name(error)


LINES = Lines("Checkpoints")
#: What is called a schedule.
_SCHEDULES = frozenset(("scheduler", "schedule", "adjust_learning", "adjust_lr", "update_lr", "set_lr", "learning_rate"))
_GOES_ON = "States are loaded, and the training goes on."


@LINES("saves", "Checkpoints are saved", codes=("TL606",))
def saves(job: Job) -> Line:
    """Anything that saves."""
    found = saves_of(job)
    if not without_option(found):
        done = by_framework(job, _TRAINERS, "The trainer saves checkpoints by default.")
        if done is not None and not job.trail.calls(["enable_checkpointing="]):
            return done
    return judged(
        job,
        "saves",
        found,
        seen="Checkpoints are saved.",
        missing="Nothing is saved: a crash loses everything.",
    )


@LINES("loads", "What was saved can be loaded", codes=("TL604",))
def loads(job: Job) -> Line:
    """Anything that loads."""
    found = [*job.trail.calls(table(job, "loads")), *job.trail.calls(table(job, "resumes")), *(resumed(job) or restored(job))]
    found = job.trail.ranked((each for each in found if _is_of_training(job, each)), chosen=True)
    return judged(
        job,
        "loads",
        found,
        seen="Saved states are loaded.",
        missing="Nothing loads what was saved.",
        words=("resume", "resume_from"),
        chosen=True,
    )


def _is_of_training(job: Job, place: Place) -> bool:
    """Whether what is loaded may be what a training saved: no data, nothing that is there already, and no published weights."""
    downloads = table(job, "downloads")
    return not (
        any(isinstance(part, Call) and last_name(part.callee) in downloads for part in parts_of(place.term))
        or _copies(job, place)
        or _reads_data(job, place)
    )


def _reads_data(job: Job, place: Place) -> bool:
    """Whether ``torch.load`` reads data: it says so, or nothing in the job takes up a state, and no word speaks of one."""
    if not isinstance(place.term, Call) or last_name(place.term.callee) != "load":
        return False
    if is_of_data(job, place):
        return True
    return not job.trail.calls([".load_state_dict"]) and job.trail.words(place).isdisjoint(table(job, "words-of-loaded-states"))


def _copies(job: Job, place: Place) -> bool:
    """Whether a model only gets what another one has: ``teacher.load_state_dict(student.state_dict())``.

    Or what it had itself: ``best = copy.deepcopy(model.state_dict())`` in the loop, which is taken up after it.
    """
    copies = {name.rpartition(".")[2] for name in job.program.knowledge.tables["checkpoints.averaging"]["copies"]}
    waiting = list(place.term.args[:1]) if isinstance(place.term, Call) else []
    seen, found = set[Term](), False
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        if isinstance(each, LoopPhi):
            waiting += [one for name, bound in place.function.phis.items() if name.name == each.name for one in bound if one]
        elif isinstance(each, Call) and last_name(each.callee) in copies:
            waiting += each.args or ((each.callee.base,) if isinstance(each.callee, Attr) else ())
        elif isinstance(each, Call) and last_name(each.callee) in table(job, "gives-states"):
            found = True
        elif not is_none(each):
            return False
    return found


@LINES("contents", "Checkpoints hold what a resumed job needs", KEPT, codes=("TL603", "TL605"))
def contents(job: Job) -> Line:
    """Weights, and the state of the optimizer."""
    done = by_framework(job, (*_TRAINERS, "composer"), "The trainer saves the states of all that it runs.")
    if done is not None:
        weights = weights_only(job)
        if weights:
            why = "The trainer is told to save weights alone: a resumed optimizer starts from scratch."
            return Line(Verdict.MISSING, why, evidence(weights))
        return done
    found = saves_of(job)
    if not found:
        return without_saves(job)
    everything = [*job.trail.calls(table(job, "saves-everything")), *of_engine(job, "save_checkpoint")]
    always = when_saved(job, [*everything, *saved_whole(job)])
    if always:
        return Line(Verdict.SEEN, "This saves the state of the optimizer too.", evidence(always))
    own = own_saves(job)
    words = frozenset(table(job, "optimizer-words")[:OPTIMIZERS])
    whole = [save for save in own if any(not words.isdisjoint(split(key)) for key in _keys(job, save))]
    kept = [save for save in whole if any(not words.isdisjoint(split(key)) for key in _keys(job, save, always=True))]
    if kept:
        return Line(Verdict.SEEN, "The state of the optimizer is saved too.", places_of(kept))
    held = when_saved(job, holders(job, table(job, "optimizer-words")[:OPTIMIZERS]))
    if held:
        return Line(Verdict.SEEN, "What saves is given the optimizer, and saves its state too.", evidence(held))
    each_one = when_saved(job, (place for place, _ in registered(job, words, SAVES)))
    if each_one:
        why = "What saves takes up the optimizer by name, and saves all that it has taken up."
        return Line(Verdict.SEEN, why, evidence(each_one))
    if job.framework == "keras":
        alone = [each for each in runs(found) if _saves_weights(each)]
        if alone and all(holds_weights_alone(job, each) is False for each in alone):
            why = "What is saved is a checkpoint of TensorFlow: the optimizer, which the model holds, is in it."
            return Line(Verdict.SEEN, why, evidence(alone))
        if any(holds_weights_alone(job, each) for each in alone):
            why = "Only weights are saved: a resumed optimizer starts from scratch."
            return Line(Verdict.MISSING, why, evidence(alone))
        return Line(
            Verdict.UNKNOWN,
            "A whole model of Keras holds its optimizer, weights alone do not.",
            evidence(found),
            "look into the file",
        )
    states = [
        each
        for each in runs(job.trail.calls([".state_dict"]))
        if _speaks(job, each, table(job, "optimizer-words")[:OPTIMIZERS]) and not _takes_up(each)
    ]
    states += runs(job.trail.calls(table(job, "states-of-optimizers")))
    given = [*job.trail.calls(table(job, "holds-its-arguments")), *job.trail.calls(table(job, "serialises"))]
    states += [each for each in runs(given) if not _given(job, each).isdisjoint(table(job, "optimizer-words")[:OPTIMIZERS])]
    always = when_saved(job, states)
    if always:
        return Line(Verdict.SEEN, "The state of the optimizer is taken too.", evidence(always))
    if whole:
        why = "The state of the optimizer is saved under a test; whether that is true could not be determined."
        return Line(Verdict.UNKNOWN, why, places_of(whole), "load one, and print its keys")
    optional = [*runs(everything), *states]
    if optional:
        return judged(job, "contents", optional, seen="The state of the optimizer is saved too.", missing="")
    if (
        own
        and all(_is_known(job, save) and not _is_of_unknown(job, save) for save in own)
        and {each.term for each in _written_here(job, found)} <= {save.site.call.term for save in own}
    ):
        return Line(Verdict.MISSING, "Only weights are saved: a resumed optimizer starts from scratch.", places_of(own))
    return Line(
        Verdict.UNKNOWN, "What is in the checkpoint could not be determined.", evidence(found), "load one, and print its keys"
    )


def _written_here(job: Job, found: list[Place]) -> list[Place]:
    """The saves that run no function of the project, in which another save stands."""
    index = job.program.ask(CallGraph)
    return [
        each
        for each in runs(found)
        if not isinstance(each.term, Call)
        or not any(
            isinstance(target, FunctionValue) and job.trail.reaches(target.function, target.module)
            for target in index.targets(each.term, job.program.frame(each.module, each.function))
        )
    ]


def _takes_up(place: Place) -> bool:
    """Whether the function around a call only takes up a state: the one that is there says what it looks like."""
    words = frozenset(split(place.function.name))
    return not words.isdisjoint(("load", "restore", "resume")) and words.isdisjoint(("save", "store", "dump", "write"))


def _saves_weights(place: Place) -> bool:
    """Whether a callback of Keras, or a method of its model, is told to save weights and no whole model."""
    if not isinstance(place.term, Call):
        return False
    told = any(
        keyword == "save_weights_only" and isinstance(value, Const) and value.value is True
        for keyword, value in place.term.kwargs
    )
    return told or last_name(place.term.callee) == "save_weights"


def _given(job: Job, place: Place) -> frozenset[str]:
    """The words of what a call is handed, and of the keywords that it is handed by."""
    if not isinstance(place.term, Call):
        return frozenset()
    keywords = (word for keyword, _ in place.term.kwargs if keyword for word in split(keyword))
    return frozenset((*keywords, *words_of(job.program, *handed(place.term))))


def _is_handed(job: Job, place: Place, words: list[str]) -> bool:
    """Whether a function that takes up a state for each of its keywords is called with an optimizer: ``restart(optimizer=o)``."""
    if not isinstance(place.term, Call) or not any(isinstance(part, Kwargs) for part in parts_of(place.term.callee)):
        return False
    return any(
        not frozenset(words).isdisjoint(split(keyword))
        for site in job.program.ask(CallGraph).callers(place.function)
        if site.module in job.files
        for keyword, _ in site.call.term.kwargs
        if keyword
    )


def _speaks(job: Job, place: Place, words: list[str]) -> bool:
    """Whether a state is one of an optimizer: by what it is taken from or given to, or by what is given."""
    return not job.trail.words(place).isdisjoint(words) or (
        isinstance(place.term, Call)
        and last_name(place.term.callee) not in table(job, "gives-states")
        and not set(split(place.function.qualname)).isdisjoint(words)
    )


def _is_whole_state(job: Job, place: Place) -> bool:
    """Whether JAX's state of a training is what is loaded, by its name: it holds the state of its optimizer."""
    if job.framework != "jax":
        return False
    words = {*job.trail.words(place), *split(place.function.qualname)}
    return not words.isdisjoint(("train_state", "trainstate", "training_state", "opt_state"))


def _keys(job: Job, save: Save, *, always: bool = False) -> frozenset[str]:
    """The keys of the dict that is saved; ``always``: without those that are put into it behind a test."""
    found: set[str] = set()
    for each in job.program.ask(Written).contents(save):
        function = each.made.frame.function
        tested = {
            node.target.key.value
            for node, led in walk_tested(function.body)
            if always
            and isinstance(node, Keep)
            and isinstance(node.target, Subscript)
            and isinstance(node.target.key, Const)
            and conditions(led)
            if node.target.base is each.made.term
        }
        found.update(key for key in each.items if key not in tested)
    return frozenset(found)


def _is_known(job: Job, save: Save) -> bool:
    """Whether what is saved is seen: a dict of which all is known, or a state."""
    all_of = job.program.ask(Written).contents(save)
    if all_of:
        return all(each.whole for each in all_of)
    given = save.given
    return isinstance(given, Call) and isinstance(given.callee, Attr) and given.callee.name in table(job, "gives-states")


def _is_of_unknown(job: Job, save: Save) -> bool:
    """Whether the state of an object is saved of which nobody knows what it is."""
    return is_of_unknown(job, Place(save.site.module, save.site.function, save.given, save.site.call.term.site, None))


@LINES("frequency", "Checkpoints are saved at regular intervals", codes=("TL610",))
def frequency(job: Job) -> Line:
    """A save in a loop."""
    done = by_framework(job, ("transformers",), "The trainer saves every 500 steps by default.")
    if job.framework == "lightning":
        done = not_needed(job, "The trainer saves in each epoch by default.")
    if done is not None:
        return done
    found = saves_of(job)
    if job.framework == "composer" and job.trail.calls(["save_folder="]):
        return of_composer(job)
    if not found:
        return without_saves(job, Verdict.MISSING)
    if job.framework == "keras":
        during = runs(job.trail.calls(table(job, "callbacks-that-save")))
        if during:
            return Line(Verdict.SEEN, "A callback saves while it trains.", evidence(during))
    rounds = [each for each in runs(found) if each.way is not None and each.way.looped]
    if rounds:
        return judged(job, "frequency", rounds, seen="It saves in a loop.", missing="")
    last = [each for each in runs(found) if each.way is not None and each.way.last is not None]
    if last and last[0].way is not None:
        option = job.options.written(last[0].way.last or "")
        why = f"It saves only in the last iteration, unless {option} is given."
        return Line(Verdict.UNKNOWN, why, evidence(last), f"look whether the job is started with {option}")
    if runs(found):
        return Line(Verdict.MISSING, "It saves once, after the training.", evidence(runs(found)))
    return Line(Verdict.UNKNOWN, "When it saves could not be determined.", evidence(found), "look at the times of the files")


LINES("pruned", "Old checkpoints are removed", SAVING, codes=("TL608",))(pruned)
LINES("atomic", "A save that is cut off leaves the last one whole", KEPT, codes=("TL607",))(atomic)


@LINES("resumes", "The job can go on where it was ended", FAULTS, codes=("TL612",))
def resumes(job: Job) -> Line:
    """More than the weights is loaded."""
    found = [*job.trail.calls(table(job, "resumes")), *of_engine(job, "load_checkpoint", chosen=True), *resumed(job)]
    found = [each for each in found if not _makes_model(job, each)]
    states = [
        each
        for each in job.trail.calls(table(job, "takes-states"))
        if _speaks(job, each, table(job, "optimizer-words")) or _is_handed(job, each, table(job, "optimizer-words"))
    ]
    taken_up = registered(job, table(job, "optimizer-words")[:OPTIMIZERS], LOADS)
    states += [by for place, by in taken_up if place.way is not None and place.way.option is None]
    places = sorted({(each.module, each.spot): each for each in (*found, *states)}.values(), key=lambda each: each.way is None)
    loaded = [each for each in runs(job.trail.calls(table(job, "loads"))) if _is_of_training(job, each)]
    of_trainer = None if runs(places) else by_option_of_trainer(job, "resumes", _GOES_ON, chosen=True)
    if of_trainer is not None:
        return of_trainer
    if not runs(places) and loaded and (job.does_itself or job.framework == "lightning"):
        begins = "the schedule starts" if _has_schedule(job) else "its state starts"
        why = f"Weights are loaded, but no optimizer state: {begins} from scratch."
        if not places and any(_is_whole_state(job, each) for each in loaded):
            why = "A state is loaded; whether that of the optimizer is in it could not be determined."
            return Line(Verdict.UNKNOWN, why, evidence(loaded), "load one, and print its keys")
        unknown = [*_unseen_loads(job), *(each for each in loaded if is_of_unknown(job, each))]
        if not places and unknown:
            why = "States are loaded; whether that of an optimizer is among them could not be determined."
            return Line(Verdict.UNKNOWN, why, evidence(unknown), "print what the states are loaded into")
        if not places:
            return Line(Verdict.MISSING, why, evidence(loaded))
    return judged(
        job,
        "resumes",
        places,
        seen=_GOES_ON,
        missing="Nothing loads the state of a training that was ended.",
        words=("resume",),
        chosen=True,
    )


def _unseen_loads(job: Job) -> list[Place]:
    """The calls that hand an optimizer to what loads by its name, and whose code is not seen: ``load_model(optimizer=o)``."""
    return [
        each
        for each in runs(job.trail.calls(["optimizer="]))
        if isinstance(each.term, Call)
        and not {"load", "resume", "restore"}.isdisjoint(split(last_name(each.term.callee) or ""))
        and not is_of_project(job, each)
    ]


def _makes_model(job: Job, place: Place) -> bool:
    """Whether a call makes a model of the project: the checkpoint that it is told holds its weights alone."""
    callee = place.term.callee if isinstance(place.term, Call) else place.term
    return any(
        isinstance(above, Library) and above.name == "torch.nn.Module"
        for value in job.program.values(callee, job.program.frame(place.module, place.function))
        if isinstance(value, ClassValue)
        for above in job.program.lineage(value)
    )


def _has_schedule(job: Job) -> bool:
    """Whether anything of the job makes a schedule of the learning rate, or sets the rate by itself."""
    for each in job.trail.places:
        name = last_name(each.term.callee) or "" if isinstance(each.term, Call) else ""
        if name.endswith("LR") or (not _SCHEDULES.isdisjoint(split(name)) and not (names_class(name) and _takes_none(job, each))):
            return True
    return False


def _takes_none(job: Job, place: Place) -> bool:
    """Whether an object is made without an optimizer: a scheduler of noise, or of a loss's weight."""
    frame, asked = job.program.frame(place.module, place.function), job.program.ask(Things)
    given = handed(place.term) if isinstance(place.term, Call) else ()
    return all(asked.of(each, frame).kind != "optimizer" and "optimizer" not in words_of(job.program, each) for each in given)


@LINES("preemption", "A handler for preemption (SIGTERM)", codes=("TL909",))
def preemption(job: Job) -> Line:
    """Signals are handled."""
    found = [*(each for each in job.trail.calls(table(job, "preemption")) if may_end(job, each)), *preempted(job)]
    if not without_option(found):
        done = by_framework(job, ("lightning",), "Lightning ends cleanly at SIGTERM, and under SLURM saves and requeues the job.")
        if done is not None:
            return done
        again = requeued(job) or (by_trainer(job) if not found else None)
        if again is not None:
            return again
        asks = [] if found else runs(job.trail.calls(table(job, "asks-whether-it-ends")))
        if asks:
            why = "Something that is not seen says here when the job is about to end; whether it hears of a SIGTERM is not known."
            return Line(Verdict.UNKNOWN, why, evidence(asks), "send it a SIGTERM, and look what it does")
    return judged(
        job,
        "preemption",
        found,
        seen="Signals are handled.",
        missing="A SIGTERM kills the job at once, which is fine where machines are never preempted.",
        words=table(job, "preemption-words"),
    )
