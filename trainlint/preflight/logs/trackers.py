"""Whom the accelerator of a job reports to, and what these log by themselves."""

from __future__ import annotations

from trainlint.facts.calls import last_name
from trainlint.model.terms import Term
from trainlint.preflight.evidence.asking import evidence, judged, runs, table
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Line, Verdict
from trainlint.preflight.ways import Place

#: What `log_with` says of the tracker that records devices; and of all trackers that are installed.
_RECORDS, _ALL = "wandb", "all"
_WHY = "Weights & Biases records the memory of GPUs by itself"


def of_accelerator(job: Job, name: str) -> Line | None:
    """The line on memory of a job whose accelerator starts trackers: ``Accelerator(log_with=args.report_to)``.

    None where there are none, or none of them records the memory of devices.
    """
    starts = runs(job.trail.calls(table(job, "starts-trackers"))) if job.does_itself else []
    if not starts:
        return None
    for place in runs(job.trail.calls(table(job, "accelerators"))):
        given = dict(place.term[3]).get("log_with") if place.term[0] == "call" else None
        line = None if given is None else _told(job, name, place, given, starts)
        if line is not None:
            return line
    return None


def _told(job: Job, name: str, place: Place, given: Term, starts: list[Place]) -> Line | None:
    """The line of an accelerator that is told whom it reports to."""
    said = _names(job, given, place.module)
    if said is not None and _RECORDS in said:
        options = [each for each in starts if each.way is not None and each.way.option is not None]
        return judged(job, name, options if len(options) == len(starts) else [place], seen=f"{_WHY}.", missing="")
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
    items = given[1] if given[0] in ("list", "tuple", "set") else (given,)
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
