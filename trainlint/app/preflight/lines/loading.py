"""What the loaders of a job are told: workers, pinned memory, also through options that are handed on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.app.preflight.evidence.answers import evidence, judged, not_needed, option_of, table, without_option
from trainlint.app.preflight.evidence.sharding import LOADERS, made_elsewhere, of_training, told_to
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Place, Verdict
from trainlint.app.preflight.running.nearness import judges
from trainlint.app.preflight.values.words import OFF, split
from trainlint.domains.constructor_arguments import Bound, Options, Ways
from trainlint.domains.loaders.dataloaders import Loader, Loaders
from trainlint.finding import Spot
from trainlint.ir.nodes import (
    Access,
    Attr,
    BinaryOp,
    BoolOp,
    Call,
    Compare,
    Const,
    Global,
    Param,
    Select,
    Term,
    Unknown,
)
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import last_name
from trainlint.program.program import Program
from trainlint.program.sources import reached
from trainlint.program.values import Argument, Context, Library


def _handed_over(job: Job, loader: Loader, keyword: str) -> Ways | None:
    """What stands under a keyword in the dicts that a loader is made with, ``**options``, where these come from callers.

    ``train(**settings)`` hands over a value for ``options={}``, too, that no argument shows: the default says nothing then. None
    where no such dict is a parameter's that has no value in sight.
    """
    call, frame = loader.constructed.call, loader.constructed.frame
    dicts = (each for name, value in call.kwargs if name is None for each in _alternatives(job.program, value, frame))
    if any(name == keyword for name, _ in call.kwargs) or not any(_is_open(*each) for each in dicts):
        return None
    return job.program.ask(Options).unpacked(call, frame, keyword)


def _alternatives(program: Program, term: Term, frame: Context) -> Iterator[Argument]:
    """The dicts of which one is unpacked: ``options or {}``; of parameters, what is seen to be passed."""
    choices = (Param, BoolOp, Select)
    return reached(program, term, frame, lambda each, _: None if isinstance(each, choices) else ())


def _is_open(term: Term, frame: Context) -> bool:
    """Whether a value is a parameter's for which somebody may hand over something that no argument shows."""
    if not isinstance(term, Param) or frame.given(term) is not None:
        return False
    holder = frame.holder(term.function)
    call = None if holder is None else holder.call
    return call is None or any(name is None for name, _ in call.kwargs) or any(isinstance(each, Unknown) for each in call.args)


def of_loaders(job: Job, name: str, keyword: str, seen: str, missing: str) -> Line:
    """The line of something that loaders are told by a keyword, from those that the training draws from."""
    if any(
        isinstance(each.term, Call) and any(keyword == "training_data" for keyword, _ in each.term.kwargs)
        for each in without_option(job.trail.calls(["deepspeed.initialize"]))
    ):
        return not_needed(job, "DeepSpeed makes the loader of the training, with workers and pinned memory.")
    reached = [
        each
        for each in job.program.ask(Loaders).all()
        if job.trail.reaches(each.constructed.frame.function, each.module) and _is_of_job(job, each.constructed.frame)
    ]
    made = [each for each in reached if not judges(*_maker(job, each)[:2], job.path)]
    if reached and not made:
        places = tuple(dict.fromkeys(_where(job, each, "this loader evaluates") for each in reached))[:3]
        return Line(
            Verdict.UNKNOWN,
            "How the loaders of the training are made could not be determined.",
            places,
            f"print(loader.{keyword})",
        )
    if not made:
        return _without_loaders(job, name, keyword, seen, missing)
    answers = [(each, _is_on(job, each, keyword)) for each in made]
    for wanted, verdict, why in ((True, Verdict.SEEN, seen), (None, Verdict.UNKNOWN, ""), (False, Verdict.MISSING, missing)):
        found = [each for each, answer in answers if answer is wanted or (wanted is None and isinstance(answer, str))]
        if not found:
            continue
        places = tuple(dict.fromkeys(_where(job, each, "this loader") for each in found))[:3]
        if wanted is None:
            option = next((answer for _, answer in answers if isinstance(answer, str)), None)
            open_ = (
                f"{job.options.written(option)} decides, and is off by default."
                if option
                else f"What `{keyword}` is, is said elsewhere."
            )
            return Line(verdict, open_, places, f"print(loader.{keyword})")
        return Line(verdict, why, places)
    raise AssertionError(name)


