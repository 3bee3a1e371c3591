from __future__ import annotations

from pathlib import Path

import pytest

from trainlint import check_paths
from trainlint.edits.apply import apply_edits
from trainlint.edits.layout import quoted_alike
from trainlint.finding import Edit, Span
from trainlint.source.text import Source

SINGLE = "a = 'one'\nb = 'two'\nc = 'three'\n"


def put(code: str, content: str) -> str:
    """What becomes of a text that a repair puts into a file."""
    source = Source.from_bytes(Path("a.py"), code.encode())
    (edit,) = quoted_alike(source, (Edit(Span(1, 1, 1, 1), content),))
    return edit.content


@pytest.mark.parametrize(
    ("code", "content", "after"),
    [
        (SINGLE, 'f(x, "ij")', "f(x, 'ij')"),
        (SINGLE, 'f("a", "b", "")', "f('a', 'b', '')"),
        (SINGLE.replace("'", '"'), 'f("ij")', 'f("ij")'),
        ("a = 'one'\nb = \"two\"\n", 'f("ij")', 'f("ij")'),
        ("", 'f("ij")', 'f("ij")'),
        (SINGLE + 'd = "mine"\n', 'f("mine", "ij")', "f(\"mine\", 'ij')"),
        (SINGLE, 'f("it\'s")', 'f("it\'s")'),
        (SINGLE, 'f(r"a\\b", f"{x}")', 'f(r"a\\b", f"{x}")'),
        (SINGLE, '"""text"""', '"""text"""'),
    ],
)
def test_new_texts_are_quoted_as_the_file_does(code: str, content: str, after: str) -> None:
    assert put(code, content) == after


def test_a_repair_is_quoted_as_the_file_does(tmp_path: Path) -> None:
    code = "import torch\n\nNAMES = ['a', 'b', 'c']\n\n\ndef f(x, y):\n    return torch.meshgrid(x, y)\n"
    (tmp_path / "a.py").write_text(code)
    (found,) = check_paths([tmp_path], select=["TL905"])
    assert found.repair is not None
    assert "torch.meshgrid(x, y, indexing='ij')" in apply_edits(code, found.repair.edits)
