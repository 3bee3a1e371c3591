"""One analysis of a workspace: which files matter, lowering, linking, rules, sites, suppression.

What a run looks for: the words that rules need in files, and those that say of other files that they matter.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trainlint.app.engine.result import Analysis, Group, Suspected
from trainlint.app.engine.timing import Deadline, TimeUp, phase
from trainlint.app.engine.workers import Workers
from trainlint.app.engine.workspace import Triage, Trouble, Workspace, not_judged
from trainlint.codes import CODES
from trainlint.config import Settings
from trainlint.finding import Finding, Span
from trainlint.knowledge import Knowledge
from trainlint.knowledge.words import read
from trainlint.regular import absolute_path
from trainlint.rules import registry
from trainlint.source.triage import Imports, Telling, imports

if TYPE_CHECKING:
    from trainlint.app.engine.confirm import Confirmation
    from trainlint.app.engine.judging import Asked
    from trainlint.app.engine.memory import Memory
    from trainlint.documents.document import Documents
    from trainlint.ir.sketch import Module
    from trainlint.program.imports import ModuleFinder
    from trainlint.program.library_types import ExternalTypes
    from trainlint.program.program import Program
    from trainlint.rules.api import Rule, Suspect


class Interest(NamedTuple):
    """What rules need: kinds of thing by code, words by kind; and what is looked for in the words of files because of that.

    ``reads`` is by code what is looked for in the files beside the Python.
    """

    needs: dict[str, tuple[str, ...]]
    words: dict[str, frozenset[bytes]]
    telling: Telling
    asked: frozenset[bytes]
    reads: dict[str, frozenset[bytes]]

    def codes(self, present: AbstractSet[bytes]) -> list[str]:
        """The rules that have something to ask about when these words are there."""
        kinds = {kind for kind, words in self.words.items() if not words.isdisjoint(present)}
        return [code for code, needs in self.needs.items() if not kinds.isdisjoint(needs)]

    @property
    def read(self) -> frozenset[bytes]:
        """What is looked for in the files beside the Python."""
        return frozenset().union(*self.reads.values())


def interest_of(codes: Collection[str], knowledge: Knowledge) -> Interest:
    """The words that matter to these rules."""
    wanted = registry.needs(codes)
    words = {need: knowledge.words(need) for need in sorted(set().union(*wanted.values()))}
    hot = frozenset().union(*words.values())
    telling = Telling(hot, knowledge.beside, *knowledge.loose())
    reads = {
        code: frozenset[bytes]().union(*(read(knowledge, kind) for kind in kinds))
        for code, kinds in registry.reads(codes).items()
    }
    return Interest(wanted, words, telling, hot, reads)


#: Is told how many files are through, how many there are, and what is done with them ("reading", "judging").
Progress = Callable[[int, int, str], None]

#: The rules about files that cannot be read.
_READING = ("TL001", "TL004", "TL006")


class Analyser:
    """Analyses a workspace, again after each round of repairs; files that did not change are not lowered again."""

    _finder: ModuleFinder

    def __init__(self, workspace: Workspace, settings: Settings, knowledge: Knowledge, roots: list[str]) -> None:
        self.workspace = workspace
        self.settings = settings
        self.knowledge = knowledge
        self.roots = roots
        #: What scripts add to ``sys.path``, by folder; what a finder calls ``internal``; links: for where jobs are followed.
        self.added, self.internal, self.links = dict[str, list[str]](), tuple[str, ...](), dict[str, str]()
        #: The dotted names that files hold in texts, by file: asked for where single jobs are followed, too.
        self.texts: Callable[[Mapping[str, Module], ModuleFinder], Mapping[str, list[str]]] | None = None
        self.modules: dict[str, Module] = {}
        #: The files beside the Python that rules ask about, when there are any.
        self.documents: Documents | None = None
        #: How many files were parsed until now.
        self.parsed = 0
        #: Who knows of libraries that the tables do not speak of.
        self.outside: ExternalTypes | None = None
        #: Who lowers and judges besides us.
        self.workers = Workers(jobs=settings.jobs)
        #: A file that is to be looked at even where no rule could find something; and who is shown the linked program in the end.
        self.rouse: str | None = None
        self.observe: Callable[[Program], None] | None = None
        #: The files whose findings are kept, if not only the checked ones.
        self.kept: frozenset[str] = frozenset()
        #: The files that are connected with one in which a rule may find something.
        self.relevant: frozenset[str] = frozenset()
        #: What earlier runs left behind; None when nothing is to be taken from there, or kept.
        self.memory: Memory | None = None
        #: When a run has to end, if it has to.
        self.deadline: Deadline | None = None
        self._failures: set[tuple[str, str | None]] = set()
        self._confirmation: Confirmation | None = None
        self._elsewhere: dict[Group, Asked] = {}
        self._sizes: dict[str, int] = {}

    def forget(self, path: str) -> None:
        """A file was changed: lower it anew next time."""
        self.modules.pop(path, None)

    def run(self, progress: Progress | None = None) -> Analysis:
        """Analyse everything once."""
        done = Analysis()
        try:
            with phase("reading"):
                looks = self.memory.looks() if self.memory is not None else {}
                triage = self.workspace.triage(self.interest.telling, self.interest.asked, looks)
            imports = self._lower(triage, list(self.interest.words), progress)
            if not self.settings.codes.isdisjoint(_READING):
                self._read_others(triage)
            with phase("linking"):
                groups = self._groups(imports, triage.held)
            if self.interest.reads and self._has_files_beside(groups):
                from trainlint.app.engine.documents import compared, look

                with phase("reading"):
                    self.documents = look(self.workspace, self.interest.read, is_awake=bool(groups))
                    groups = compared(groups, self.interest.reads, self.documents)
            self._judge(groups, triage.commented, done, progress)
        except TimeUp:  # nothing was judged
            done.unjudged.update(self.settings.codes)
        finally:
            self.workers.close()
        done.statistics = {"files parsed": self.parsed, **done.statistics}
        return done

    def _is_time_left(self) -> None:
        """Raises :class:`trainlint.app.engine.timing.TimeUp` when there is none."""
        if self.deadline is not None:
            self.deadline.check()

    def _has_files_beside(self, groups: Sequence[Group]) -> bool:
        """Whether files beside the Python matter: one is checked, or a file of Python that is awake may be compared with one."""
        known = self.workspace.documents
        return bool(known) and (bool(groups) or not known.isdisjoint(self.workspace.targets))

    def _groups(self, imports: Mapping[str, list[str]], held: Mapping[str, frozenset[bytes]]) -> list[Group]:
        """The files that are awake and belong together with a checked one, with the rules that have something to ask there."""
        if not imports:
            return []
        from trainlint.program.imports import connected

        if self.texts is not None:
            more = self.texts(self.modules, self._finder)
            imports = {path: [*dotted, *more.get(path, ())] for path, dotted in imports.items()}
        nothing: frozenset[bytes] = frozenset()
        targets = self.workspace.targets.keys()
        every = [paths for paths in connected(imports, self._finder) if not targets.isdisjoint(paths)]
        return [Group(paths, tuple(self.interest.codes(nothing.union(*(held[path] for path in paths))))) for paths in every]

    @cached_property
    def interest(self) -> Interest:
        """The words that matter to the rules that are on."""
        return interest_of(self.settings.codes, self.knowledge)

    def _judge(self, groups: Sequence[Group], commented: list[str], done: Analysis, progress: Progress | None = None) -> None:
        """What is found in the files that are awake, what cannot be looked at, and comments (of these files)."""
        self._confirmation = None
        self._failures.clear()
        done.statistics.update({"files judged": 0, "functions given up": 0})
        self._judged(groups, done, progress)
        if self.documents:
            self._judge_beside(self.documents, done)
            done.findings = list(dict.fromkeys(done.findings))  # what several programs say of one file is said once
        for path, trouble in self.workspace.troubles.items():
            done.internal_errors += trouble.code == "TL005"
            if path in self.workspace.targets and trouble.code in self.settings.codes and self.matters(path, trouble):
                done.findings.append(self.about(path, trouble))
        done.statistics["findings suppressed"] = 0
        if done.findings or commented:
            self._honour(commented, done)

    def _honour(self, commented: list[str], done: Analysis) -> None:
        """Take out what comments suppress, and keep what concerns the checked files."""
        confirmation = self._confirming()
        confirmation.complete = not done.unjudged
        if commented and done.unjudged and not self.settings.ignore_noqa:
            done.unjudged.update({"TL002"} & self.settings.codes)
        done.findings = confirmation.without_suppressed(done.findings, commented)
        done.findings = [finding for finding in done.findings if self._concerns_targets(finding)]
        done.silenced = confirmation.silenced
        done.findings.sort(key=lambda finding: finding.sort_key)
        done.statistics["findings suppressed"] = len(confirmation.silenced)

    def _confirming(self) -> Confirmation:
        """What confirms suspects in this run; the grammar is loaded for the first one."""
        if self._confirmation is None:
            from trainlint.app.engine.confirm import Confirmation

            self._confirmation = Confirmation(self.workspace, self.settings)
        return self._confirmation

    def _judged(self, groups: Sequence[Group], done: Analysis, progress: Progress | None) -> None:
        """Find what is found in each of the groups: in what is remembered of it, or in what the rules suspect now."""
        memory = self.memory
        known = {group: memory.suspected(group, self._finder, self.modules) if memory is not None else None for group in groups}
        left = {group: group.codes if suspected is None else suspected.left for group, suspected in known.items()}
        unknown = [group for group in groups if left[group] or known[group] is None]
        missing = [path for group in unknown for path in group.paths if path not in self.modules]
        try:
            if missing:  # what was only remembered until now
                dict(self._modules_of(missing, 0, len(missing), None))
        except TimeUp:
            done.unjudged.update(*left.values())
            unknown = []
        self._elsewhere = self._judged_elsewhere(unknown) if memory is None and self.deadline is None else {}
        for suspected in known.values():
            if suspected is not None:
                self._confirm(_with_their_repairs(suspected), suspected.troubles, done)
        if self.deadline is not None:  # those that are soon through
            unknown.sort(key=lambda group: len(group.paths))
        total = sum(len(group.paths) for group in unknown)
        for group in unknown:
            if progress is not None:
                progress(done.statistics["files judged"], total, "judging")
            done.statistics["files judged"] += len(group.paths)
            before = known[group]
            self._judged_now(group, left[group], self._finder, done, () if before is None else before.troubles)

    def _judged_elsewhere(self, groups: Sequence[Group]) -> dict[Group, Asked]:
        """What rules suspect in groups that were handed to an executor, where one was given and nobody looks at the programs."""
        sizes = [sum(self._sizes.get(path, 0) for path in group.paths) for group in groups]
        if not self.workers.shares(sum(sizes)) or self.outside is not None or self.observe is not None:
            return {}
        from trainlint.app.engine.judging import Linked, judge_on

        work = []
        for group, size in zip(groups, sizes, strict=True):
            modules = {path: self.modules[path] for path in group.paths if path in self.modules}
            linked = Linked(modules, self._finder, self.knowledge, self.settings.target)
            codes = [code for code in group.codes if code not in self.interest.reads]  # the others need what is read here
            work.append((linked, codes, max(1, self.workers.shares(size))))
        return dict(zip(groups, judge_on(self.workers, work), strict=True))

    def _judged_now(
        self,
        group: Group,
        codes: Collection[str],
        finder: ModuleFinder,
        done: Analysis,
        said: Sequence[tuple[str, Trouble]] = (),
    ) -> None:
        """Find what these rules find in a group; where others were asked before, it is kept with what they found.

        ``said`` is what is known of functions that are too much: rules that share an analysis come to the same.
        """
        modules = {path: self.modules[path] for path in group.paths if path in self.modules}
        memory = self.memory if group.paths else None
        witness = None if memory is None else memory.witness(finder)
        with phase("linking"):
            program = self._program(modules, witness or finder)
        if self.deadline is not None:
            program.checkpoint = self.deadline.check
        if group.beside and self.documents is not None:
            program.documents = self.documents
        failed = done.internal_errors
        try:
            suspects, troubles, left = self._suspects(group, codes, program, done)
            done.unjudged.update(left)
            troubles = [each for each in troubles if each not in said]
            is_news = len(left) < len(codes) or not codes
            if memory is not None and witness is not None and done.internal_errors == failed and is_news:
                with phase("keeping"):
                    memory.note(group, suspects, troubles, left, witness)
            self._confirm(suspects, troubles, done)
        finally:
            # Who was shown it may look at it again.
            (program.take_apart if self.observe is None else program.analyses.clear)()

    def _confirm(self, suspects: list[tuple[Rule, Suspect]], troubles: list[tuple[str, Trouble]], done: Analysis) -> None:
        """Find what holds of what is suspected, as far as it concerns the checked files."""
        done.statistics["functions given up"] += len(troubles)
        if "TL004" in self.settings.codes:
            done.findings.extend(self.about(path, trouble) for path, trouble in troubles)
        for rule, suspect in suspects:
            if not self._may_concern(rule, suspect):
                continue
            try:
                with phase("confirming"):
                    done.findings.extend(self._confirming().confirm(rule, suspect))
            except Exception as error:  # noqa: BLE001 - one site must not end the run
                self._failed(done, rule, error, suspect.path)
        if self._confirmation is not None:
            done.internal_errors += self._confirmation.internal_errors
            self._confirmation.internal_errors = 0

    def _judge_beside(self, documents: Documents, done: Analysis) -> None:
        """Find what is found in the files beside the Python."""
        from trainlint.app.engine.documents import alone
        from trainlint.program.imports import ModuleFinder

        files = frozenset(self.workspace.spelled).difference(self.workspace.documents)
        given_up = done.statistics["functions given up"]
        group = alone(documents, self.interest.reads)
        self._judged_now(group, group.codes, ModuleFinder(files, self.roots), done)
        done.statistics["functions given up"] = given_up

    # -- phase one -------------------------------------------------------------------------------------------------

    def _lower(self, triage: Triage, needs: list[str], progress: Progress | None) -> dict[str, list[str]]:
        """The dotted names that each of the files imports that are worth parsing.

        They are parsed, but for those of which it is remembered what they import.
        """
        total = len(triage.imports)
        if not needs:
            if not self.settings.codes.isdisjoint(_READING):
                # Nothing but the files themselves is asked about: all that are checked are parsed for that.
                dict(self._modules_of([path for path in self.workspace.targets if path in triage.imports], 0, total, progress))
            return {}
        if not triage.telling and self.rouse is None:
            return {}  # nothing to be found, the usual end of a clean commit: nothing more is imported
        from trainlint.program.imports import ModuleFinder, imported, relevant

        self._is_time_left()
        libraries = self.knowledge.tables["framework.packages"]["names"]
        self._finder = ModuleFinder(frozenset(triage.imports), self.roots, self.added, self.internal, self.links, libraries)
        wanted = relevant(triage.telling, triage.imports, self._finder)
        self.relevant = frozenset(wanted)
        if self.rouse is not None and self.rouse in triage.imports:
            wanted = relevant((*triage.telling, self.rouse), triage.imports, self._finder)
        memory = self.memory
        found = {} if memory is None else memory.imports(wanted)
        for path, module in self._modules_of([path for path in wanted if path not in found], 0, total, progress):
            found[path] = imported(module)
            if memory is not None:
                memory.note_imports(path, found[path])
        return {path: found[path] for path in wanted if path in found}

    def _modules_of(self, paths: list[str], before: int, total: int, progress: Progress | None) -> Iterator[tuple[str, Module]]:
        from trainlint.app.engine.lowering import lower_all

        known = [path for path in paths if path in self.modules]
        for path in known:
            yield path, self.modules[path]
        missing = [path for path in paths if path not in self.modules and path not in self.workspace.troubles]
        if self.memory is not None:
            kept = ((path, self.memory.model(path)) for path in missing)
            self.modules.update((path, model) for path, model in kept if model is not None)
            yield from ((path, self.modules[path]) for path in missing if path in self.modules)
            missing = [path for path in missing if path not in self.modules]
        work = ((path, self._data(path)) for path in missing)
        lowered = lower_all(work, self.knowledge.exits, self.knowledge.members, self.workers)
        for number, (path, result) in enumerate(lowered, 1):
            if progress is not None:
                progress(min(before + number, total), total, "reading")
            if isinstance(result, Trouble):
                self.workspace.troubles[path] = result
            else:
                self.modules[path] = result
                self.parsed += 1
                if self.memory is not None:
                    with phase("keeping"):
                        self.memory.note_model(result)
                yield path, result
            self._is_time_left()

    def _read_others(self, triage: Triage) -> None:
        """See whether checked files can be parsed that nobody has parsed, though they import a framework."""
        memory = self.memory
        for path in self.workspace.targets:
            if path not in triage.imports or path in self.relevant or path in self.modules or path in self.workspace.troubles:
                continue
            if not self._trains(triage.imports[path]) or (memory is not None and memory.reads_well(path)):
                continue
            from trainlint.app.engine.lowering import cannot_be_parsed

            source = self.workspace.read(path)
            trouble = cannot_be_parsed(source) if source is not None else None
            if trouble is not None:
                self.workspace.troubles[path] = trouble
            elif memory is not None:
                memory.note_reads_well(path)

    def _trains(self, found: Imports) -> bool:
        """Whether a framework is among what a file imports."""
        return any(dotted.partition(".")[0] in self._frameworks for dotted, _ in found)

    @cached_property
    def _frameworks(self) -> frozenset[str]:
        return frozenset(self.knowledge.tables["framework.packages"]["names"])

    def matters(self, path: str, trouble: Trouble) -> bool:
        """Whether a trouble is one of the file's: that it is Python 2 is none where no framework is imported."""
        source = self.workspace.read(path) if trouble.old else None
        return source is None or self._trains(imports(source.code.encode("utf-8", "replace")))

    def _data(self, path: str) -> bytes:
        data = self.workspace.data(path)
        self._sizes[path] = len(data)
        return data

    # -- phase two -------------------------------------------------------------------------------------------------

    def _suspects(
        self, group: Group, codes: Collection[str], program: Program, done: Analysis
    ) -> tuple[list[tuple[Rule, Suspect]], list[tuple[str, Trouble]], list[str]]:
        """What the rules suspect, what is to be said of functions that were too much, by their files, and who was not asked."""
        found = self._asked(group, codes, program)
        suspects: list[tuple[Rule, Suspect]] = []
        for rule in registry.load(codes):
            suspects += [(rule, suspect) for suspect in found.suspects.get(rule.code, ())]
            for failure in found.failed.get(rule.code, ()):
                self._failed(done, rule, failure.error, failure.path)
        asides = self.settings.advice or "TL004" in self.settings.named
        said = [one for one in found.given_up if asides or not one.aside]
        given_up = {(one.module, one.function.qualname, one.about): one for one in said}.values()
        troubles = [(each.module, not_judged(each.function, each.limit, each.about, more=each.more)) for each in given_up]
        return suspects, troubles, found.left

    def _asked(self, group: Group, codes: Collection[str], program: Program) -> Asked:
        """What the rules suspect; those that were not asked elsewhere, or failed there, are asked here."""
        from trainlint.app.engine.judging import Asked, judge
        from trainlint.source.deep import run_deep

        found = self._elsewhere.get(group) or Asked({}, {}, [], [])
        left = [code for code in codes if code not in found.suspects]

        def ask() -> None:
            more = judge(program, left, forgetting=self.observe is None, hurried=self.deadline is not None)
            found.suspects.update(more.suspects)
            found.failed.update(more.failed)
            found.given_up.extend(more.given_up)
            found.left.extend(more.left)
            if self.observe is not None:
                self.observe(program)

        if left or self.observe is not None:
            run_deep(ask)
        return found

    def _program(self, modules: dict[str, Module], finder: ModuleFinder) -> Program:
        from trainlint.program.program import Program

        return Program(modules, finder, self.knowledge, self.outside, self.settings.target)

    def _failed(self, done: Analysis, rule: Rule, error: Exception, path: str | None) -> None:
        """Note that a rule failed because of the file at ``path``; None: nobody knows of which."""
        if os.environ.get("TRAINLINT_RAISE"):
            raise error
        from trainlint.app.engine.result import write_report

        done.internal_errors += 1
        if (rule.code, path) in self._failures:
            return  # it is said once, not for each group
        self._failures.add((rule.code, path))
        report = write_report(rule.code, error)
        if "TL005" in self.settings.codes:
            here = path if path in self.workspace.targets else next(iter(self.workspace.targets))
            where = "" if path is None else " on this file" if path == here else f" on {self.workspace.spelled[path]}"
            lost = "findings are missing" if path is None else "its findings there are missing"
            message = f"{rule.code} failed{where} with {type(error).__name__}, {lost}; the report is in {report}"
            done.findings.append(self._linter("TL005", self.workspace.spelled[here], Span(1, 1, 1, 1), message))

    def about(self, path: str, trouble: Trouble) -> Finding:
        """What is reported of a trouble."""
        line, cell = trouble.line, None
        source = self.workspace.read(path) if path.endswith(".ipynb") else None
        where = source.cell_of(line) if source is not None else None
        if where is not None:
            cell, line = where
        span = Span(line, trouble.column, line, trouble.column)
        return self._linter(trouble.code, self.workspace.spelled[path], span, trouble.message, cell, (trouble.line,))

    def _linter(
        self, code: str, path: Path, span: Span, message: str, cell: int | None = None, honoured: tuple[int, ...] = ()
    ) -> Finding:
        level = self.settings.level(code, path)
        return Finding(code, CODES[code].name, level, path, span, message, cell=cell, noqa_row=span.line, honoured=honoured)

    def _may_concern(self, rule: Rule, suspect: Suspect) -> bool:
        """Whether a suspect is of interest, and a checked file among its places: no other site is opened."""
        if suspect.evidence == "likely" and rule.code not in self.settings.likely:
            return False
        return not {suspect.path, *(each.path for each in suspect.because)}.isdisjoint(self.kept or self.workspace.targets)

    def _concerns_targets(self, finding: Finding) -> bool:
        """A finding is reported when any of its places lies in a checked file, and its rule is on for its own file."""
        if not self.settings.selected(finding.code, finding.path):
            return False
        places = {absolute_path(path) for path in (finding.path, *(place.path for place in finding.related))}
        return not places.isdisjoint(self.kept or self.workspace.targets)


def _with_their_repairs(suspected: Suspected) -> list[tuple[Rule, Suspect]]:
    """Suspects that were kept, with rules that take the repairs from there."""
    from trainlint.rules.api import described

    loaded = registry.load(dict(suspected.suspects))
    rules = {rule.code: dataclasses.replace(rule, repairer=described) for rule in loaded}
    return [(rules[code], suspect) for code, suspect in suspected.suspects]
