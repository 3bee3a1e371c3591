"""From a place to the account of its line: the project is analysed as in a check, and asked about the line.

The file of the line is lowered by a lowering that remembers which term each expression became.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainlint.app.engine.analysis import Analyser
from trainlint.app.engine.project import context_files
from trainlint.app.engine.result import Analysis
from trainlint.app.engine.workspace import Trouble, Workspace, unparsable, unreadable
from trainlint.app.explaining.around import FUNCTIONS, Around, Places, Position, called_in, expressions
from trainlint.app.explaining.text import REPORTED, Account, At, Holds, Reported, Seen, Step
from trainlint.codes import DEFAULT
from trainlint.config import Settings
from trainlint.finding import Finding, Span
from trainlint.ir.nodes import Call, Ref, Term
from trainlint.ir.pragmas import ToldLowering
from trainlint.ir.sketch import Function, Module, spot_of
from trainlint.knowledge import Knowledge, load_knowledge
from trainlint.regular import absolute_path
from trainlint.rules import registry
from trainlint.source.deep import run_deep
from trainlint.source.parse import parse
from trainlint.source.text import Source, UnparsableSource, UnreadableSource

if TYPE_CHECKING:
    from trainlint.program.program import Program
    from trainlint.program.values import Context

#: Expressions of a line that are told of.


class NothingToExplain(Exception):
    """Why a place cannot be explained; the text is a sentence for the user."""


class Explained:
    """One file, lowered so that its lines can be asked about."""

    def __init__(self, path: Path, knowledge: Knowledge) -> None:
        """Raises :class:`NothingToExplain` for a file that cannot be read or parsed."""
        from trainlint.app.engine.suppression import Suppressions
        from trainlint.edits.apply import parses

        if path.is_dir():
            raise NothingToExplain(f"{path} is a folder")
        if not path.exists():
            raise NothingToExplain(f"{path} does not exist")
        self.path = path
        self.key = absolute_path(path)
        try:
            self.source = Source.read(Path(self.key))
            self.tree = parse(self.source, parses)
        except UnreadableSource as error:
            raise NothingToExplain(_sentence(path, unreadable(error))) from None
        except UnparsableSource as error:
            raise NothingToExplain(_sentence(path, unparsable(error))) from None
        words = Suppressions.parse(self.source).words
        package = path.name == "__init__.py"
        self.lowering = RecordingLowering(self.key, knowledge.exits, knowledge.members, words, package=package)
        self.exits = knowledge.exits
        try:
            self.module: Module = run_deep(lambda: self.lowering.run(self.tree))
        except (RecursionError, MemoryError):
            raise NothingToExplain(f"{path} is nested too deeply to be analysed") from None

    def line_of(self, cell: int | None, line: int) -> int:
        """The parser's line for a user's line (of a 1-based cell). Raises :class:`NothingToExplain` when there is none."""
        if self.source.notebook is not None:
            if cell is None:
                raise NothingToExplain(f"{self.path} is a notebook: say which cell, as in {self.path}:cell 2:1")
            found = self.source.notebook.line_of(cell, line)
            if found is None:
                raise NothingToExplain(f"{self.path} has no line {line} in a cell {cell}")
            return found
        lines = self.source.lines
        count = len(lines) - (not lines[-1])
        if cell is not None:
            raise NothingToExplain(f"{self.path} is no notebook: it has no cells")
        if not 1 <= line <= count:
            raise NothingToExplain(f"{self.path} has {count} line{'' if count == 1 else 's'}: there is no line {line}")
        return line

    def position(self, line: int) -> Position:
        """Where a line is."""
        return Around(self._ends).find(self.tree, line)

    def _ends(self, call: ast.Call) -> bool:
        term = self.lowering.terms_of.get(id(call))
        return term is not None and isinstance(term, Call) and isinstance(term.callee, Ref) and term.callee.name in self.exits

    def function(self, position: Position) -> Function:
        """The function around a position, or that begins there; or the top level."""
        node = position.statement if isinstance(position.statement, FUNCTIONS) else position.function
        if node is not None:
            spot = spot_of(node)
            for function in self.module.functions.values():
                if function.spot == spot:
                    return function
        return self.module.functions["<module>"]


def _sentence(path: Path, trouble: Trouble) -> str:
    return f"{path}:{trouble.line}: {trouble.message}"


def explain(path: Path, cell: int | None, line: int, settings: Settings) -> Account:
    """The account of a 1-based line (of a 1-based cell of a notebook).

    Raises :class:`NothingToExplain`, and KnowledgeError and BaselineError for settings that are wrong.
    """
    knowledge = load_knowledge(settings.knowledge)
    explained = Explained(path, knowledge)
    number = explained.line_of(cell, line)
    # All rules are asked, so that what is switched off or ignored can be told of.
    everything = settings.codes | (DEFAULT & set(registry.built()))
    wide = replace(settings, codes=frozenset(everything), per_file_ignores={}, advice=True)
    context, roots, documents, _ = context_files([path], [path], wide)
    workspace = Workspace([path], context)
    workspace.add_documents([], documents)
    analyser = Analyser(workspace, wide, knowledge, roots)
    analyser.modules[explained.key] = explained.module
    analyser.rouse = explained.key
    account: list[Account] = []

    def observe(program: Program) -> None:
        if explained.key in program.modules:  # the others are of other projects
            account.append(_Telling(explained, program, Places(workspace), number).account())

    analyser.observe = observe
    analysis = analyser.run()
    if not account:
        raise NothingToExplain(f"{path} could not be analysed")
    told = account[0]
    told.at = At(path, cell, line, 1)
    told.asleep = explained.key not in analyser.relevant
    states = _States(analysis, settings, workspace)
    told.findings = tuple(_findings(analysis, states, explained, set(_lines(explained, number))))
    if any(finding.state == REPORTED and not finding.related for finding in told.findings):
        told.silence = ()
    return told


def _lines(explained: Explained, number: int) -> range:
    position = explained.position(number)
    return position.lines if position.statement is not None else range(number, number + 1)


def _findings(analysis: Analysis, states: _States, explained: Explained, lines: set[int]) -> Iterator[Reported]:
    """What concerns the lines, in the order of output; what is not reported, with the reason."""
    for finding in sorted([*analysis.findings, *(each for each, _ in analysis.silenced)], key=lambda each: each.sort_key):
        here = _on(explained, finding.path, finding.cell, finding.span, lines)
        if not here and not any(_on(explained, place.path, place.cell, place.span, lines) for place in finding.related):
            continue
        at = At(finding.path, finding.cell, finding.span.line, finding.span.column)
        message = finding.message.partition("\n")[0]
        yield Reported(finding.code, finding.name, message, at, states.of(finding), related=not here)


def _on(explained: Explained, path: Path, cell: int | None, span: Span, lines: set[int]) -> bool:
    if absolute_path(path) != explained.key:
        return False
    line: int | None = span.line
    if cell is not None and explained.source.notebook is not None:
        line = explained.source.notebook.line_of(cell, span.line)
    return line in lines


class _States:
    """Which findings a check reports, and why not the others."""

    def __init__(self, analysis: Analysis, settings: Settings, workspace: Workspace) -> None:
        """Raises :class:`trainlint.app.engine.baseline.BaselineError` for a baseline that is none."""
        self.settings = settings
        self.comments = {id(finding): line for finding, line in analysis.silenced}
        self.known: set[int] = set()
        if settings.baseline is not None:
            from trainlint.app.engine.baseline import Baseline
            from trainlint.app.engine.driver import lines_in

            found = [finding for finding in analysis.findings if self.of(finding) == REPORTED]
            fresh = Baseline.read(settings.root / settings.baseline).new(found, lines_in(workspace))
            self.known = set(map(id, found)) - set(map(id, fresh))

    def of(self, finding: Finding) -> str:
        """``reported``, or a sentence that says why it is not."""
        code, comment = finding.code, self.comments.get(id(finding))
        if code not in self.settings.codes:
            return f"not reported: {code} is off (by its level or by the configuration)"
        if code in self.settings.ignored_in(finding.path):
            return f"not reported: per-file-ignores turns {code} off in this file"
        if not self.settings.selected(code, finding.path):
            return f"not reported: {code} is advice in this folder (advice-folders): --advice turns it on"
        if comment is not None and not self.settings.ignore_noqa:
            return f"not reported: the comment in line {comment} suppresses it"
        return f"not reported: the baseline {self.settings.baseline} knows it" if id(finding) in self.known else REPORTED


class _Telling:
    """Asks a linked program about one line."""

    def __init__(self, explained: Explained, program: Program, places: Places, number: int) -> None:
        from trainlint.app.explaining.origins import Origins
        from trainlint.app.explaining.ranks import Meanings, Traces
        from trainlint.app.explaining.reach import Reach
        from trainlint.app.explaining.silence import Silence, Unmet

        self.explained = explained
        self.program = program
        self.places = places
        self.number = number
        self.key = explained.key
        self.position = explained.position(number)
        self.function = explained.function(self.position)
        self.frame: Context = program.frame(self.key, self.function)
        self.meanings = Meanings(program, places)
        self.origins = Origins(program, places)
        self.reach = Reach(program, places, self.meanings)
        self.traces = Traces(program, places, self.meanings)
        self.unmet = Unmet(program, places)
        self.silence = Silence(program, places, self.meanings, self.origins)

    def account(self) -> Account:
        """Everything but what stands outside of the program: findings, and whether the file sleeps."""
        lines = _lines(self.explained, self.number)
        function = self.function
        top = function.kind == "module"
        guards = tuple(self._guards())
        return Account(
            at=At(self.explained.path, None, self.number, 1),
            first=self._shown(lines.start),
            source=tuple(self.explained.source.lines[lines.start - 1 : lines.stop - 1]),
            kind=self.position.kind,
            function="the top level of the file" if top else function.qualname,
            function_at=None if top else self.places.at(self.key, function.spot),
            values=tuple(self._values()),
            guards=guards,
            reached=self.reach.steps(self.key, function),
            trace=self.traces.of(self.key, function),
            silence=tuple(self._silence(guards, lines)),
        )

    def _shown(self, line: int) -> int:
        """The line as the user counts: in a cell of a notebook."""
        where = self.explained.source.cell_of(line)
        return line if where is None else where[1]

    def _values(self) -> Iterator[Seen]:
        told: set[str] = set()
        called = called_in(self.position.statement)
        for node in expressions(self.position.statement) if self.position.statement is not None else ():
            term = self.explained.lowering.terms_of.get(id(node))
            owner = self.explained.lowering.functions_of.get(id(node))
            function = self.explained.module.functions.get(owner or "")
            text = self.places.text(self.key, spot_of(node))
            if term is None or function is None or text in told:
                continue
            told.add(text)
            frame = self.program.frame(self.key, function)
            made_here = isinstance(node, ast.Call) and isinstance(term, Call)
            stands_for = tuple(self.origins.stands_for(term, frame, but=term if made_here else None))
            if isinstance(node, ast.Name) and isinstance(term, Ref) and term.name.startswith("builtins."):
                continue
            meaning = None if id(node) in called else self.meanings.of(term, frame)
            # Of what it was said what it is, it need not be said that it is unknown.
            over_ranks = None if meaning is not None and meaning.word == "unknown" and (stands_for or made_here) else meaning
            name = node.id if isinstance(node, ast.Name) else None
            seen = Seen(text, stands_for, over_ranks, self.origins.chain(term, frame, name))
            if seen.stands_for or seen.over_ranks is not None or seen.origin:
                yield seen

    def _guards(self) -> Iterator[Holds]:
        for index, spot in enumerate(self.function.decorator_spots):
            arms = self.traces.analysis.decorators.arms(self.key, self.function, index)
            if arms is not None:
                from trainlint.app.explaining.ranks import admitted

                at, text = self.places.at(self.key, spot), self.places.text(self.key, spot)
                yield Holds(f"the decorator `{text}` lets some ranks in", at, admitted(arms.ranks, certain=arms.certain))
        for test in self.position.tests:
            at = self.places.at(self.key, test.spot)
            node = test.expression
            if node is None:
                text = {"try": "the body of a `try`", "except": "a handler", "finally": "a `finally`", "case": "a `case`"}[
                    test.word
                ]
                yield Holds(text, at)
                continue
            source = self.places.text(self.key, spot_of(node))
            term = self.explained.lowering.terms_of.get(id(node))
            meaning = self.meanings.of(term, self.frame) if term is not None and test.word not in ("with", "for") else None
            yield Holds(_held(test.word, source, arm=test.arm), at, meaning)

    def _silence(self, guards: tuple[Holds, ...], lines: range) -> Iterator[Step]:
        from trainlint.app.explaining.silence import calls_in

        yield from self.silence.of_function(self.key, self.function, lines)
        for call in calls_in(self.function, lines):
            yield from self.silence.of_call(call, self.frame, guards)
        yield from self.unmet.of_lines(self.key, self.function, lines)


def _held(word: str, source: str, *, arm: bool) -> str:
    if word == "left":
        return f"`{source}` is {'true' if arm else 'false'}, the other ranks exited earlier"
    if word == "for":
        return f"in the loop over `{source}`"
    if word == "with":
        return f"inside `with {source}`"
    return f"`{word} {source}`" if arm else f"the `else` of `{word} {source}`"


class RecordingLowering(ToldLowering):
    """Lowers one file; afterwards ``terms_of`` says what became of the expressions and targets of the tree, by the node's id.

    Only meaningful while the tree is there.
    """

    def __init__(
        self, path: str, exits: Collection[str], members: Mapping[str, str], words: Mapping[int, str], *, package: bool = False
    ) -> None:
        super().__init__(path, exits, members, words, package=package)
        self.terms_of: dict[int, Term] = {}
        self.functions_of: dict[int, str] = {}

    def expr(self, node: ast.expr) -> Term:
        """The term of an expression."""
        term = super().expr(node)
        self._note(node, term)
        return term

    def bind(self, target: ast.expr, value: Term, node: ast.stmt) -> None:
        """Bind the target of an assignment."""
        self._note(target, value)
        super().bind(target, value, node)

    def bind_pattern(self, target: ast.expr, value: Term) -> None:
        """Bind what a loop or ``with`` names."""
        self._note(target, value)
        super().bind_pattern(target, value)

    def _note(self, node: ast.expr, term: Term) -> None:
        self.terms_of[id(node)] = term
        self.functions_of[id(node)] = self.function.qualname
