"""Mutants of the analysis, by the operators of cosmic-ray: where they can be made, a seeded sample of them, their text."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, zip_longest
from pathlib import Path

from cosmic_ray import plugins
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("rules", "ir", "program", "flow", "domains", "jobs", "spmd")
"""The packages of trainlint that are mutated."""

_LEFT_OUT = (
    "core/Variable",  # they want to be told which variable
    "core/RemoveDecorator",  # not a condition; most are @cache, without which all is the same but slower
    "core/ReplaceComparisonOperator_Is_Eq",  # the next four: None, kinds and interned names are equal when they are the same
    "core/ReplaceComparisonOperator_IsNot_NotEq",
    "core/ReplaceComparisonOperator_Eq_Is",
    "core/ReplaceComparisonOperator_NotEq_IsNot",
)


@dataclass(frozen=True)
class Mutant:
    """The ``occurrence``-th place (0-based) at which an operator can change a file; the 1-based line that this is on."""

    path: str
    operator: str
    occurrence: int
    line: int

    @property
    def key(self) -> str:
        """What names the mutant in a list of results."""
        return f"{self.path}:{self.line} {self.operator.removeprefix('core/')} {self.occurrence}"


def files(parts: tuple[str, ...] = PARTS) -> list[Path]:
    """The modules that are mutated: those of some packages of trainlint that hold code."""
    found = [each for part in parts for each in sorted((ROOT / "trainlint" / part).rglob("*.py"))]
    return [each for each in found if each.name not in {"__init__.py", "_prepared.py"}]


def sample(count: int, seed: int, parts: tuple[str, ...] = PARTS) -> list[Mutant]:
    """``count`` mutants in the order in which they are to be run: any first part of it is a sample too.

    The parts take turns. In each, a place in the text is drawn first, then one of what can be done there: a ``+``, which has
    eleven replacements, counts once.
    """
    queues = [_drawn(part, random.Random(f"{seed} {part}")) for part in parts]  # noqa: S311 - it must be repeatable
    turns = (mutant for several in zip_longest(*queues) for mutant in several if mutant is not None)
    return list(islice(turns, count))


def _drawn(part: str, chance: random.Random) -> Iterator[Mutant]:
    places = [(path, place) for path in files((part,)) for place in _places(path)]
    chance.shuffle(places)
    for path, place in places:
        choices = list(_places(path)[place])
        chance.shuffle(choices)
        for operator, occurrence in choices:
            mutant = Mutant(path.relative_to(ROOT).as_posix(), operator, occurrence, place[0])
            if changes_code(path.read_text(encoding="utf-8"), mutated(mutant)):
                yield mutant
                break


def mutated(mutant: Mutant) -> str:
    """The text of the mutated module."""
    text = mutate_code((ROOT / mutant.path).read_text(encoding="utf-8"), _operators()[mutant.operator], mutant.occurrence)
    assert text is not None, mutant
    return str(text)


def changes_code(before: str, after: str) -> bool:
    """Whether the module does something else: not where only annotations differ, which are never evaluated here, how parameters
    may be passed, or what is imported for the types. What is no Python is no mutant.
    """
    try:
        return _what_runs(before) != _what_runs(after)
    except SyntaxError:
        return False


def _what_runs(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
            node.args.args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            node.args.defaults += [each for each in node.args.kw_defaults if each is not None]
            node.args.posonlyargs, node.args.kwonlyargs, node.args.kw_defaults = [], [], []
        elif isinstance(node, ast.If) and any(
            isinstance(one, ast.Name) and one.id == "TYPE_CHECKING" for one in ast.walk(node.test)
        ):
            node.test = ast.Constant(None)
    return ast.dump(tree)


@cache
def _operators() -> dict[str, object]:
    names = [name for name in plugins.operator_names() if not name.startswith(_LEFT_OUT)]
    return {name: plugins.get_operator(name)() for name in names}


@cache
def _places(path: Path) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """By place (line, column): the operators that can change it, each with the number of its occurrence."""
    tree = get_ast(path.read_text(encoding="utf-8"))
    nodes = list(ast_nodes(tree))
    found: defaultdict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    for name, operator in _operators().items():
        places = [start for node in nodes for start, _end in operator.mutation_positions(node)]
        for occurrence, place in enumerate(places):
            found[place].append((name, occurrence))
    return dict(found)
