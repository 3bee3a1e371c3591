"""What a program remembers: answers by their questions (``program.ask``), which nobody works out anew by calling them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: How a question is asked, and how many arguments it has when it is called.
ASKED = {"ask": 1, "ask_of": 2}


class Made(NamedTuple):
    """A call of a function or a class: its module and name, how many arguments it is given, and where that stands."""

    name: tuple[str, str]
    given: int
    place: str


def texts(root: Path = ROOT) -> dict[str, str]:
    """By dotted name what is written in our modules."""
    files = (path for path in sorted((root / "trainlint").rglob("*.py")) if path.name != "_prepared.py")
    return {".".join(path.relative_to(root).with_suffix("").parts): path.read_text(encoding="utf-8") for path in files}


def questions_and_calls(modules: Mapping[str, str]) -> tuple[set[tuple[tuple[str, str], int]], list[Made]]:
    """What programs are asked, and with how many arguments it would be called; and what is called."""
    asked: set[tuple[tuple[str, str], int]] = set()
    called: list[Made] = []
    for module, text in modules.items():
        tree = ast.parse(text)
        nodes = list(ast.walk(tree))
        known = dict(_names(module, tree, nodes))
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr in ASKED and node.args:
                asked.update((name, ASKED[node.func.attr]) for name in _meant(node.args[0], known))
            given = len(node.args) + len(node.keywords)
            called += [Made(name, given, f"{module}:{node.lineno}") for name in _meant(node.func, known)]
    return asked, called


def _names(module: str, tree: ast.Module, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names of a module, each with the module and the name that it stands for."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, (module, node.name)
    for each in nodes:
        if isinstance(each, ast.ImportFrom):
            yield from ((alias.asname or alias.name, (each.module or "", alias.name)) for alias in each.names)


def _meant(term: ast.expr, known: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What a name, or a name of an imported module, stands for."""
    if isinstance(term, ast.Name) and term.id in known:
        yield known[term.id]
    elif isinstance(term, ast.Attribute) and isinstance(term.value, ast.Name) and term.value.id in known:
        yield (".".join(known[term.value.id]), term.attr)


def worked_out_anew(modules: Mapping[str, str]) -> list[str]:
    """Where somebody calls what others ask a program, and so does not hear what is known already."""
    return _direct(*questions_and_calls(modules))


def _direct(asked: set[tuple[tuple[str, str], int]], called: list[Made]) -> list[str]:
    return [f"{each.place} calls {'.'.join(each.name)}" for each in called if (each.name, each.given) in asked]


def test_what_is_asked_is_not_called() -> None:
    asked, called = questions_and_calls(texts())
    assert len(asked) > 100
    assert _direct(asked, called) == []


def test_what_is_asked_and_called_is_found() -> None:
    facts = "def starts(program):\n    return 1\n\ndef of(program, path):\n    return program.ask(starts)\n"
    rule = "from trainlint.domains import a\nfrom trainlint.domains.a import starts as begins\n"
    right = rule + "def find(program):\n    return program.ask(a.starts), program.ask_of(a.of, 1), a.starts(program, 1)\n"
    wrong = rule + "def find(program):\n    return begins(program), a.of(program, 1)\n"
    assert worked_out_anew({"trainlint.domains.a": facts, "trainlint.rules.b": right}) == []
    found = worked_out_anew({"trainlint.domains.a": facts, "trainlint.rules.b": right, "trainlint.rules.c": wrong})
    assert found == ["trainlint.rules.c:4 calls trainlint.domains.a.starts", "trainlint.rules.c:4 calls trainlint.domains.a.of"]


def test_answers_are_kept_by_the_question() -> None:
    """A question is a file's own: the same object whenever it is asked. Nobody keeps anything under a name."""
    written = texts()
    users = {module for module, text in written.items() if re.search(r"\.analyses\b", text)}
    assert {module for module in users if not module.startswith("trainlint.app.engine.")} == {"trainlint.program.program"}
    questions = [found for text in written.values() for found in re.findall(r"program\.ask(?:_of)?\(([^,)]*)", text)]
    assert len(questions) > 500
    assert [each for each in questions if not re.fullmatch(r"\w+(\.\w+)*", each)] == []
