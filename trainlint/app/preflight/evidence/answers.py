"""How a line is answered from evidence, and how a module says which lines it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import HERE, Evidence, Item, Line, Place, Verdict, first_few
from trainlint.app.preflight.running.external_parts import speaks_of_configuration
from trainlint.app.preflight.settings.argument_parsers import reading
from trainlint.app.preflight.values.words import OFF, WIDE, known
from trainlint.finding import Spot
from trainlint.ir.nodes import Call, Dict
from trainlint.ir.order import is_step
from trainlint.program.call_graph import last_name
from trainlint.program.program import calls_of


def table(job: Job, key: str) -> list[str]:
    """What counts as evidence, by a key of the table ``preflight.evidence``."""
    return known(job.program, key)


def evidence(places: Iterable[Place], message: str = HERE) -> tuple[Evidence, ...]:
    """Places of calls, the first few of them."""
    lines = {(place.module, place.spot.line): place for place in reversed(list(places))}
    return first_few(Evidence(place.module, place.spot, message) for place in reversed(lines.values()))


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
        if (place.way is not None and (place.way.option is None or (chosen and not is_switch(place.way.option))))
        or (chosen and place.is_unsaid)
    ]
    if run:
        return Line(Verdict.SEEN, seen, evidence(run))
    optional = [place for place in places if place.way is not None]
    if optional:
        names = [place.way.option for place in optional if place.way is not None and place.way.option is not None]
        telling = [name for name in names if any(word in name.lower() for word in words)]
        option = " or ".join(list(dict.fromkeys(job.options.written(name) for name in telling or names))[:3])
        why = f"{seen.rstrip('.')} only with {option}, which is off by default."
        return Line(Verdict.UNKNOWN, why, evidence(optional), f"look whether the job is started with {option}")
    unsaid = [place for place in places if place.is_unsaid]
    if unsaid:
        why = f"{seen.rstrip('.')} where a value says so that is not in the code."
        return Line(Verdict.UNKNOWN, why, evidence(unsaid), command or "print the value that stands there")
    of_trainer = by_option_of_trainer(job, name, seen, chosen=chosen)
    if of_trainer is not None:
        return of_trainer
    places = [place for place in places if (place.module, place.spot) not in job.trail.never]
    if places:
        why = f"{seen.rstrip('.')} in a place that the training is not seen to reach."
        return Line(Verdict.UNKNOWN, why, evidence(places), command or "follow the call in a debugger, or log there")
    spoken = option_of(job, words)
    if spoken is not None:
        option, place = spoken
        why = f"There is an option {option}; what reads it could not be determined."
        return Line(Verdict.UNKNOWN, why, (place,), command or f"look whether the job is started with {option}")
    handed_over = _handed_to_trainer(job) if name in ("clipping", "mixed-precision") else []
    if handed_over:
        why = f"{missing} But the trainer is given values that are set elsewhere."
        return Line(Verdict.UNKNOWN, why, evidence(handed_over), command or "print what the trainer is given")
    if job.trail.is_dynamic and name != "preemption":
        return _not_seen(job, missing, command)
    return Line(Verdict.MISSING, missing)


def by_option_of_trainer(job: Job, name: str, seen: str, *, chosen: bool = False) -> Line | None:
    """The line for which an option speaks that a trainer lends the command line, and reads itself (see ``lent``)."""
    found = reading(job.program, job.files, name)
    if found is None:
        return None
    option, path, spot = found
    told = job.launched(f"--{option.replace('_', '-')}")
    arguments = [launch.argument(f"--{option.replace('_', '-')}", f"--{option}") for launch in job.launches]
    nothing = frozenset(str(value) for value in (*OFF, *WIDE))
    if told is not None and not any(each is not None and each.text in nothing for each in arguments):
        return Line(Verdict.SEEN, seen, (told,))
    where = Evidence(path, spot, f"the trainer is made of its options, --{option} among them")
    if chosen:
        return Line(Verdict.SEEN, f"{seen.rstrip('.')} with --{option}.", (where,))
    why = f"{seen.rstrip('.')} only with --{option}, which is off by default."
    return Line(Verdict.UNKNOWN, why, (where,), f"look whether the job is started with --{option}")


def is_switch(option: str) -> bool:
    """Whether an option switches a whole part of the job, and is not where somebody says what he wants: ``checkpoint.enable``."""
    return "." in option and option.rpartition(".")[2].lower() in ("enable", "enabled")


def without_doubt(place: Place, words: Sequence[str]) -> Place:
    """A place that is not seen to run where a configuration that is not there is asked about one of some words."""
    if place.way is None or place.way.option is not None or place.way.left.isdisjoint(words):
        return place
    return place._replace(way=None, is_unsaid=True)


def option_of(job: Job, words: Iterable[str]) -> tuple[str, Evidence] | None:
    """An option of the job's command line, as it is written there, whose name holds one of the words: a number comes last."""
    wanted = [f"_{word}_" for word in words]
    for name, option in sorted(job.options.declared.items(), key=lambda each: (each[1].takes == "number", each[0])):
        if (
            option.module in job.files
            and any(word in f"_{name.lower()}_" for word in wanted)
            and not _is_of_another_script(job, option.module, option.spot)
            and job.options.is_read(option)
        ):
            return option.flags[0], Evidence(option.module, option.spot, f"the option {option.flags[0]}")
    return None


