"""What holds when several processes train together, and how they are started."""

from __future__ import annotations

from trainlint.app.preflight.commands import is_for_people
from trainlint.app.preflight.evidence import transformers_trainer
from trainlint.app.preflight.evidence.answers import (
    LAUNCHING,
    Lines,
    evidence,
    judged,
    not_needed,
    only_a_run,
    runs,
    table,
    without_option,
    without_saves,
)
from trainlint.app.preflight.evidence.commands import as_started, spawned, starting
from trainlint.app.preflight.evidence.sharding import (
    cut_by_rank,
    knows_ranks,
    made_elsewhere,
    of_training,
    sharded,
    sharing,
    waits_for_epochs,
)
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.app.preflight.running.nearness import judges
from trainlint.app.preflight.saving.checkpoint_callbacks import callbacks_of_keras
from trainlint.app.preflight.saving.saves import of_engine, of_one_rank, saves_of
from trainlint.app.preflight.settings.launch_lines import trains
from trainlint.app.preflight.values.words import words_of
from trainlint.ir.nodes import Attr, Call, Const, Select, Term
from trainlint.ir.sketch import Keep, Store
from trainlint.ir.terms import is_none
from trainlint.ir.walk import of_kind
from trainlint.program.values import ClassValue, Instance

LINES = Lines("Distributed training")
_ALONE = "One process trains."
#: Frameworks that run the loop, and share data and files among the ranks themselves.
_TRAINERS = ("lightning", "transformers", "composer")
#: The rules that compare what the ranks run.
HANGS = ("TL101", "TL102", "TL103", "TL104", "TL105", "TL106", "TL107", "TL108", "TL109")
#: What a save is handed that is of a checkpoint, and no data that is kept for later.
_STATES = frozenset(("state_dict", "checkpoint", "ckpt", "weights", "optimizer", "ema"))
#: What `save_pretrained` writes besides weights: small files, the same on each rank.
_NO_MODELS = frozenset(("tokenizer", "processor", "config", "cfg", "extractor", "generation_config", "processing_class"))
#: A method of Transformers' trainer that it calls on the rank that saves.
_OF_ONE_RANK = ("_save",)


@LINES("launch", "The launch line starts what the script expects", LAUNCHING, codes=("TL930", "TL924"))
def launch(job: Job) -> Line:
    """Which lines start the job."""
    lines = tuple(
        Evidence(each.document.path, each.command.spot, each.launchers[-1].kind if each.launchers else "started here")
        for each in [each for each in job.launches if trains(each)] or job.launches
    )
    if lines:
        shown = job.is_shown and any(is_for_people(each.document.path) for each in job.launches)
        return Line(Verdict.SEEN, "These lines are shown to people." if shown else "These lines start it.", lines[:3])
    if job.starters and not spawned(job):
        places = tuple(Evidence(each.path, each.place, "it is started here") for each in job.starters)
        return Line(Verdict.SEEN, "A script of the project starts it.", places[:3])
    if job.is_distributed is False:
        return not_needed(job, "One process trains; python starts it.")
    if job.framework in ("lightning", "keras"):
        return not_needed(job, "The trainer starts the processes itself.")
    script = job.path.rpartition("/")[2]
    how = f"python {script}, on each host" if job.library == "jax" else starting(job, processes=2)
    own = spawned(job)
    if own:
        return judged(job, "launch", own, seen="The script starts its processes itself.", missing="")
    return Line(Verdict.UNKNOWN, "No file of the project says how the job is started.", (), how)


@LINES("collectives", "All ranks reach the same collectives", codes=HANGS)
def collectives(job: Job) -> Line:
    """What the rules on hangs say."""
    if job.is_distributed is False:
        return not_needed(job, _ALONE)
    if job.framework in _TRAINERS and not runs(job.trail.calls(table(job, "collectives"))):
        return not_needed(job, "The trainer runs the collectives; the project has none of its own.")
    ended = _ended_by_one(job)
    if ended:
        why = (
            "A test of the rank ends one process inside a loop; whether the other ranks then wait for it could not be determined."
        )
        return Line(Verdict.UNKNOWN, why, evidence(ended), "let the job come to its end on two processes")
    return Line(Verdict.SEEN, "What each rank runs was compared, and nothing differs.")


