"""The checklist: its lines in their order, and how each is answered for a job.

A line is *seen* when the job is seen to run what the line asks for, *missing* when nothing in its files speaks of it, *not
needed* when its framework does it or the job is not of that kind, and otherwise it cannot be known from the code.

What a library's trainer does by itself, where a table says it, answers lines that the project's own code does not. Of a job that
files tell what to make, what holds with each of these files is so, and of anything else nobody knows.
"""

# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from trainlint.app.preflight.evidence.answers import Answer, runs
from trainlint.app.preflight.evidence.commands import as_started, starting
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Item, Line, Verdict, first_few
from trainlint.app.preflight.lines import checkpoints, code, machine, monitoring, ranks
from trainlint.app.preflight.saving.files import picked
from trainlint.app.preflight.settings.config_trees import Held, held_in
from trainlint.app.preflight.settings.launch_lines import trains
from trainlint.app.preflight.values.words import OFF, terms_of
from trainlint.documents.document import Document
from trainlint.finding import Finding, Spot
from trainlint.ir.control_dependence import conditions, walk_tested
from trainlint.ir.nodes import Attr, Call, Global, Ref, Select
from trainlint.ir.sketch import CallStep, Function
from trainlint.ir.terms import is_none, is_super, parts_of
from trainlint.jobs.launch_lines import found_from
from trainlint.program.call_graph import last_name
from trainlint.program.program import calls_of
from trainlint.program.values import ClassValue, Library
from trainlint.regular import absolute_path

ITEMS: tuple[tuple[Item, Answer], ...] = (
    *machine.LINES.items,
    *code.LINES.items,
    *ranks.LINES.items,
    *checkpoints.LINES.items,
    *monitoring.LINES.items,
)


def answers(job: Job) -> Iterator[tuple[Item, Line]]:
    """The whole list for a job, as far as its code tells."""
    for item, answer in ITEMS:
        yield item, by_trainer(job, item.name, answer(job))


def with_findings(
    lines: Iterable[tuple[Item, Line]], job: Job, findings: Sequence[Finding], beside: Sequence[Finding] = ()
) -> Iterator[tuple[Item, Line]]:
    """The lines again; one whose rules report something that the job runs is missing, whatever else speaks for it.

    Of those ``beside`` the named files that is said where no configuration decides whether it runs.
    """
    for item, line in lines:
        about = [each for each in findings if each.code in item.codes]
        found = [each for each in about if job.runs(each) and not is_of_a_choice(job, each) and not _is_picked(job, item, line)]
        if not found or line.verdict is Verdict.NOT_NEEDED:
            optional = [each for each in about if needed_for(job, each) is not None]
            yield item, _but(line, job, optional) if item.name == "collectives" and optional else line
            continue
        if item.name == "collectives" and all(each in beside and is_left_open(job, each) for each in found):
            why = f"What each rank runs differs where a configuration says so: {found[0].code}, {_first(found[0])}."
            yield item, Line(Verdict.UNKNOWN, why, _places(found), "look into the configuration of the job")
            continue
        yield item, Line(Verdict.MISSING, f"{found[0].code}: {_first(found[0]).rstrip('.')}.", _places(found))


def _is_picked(job: Job, item: Item, line: Line) -> bool:
    """Whether an option of unknown value picks what the files of checkpoints are called: they may be one file all the time."""
    return item.name == "pruned" and line.verdict is Verdict.UNKNOWN and picked(job, fixed=False) is not None


def _but(line: Line, job: Job, found: Sequence[Finding]) -> Line:
    """A line that finds nothing, and what there is with an option that is off."""
    if line.verdict is not Verdict.SEEN:
        return line
    options = dict.fromkeys(job.options.written(name) for each in found if (name := needed_for(job, each)) is not None)
    why = f"What each rank runs was compared, and differs only with {' or '.join(options)}: {found[0].code}, {_first(found[0])}."
    return Line(line.verdict, why, _places(found))


def _places(found: Sequence[Finding]) -> tuple[Evidence, ...]:
    return tuple(Evidence(absolute_path(each.path), _spot(each), f"{each.code} {_first(each)}") for each in found[:3])


