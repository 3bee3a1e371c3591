"""A shell script: its commands with the words that each is given, as far as the script itself says what they are.

Variables are followed as long as one line after the other sets them: what a branch, a loop, a function, the caller's
environment or another file decides is not known. Nothing is run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter
import tree_sitter_bash

from trainlint.documents.expansion import Expansion, Word
from trainlint.documents.json_tree import spot_of
from trainlint.finding import Spot

#: What is within these may run or not, or many times.
_BRANCHES = frozenset(
    {
        "if_statement",
        "case_statement",
        "while_statement",
        "for_statement",
        "c_style_for_statement",
        "function_definition",
        "subshell",
        "command_substitution",
        "process_substitution",
    }
)
#: What is started to see whether the next of a list is done.
_TESTS = frozenset({"test", "[", "grep", "which"})
#: A file that is sourced may set anything, but for those that enter an environment of Python.
_SOURCES = frozenset({"source", "."})
_ENTERS = ("activate", "conda.sh", ".bashrc", "profile", "init.sh")
_SCHEDULERS = ("#SBATCH", "#PBS", "#BSUB", "#$")


@dataclass(frozen=True)
class Assignment:
    """``NAME=value``; ``exported``: for the programs that the script starts. ``conditional``: it may not be made."""

    name: str
    value: Word
    spot: Spot
    exported: bool = False
    conditional: bool = False


@dataclass(frozen=True)
class Command:
    """A command with its words, the program first. ``environment`` is what stands before it (``A=1 program``).

    ``tested`` are the variables of the conditions that it stands under: ``A`` of ``if [ $A -gt 1 ]``.
    """

    words: tuple[Word, ...]
    spot: Spot
    environment: tuple[Assignment, ...] = ()
    conditional: bool = False
    tested: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The program without its folders; empty when it is not known."""
        return (self.words[0].text or "").rpartition("/")[2] if self.words else ""


@dataclass(frozen=True)
class Directive:
    """An option in a comment for the batch system: ``#SBATCH --nodes=2``. ``value`` is empty for a bare option."""

    system: str
    option: str
    value: str
    spot: Spot


@dataclass
class Script:
    """What a script does, in the order of its lines."""

    commands: list[Command] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)


def read_shell(data: bytes) -> Script | None:
    """The script in the bytes; None when much of it cannot be parsed."""
    root = _parser().parse(data).root_node
    if root.has_error and _broken(root) * 5 > len(data):
        return None
    reading = _Reading()
    reading.block(root, conditional=False)
    return reading.script


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _broken(root: tree_sitter.Node) -> int:
    """How many bytes lie in places that are no shell."""
    found, waiting = 0, [root]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR":
            found += node.end_byte - node.start_byte
        elif node.has_error:
            waiting.extend(node.children)
    return found