def _maker(job: Job, loader: Loader) -> tuple[str, Function, Spot]:
    """Who asks for a loader, and where: not the ``__init__`` of a class in a package that the script only uses."""
    made, own = loader.made, loader.constructed.frame
    if loader.module in job.trail.living.library and made.frame is not None and made.call is not None:
        return made.frame.module, made.frame.function, made.call.site
    return loader.module, own.function, loader.spot


def _where(job: Job, loader: Loader, message: str) -> Evidence:
    path, _, spot = _maker(job, loader)
    return Evidence(path, spot, message)


def _is_of_job(job: Job, frame: Context) -> bool:
    """Whether those who call a function for an activation belong to the job: its tests make loaders, too."""
    return all(each.module in job.files for each in frame.active())


def _is_on(job: Job, loader: Loader, keyword: str) -> bool | str | None:
    """Whether a loader is given something that is on; a text: with this option; None: nobody knows."""
    given = loader.given(keyword)
    unpacked = _handed_over(job, loader, keyword)
    if unpacked is not None and not unpacked.bounds and job.trail.holds(keyword, OFF) is not None:
        return None  # it is filled in a dict somewhere
    if unpacked is not None:
        return _is_one_of_on(job, unpacked)
    if given.known and given.term is None:
        # what is handed on as ``**options`` may be filled where the job begins
        return None if not loader.plain() and job.trail.holds(keyword, OFF) is not None else False
    settled = loader.settled(keyword)
    if settled.sure and any(each not in OFF for each in settled.constants):
        return True
    if given.term is None and job.trail.holds(keyword, OFF) is None:
        return False if _is_nowhere_said(job, keyword) else None
    if given.term is None:
        return True
    if isinstance(given.term, Const):
        return given.term.value not in OFF
    said = job.options.default(given.term, loader.module)
    if said is not None:
        if said[0] not in OFF:
            return True
        # a comparison that never holds is off whatever options say
        return job.options.name(given.term, loader.module) or (False if isinstance(given.term, Compare) else None)
    told = _told(job, loader, given.term, keyword)
    if told is not None:
        return told[0] not in OFF
    if job.options.is_on(given.term, loader.module):
        return True
    if job.options.is_worked_out(given.term):
        return True
    if given.known and isinstance(given.term, (BinaryOp, Call, Select, Global)):
        return True  # it is worked out, from the number of processors mostly
    return True if job.trail.holds(keyword, OFF) is not None else None


def _told(job: Job, loader: Loader, given: Term, keyword: str) -> tuple[object] | None:
    """What the file that the job is handed says of an argument of the class that makes a loader, where the loader gets it."""
    function = loader.constructed.frame.function
    speaks = any(isinstance(part, (Param, Attr)) and part.name == keyword for part in parts_of(given))
    if job.trail.aim is None or function.cls is None or not speaks:
        return None
    return job.trail.aim.told(loader.constructed.frame.module, function.cls, keyword)


def _is_value_on(job: Job, given: Bound) -> bool | str | None:
    """The same of a value where it stands."""
    if isinstance(given.term, Const):
        return given.term.value not in OFF
    said = job.options.default(given.term, given.frame.module)
    if said is not None and said[0] in OFF:
        return job.options.name(given.term, given.frame.module)
    return True if said is not None or job.options.is_worked_out(given.term) else None


def _is_one_of_on(job: Job, unpacked: Ways) -> bool | str | None:
    """The same of what a dict may hold that comes from a caller of the function which makes the loader."""
    answers = [_is_value_on(job, each) for each in unpacked.bounds]
    if unpacked.unknown or (unpacked.bounds and unpacked.absent) or len(set(answers)) > 1:
        return None
    return answers[0] if answers else False


