"""One analysis of a workspace: triage, lowering, linking, rules, sites, suppression."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint.codes import CODES
from trainlint.config import Settings
from trainlint.engine.trouble import Trouble, not_judged
from trainlint.engine.workspace import Triage, Workspace
from trainlint.finding import Finding, Span
from trainlint.knowledge import Knowledge
from trainlint.rules import registry
from trainlint.source.triage import Telling

if TYPE_CHECKING:
    from trainlint.facts.outside import Outside
    from trainlint.facts.program import Program
    from trainlint.model.sketch import Module
    from trainlint.rules.api import Rule, Suspect

Progress = Callable[[int, int], None]


@dataclass
class Analysis:
    """What one pass over the workspace found."""

    findings: list[Finding] = field(default_factory=list)
    #: What comments suppress, each with the 1-based line of its comment.
    silenced: list[tuple[Finding, int]] = field(default_factory=list)
    statistics: dict[str, int] = field(default_factory=dict)
    internal_errors: int = 0


#: What a rule that asks about jobs needs to see besides: the training between the start of a job and what it writes.
_JOB, _WITH_JOB = "job", frozenset(("gradient", "parallel"))


class Interest(NamedTuple):
    """What rules need: kinds of thing by code, words by kind; and what is looked for in the words of files because of that."""

    needs: dict[str, tuple[str, ...]]
    words: dict[str, frozenset[bytes]]
    telling: Telling
    asked: frozenset[bytes]

    def codes(self, present: AbstractSet[bytes]) -> list[str]:
        """The rules that have something to ask about when these words are there."""
        kinds = {kind for kind, words in self.words.items() if not words.isdisjoint(present)}
        return [code for code, needs in self.needs.items() if not kinds.isdisjoint(needs)]


class Analyser:
    """Analyses a workspace, again after each round of repairs; files that did not change are not lowered again."""

    def __init__(self, workspace: Workspace, settings: Settings, knowledge: Knowledge, roots: list[str]) -> None:
        self.workspace = workspace
        self.settings = settings
        self.knowledge = knowledge
        self.roots = roots
        self.modules: dict[str, Module] = {}
        #: How many files were parsed until now.
        self.parsed = 0
        #: Who knows of libraries that the tables do not speak of.
        self.outside: Outside | None = None
        #: A file that is to be looked at although it may sleep, and who is shown the linked program when the rules have run.
        self.rouse: str | None = None
        self.observe: Callable[[Program], None] | None = None
        #: The files that were woken by what is in them or around them.
        self.woken: frozenset[str] = frozenset()

    def forget(self, path: str) -> None:
        """A file was changed: lower it anew next time."""
        self.modules.pop(path, None)

    def run(self, progress: Progress | None = None) -> Analysis:
        """Analyse everything once."""
        done = Analysis()
        workspace = self.workspace
        triage = workspace.triage(self.interest.telling, self.interest.asked)
        lowered = self._lower(triage, list(self.interest.words), progress)
        done.statistics["files parsed"] = self.parsed
        self._judge(self.interest.codes(triage.present), lowered, triage.commented, done)
        return done

    @cached_property
    def interest(self) -> Interest:
        """The words that matter to the rules that are on."""
        wanted = registry.needs(self.settings.codes)
        kinds = set().union(*wanted.values())
        if _JOB in kinds:
            kinds |= _WITH_JOB  # the same files wake, and the same is found, whatever other rules are on
        words = {need: self.knowledge.words(need) for need in sorted(kinds)}
        hot = frozenset().union(*words.values())
        telling = Telling(hot, self.knowledge.beside, *self.knowledge.loose())
        return Interest(wanted, words, telling, hot | self.knowledge.asked_when_awake())

    def _judge(self, codes: list[str], modules: dict[str, Module], commented: list[str], done: Analysis) -> None:
        """Everything after the files are lowered: rules, what cannot be looked at, sites, comments (of these files)."""
        workspace = self.workspace
        suspects = self._suspects(codes, modules, done) if modules else []
        for path, trouble in workspace.troubles.items():
            done.internal_errors += trouble.code == "TL005"
            if path in workspace.targets and trouble.code in self.settings.codes:
                done.findings.append(self.about(path, trouble))
        if suspects or done.findings or commented:
            self._confirm(suspects, commented, done)
        else:
            done.statistics["findings suppressed"] = 0

    def _confirm(self, suspects: list[tuple[Rule, Suspect]], commented: list[str], done: Analysis) -> None:
        """Add the suspects that their sites confirm, honour comments, and keep what concerns the checked files."""
        from trainlint.engine.confirm import Confirmation

        confirmation = Confirmation(self.workspace, self.settings)
        for rule, suspect in suspects:
            try:
                done.findings.extend(confirmation.confirm(rule, suspect))
            except Exception as error:  # noqa: BLE001 - one site must not end the run
                self._failed(done, rule, error, suspect.path)
        done.internal_errors += confirmation.internal_errors
        done.findings = confirmation.without_suppressed(done.findings, commented)
        done.findings = [finding for finding in done.findings if self._concerns_targets(finding)]
        done.silenced = confirmation.silenced
        done.findings.sort(key=lambda finding: finding.sort_key)
        done.statistics["findings suppressed"] = len(confirmation.silenced)

    # -- phase one -------------------------------------------------------------------------------------------------

    def _lower(self, triage: Triage, needs: list[str], progress: Progress | None) -> dict[str, Module]:
        """The modules of the files that are worth it; the words in ``triage`` are used up."""
        words = {**triage.scripts, **triage.notebooks}
        if not needs:
            if not self.settings.codes.isdisjoint(("TL001", "TL004", "TL006")):
                # Nothing but the files themselves is asked about: all that are checked are parsed for that.
                dict(self._modules_of([path for path in self.workspace.targets if path in words], 0, len(words), progress))
            return {}
        if len(triage.imports) == len(words) and self.rouse is None:
            return {}  # no file wakes, the usual end of a clean commit: nothing more is imported
        from trainlint.engine.waking import Waking
        from trainlint.facts.modules import ModuleFinder

        finder = ModuleFinder(frozenset(triage.scripts), self.roots)
        waking = Waking(words, needs, self.knowledge, finder, triage.imports, self._code)
        total = len(words)
        # The words of a file are not kept longer than it sleeps: for a million lines they take 90 MB.
        words.clear()
        triage.scripts.clear()
        triage.notebooks.clear()
        modules: dict[str, Module] = {}
        wanted = waking.first()
        while wanted or self.rouse is not None:
            fresh = dict(self._modules_of(wanted, len(modules), total, progress))
            modules.update(fresh)
            wanted = waking.next(fresh.values()) if waking.asleep else []
            if not wanted and self.rouse is not None:
                self.woken, wanted, self.rouse = frozenset(modules), waking.wake(self.rouse), None
        self._finder = finder
        return modules

    def _modules_of(self, paths: list[str], before: int, total: int, progress: Progress | None) -> Iterator[tuple[str, Module]]:
        from trainlint.engine.phase_one import lower_all

        known = [path for path in paths if path in self.modules]
        for path in known:
            yield path, self.modules[path]
        missing = [path for path in paths if path not in self.modules and path not in self.workspace.troubles]
        work = ((path, self._data(path)) for path in missing)
        for number, (path, result) in enumerate(lower_all(work, self.knowledge.exits, self.settings.jobs), 1):
            if progress is not None:
                progress(min(before + number, total), total)
            if isinstance(result, Trouble):
                self.workspace.troubles[path] = result
            else:
                self.modules[path] = result
                self.parsed += 1
                yield path, result

    def _data(self, path: str) -> bytes:
        source = self.workspace.read(path)
        return source.data if source is not None else b""

    def _code(self, path: str) -> bytes:
        """What is parsed of a file: for a notebook the code of its cells."""
        source = self.workspace.read(path)
        if source is None:
            return b""
        return source.code.encode("utf-8", "replace") if source.is_notebook else source.data

    # -- phase two -------------------------------------------------------------------------------------------------

    def _suspects(self, codes: list[str], modules: dict[str, Module], done: Analysis) -> list[tuple[Rule, Suspect]]:
        from trainlint.source.deep import run_deep

        program = self._program(modules)
        found: list[tuple[Rule, Suspect]] = []

        def judge() -> None:
            for rule in registry.load(codes):
                if rule.finder is None:
                    continue
                try:
                    found.extend((rule, suspect) for suspect in rule.finder(program))
                except Exception as error:  # noqa: BLE001 - one rule must not end the run
                    self._failed(done, rule, error, next(iter(self.workspace.targets)))

            if self.observe is not None:
                self.observe(program)

        run_deep(judge)
        given_up = getattr(program.analyses.get("agreement"), "given_up", {}).values()
        done.statistics["functions given up"] = len(given_up)
        if "TL004" in self.settings.codes:
            done.findings.extend(self.about(each.module, not_judged(each.function, each.limit)) for each in given_up)
        program.analyses.clear()  # they hold the program and it holds them: without this, nothing of it is freed
        return found

    def _program(self, modules: dict[str, Module]) -> Program:
        from trainlint.facts.program import Program

        return Program(modules, self._finder, self.knowledge, self.outside, self.settings.target)

    def _failed(self, done: Analysis, rule: Rule, error: Exception, path: str) -> None:
        """Note that a rule failed, as far as is known because of the file at ``path``."""
        if os.environ.get("TRAINLINT_RAISE"):
            raise error
        from trainlint.engine.crash import write_report

        report = write_report(rule.code, error)
        done.internal_errors += 1
        if "TL005" in self.settings.codes:
            message = f"{rule.code} failed with {type(error).__name__}, findings are missing; the report is in {report}"
            done.findings.append(self._linter("TL005", self.workspace.spelled[path], Span(1, 1, 1, 1), message))

    def about(self, path: str, trouble: Trouble) -> Finding:
        """What is reported of a trouble."""
        line, cell = trouble.line, None
        source = self.workspace.read(path) if path.endswith(".ipynb") else None
        where = source.cell_of(line) if source is not None else None
        if where is not None:
            cell, line = where
        span = Span(line, trouble.column, line, trouble.column)
        spelled = self.workspace.spelled[path]
        return self._linter(trouble.code, spelled, span, trouble.message, cell, (trouble.line,))

    def _linter(
        self, code: str, path: Path, span: Span, message: str, cell: int | None = None, honoured: tuple[int, ...] = ()
    ) -> Finding:
        level = self.settings.level(code)
        return Finding(code, CODES[code].name, level, path, span, message, cell=cell, noqa_row=span.line, honoured=honoured)

    def _concerns_targets(self, finding: Finding) -> bool:
        """A finding is reported when any of its places lies in a checked file, and its rule is on for its own file."""
        if not self.settings.selected(finding.code, finding.path):
            return False
        places: Iterable[Path] = (finding.path, *(place.path for place in finding.related))
        return any(os.path.abspath(path) in self.workspace.targets for path in places)  # noqa: PTH100


__all__ = ["Analyser", "Analysis"]
