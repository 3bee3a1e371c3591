"""What leaves: calls that end the process and whether they report a failure, loops that only a ``break`` ends."""

from __future__ import annotations

import textwrap

import pytest

from tests.ir.revealing import calls, lowered, statements
from trainlint.ir.sketch import Exit


@pytest.mark.parametrize(
    "given",
    [
        "1",
        "2",
        "-1",
        "'no data'",
        "True",
        "f'no {x}'",
        "'no %s' % x",
        "'no ' + x",
        "'no {}'.format(x)",
        "('no ' + x) + y",
        "'a' % x + y",
    ],
)
def test_a_failure_is_reported(given: str) -> None:
    (found,) = [node for node in statements(lowered(f"import sys\nsys.exit({given})")) if isinstance(node, Exit)]
    assert found.kind == "exit"
    assert found.error is not None


@pytest.mark.parametrize(
    "given",
    [
        "",
        "0",
        "None",
        "''",
        "x",
        "x + 'no'",
        "x % 'no'",
        "5 + x",
        "x.format('no')",
        "f('no')",
        "main()",
        "1, 2",
        "False",
        "-0",
        "'a' * x",
        "~x",
    ],
)
def test_no_failure_is_reported(given: str) -> None:
    (found,) = [node for node in statements(lowered(f"import sys\nsys.exit({given})")) if isinstance(node, Exit)]
    assert found.kind == "exit"
    assert found.error is None


ENDED = {
    "a break": "break",
    "in an arm": "if x:\n    break",
    "in the other arm": "if x:\n    pass\nelse:\n    break",
    "in a with": "with x:\n    break",
    "in a try": "try:\n    break\nexcept ValueError:\n    pass",
    "in a handler": "try:\n    f()\nexcept ValueError:\n    break",
    "in the else of a try": "try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    break",
    "in a finally": "try:\n    f()\nfinally:\n    break",
    "in a case": "match x:\n    case 1:\n        break",
    "in the else of an inner loop": "for y in x:\n    pass\nelse:\n    break",
    "behind an inner loop": "for y in x:\n    break\nbreak",
    "deep": "with x:\n    if y:\n        try:\n            f()\n        except ValueError:\n            break",
}
ENDLESS = {
    "nothing": "pass",
    "arms without": "if x:\n    pass\nelse:\n    f()",
    "another loop's": "for y in x:\n    break",
    "another while's": "while x:\n    break",
    "deep in another loop": "for y in x:\n    if y:\n        break",
    "continue": "if x:\n    continue",
    "a try without": "try:\n    f()\nexcept ValueError:\n    pass\nelse:\n    g()\nfinally:\n    g()",
    "a case without": "match x:\n    case 1:\n        f()",
    "a function with a loop of its own": "def g():\n    for y in x:\n        break",
    "return": "if x:\n    return",
}


def behind(body: str) -> bool:
    """Whether anything behind ``while True`` is thought to run."""
    return "builtins.behind" in calls(lowered(f"def f():\n    while True:\n{textwrap.indent(body, '        ')}\n    behind()\n"))


@pytest.mark.parametrize("body", ENDED.values(), ids=ENDED)
def test_a_loop_is_ended(body: str) -> None:
    assert behind(body)


@pytest.mark.parametrize("body", ENDLESS.values(), ids=ENDLESS)
def test_a_loop_never_ends(body: str) -> None:
    assert not behind(body)


@pytest.mark.parametrize(
    ("test", "goes_on"),
    [
        ("False", False),
        ("0", False),
        ("None", False),
        ('"", "why"', False),
        ("True", True),
        ("1", True),
        ('"why"', True),
        ("x", True),
        ("f(0)", True),
    ],
)
def test_what_is_asserted_of_a_constant(test: str, goes_on: bool) -> None:
    assert ("builtins.behind" in calls(lowered(f"def g(x):\n    assert {test}\n    behind()\n"))) is goes_on