def _is_of_another_script(job: Job, path: str, spot: Spot) -> bool:
    """Whether an option is declared where a file is a script itself: behind its test for ``__main__``, or in what that calls."""
    if path == job.path:
        return False
    functions = job.program.modules[path].functions
    inner = next((each for each in functions.values() if is_step(each, spot)), None)
    top = functions.get("<module>")
    behind = [each for each in calls_of(top) if each.statement.column > 0] if top is not None else []
    if inner is None or inner is top:
        return any(each.term.site == spot for each in behind)
    return id(inner) not in job.trail.run and any(last_name(each.term.callee) == inner.name for each in behind)


def not_needed(job: Job, why: str) -> Line:
    """The line of a job that need not do a thing, or whose framework does it."""
    return Line(Verdict.NOT_NEEDED, why, (Evidence(job.path, job.place, "the training starts here"),))


def without_saves(job: Job, verdict: Verdict = Verdict.NOT_NEEDED) -> Line:
    """A line on saves, of a job that is not seen to save anything: what a configuration names may do so."""
    why = "No save was found."
    if job.trail.is_dynamic:
        return _not_seen(job, why)
    return not_needed(job, why) if verdict is Verdict.NOT_NEEDED else Line(verdict, why)


def _handed_to_trainer(job: Job) -> list[Place]:
    """The calls that make a trainer which clips and casts by itself, with arguments of which nobody sees all."""
    return [
        place
        for place in runs(job.trail.calls(table(job, "trainers-with-arguments")))
        for keyword, value in (place.term.kwargs if isinstance(place.term, Call) else ())
        if keyword is None and not isinstance(value, Dict) and last_name(value) != "dict"
    ]


def _not_seen(job: Job, absent: str, command: str | None = None) -> Line:
    """The line of a thing that nothing seen does, where parts of the job are not seen, and who names these."""
    part = job.trail.open_part
    if part is not None and speaks_of_configuration(job.program, part):
        why, look = (
            "parts of the job are named in a configuration, and were not analysed.",
            "look into what the configuration names",
        )
    elif part is not None:
        why, look = "a part of the job is found by a name, and was not analysed.", "print what is found by the name"
    else:
        why, look = "what trains is chosen by a name, and not all of its meanings are known.", "print what is made"
    where = () if part is None else (Evidence(part.module, part.spot, "a part is found by its name here"),)
    return Line(Verdict.UNKNOWN, f"{absent} But {why}", where, command or look)


def by_framework(job: Job, frameworks: Iterable[str], why: str) -> Line | None:
    """The line of a job whose framework does the thing by itself."""
    return not_needed(job, why) if job.framework in frameworks else None


def only_a_run(why: str, command: str) -> Line:
    """The line that no code answers."""
    return Line(Verdict.UNKNOWN, why, (), command)


def argument_of_trainer(job: Job, name: str, argument: str, default: str) -> Line:
    """The line that an argument of Transformers' trainer answers; what it is unless it is given."""
    places = job.trail.calls([f"{argument}="])
    if runs(places):
        return judged(job, name, places, seen=f"`{argument}` is given.", missing="")
    told = job.launched(f"--{argument.replace('_', '-')}")
    if told is not None:
        return Line(Verdict.SEEN, f"The launch line, or a file that it names, says `{argument}`.", (told,))
    if job.trail.calls(table(job, "parsed-arguments")):
        why = f"`--{argument}` decides; the default is {default}."
        return Line(Verdict.UNKNOWN, why, (), f"look whether the job is started with --{argument}")
    return Line(Verdict.MISSING, f"`{argument}` is {default}.", (job.here("the trainer"),))


Answer = Callable[[Job], Line]

#: Sections of the handbook.
CHECKLIST = 'best-practices, "Pre-Flight Checklist"'
VERSIONS = 'best-practices, "Version Compatibility Matrix"'
SAVING = 'best-practices, "Checkpointing Best Practices"'
METRICS = 'best-practices, "Monitoring During Training"'
TIPS = 'best-practices, "Framework-Specific Tips"'
MISTAKES = 'best-practices, "Common Mistakes Summary"'
LAUNCHING = 'distributed-training-practice, "Launch Methods"'
KEPT = 'distributed-training-practice, "Checkpointing"'
FAULTS = 'distributed-training-practice, "Fault Tolerance"'


@dataclass
class Lines:
    """The lines of a group, in their order."""

    group: str
    items: list[tuple[Item, Answer]] = field(default_factory=list)

    def __call__(self, name: str, title: str, source: str = CHECKLIST, codes: tuple[str, ...] = ()) -> Callable[[Answer], Answer]:
        """Declare the function that answers a line; findings of ``codes`` say that it is missing."""

        def declare(answer: Answer) -> Answer:
            self.items.append((Item(name, self.group, title, source, codes), answer))
            return answer

        return declare