def _ended_by_one(job: Job) -> list[Place]:
    """The ends of a process that does not fail, in a loop and behind a test of the rank."""
    ends = without_option(job.trail.calls(sorted(job.program.knowledge.exits)))
    plain = (
        each
        for each in ends
        if isinstance(each.term, Call) and all(isinstance(given, Const) and not given.value for given in each.term.args)
    )
    return [each for each in plain if each.way is not None and each.way.looped and _stands_behind_a_rank(job, each)]


def _without_samplers(job: Job) -> str | None:
    """Why a job has no sampler of its own to be told the epoch."""
    if job.is_distributed is False:
        return _ALONE
    words = table(job, "puts-in-samplers") if job.framework == "lightning" else []
    if words and any(isinstance(each.term, Call) and _says_no(each.term, words) for each in job.trail.ran):
        return None
    if job.framework in ("lightning", "transformers", "accelerate", "fabric"):
        return f"{_title(job)} puts in a sampler that does."
    return "No sampler of PyTorch shares the data." if job.library in ("jax", "tensorflow") else None


def _says_no(call: Call, keywords: list[str]) -> bool:
    """Whether a call says that something is off: ``replace_sampler_ddp=False``."""
    given = (value for keyword, value in call.kwargs if keyword in keywords)
    return any(isinstance(value, Const) and value.value is False for value in given)


@LINES(
    "set-epoch",
    "The sampler shares the data, and reshuffles in each epoch",
    codes=("TL201", "TL202", "TL203", "TL214", "TL215"),
)
def set_epoch(job: Job) -> Line:
    """A distributed sampler that is told the epoch."""
    reason = _without_samplers(job)
    if reason is not None:
        streams = transformers_trainer.streams(job) if job.framework == "transformers" and job.is_distributed is not False else []
        return _of_streams(job, streams) if streams else not_needed(job, reason)
    made = runs(job.trail.calls(["composer.utils.dist.get_sampler"])) if job.framework == "composer" else []
    made = [each for each in made if not judges(each.module, each.function, job.path)]
    if made:
        return Line(Verdict.SEEN, "The trainer tells this sampler the epoch.", evidence(made))
    samplers = [each for each in job.trail.calls(table(job, "samplers")) if not judges(each.module, each.function, job.path)]
    told = job.trail.calls([".set_epoch"])
    fixed = runs(samplers) and not any(_may_shuffle(each) for each in runs(samplers))
    if runs(told) and fixed and not job.trail.calls(table(job, "own-samplers")):
        why = "The sampler is made with `shuffle=False`: the order is the same in each epoch, whatever it is told."
        return Line(Verdict.MISSING, why, evidence(runs(samplers)))
    if runs(told):
        return Line(Verdict.SEEN, "The sampler is told the epoch.", evidence(runs(told)))
    if runs(samplers) and not told and all(_may_shuffle(each) for each in runs(samplers)):
        why = "Nothing tells the sampler the epoch: the order is the same in each."
        return Line(Verdict.MISSING, why, evidence(runs(samplers)))
    if told and not samplers and not job.trail.calls(table(job, "own-samplers")):
        why = "No sampler was found; whether what is told the epoch runs with the training could not be determined."
        return Line(Verdict.UNKNOWN, why, evidence(told), "print the first batch of each rank, in two epochs")
    if samplers or told:
        why = "A sampler is made; whether it is told the epoch could not be determined."
        return Line(Verdict.UNKNOWN, why, evidence([*samplers, *told]), "print the first indices of two epochs")
    own = [each for each in runs(job.trail.calls(table(job, "own-samplers"))) if knows_ranks(job, each)]
    waits = [each for each in own if waits_for_epochs(job, each)]
    if waits:
        why = "A sampler of the project's own shares the data by rank; nothing is seen to call its `set_epoch`."
        return Line(Verdict.UNKNOWN, why, evidence(waits), "print the first indices of two epochs")
    if own:
        return Line(Verdict.SEEN, "A sampler of the project's own shares the data by rank.", evidence(own))
    parts = [each for each in runs(job.trail.calls(table(job, "own-datasets"))) if knows_ranks(job, each)]
    if parts:
        return Line(Verdict.SEEN, "Data of the project's own are shared out by rank.", evidence(parts))
    cut = cut_by_rank(job)
    if cut is not None:
        return Line(Verdict.SEEN, "Each rank takes a part of the data of its own.", (cut,))
    pipes = sharded(job)
    if pipes is not None and runs(job.trail.calls([".shuffle"])):
        return Line(Verdict.SEEN, "Data pipes share the data by rank, and the loader shuffles them.", (pipes,))
    loaders = job.trail.calls(table(job, "loaders")) or made_elsewhere(job)
    if not loaders:
        return not_needed(job, "No loader was found that could have a sampler.")
    loaders = of_training(job, loaders) or loaders
    shared = sharing(job, loaders)
    if shared:
        why = "Each rank has a part of the data, which its loader shuffles in each epoch."
        return Line(Verdict.SEEN, why, evidence(shared))
    why = "No distributed sampler was found, nor how the ranks share the data."
    return Line(Verdict.UNKNOWN, why, evidence(loaders), "print the first batch of each rank")


