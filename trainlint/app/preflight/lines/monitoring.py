"""What somebody who watches the job can see.

Whom the accelerator of a job reports to, and what these log by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trainlint.app.preflight.evidence.answers import METRICS, Lines, evidence, judged, not_needed, runs, table, without_option
from trainlint.app.preflight.evidence.transformers_trainer import reports_to
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.app.preflight.logs.logging_calls import anything, is_of_step, only_keeps, told, told_of_passes
from trainlint.app.preflight.logs.tags import computes_norms, labels_an_option, statistics_as_json, under_tags
from trainlint.app.preflight.settings.config_trees import Keys
from trainlint.app.preflight.values.words import handed
from trainlint.ir.nodes import Attr, BoolOp, Call, Comprehension, Const, Dict, ItemDisplay, Not, Or, Select, Term
from trainlint.ir.order import is_step
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import last_name

#: What `log_with` says of the tracker that records devices; and of all trackers that are installed.
_RECORDS, _ALL = "wandb", "all"
#: The mode of Weights & Biases in which nothing is recorded.
_NOTHING = ("disabled",)
_WHY = "Weights & Biases records the memory of GPUs by itself"


def of_accelerator(job: Job, name: str) -> Line | None:
    """The line on memory of a job whose accelerator starts trackers: ``Accelerator(log_with=args.report_to)``.

    None where there are none, or none of them records the memory of devices.
    """
    starts = runs(job.trail.calls(table(job, "starts-trackers"))) if job.does_itself else []
    if not starts:
        return None
    for place in runs(job.trail.calls(table(job, "accelerators"))):
        given = dict(place.term.kwargs).get("log_with") if isinstance(place.term, Call) else None
        line = None if given is None else _told(job, name, place, given, starts)
        if line is not None:
            return line
    return None


def recording(job: Job) -> list[Place]:
    """The calls that start what records devices: ``wandb.init(mode="disabled" if args.debug else "online")`` as its mode is."""
    found, silent = [], table(job, "records-no-devices")
    for place in job.trail.calls(table(job, "records-devices")):
        given = dict(place.term.kwargs).get("mode") if isinstance(place.term, Call) else None
        if any(
            isinstance(part, Call)
            and any(name in silent and isinstance(value, Const) and value.value is True for name, value in part.kwargs)
            for part in parts_of(place.term)
        ):
            continue  # it is told to record nothing of the machine
        said = None if given is None else job.options.default(given, place.module)
        if given is None or place.way is None or (said is not None and said[0] not in _NOTHING):
            found.append(place)
        elif said is None:
            may_be_off = any(isinstance(part, Const) and part.value in _NOTHING for part in parts_of(given))
            found.append(place._replace(way=None, is_unsaid=True) if may_be_off else place)
        elif (option := _deciding(job, given, place.module)) is not None:
            found.append(place._replace(way=place.way._replace(option=option)))
    return found


def _deciding(job: Job, term: Term, module: str) -> str | None:
    """The option that makes a term what it is: of several that are joined, the one that decides."""
    if isinstance(term, Select):
        arm = job.options.arm(term, module)
        own = _deciding(job, arm, module) if not isinstance(arm, (Select, Const)) else None
        return own or _deciding(job, term.test, module) or job.options.name(term, module)
    if isinstance(term, Not):
        return _deciding(job, term.operand, module)
    if isinstance(term, BoolOp):
        said = ((each, job.options.default(each, module)) for each in term.operands)
        decides = (each for each, value in said if value is not None and bool(value[0]) is isinstance(term, Or))
        return next((name for each in decides if (name := _deciding(job, each, module)) is not None), None)
    return job.options.name(term, module)


def _told(job: Job, name: str, place: Place, given: Term, starts: list[Place]) -> Line | None:
    """The line of an accelerator that is told whom it reports to."""
    said = _names(job, given, place.module)
    always = without_option(starts)
    if said is not None and _RECORDS in said:
        return judged(job, name, [place] if always else starts, seen=f"{_WHY}.", missing="")
    if said is not None and _ALL in said and not always:
        seen = f"All trackers that are installed are started, and {_WHY}"
        return judged(job, name, starts, seen=seen, missing="")
    if said is not None and _ALL in said:
        why = f"All trackers that are installed are started: {_WHY} where it is."
        return Line(Verdict.UNKNOWN, why, evidence([place]), "print(accelerator.trackers)")
    option = job.options.name(given, place.module)
    if option is not None:
        written = job.options.written(option)
        why = f"{written} selects where metrics are reported: {_WHY}, others do not."
        return Line(Verdict.UNKNOWN, why, evidence([place]), f"look whether the job is started with {written} {_RECORDS}")
    if said is not None:
        return None
    why = f"Where metrics are reported could not be determined: {_WHY}."
    return Line(Verdict.UNKNOWN, why, evidence([place]), "print(accelerator.log_with)")


def _names(job: Job, given: Term, module: str) -> frozenset[str] | None:
    """The trackers that are named, in small letters; None where they are not seen."""
    items = given.items if isinstance(given, ItemDisplay) else (given,)
    found = set[str]()
    for item in items:
        if (last_name(item) or "").isupper():  # a member of an enumeration
            found.add((last_name(item) or "").lower())
            continue
        value = job.options.default(item, module)
        if value is None or not (value[0] is None or isinstance(value[0], str)):
            return None
        found.add(str(value[0]).lower())
    return frozenset(found)


LINES = Lines("Monitoring")


@LINES("log-loss", "The loss is logged", METRICS)
def log_loss(job: Job) -> Line:
    """A call that logs is handed a loss."""
    found = job.trail.trained(each for each in told(job, "loss-words") if not labels_an_option(job, each))
    found += job.trail.calls(table(job, "log-loss"))
    found += () if without_option(found) else job.trail.trained(told_of_passes(job))
    if not without_option(found):
        if job.framework in ("transformers", "keras", "composer"):
            return not_needed(job, "The trainer logs the loss.")
        meters = runs(job.trail.told(table(job, "meters"), table(job, "loss-words")))
        logged = runs(job.trail.calls(table(job, "log-anything")))
        why = "A metric takes it up, and metrics are logged."
        tagged = under_tags(job, frozenset(table(job, "loss-words")))
        if tagged and (written := statistics_as_json(job)):
            meters, logged = tagged, written
        if without_option(meters) and without_option(logged):
            return Line(Verdict.SEEN, why, evidence([*without_option(meters), *without_option(logged)]))
        if meters and logged and not runs(found):
            return judged(job, "log-loss", logged if without_option(meters) else meters, seen=why, missing="")
    return _judged(job, "log-loss", found, "The loss", words="loss-words", missing="Nothing logs or prints a loss.")


@LINES("log-learning-rate", "The learning rate is logged", METRICS)
def log_learning_rate(job: Job) -> Line:
    """A call that logs is handed a learning rate."""
    if job.framework == "transformers":
        return not_needed(job, "The trainer logs the learning rate.")
    found = job.trail.calls(table(job, "log-learning-rate"))
    if not without_option(found):
        found += [each for each in told(job, "learning-rate-words") if not _only_begins(job, each)]
    configured = _configured(job, table(job, "log-learning-rate")) if not without_option(found) else None
    if configured is not None:
        return Line(Verdict.SEEN, "The learning rate is logged.", (configured,))
    kept = _of_hyperparameters(job) if not found else []
    if kept:
        why = "The learning rate is among the optimizer's hyperparameters, and these are logged."
        return Line(Verdict.SEEN, why, evidence(kept))
    return _judged(job, "log-learning-rate", found, "The learning rate", words="learning-rate-words")


@LINES("log-memory", "The memory of the device is logged", METRICS)
def log_memory(job: Job) -> Line:
    """Something asks for the memory that was taken."""
    found = job.trail.calls(table(job, "log-memory"))
    if not without_option(found):
        tracked = of_accelerator(job, "log-memory")
        if tracked is not None and tracked.verdict is Verdict.SEEN:
            return tracked
        started = recording(job)
        own = runs(started)
        if without_option(own) or (own and not runs(found)):
            return judged(job, "log-memory", own, seen="Weights & Biases records the memory of GPUs by itself.", missing="")
        if tracked is not None and not runs(found):
            return tracked
        if any(each.is_unsaid for each in started) and not runs(found):
            return judged(job, "log-memory", started, seen="Weights & Biases records the memory of GPUs by itself.", missing="")
        told = reports_to(job) if job.framework == "transformers" else None
        if told is not None and "wandb" in told[1]:
            why = "`report_to` names Weights & Biases, which records the memory of GPUs by itself."
            return Line(Verdict.SEEN, why, evidence(told[0]))
        flags = [f"--{name.replace('_', '-')}" for name in table(job, "reports-to")]
        reported = [each.argument(*flags) for each in job.launches] if job.framework == "transformers" else []
        launched = job.launched(*flags)
        if launched is not None and all(each is not None and each.text == _RECORDS for each in reported):
            return Line(Verdict.SEEN, f"The launch lines report to it: {_WHY}.", (launched,))
        if job.framework == "transformers" and told is None and not runs(found) and not _reports_nothing(job):
            why = "`report_to` decides: Weights & Biases records the memory of GPUs by itself, and is used where it is installed."
            return Line(Verdict.UNKNOWN, why, (job.here("the trainer"),), "print(trainer.args.report_to)")
    return _judged(job, "log-memory", found, "The memory")


@LINES("log-gradient-norm", "The norm of the gradients is logged", METRICS)
def log_gradient_norm(job: Job) -> Line:
    """A call that logs is handed a norm of gradients."""
    if job.framework == "transformers":
        since = table(job, "trainer-logs-gradient-norm-since")[0]
        older = job.asks_below("transformers", since)
        if older is not None:
            why = f"The trainer logs the norm of the gradients since {since}, and the files ask for an older one."
            return Line(Verdict.MISSING, why, (older,))
        return not_needed(job, "The trainer logs the norm of the gradients.")
    found = [*told(job, "gradient-norm-words"), *job.trail.calls(table(job, "log-gradient-norm"))]
    return _judged(job, "log-gradient-norm", found, "The norm of the gradients", words="gradient-norm-words")


def _only_begins(job: Job, place: Place) -> bool:
    """Whether something is said once before a trainer begins: where it is started, above that, and in no loop."""
    if job.does_itself or place.way is None or place.way.looped or place.module != job.path:
        return False
    starts_here = place.function.name == "<module>" or is_step(place.function, job.place)
    return starts_here and place.spot.line < job.place.line


def _of_hyperparameters(job: Job) -> list[Place]:
    """The calls that log the hyperparameters which Optax keeps in the optimizer's state, where the learning rate is one."""
    keeping = {each.term for each in without_option(job.trail.calls(table(job, "keeps-hyperparameters")))}
    rates = without_option(job.trail.calls(["learning_rate="]))
    if not any(isinstance(each.term, Call) and each.term.callee in keeping for each in rates):
        return []
    found = []
    for each in without_option(job.trail.calls(table(job, "log-anything"))):
        if not isinstance(each.term, Call):
            continue
        given = [*handed(each.term), *(drawn.of for drawn in handed(each.term) if isinstance(drawn, Comprehension))]
        if any(isinstance(part, Attr) and part.name in table(job, "kept-hyperparameters") for part in parts_of(*given)):
            found.append(each)
    return found


