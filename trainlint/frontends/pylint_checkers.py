"""trainlint inside pylint: each rule is a message with the rule's name, each family of rules a checker.

The numbers are stable: the family's digit after 6 (checkers outside of pylint have 51 to 99), then the last two digits
of the code. TL101 is E6101 ``rank-conditional-collective``, TL103 is W6103. The letter is the level that the rule has
in the catalogue; advice is R, and off by default as it is in trainlint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pylint.checkers import BaseChecker
from pylint.interfaces import HIGH, INFERENCE, Confidence

from trainlint.codes import CODES, FAMILIES
from trainlint.config import ConfigError
from trainlint.finding import Finding
from trainlint.frontends.session import Session
from trainlint.report.places import display_path
from trainlint.report.printable import escape
from trainlint.rules import registry

if TYPE_CHECKING:
    from astroid import nodes
    from pylint.lint import PyLinter

_LETTERS = {"E": "E", "W": "W", "A": "R"}
_CONFIDENCE: Mapping[str, Confidence] = {"syntax": HIGH, "flow": INFERENCE, "heuristic": INFERENCE}
#: What is wrong with the configuration is said under the linter's own family, with a number that no rule has.
_CONFIGURATION = ("E6099", "trainlint-configuration", "Emitted when the configuration of trainlint cannot be used.")

Messages = dict[str, Any]


class FamilyChecker(BaseChecker):
    """The rules of one family. All checkers of a process share one :class:`Session`, so the project is checked once."""

    def __init__(self, linter: PyLinter, family: str) -> None:
        self.family = family
        self.name = f"trainlint-{family}"
        self.msgs = dict(_messages(family))
        super().__init__(linter)

    def visit_module(self, node: nodes.Module) -> None:
        """Report what stands in this file. The text is the one that pylint was given, also when the file on disk differs."""
        if node.file is None or node.file == "<?>":
            return
        session = _session(self.linter)
        with node.stream() as stream:
            text = stream.read()
        try:
            findings = session.findings(Path(node.file), text)
        except ConfigError as error:
            if self.family == "linter":
                self.add_message(_CONFIGURATION[1], node=node, line=1, args=(str(error),))
            return
        for finding in findings:
            if CODES[finding.code].family == self.family:
                self._report(finding, node)

    def _report(self, finding: Finding, module: nodes.Module) -> None:
        span = finding.span
        rule = registry.load([finding.code])[0]
        self.add_message(
            finding.name,
            node=_node_at(module, span.line),  # of which pylint's comments for blocks are honoured
            line=span.line,
            col_offset=span.column - 1,
            end_lineno=span.end_line,
            end_col_offset=span.end_column - 1,
            args=(_text(finding),),
            confidence=_CONFIDENCE[rule.certainty],
        )


def register(linter: PyLinter) -> None:
    """Add a checker for each family that has rules. Called twice (as pylint 3 does), it does nothing the second time."""
    there = {checker.name for checker in linter.get_checkers()}
    for family in FAMILIES:
        if f"trainlint-{family}" not in there and any(where.family == family for where in registry.built().values()):
            linter.register_checker(FamilyChecker(linter, family))


_sessions: dict[frozenset[str], Session] = {}


def _session(linter: PyLinter) -> Session:
    """The session for the rules that pylint has on (its switches for single lines do not count here)."""
    wanted = frozenset(where.code for where in registry.built().values() if linter.is_message_enabled(where.name))
    return _sessions.setdefault(wanted, Session(wanted))


def _messages(family: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    if family == "linter":
        number, symbol, description = _CONFIGURATION
        yield number, ("%s", symbol, description)
    for rule in registry.load(registry.built()):
        known = CODES[rule.code]
        if known.family == family:
            yield (
                number_of(rule.code),
                ("%s", rule.name, _description(rule.code, rule.summary), {"default_enabled": known.level != "A"}),
            )


def number_of(code: str) -> str:
    """The number of a rule of the catalogue inside pylint."""
    return f"{_LETTERS[CODES[code].level]}6{code[2:]}"


def _description(code: str, summary: str) -> str:
    return f"{code}: {summary} `trainlint rule {code}` shows the whole page."


def _text(finding: Finding) -> str:
    """The message on one line, with the places that explain it."""
    parts = [escape(finding.message.partition("\n")[0])]
    parts += [f"{escape(display_path(place.path))}:{place.span.line}: {escape(place.message)}" for place in finding.related]
    return "; ".join(parts)


def _node_at(module: nodes.Module, line: int) -> nodes.NodeNG:
    """The innermost node that holds the line."""
    node: nodes.NodeNG = module
    while True:
        inner = next((child for child in node.get_children() if _holds(child, line)), None)
        if inner is None:
            return node
        node = inner


def _holds(node: nodes.NodeNG, line: int) -> bool:
    first, last = node.fromlineno, node.tolineno
    return first is not None and last is not None and first <= line <= last