def _of_streams(job: Job, streams: list[tuple[Place, ClassValue]]) -> Line:
    """The line of a trainer that is handed iterable data of the project: it makes no sampler for these."""
    places = tuple(Evidence(cls.module, cls.cls.spot, "these data") for _, cls in streams)[:3]
    told = [transformers_trainer.is_told_epochs(job, cls) for _, cls in streams]
    if all(told):
        return Line(Verdict.SEEN, "The trainer shares the data out, and tells them the epoch.", places)
    if any(told) or any(transformers_trainer.may_shuffle(job, cls) for _, cls in streams):
        why = "The trainer makes no sampler for iterable data; whether their order changes each epoch could not be determined."
        return Line(Verdict.UNKNOWN, why, places, "print the first items of two epochs")
    why = "The trainer makes no sampler for iterable data, and nothing here shuffles it in each epoch."
    return Line(Verdict.MISSING, why, places)


def _may_shuffle(place: Place) -> bool:
    """Whether a sampler is not told to leave the order alone."""
    return not isinstance(place.term, Call) or not any(
        keyword == "shuffle" and isinstance(value, Const) and not value.value for keyword, value in place.term.kwargs
    )


def _is_hook(place: Place) -> bool:
    """Whether a trainer calls the method on all ranks: one that nothing is put in front of."""
    return place.function.cls is not None and place.function.name.startswith("on_") and not place.function.decorators


def _besides(job: Job) -> list[Place]:
    """The saves of states that a job runs besides its trainer's."""
    files = [each for each in runs(job.trail.calls(["torch.save"])) if not job.trail.words(each).isdisjoint(_STATES)]
    models = [
        each
        for each in runs(job.trail.calls([".save_pretrained"]))
        if isinstance(each.term, Call)
        and isinstance(each.term.callee, Attr)
        and _NO_MODELS.isdisjoint(words_of(job.program, each.term.callee.base))
        and not any(keyword == "is_main_process" for keyword, _ in each.term.kwargs)
    ]
    return [each for each in (*files, *models) if each.function.name not in _OF_ONE_RANK]


def _stands_behind_a_rank(job: Job, place: Place) -> bool:
    """Whether a test of the rank leads to what a job runs."""
    return place.way is not None and not place.way.words.isdisjoint(table(job, "rank-words"))


def _is_made_behind_a_rank(job: Job, place: Place) -> bool:
    """Whether what saves is a method of objects that one rank alone constructs: ``saver = Saver() if rank == 0 else NoOp()``.

    The call of such a method, too: the other ranks have another object there.
    """
    call = place.term
    if place.function.cls is not None and _is_constructed_by_one(job, place.module, place.function.cls):
        return True
    if not isinstance(call, Call) or not isinstance(call.callee, Attr):
        return False
    values = job.program.values(call.callee.base, job.program.frame(place.module, place.function))
    of_classes = [each for each in values if isinstance(each, Instance) and each.cls.methods.get(call.callee.name)]
    return bool(of_classes) and all(_is_constructed_by_one(job, each.module, each.cls.qualname) for each in of_classes)


def _is_constructed_by_one(job: Job, module: str, cls: str) -> bool:
    made = [
        each
        for each in runs(job.trail.calls([f".{cls.rpartition('.')[2]}"]))
        if isinstance(each.term, Call)
        and any(
            isinstance(value, ClassValue) and (value.module, value.cls.qualname) == (module, cls)
            for value in job.program.values(each.term.callee, job.program.frame(each.module, each.function))
        )
    ]
    return bool(made) and all(_stands_behind_a_rank(job, each) for each in made)


def _title(job: Job) -> str:
    return {
        "lightning": "Lightning",
        "transformers": "The trainer",
        "accelerate": "`prepare`",
        "fabric": "`setup_dataloaders`",
    }.get(job.framework, job.framework)