def _reports_nothing(job: Job) -> bool:
    """Whether all lines that start a job of Transformers say that it reports to nobody."""
    told = [launch.argument("--report-to") for launch in job.launches]
    return bool(told) and all(each is not None and (each.text or "").lower() == "none" for each in told)


def _judged(job: Job, name: str, found: Sequence[Place], what: str, *, words: str = "", missing: str = "") -> Line:
    # Where the loss is seen to be logged, what is logged is seen.
    is_open = words and not found and not runs(job.trail.trained(told(job, "loss-words"))) and anything(job, "loss-words")
    open_ = anything(job, words) if is_open else []
    if words == "gradient-norm-words" and open_ and not computes_norms(job):
        open_ = [each for each in open_ if is_of_step(job, each)]  # what nobody computes, nobody logs
    if open_:
        why = f"Something is logged; whether {what[0].lower()}{what[1:]} is among it could not be determined."
        return Line(Verdict.UNKNOWN, why, evidence(open_), "look into a log")
    kept = [each for each in runs(found) if only_keeps(job, each)]
    if kept and len(kept) == len(runs(found)):
        why = f"{what} is put into a dict; whether that is logged could not be determined."
        return Line(Verdict.UNKNOWN, why, evidence(kept), "look into a log")
    return judged(job, name, found, seen=f"{what} is logged.", missing=missing or f"{what} is not logged.")


