"""Whom the accelerator of a job reports to, and what these log by themselves."""

from __future__ import annotations

from trainlint.facts.call_graph import last_name
from trainlint.ir.nodes import BoolOp, Call, Const, ItemDisplay, Not, Or, Select, Term
from trainlint.ir.terms import parts_of
from trainlint.preflight.evidence.asking import evidence, judged, runs, table, without_option
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Line, Verdict
from trainlint.preflight.ways import Place

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
    found = []
    for place in job.trail.calls(table(job, "records-devices")):
        given = dict(place.term.kwargs).get("mode") if isinstance(place.term, Call) else None
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
        return _deciding(job, term.test, module) or job.options.name(term, module)
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
        return Line(name, Verdict.UNKNOWN, why, evidence([place]), "print(accelerator.trackers)")
    option = job.options.name(given, place.module)
    if option is not None:
        written = job.options.written(option)
        why = f"{written} says who is reported to: {_WHY}, others do not."
        return Line(name, Verdict.UNKNOWN, why, evidence([place]), f"look whether the job is started with {written} {_RECORDS}")
    if said is not None:
        return None
    why = f"Who is reported to is not seen: {_WHY}."
    return Line(name, Verdict.UNKNOWN, why, evidence([place]), "print(accelerator.log_with)")


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