@LINES("rank-zero", "Only one rank writes", codes=("TL111", "TL112"))
def rank_zero(job: Job) -> Line:
    """The saves stand behind a test of the rank."""
    if job.is_distributed is False:
        return not_needed(job, _ALONE)
    sharded = runs([*job.trail.calls(table(job, "saves-of-all")), *of_engine(job, "save_checkpoint")])
    if job.framework in _TRAINERS:
        own = _besides(job)
        hooks = [each for each in own if _is_hook(each) and not _stands_behind_a_rank(job, each)]
        if hooks and job.framework != "composer":
            why = "Every rank runs this hook, and each writes the file."
            return Line(Verdict.MISSING, why, evidence(hooks))
        if own and not any(_stands_behind_a_rank(job, each) for each in own):
            why = "The project saves besides the trainer; whether on one rank only could not be determined."
            return Line(Verdict.UNKNOWN, why, evidence(own), "log the rank where it saves")
        return not_needed(job, f"{_title(job)} saves on the rank that has to.")
    saves = saves_of(job)
    called = {each.term for each in callbacks_of_keras(job)}
    if called and all(each.term in called for each in runs(saves)) and not job.trail.libraries("horovod"):
        return not_needed(job, "Keras calls this on each worker, and keeps what the chief writes.")
    collective = {(each.module, each.spot) for each in job.trail.calls(table(job, "saves-of-all"))}
    guarded = [each for each in runs(saves) if _stands_behind_a_rank(job, each) or _is_made_behind_a_rank(job, each)]
    if guarded and len(guarded) == len(runs(saves)):  # what each rank has to call is called by one alone: nobody else writes
        return Line(Verdict.SEEN, "Saves are under a test of the rank.", evidence(guarded))
    if saves and all((each.module, each.spot) in collective for each in saves):
        why = "Every rank has to call this; it takes care of who writes."
        return Line(Verdict.SEEN, why, evidence(saves))
    sharded = [each for each in sharded if not _stands_behind_a_rank(job, each)]
    kept = {(each.module, each.spot) for each in (*sharded, *guarded)}
    plain = any((each.module, each.spot) not in kept for each in without_option(saves))
    if without_option(sharded) or (sharded and not plain and not without_option(guarded)):
        why = "Every rank has to call this; it takes care of who writes."
        return Line(Verdict.SEEN, why, evidence(without_option(sharded) or sharded))
    if guarded:
        return Line(Verdict.SEEN, "Saves are under a test of the rank.", evidence(guarded))
    told = of_one_rank(job)
    if without_option(told):
        return Line(Verdict.SEEN, "What saves is told by a test of the rank whether it writes.", evidence(told))
    if not saves:
        return without_saves(job)
    why = "Whether the saves run on one rank only could not be determined."
    return Line(Verdict.UNKNOWN, why, evidence(saves), "log the rank where it saves")


@LINES("timeout", "Collectives have a timeout that fits", codes=())
def timeout(job: Job) -> Line:
    """A timeout of the process group."""
    if job.is_distributed is False:
        return not_needed(job, _ALONE)
    if job.library in ("jax", "xla", "tensorflow"):
        return not_needed(job, "There is no process group of PyTorch.")
    starts = job.trail.calls(table(job, "groups"))
    given = [
        each
        for each in starts
        if isinstance(each.term, Call) and any(keyword in ("timeout", "ddp_timeout") for keyword, _ in each.term.kwargs)
    ]
    given += [each for each in starts if each not in given and _is_told_later(each)]
    given += job.trail.calls(["ddp_timeout=", "dist_timeout="])
    given = [_as_said(job, each) for each in given if not _is_nothing(each)]
    if runs(given) and (without_option(given) or all(each in given for each in runs(starts))):
        return Line(Verdict.SEEN, "A timeout is set.", evidence(runs(given)))
    if runs(given):
        return judged(job, "timeout", runs(given), seen="A timeout is set.", missing="")
    if job.framework == "transformers":
        early = transformers_trainer.started_before(job)
        if early:
            why = (
                "The process group is started before the trainer's arguments are made, and without a timeout: the default holds."
            )
            return Line(Verdict.MISSING, why, evidence(early))
        told = job.launched("--ddp-timeout")
        if told is not None:
            return Line(Verdict.SEEN, "The launch line, or a file that it names, says one.", (told,))
        return not_needed(job, "The trainer sets one of 30 minutes by default.")
    if job.framework == "composer":
        return not_needed(job, "The trainer sets one of 300 seconds by default.")
    if job.framework == "lightning":
        return Line(
            Verdict.MISSING, "No strategy with a timeout is given: the default of 30 minutes holds.", (job.here("the trainer"),)
        )
    # whichever of them starts it, none is told of a timeout
    if job.framework in ("accelerate", "fabric") or runs(starts) or (starts and job.is_distributed and not given):
        why = (
            "None is set: DeepSpeed's default holds, 30 minutes."
            if job.framework == "deepspeed"
            else "None is set: the default holds, 30 minutes, and with NCCL ten since PyTorch 2.2."
        )
        return Line(Verdict.MISSING, why, evidence(runs(starts) or starts))
    if job.trail.libraries("horovod") and not starts:
        return not_needed(job, "Horovod starts the processes: there is no process group of PyTorch.")
    return Line(
        Verdict.UNKNOWN,
        "Where the process group starts could not be determined.",
        evidence(starts),
        "print the timeout that init_process_group is given",
    )