def _first(finding: Finding) -> str:
    return finding.message.splitlines()[0]


def _spot(finding: Finding) -> Spot:
    line, column, end_line, end_column = finding.span
    return Spot(line, column - 1, end_line, end_column - 1)


def answers_of(job: Job) -> Iterator[tuple[Item, Line]]:
    """The whole list for a job with each of its aims."""
    if not job.others:
        yield from answers(job)
        return
    every = [list(answers(each)) for each in (job, *job.others)]
    names = [each.trail.aim.name if each.trail.aim is not None else "" for each in (job, *job.others)]
    for number, (item, _) in enumerate(every[0]):
        yield item, _agreed([each[number][1] for each in every], names)


def _agreed(lines: Sequence[Line], names: Sequence[str]) -> Line:
    """One line of several."""
    first = lines[0]
    evidence = first_few((*(each for line in lines for each in line.evidence[:1]), *first.evidence))
    if all(each.verdict is first.verdict for each in lines):
        return Line(first.verdict, first.why, evidence, first.command)
    ways = {
        line.verdict: f"With {name.rpartition('/')[2]}: {line.why}"
        for line, name in reversed(list(zip(lines, names, strict=True)))
    }
    why = " ".join(("The file that is passed decides what is constructed.", *reversed(ways.values())))
    return Line(Verdict.UNKNOWN, why, evidence, "look which file the job is started with")


_VERDICTS = {each.name.lower().replace("_", "-"): each for each in Verdict}
#: How a configuration names the one that it is laid over.
_BASE = ("_BASE_",)
#: What says that there is no such number.
_NONE = (-1, "-1")


def by_trainer(job: Job, name: str, line: Line) -> Line:
    """The line again, or what the trainer does where the project's own code is not seen to do the thing."""
    table: Mapping[str, list[str]] = job.program.knowledge.tables["preflight.by-trainers"]
    said = table.get(f"{job.framework} {name}")
    if said is None or (line.verdict is Verdict.SEEN and "first" not in said):
        return line
    verdict, why, command, *conditions = said
    found = _Trainer(job)
    asked = [each.split() for each in conditions]
    if any(words[0] == "alone" for words in asked) and line.evidence and line.verdict is not Verdict.NOT_NEEDED:
        return line
    if any(words[0] == "with" and not runs(job.trail.calls((words[1],))) for words in asked):
        return line
    for words in asked:
        own = found.own(words[1], words[2:]) if words[0] == "unless" else None
        if own is not None:
            return Line(Verdict.UNKNOWN, f"The project has a `{words[1]}` of its own; what it does is not followed.", own)
    for words in asked:
        places = found.configured(tuple(words[1].split("."))) if words[0] == "key" else ()
        if places:
            return Line(Verdict.SEEN, f"The configurations of the launch lines say `{words[1]}`.", places)
    if name == "first-steps":
        return Line(_VERDICTS[verdict], why, line.evidence, as_started(job, command))
    places = () if name == "communication" else (job.here("the training"),)
    return Line(_VERDICTS[verdict], why, places, command.replace("{start}", starting(job)) or None)


