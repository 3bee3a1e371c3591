"""One analysis of a workspace: triage, lowering, linking, rules, sites, suppression."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from trainlint.config import Settings
from trainlint.engine.confirm import Confirmation
from trainlint.engine.phase_one import Trouble, lower_all
from trainlint.engine.workspace import Workspace
from trainlint.finding import Finding, Place, Span
from trainlint.knowledge import Knowledge
from trainlint.model.sketch import Module
from trainlint.rules.api import Rule, Suspect
from trainlint.rules.registry import load

Progress = Callable[[int, int], None]


@dataclass
class Analysis:
    """What one pass over the workspace found."""

    findings: list[Finding] = field(default_factory=list)
    statistics: dict[str, int] = field(default_factory=dict)
    internal_errors: int = 0


class Analyser:
    """Analyses a workspace, again after each round of repairs; files that did not change are not lowered again."""

    def __init__(self, workspace: Workspace, settings: Settings, knowledge: Knowledge, roots: list[str]) -> None:
        self.workspace = workspace
        self.settings = settings
        self.knowledge = knowledge
        self.roots = roots
        self.rules: list[Rule] = load(settings.codes)
        self.modules: dict[str, Module] = {}
        self._stale: set[str] = set()

    def forget(self, path: str) -> None:
        """A file was changed: lower it anew next time."""
        self.modules.pop(path, None)

    def run(self, progress: Progress | None = None) -> Analysis:
        """Analyse everything once."""
        done = Analysis()
        workspace = self.workspace
        scripts, notebooks, commented = workspace.triage()
        lowered = self._lower({**scripts, **notebooks}, progress)
        done.statistics["files parsed"] = len(lowered)
        confirmation = Confirmation(workspace, self.settings)
        suspects = self._suspects(lowered, done) if lowered else []
        for rule, suspect in suspects:
            done.findings.extend(confirmation.confirm(rule, suspect))
        for path, trouble in workspace.troubles.items():
            if path in workspace.targets and trouble.code in self.settings.codes:
                done.findings.append(self._trouble(path, trouble))
        done.internal_errors += confirmation.internal_errors
        done.findings = confirmation.without_suppressed(done.findings, commented)
        done.findings = [f for f in done.findings if self._concerns_targets(f)]
        done.findings.sort(key=lambda finding: finding.sort_key)
        done.statistics["findings suppressed"] = confirmation.suppressed
        return done

    # -- phase one -------------------------------------------------------------------------------------------------

    def _lower(self, words: dict[str, frozenset[bytes]], progress: Progress | None) -> dict[str, Module]:
        needs = sorted({need for rule in self.rules for need in rule.needs})
        if not needs:
            return {}
        hot = frozenset().union(*(self.knowledge.words(need) for need in needs))
        if all(hot.isdisjoint(found) for found in words.values()):
            return {}  # the usual end of a clean commit: nothing more is imported
        from trainlint.engine.waking import Waking
        from trainlint.facts.modules import ModuleFinder

        finder = ModuleFinder(frozenset(p for p in words if p.endswith(".py")), self.roots)
        waking = Waking(words, needs, self.knowledge, finder)
        modules: dict[str, Module] = {}
        wanted = waking.first()
        while wanted:
            fresh = dict(self._modules_of(wanted, len(modules), len(words), progress))
            modules.update(fresh)
            wanted = waking.next(fresh.values())
        self._finder = finder
        return modules

    def _modules_of(
        self, paths: list[str], before: int, total: int, progress: Progress | None
    ) -> Iterator[tuple[str, Module]]:
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
                yield path, result

    def _data(self, path: str) -> bytes:
        source = self.workspace.read(path)
        return source.data if source is not None else b""

    # -- phase two -------------------------------------------------------------------------------------------------

    def _suspects(self, modules: dict[str, Module], done: Analysis) -> list[tuple[Rule, Suspect]]:
        from trainlint.facts.program import Program
        from trainlint.source.deep import run_deep

        program = Program(modules, self._finder, self.knowledge)
        found: list[tuple[Rule, Suspect]] = []

        def judge() -> None:
            for rule in self.rules:
                if rule.finder is None:
                    continue
                try:
                    found.extend((rule, suspect) for suspect in rule.finder(program))
                except Exception as error:  # noqa: BLE001 - the one place where a rule may fail
                    if os.environ.get("TRAINLINT_RAISE"):
                        raise
                    done.internal_errors += 1
                    done.findings.append(self._failure(rule, error))

        run_deep(judge)
        agreement = program.analyses.get("agreement")
        done.statistics["functions given up"] = getattr(agreement, "given_up", 0)
        return found

    def _failure(self, rule: Rule, error: Exception) -> Finding:
        from trainlint.engine.crash import write_report

        report = write_report(rule.code, error)
        path = self.workspace.spelled[next(iter(self.workspace.targets))]
        message = f"{rule.code} failed with {type(error).__name__}, its findings are missing; the report is in {report}"
        return self._linter("TL005", "internal-error", path, Span(1, 1, 1, 1), message)

    def _trouble(self, path: str, trouble: Trouble) -> Finding:
        names = {"TL001": "unreadable-source", "TL004": "too-complex", "TL006": "newer-syntax"}
        span = Span(trouble.line, trouble.column, trouble.line, trouble.column)
        spelled = self.workspace.spelled[path]
        if trouble.code == "TL004":
            message = f"the file {trouble.message}: it was not analysed"
        elif trouble.code == "TL006":
            import sys

            running = ".".join(map(str, sys.version_info[:2]))
            message = f"the file needs a newer Python than the {running} that runs trainlint: it was not analysed"
        else:
            message = trouble.message if " " in trouble.message else f"syntax error: {trouble.message}"
            if not message.startswith(("cannot", "syntax", "is ")):
                message = f"syntax error: {message}"
            if message.startswith(("cannot", "is ")):
                message = f"the file {message}"
        return self._linter(trouble.code, names[trouble.code], spelled, span, message)

    def _linter(self, code: str, name: str, path: Path, span: Span, message: str) -> Finding:
        return Finding(code, name, self.settings.level(code), path, span, message, noqa_row=span.line)

    def _concerns_targets(self, finding: Finding) -> bool:
        """A finding is reported when any of its places lies in a checked file, and its rule is on for its own file."""
        if not self.settings.selected(finding.code, finding.path):
            return False
        places: Iterable[Path] = (finding.path, *(place.path for place in finding.related))
        return any(os.path.abspath(path) in self.workspace.targets for path in places)  # noqa: PTH100


__all__ = ["Analyser", "Analysis", "Place"]