def _timeout(place: Place) -> Term | None:
    keywords = place.term.kwargs if isinstance(place.term, Call) else ()
    return next((value for keyword, value in keywords if keyword in ("timeout", "ddp_timeout", "dist_timeout")), None)


def _is_told_later(place: Place) -> bool:
    """Whether what starts a group is told its timeout after it is made: ``handler.timeout = timedelta(hours=2)``."""
    targets = [node.target for node in of_kind(place.function, Store)]
    targets += [node.target for node in of_kind(place.function, Keep)]
    return any(isinstance(each, Attr) and each.name == "timeout" and each.base is place.term for each in targets)


def _is_nothing(place: Place) -> bool:
    """Whether a place is given no timeout, whatever options say: ``timeout=None``."""
    value = _timeout(place)
    return is_none(value)


def _as_said(job: Job, place: Place) -> Place:
    """A place with the option without which its timeout is none: ``timedelta(…) if args.timeout else None``."""
    value = _timeout(place)
    if (
        value is None
        or place.way is None
        or place.way.option is not None
        or not job.options.is_off_with_some(value, place.module)
    ):
        return place
    name = job.options.name(value.test if isinstance(value, Select) else value, place.module)
    return place if name is None else place._replace(way=place.way._replace(option=name))


def _strategies(job: Job) -> list[Place]:
    """What shares the work out among several devices, by TensorFlow."""
    return job.trail.calls([each for each in table(job, "several-devices") if each.startswith("tensorflow.")])


def _backend(job: Job) -> tuple[str, list[Place]] | None:
    """The one backend that stands where the process group is started, and these places."""
    starts = runs(job.trail.calls(table(job, "takes-a-backend")))
    calls = [each.term for each in starts if isinstance(each.term, Call)]
    given = [dict(each.kwargs).get("backend", next(iter(each.args), None)) for each in calls]
    names = {each.value if each is not None and isinstance(each, Const) else None for each in given}
    name = names.pop() if len(names) == 1 else None
    return (name, starts) if isinstance(name, str) else None


@LINES("communication", "The ranks reach each other the fast way")
def communication(job: Job) -> Line:
    """Only the first run says it, where NCCL is asked to."""
    if job.is_distributed is False and not without_option(_strategies(job)):
        return not_needed(job, _ALONE)
    script = job.path.rpartition("/")[2]
    if job.library == "xla" or job.library in ("jax", "tensorflow"):
        return only_a_run("Which transport is used can be seen in a profile.", f"profile ten steps of {script}")
    found = _backend(job)
    if found is not None and "nccl" not in found[0]:
        name, starts = found
        if name == "gloo" and runs(job.trail.calls(table(job, "on-gpus"))) and without_option(starts):
            why = "The group is started with gloo: what GPUs send each other goes through the memory of their hosts."
            return Line(Verdict.MISSING, why, evidence(starts))
        why = f"The group is started with {name}; which transport it uses can be seen in a profile."
        return Line(Verdict.UNKNOWN, why, evidence(starts), f"profile ten steps of {script}")
    return only_a_run(
        "NCCL logs which transport it uses in the first run.",
        f"NCCL_DEBUG=INFO {as_started(job) if spawned(job) else starting(job, processes=2)}",
    )