class _Reading:
    def __init__(self) -> None:
        self.script = Script()
        self.expansion = Expansion()

    def block(self, top: tree_sitter.Node, *, conditional: bool) -> None:
        """Everything below a node, in order; not by recursion, since scripts are long and lists nest to the left."""
        waiting: list[_Place] = [(top, conditional, frozenset())]
        while waiting:
            node, maybe, tested = waiting.pop()
            if node.type == "comment":
                self._comment(node)
            elif node.type == "command":
                self._command(node, maybe, tested)
            elif node.type == "declaration_command":
                self._declaration(node, maybe)
            elif node.type == "variable_assignment":
                self._assign(node, exported=False, conditional=maybe)
            elif node.type == "for_statement":
                variable = node.child_by_field_name("variable")
                if variable is not None:
                    self.expansion.forget(_text(variable))
                waiting.extend((child, True, tested) for child in reversed(node.named_children))
            elif node.type == "list":
                waiting.extend(reversed(list(_listed(node, maybe, tested))))
            else:
                inner = maybe or node.type in _BRANCHES
                names = tested.union(*map(_variables, _conditions(node)))
                waiting.extend((child, inner, names) for child in reversed(node.named_children))

    def _comment(self, node: tree_sitter.Node) -> None:
        text = _text(node)
        system = next((name for name in _SCHEDULERS if text.startswith(name)), None)
        if system is None:
            return
        words = text[len(system) :].split()
        for word, after in zip(words, [*words[1:], ""], strict=False):
            if not word.startswith("-"):
                continue
            if word.startswith("#"):
                break
            option, equals, value = word.partition("=")
            if not equals and not after.startswith("-"):
                value = after
            if not equals and not word.startswith("--") and word[2:]:  # `-N2`
                option, value = word[:2], word[2:]
            self.script.directives.append(Directive(system, option, value, spot_of(node)))

    def _declaration(self, node: tree_sitter.Node, conditional: bool) -> None:
        exported = bool(node.children) and _text(node.children[0]) == "export"
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assign(child, exported=exported, conditional=conditional)
            elif child.type == "variable_name" and exported:
                self._export(child, conditional)

    def _export(self, node: tree_sitter.Node, conditional: bool) -> None:
        """``NAME=value`` and then ``export NAME``."""
        name = _text(node)
        value = self.expansion.value(name)
        word = Word(value, name, spot_of(node))
        self.script.assignments.append(Assignment(name, word, spot_of(node), exported=True, conditional=conditional))

    def _assign(self, node: tree_sitter.Node, *, exported: bool, conditional: bool) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            return
        adds = any(child.type == "+=" for child in node.children)
        word = self.expansion.set(_text(name), value, spot_of(node), conditional=conditional, adds=adds)
        self.script.assignments.append(Assignment(_text(name), word, spot_of(node), exported, conditional))

    def _command(self, node: tree_sitter.Node, conditional: bool, tested: frozenset[str]) -> None:
        environment: list[Assignment] = []
        words: list[Word] = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if name is not None:
                    word = self.expansion.word(value, spot_of(child))
                    environment.append(Assignment(_text(name), word, spot_of(child), exported=True, conditional=conditional))
            elif child.type == "command_name":
                words.extend(self.expansion.words(child.named_children[0] if child.named_children else child))
            elif not child.type.endswith("redirect"):
                words.extend(self.expansion.words(child))
            for inside in _substitutions(child):
                self.block(inside, conditional=True)
        command = Command(tuple(words), spot_of(node), tuple(environment), conditional, tested)
        self.script.commands.append(command)
        if command.name in _SOURCES and not any(name in word.written for word in words[1:] for name in _ENTERS):
            self.expansion.forget_all()
        elif command.name in ("read", "unset", "getopts", "mapfile", "readarray"):
            for word in words[1:]:
                self.expansion.forget(word.written)


#: A node, whether it may be passed over, and the variables on which that hangs.
_Place = tuple[tree_sitter.Node, bool, frozenset[str]]


def _listed(node: tree_sitter.Node, conditional: bool, tested: frozenset[str]) -> Iterator[_Place]:
    """The parts of ``a && b || c``. What stands behind a test, or behind ``||``, may be passed over.

    Behind ``&&`` alone it may not: there the script goes on when all is well.
    """
    parts: list[tree_sitter.Node] = []
    while node.type == "list" and node.children:
        parts.extend(reversed(node.children[1:]))
        node = node.children[0]
    for part in (node, *reversed(parts)):
        if part.type == "||":
            conditional = True
        elif part.is_named:
            yield part, conditional, tested
            if _is_test(part):
                conditional, tested = True, tested | _variables(part)


def _is_test(node: tree_sitter.Node) -> bool:
    while node.type in ("negated_command", "pipeline", "redirected_statement") and node.named_children:
        node = node.named_children[0 if node.type == "redirected_statement" else -1]
    return node.type == "test_command" or (node.type == "command" and _text(node).partition(" ")[0] in _TESTS)


def _conditions(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What decides which part of a branching runs: of an ``if`` all conditions, since ``else`` hangs on each."""
    if node.type == "case_statement":
        yield from node.children_by_field_name("value")
    elif node.type == "while_statement":
        yield from node.children_by_field_name("condition")
    elif node.type == "if_statement":
        for part in (node, *(child for child in node.named_children if child.type == "elif_clause")):
            for child in part.children:
                if child.type == "then":
                    break
                yield child


def _variables(node: tree_sitter.Node) -> frozenset[str]:
    """The variables that a condition looks at."""
    found, waiting = set(), [node]
    while waiting:
        here = waiting.pop()
        if here.type == "variable_name":
            found.add(_text(here))
        waiting.extend(here.named_children)
    return frozenset(found)


def _substitutions(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The commands whose output a word is made of."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type in ("command_substitution", "process_substitution"):
            yield here
        else:
            waiting.extend(here.named_children)


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