def _without_loaders(job: Job, name: str, keyword: str, seen: str, missing: str) -> Line:
    places = job.trail.trained(job.trail.calls([f"{keyword}="]))
    if places:
        return judged(job, name, places, seen=seen, missing=missing)
    off = [each for each in job.trail.places if each.way is not None and _is_never_on(job, each, keyword)]
    if off and job.library == "torch":
        return Line(Verdict.MISSING, missing, evidence(off))
    makers = job.trail.calls([*table(job, "loaders"), ".train_dataloader", *_data_modules(job)])
    makers = makers or made_elsewhere(job)
    if job.library in ("tensorflow", "jax"):
        makers = [each for each in makers if _may_be_of_torch(job, each, others=keyword == "num_workers")]
    told = told_to(job, of_training(job, makers), "pins-when-told") if keyword == "pin_memory" else []
    if told:
        return Line(Verdict.SEEN, "The loader is told to read from pinned memory.", evidence(told))
    configured = _spread(job, makers, keyword)
    if configured is not None:
        return Line(Verdict.SEEN, seen, (configured,))
    if makers and _is_nowhere_said(job, keyword):
        return Line(Verdict.MISSING, missing, evidence(makers))
    if makers or job.framework == "lightning":
        return Line(
            Verdict.UNKNOWN, "How the loaders are made could not be determined.", evidence(makers), f"print(loader.{keyword})"
        )
    if job.library in ("tensorflow", "jax"):
        return not_needed(job, "No loader of PyTorch feeds it.")
    spoken = option_of(job, (keyword, "workers") if keyword == "num_workers" else (keyword,))
    if spoken is not None:
        return Line(Verdict.UNKNOWN, f"There is an option {spoken[0]}; what reads it could not be determined.", (spoken[1],))
    others = _other_loaders(job)
    if others:
        why = "A loader that is not PyTorch's own feeds it; what that does is not followed."
        return Line(Verdict.UNKNOWN, why, evidence(others), "look how long the training waits for its batches")
    if job.trail.is_chosen:
        why = "No loader was found: what trains is chosen by a name, and may make its own."
        return Line(Verdict.UNKNOWN, why, (job.here("the training"),), "print the loader of what trains")
    return not_needed(job, "No loader was found: the project makes its batches itself.")


def _data_modules(job: Job) -> tuple[str, ...]:
    """What makes the loaders of Lightning's data modules; other libraries have no such method, and projects set up anything."""
    return (".setup",) if job.library == "torch" else ()


def _may_be_of_torch(job: Job, place: Place, *, others: bool) -> bool:
    """Whether a loader may be one of PyTorch's (or of ``others`` that have workers, too), and is no class of the project."""
    callee = place.term.callee if isinstance(place.term, Call) else place.term
    values = list(job.program.values(callee, job.program.frame(place.module, place.function)))
    if not values or any(key.startswith("torch") for key in job.trail.keys(place)):
        return True
    return others and any(isinstance(each, Library) for each in values)


def _is_nowhere_said(job: Job, keyword: str) -> bool:
    """Whether neither the code nor any of the files that tell what the job is made of speaks of a keyword: the default holds."""
    told = [each for each in job.trail.places if job.trail.tags.settles(each, job.files)]
    return (
        bool(told)
        and not job.trail.is_dynamic
        and not job.trail.tags.says(keyword)
        and not job.trail.calls([f"{keyword}="])
        and not job.trail.keeps((keyword,))
        and job.trail.holds(keyword, ()) is None
        and option_of(job, (keyword,)) is None
    )


def _other_loaders(job: Job) -> list[Place]:
    """The calls that run and make a loader by a configuration, ``config.dataloader.build()``, or with a library that has some."""
    libraries = tuple(f"{each}." for each in table(job, "libraries-with-loaders"))
    found = []
    for place in job.trail.places:
        if place.way is None or not isinstance(place.term, Call) or judges(place.module, place.function, job.path):
            continue
        callee = place.term.callee
        of = last_name(callee.base) if isinstance(callee, Attr) else str(callee.parts[0]).rpartition(".")[0].rpartition(".")[2]
        is_built = last_name(callee) == "build" and not LOADERS.isdisjoint(split(of or ""))
        if is_built or any(key.startswith(libraries) for key in job.trail.keys(place)):
            found.append(place)
    return found


def _is_never_on(job: Job, place: Place, keyword: str) -> bool:
    """Whether a call is told that something is off, by a comparison that never holds."""
    given = next((value for name, value in place.term.kwargs if name == keyword), None) if isinstance(place.term, Call) else None
    return given is not None and isinstance(given, Compare) and job.options.default(given, place.module) == (False,)


def _spread(job: Job, places: Iterable[Place], keyword: str) -> Evidence | None:
    """Where a configuration has something that is on, under a keyword that a call is handed with the rest of its section.

    ``make_loader(**config.loader)``
    """
    for place in places:
        for name, value in place.term.kwargs if place.way is not None and isinstance(place.term, Call) else ():
            if name is not None or not isinstance(value, Access):
                continue
            asked = Attr.new(value, keyword)
            said = job.options.default(asked, place.module)
            option = job.options.name(asked, place.module)
            if said is not None and said[0] not in OFF and option is not None:
                held = job.options.configurations.sources.composed.get(tuple(option.split(".")))
                if held is not None:
                    return Evidence(held.module, held.spot, f"`{keyword}` stands here")
    return None