def _configured(job: Job, names: Iterable[str]) -> Evidence | None:
    """Where a configuration that Hydra puts together names one of some classes by a key of a dict of the job's files.

    Nothing where a line that starts the job chooses another file of that group.
    """
    sources = job.options.configurations.sources
    wanted = frozenset(names)
    if not sources.base or not sources.composed:
        return None
    shelves = {key for key, name in _shelved(job) if name in wanted}
    for keys, held in sorted(sources.composed.items()):
        if keys[-2:] in shelves and not _is_said(job, keys):
            return Evidence(held.module, held.spot, "the configuration names it")
    return None


def _shelved(job: Job) -> Iterator[tuple[Keys, str]]:
    """What stands in dicts at the top of the job's files: the dict's name and the key, and the class that it names."""
    for path in sorted(job.files):
        for name, term in job.program.modules[path].names.items():
            for key, value in term.items if isinstance(term, Dict) else ():
                if isinstance(key, Const) and value is not None and isinstance(value, Const) and isinstance(value.value, str):
                    yield (name, str(key.value)), job.program.knowledge.canonical(value.value)


def _is_said(job: Job, keys: Keys) -> bool:
    """Whether a line that starts the job says something of a section: ``callbacks=none``, ``~callbacks``."""
    words = [(word.text or word.start or "").lstrip("+~").partition("=")[0] for each in job.launches for word in each.arguments]
    return any(word == keys[0] or word.startswith(f"{keys[0]}.{keys[1]}") for word in words if len(keys) > 1)
