"""What a library's trainer does by itself, where a table says it: lines that the project's own code does not answer."""

# Paths are plain strings here, as the documents have them.
# ruff: noqa: PTH118, PTH120

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from trainlint.documents.document import Document
from trainlint.ir.nodes import Attr, Global, Ref
from trainlint.ir.sketch import Function
from trainlint.ir.terms import is_super, parts_of
from trainlint.preflight.evidence.asking import runs
from trainlint.preflight.evidence.commands import as_started, starting
from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Evidence, Line, Verdict
from trainlint.preflight.settings.config_trees import Held, found_from, held_in
from trainlint.preflight.settings.launch_lines import trains
from trainlint.preflight.values.words import OFF
from trainlint.program.call_graph import last_name
from trainlint.program.program import calls_of
from trainlint.program.values import ClassValue, Library

_VERDICTS = {each.name.lower().replace("_", "-"): each for each in Verdict}
#: How a configuration names the one that it is laid over, and how many lie one on the other.
_BASE = ("_BASE_",)
_DEEPEST = 8
#: What says that there is no such number.
_NONE = (-1, "-1")


def by_trainer(job: Job, line: Line) -> Line:
    """The line again, or what the trainer does where the project's own code is not seen to do the thing."""
    table: Mapping[str, list[str]] = job.program.knowledge.tables["preflight.by-trainers"]
    said = table.get(f"{job.framework} {line.name}")
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
            return Line(
                line.name, Verdict.UNKNOWN, f"The project has a `{words[1]}` of its own; what it does is not followed.", own
            )
    for words in asked:
        places = found.configured(tuple(words[1].split("."))) if words[0] == "key" else ()
        if places:
            return Line(line.name, Verdict.SEEN, f"The configurations of the launch lines say `{words[1]}`.", places)
    if line.name == "first-steps":
        return Line(line.name, _VERDICTS[verdict], why, line.evidence, as_started(job, command))
    places = () if line.name == "communication" else (job.here("the training"),)
    return Line(line.name, _VERDICTS[verdict], why, places, command.replace("{start}", starting(job)) or None)


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
        found: dict[Evidence, None] = {}
        lines = [each for each in self.job.launches if trains(each)] or list(self.job.launches)
        for launch in lines:
            written = [word.text for word in launch.arguments if word.text]
            if ".".join(keys) in written:
                return ()  # the line itself says it, in whatever way
            named = [self._document(text.partition("=")[2] or text) for text in written if text.endswith((".yaml", ".yml"))]
            held = [self._held(each, keys) for each in named if each is not None]
            if not held or any(each is None or each.value is None or each.value[0] in (*OFF, *_NONE) for each in held):
                return ()
            found.update((Evidence(each.module, each.spot, "it is said here"), None) for each in held if each is not None)
        return tuple(found)[:3]

    def _document(self, name: str) -> Document | None:
        return found_from(self.job.program, self.job.path, name)

    def _held(self, document: Document, keys: tuple[str, ...], depth: int = 0) -> Held | None:
        """What a configuration says under some keys: itself, or one that it is laid over."""
        held = held_in(document)
        if keys in held or depth > _DEEPEST:
            return held.get(keys)
        base = held.get(_BASE)
        text = base.value[0] if base is not None and base.value is not None else None
        path = os.path.normpath(os.path.join(os.path.dirname(document.path), text)) if isinstance(text, str) else ""
        below = self.job.program.documents.at(path) if path else None
        return None if below is None else self._held(below, keys, depth + 1)
