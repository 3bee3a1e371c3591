"""The analysis agrees with an interpreter that runs every rank: a few programs here, thousands under the marker `heavy`."""

from __future__ import annotations

import ast
import os

import pytest

from tests.oracle.generator import generate
from tests.oracle.maker import Maker
from tests.oracle.scorer import Report, Score, score

pytestmark = pytest.mark.oracle

SMOKE = range(40)
MANY = range(10_000, 12_500)
#: What the programs may be made of: each construct stands in one program in ten, at least.
SHARE = 0.1
#: Words for how a program came about that say nothing of ranks, or that few programs can have.
RARE = {"exit"}


@pytest.fixture(scope="module")
def smoke() -> Report:
    return score(SMOKE)


@pytest.fixture(scope="module")
def many() -> Report:
    report = score(MANY, workers=os.cpu_count() or 1)
    print(report.text())
    return report


def test_a_few_programs(smoke: Report) -> None:
    assert smoke.total.precision >= 0.97, report_of(smoke)
    assert smoke.total.recall >= 0.95, report_of(smoke)
    assert smoke.total.lines >= 0.9, report_of(smoke)


def report_of(report: Report) -> str:
    return f"{report.text()}\n{[result.program.seed for result in report.disagreements]}"


def test_the_same_number_is_the_same_program() -> None:
    assert generate(7).files == generate(7).files
    assert generate(7).files != generate(8).files


@pytest.mark.parametrize("seed", range(0, 60, 7))
def test_programs_are_python_in_which_everything_is_used(seed: int) -> None:
    # The analysis judges functions that nobody calls, the interpreter does not see them: there must be none.
    text = "\n".join(generate(seed).files.values())
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")]
    defined = [node.name for node in functions if any(word in ast.unparse(node) for word in Maker.OPERATIONS)]
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    named |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert [name for name in defined if name not in named] == []


@pytest.mark.heavy
def test_programs_are_mixed(many: Report) -> None:
    assert 0.3 <= many.total.wrong <= 0.7
    rare = {name: score_.programs for name, score_ in many.constructs.items() if score_.programs < SHARE * many.total.programs}
    assert set(rare) <= RARE, rare


@pytest.mark.heavy
def test_what_is_reported_of_many_programs_is_wrong(many: Report) -> None:
    assert many.total.precision >= 0.99, report_of(many)
    assert low(many, Score.precision) == [], report_of(many)


@pytest.mark.heavy
def test_what_is_wrong_with_many_programs_is_reported(many: Report) -> None:
    assert many.total.recall >= 0.99, report_of(many)
    assert low(many, Score.recall) == [], report_of(many)


def low(report: Report, share: property) -> list[str]:
    """The constructs within which a share is below 97%."""
    assert share.fget is not None
    return [name for name, each in report.constructs.items() if share.fget(each) < 0.97]


@pytest.mark.heavy
def test_findings_name_the_guard_or_the_collective(many: Report) -> None:
    assert many.total.lines >= 0.95, report_of(many)
