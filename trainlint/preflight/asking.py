"""How a line is answered from evidence: the way that most lines go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trainlint.finding import Spot
from trainlint.preflight.jobs import Job
from trainlint.preflight.known import known
from trainlint.preflight.line import HERE, Evidence, Line, Verdict
from trainlint.preflight.ways import Place

_MOST = 3


def table(job: Job, key: str) -> list[str]:
    """What counts as evidence, by a key of the table ``preflight.evidence``."""
    return known(job.program, key)


def evidence(places: Iterable[Place], message: str = HERE) -> tuple[Evidence, ...]:
    """Places of calls, the first few of them."""
    lines = {(place.module, place.spot.line): place for place in reversed(list(places))}
    return tuple(Evidence(place.module, place.spot, message) for place in list(reversed(lines.values()))[:_MOST])


def runs(places: Iterable[Place]) -> list[Place]:
    """Those that the job is seen to run (perhaps only when an option is said)."""
    return [place for place in places if place.way is not None]


def without_option(places: Iterable[Place]) -> list[Place]:
    """Those that the job is seen to run when no option is said."""
    return [place for place in places if place.way is not None and place.way.option is None]


def judged(
    job: Job,
    name: str,
    places: Sequence[Place],
    *,
    seen: str,
    missing: str,
    words: Sequence[str] = (),
    chosen: bool = False,
    left: bool = False,
    command: str | None = None,
) -> Line:
    """A line that is seen when the job runs one of some places, and missing when nothing in its files speaks of it.

    What needs an option that is off unless somebody says it is not known, but for lines where just that is wanted (``chosen``).
    Nor is (``left``) what runs behind a test about just that which is left to a configuration that is not there.
    What only stands around decides nothing; nor does an option (with one of ``words``) that nothing seen reads.
    """
    if left:
        places = [without_doubt(place, words) for place in places]
    run = [
        place
        for place in places
        if (place.way is not None and (chosen or place.way.option is None)) or (chosen and place.is_unsaid)
    ]
    if run:
        return Line(name, Verdict.SEEN, seen, evidence(run))
    optional = [place for place in places if place.way is not None]
    if optional:
        names = [place.way.option for place in optional if place.way is not None and place.way.option is not None]
        option = job.options.written(next((name for name in names if any(word in name.lower() for word in words)), names[0]))
        why = f"{seen.rstrip('.')} only with {option}, which is off unless it is said."
        return Line(name, Verdict.UNKNOWN, why, evidence(optional), f"look whether the job is started with {option}")
    unsaid = [place for place in places if place.is_unsaid]
    if unsaid:
        why = f"{seen.rstrip('.')} where a value says so that is not in the code."
        return Line(name, Verdict.UNKNOWN, why, evidence(unsaid), command or "print the value that stands there")
    if places:
        why = f"{seen.rstrip('.')} in a place that the training is not seen to reach."
        return Line(name, Verdict.UNKNOWN, why, evidence(places), command or "follow the call in a debugger, or log there")
    spoken = option_of(job, words)
    if spoken is not None:
        option, place = spoken
        why = f"There is an option {option}; what reads it is not seen."
        return Line(name, Verdict.UNKNOWN, why, (place,), command or f"look whether the job is started with {option}")
    if job.trail.is_dynamic and name != "preemption":
        why = f"{missing} But parts of the job are named in a configuration, and not seen."
        return Line(name, Verdict.UNKNOWN, why, (), command or "look into what the configuration names")
    return Line(name, Verdict.MISSING, missing)


def without_doubt(place: Place, words: Sequence[str]) -> Place:
    """A place that is not seen to run where a configuration that is not there is asked about one of some words."""
    if place.way is None or place.way.option is not None or place.way.left.isdisjoint(words):
        return place
    return place._replace(way=None, is_unsaid=True)


def option_of(job: Job, words: Iterable[str]) -> tuple[str, Evidence] | None:
    """An option of the job's command line, as it is written there, whose name holds one of the words."""
    wanted = [f"_{word}_" for word in words]
    for name, option in sorted(job.options.declared.items()):
        if option.module in job.files and any(word in f"_{name.lower()}_" for word in wanted):
            return option.flags[0], Evidence(option.module, option.spot, f"the option {option.flags[0]}")
    return None


def not_needed(job: Job, name: str, why: str) -> Line:
    """The line of a job that need not do a thing, or whose framework does it."""
    return Line(name, Verdict.NOT_NEEDED, why, (Evidence(job.path, job.place, "the training starts here"),))


def without_saves(job: Job, name: str, verdict: Verdict = Verdict.NOT_NEEDED) -> Line:
    """A line on saves, of a job that is not seen to save anything: what a configuration names may do so."""
    why = "Nothing is seen to be saved."
    if job.trail.is_dynamic:
        why = f"{why} But parts of the job are named in a configuration, and not seen."
        return Line(name, Verdict.UNKNOWN, why, (), "look into what the configuration names")
    return not_needed(job, name, why) if verdict is Verdict.NOT_NEEDED else Line(name, verdict, why)


def by_framework(job: Job, name: str, frameworks: Iterable[str], why: str) -> Line | None:
    """The line of a job whose framework does the thing by itself."""
    return not_needed(job, name, why) if job.framework in frameworks else None


def only_a_run(name: str, why: str, command: str) -> Line:
    """The line that no code answers."""
    return Line(name, Verdict.UNKNOWN, why, (), command)


def first_line(spot: Spot) -> Spot:
    """The beginning of a place."""
    return Spot(spot.line, spot.column, spot.line, spot.column)


def argument_of_trainer(job: Job, name: str, argument: str, default: str) -> Line:
    """The line that an argument of Transformers' trainer answers; what it is unless it is given."""
    places = job.trail.calls([f"{argument}="])
    if runs(places):
        return judged(job, name, places, seen=f"`{argument}` is given.", missing="")
    told = job.launched(f"--{argument.replace('_', '-')}")
    if told is not None:
        return Line(name, Verdict.SEEN, f"The launch line, or a file that it names, says `{argument}`.", (told,))
    if job.trail.calls(table(job, "parsed-arguments")):
        why = f"`--{argument}` decides; unless it is said it is {default}."
        return Line(name, Verdict.UNKNOWN, why, (), f"look whether the job is started with --{argument}")
    return Line(name, Verdict.MISSING, f"`{argument}` is {default}.", (job.here("the trainer"),))