class _Trainer:
    """The trainer of a job: the project's classes that are derived from the library's, and the configurations it is given."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def own(self, name: str, words: Iterable[str]) -> tuple[Evidence, ...] | None:
        """Where a class of the project has a method in the place of the library's, and goes a way of its own in it."""
        for path, function in self._methods(name):
            called = [call.term for call in calls_of(function)]
            named = {last_name(part) for part in parts_of(*called) if isinstance(part, (Attr, Ref, Global))}
            above = any(is_super(part) for part in parts_of(*called)) or any(
                last_name(term.callee) == name and isinstance(term.callee, Attr) for term in called
            )
            if not above and named.isdisjoint(words):
                return (Evidence(path, function.spot, "the project's own"),)
        return None

    def _methods(self, name: str) -> Iterator[tuple[str, Function]]:
        table = self.job.program.knowledge.tables["preflight.trains"]
        trainers = {each.rpartition(".")[0] for each, word in table.items() if word == self.job.framework}
        for path in sorted(self.job.files):
            module = self.job.program.modules[path]
            for cls in module.classes.values():
                method = cls.methods.get(name)
                above = self.job.program.lineage(ClassValue(path, cls)) if method is not None else ()
                if method is not None and any(isinstance(each, Library) and each.name in trainers for each in above):
                    yield path, module.functions[method]

    def configured(self, keys: tuple[str, ...]) -> tuple[Evidence, ...]:
        """Where the configurations that launch lines name say that something is on; nothing where not all of them do."""
        found: list[Evidence] = []
        lines = [each for each in self.job.launches if trains(each)] or list(self.job.launches)
        for launch in lines:
            written = [word.text for word in launch.arguments if word.text]
            if ".".join(keys) in written:
                return ()  # the line itself says it, in whatever way
            named = [self._document(text.partition("=")[2] or text) for text in written if text.endswith((".yaml", ".yml"))]
            held = [self._held(each, keys) for each in named if each is not None]
            if not held or any(each is None or each.value is None or each.value[0] in (*OFF, *_NONE) for each in held):
                return ()
            found += (Evidence(each.module, each.spot, "it is said here") for each in held if each is not None)
        return first_few(found)

    def _document(self, name: str) -> Document | None:
        return found_from(self.job.program, self.job.path, name)

    def _held(self, document: Document, keys: tuple[str, ...]) -> Held | None:
        """What a configuration says under some keys: itself, or one that it is laid over."""
        below: Document | None = document
        seen: set[str] = set()
        while below is not None and below.path not in seen:
            seen.add(below.path)
            held = held_in(below)
            if keys in held:
                return held[keys]
            base = held.get(_BASE)
            text = base.value[0] if base is not None and base.value is not None else None
            path = os.path.normpath(os.path.join(os.path.dirname(below.path), text)) if isinstance(text, str) else ""
            below = self.job.program.documents.at(path) if path else None
        return None


def is_of_a_choice(job: Job, finding: Finding) -> bool:
    """Whether a place that explains a finding is one arm of a choice that is not seen to be taken.

    ``scaler = GradScaler() if dtype == torch.float16 else None``: where there is none, none is forgotten.
    """
    return any(_is_chosen(job, absolute_path(each.path), each.span.line) for each in finding.related)


def places_of(finding: Finding) -> frozenset[str]:
    """The files in which a finding and what explains it are."""
    return frozenset(absolute_path(path) for path in (finding.path, *(each.path for each in finding.related)))


def is_left_open(job: Job, finding: Finding) -> bool:
    """Whether what is found runs only where a configuration says so that is not there."""
    path, line = absolute_path(finding.path), finding.span.line
    ways = [each.way for each in job.trail.ran if each.module == path and each.spot.line == line and each.way is not None]
    return bool(ways) and all(each.left for each in ways)


def needed_for(job: Job, finding: Finding) -> str | None:
    """The option, off by default, without which the job does not run what a finding is in: the innermost of them."""
    path, line = absolute_path(finding.path), finding.span.line
    if path not in job.files or finding.cell is not None or not job.trail.runs_at(path, line):
        return None
    outer = job.trail.option_at(path, line)
    if outer is None:
        return None
    inner = [
        name
        for function in job.program.modules[path].functions.values()
        for node, led in walk_tested(function.body)
        if isinstance(node, CallStep) and node.term.site.line == line
        for test, arm in conditions(led)
        if (name := job.options.off(test, arm, path)) is not None
    ]
    return inner[-1] if inner else outer


def _is_chosen(job: Job, path: str, line: int) -> bool:
    module = job.program.modules.get(path)
    if module is None:
        return False
    for function in module.functions.values():
        if not function.spot[0] <= line <= function.spot[2] and function.name != "<module>":
            continue
        for part in parts_of(*terms_of(function)):
            if not isinstance(part, Select) or type(part.then) is type(part.other):
                continue
            for arm, takes in ((part.then, True), (part.other, False)):
                other = part.other if takes else part.then
                if isinstance(arm, Call) and arm.site.line == line and is_none(other):
                    said = job.options.default(part.test, path)
                    return said is None or bool(said[0]) is not takes
    return False
