"""Texts that are no Python, Python of another version, and files in which nothing stands."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.bad_input.running import OTHER, Found, check, findings_of, write

HANGS = """\
import torch.distributed as dist

if dist.get_rank() == 0:
    dist.barrier()
"""
HANG = Found("TL101", 4, 5)

# The place of a mistake is the parser's own, which versions of Python see differently; the line is the same in all.
BROKEN = {
    "no colon": ("for x in y\n    pass\n", 5),
    "an assignment to a literal": ("1 = x\n", 5),
    "Python 2": ('print "done"\n', 5),
    "a bracket of the wrong kind": ("f(]\n", 5),
    "blocks that begin with tabs and blanks": ("if x:\n        y()\n\tz()\n", 7),
    "a character that is none of Python's": ("x = 3 $ 4\n", 5),
    "a number that nobody reads": ("x = 0777\n", 5),
    "merge marks": ("<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> main\n", 5),
}


class TestSyntaxErrors:
    @pytest.mark.parametrize("name", BROKEN)
    def test_the_line_is_named_and_the_others_are_checked(self, tmp_path: Path, name: str) -> None:
        text, line = BROKEN[name]
        outcome = check(write(tmp_path, {"hostile.py": HANGS + text}))
        assert [(one.code, one.line) for one in findings_of(outcome)] == [("TL001", line)]
        assert outcome.messages["hostile.py"][0].startswith("syntax error: ")

    @pytest.mark.parametrize("text", ["x = (\n", 'x = """\n', "x = \\", "if x:\n", "try:\n    pass\n", "@f\n"])
    def test_an_end_that_comes_too_early(self, tmp_path: Path, text: str) -> None:
        outcome = check(write(tmp_path, {"hostile.py": HANGS + text}))
        (found,) = findings_of(outcome)
        assert found.code == "TL001"
        assert 5 <= found.line <= 7

    def test_a_file_without_a_word_of_training_code_is_not_parsed(self, tmp_path: Path) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": "for x in\n"}))) == []

    def test_what_only_the_compiler_refuses_is_analysed(self, tmp_path: Path) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": HANGS + "return f(a=1, a=2)\n"}))) == [HANG]

    def test_nothing_is_repaired_in_a_file_that_is_broken(self, tmp_path: Path) -> None:
        write(tmp_path, {"hostile.py": HANGS + "1 = x\n"})
        outcome = check(tmp_path, "--fix", "--unsafe-fixes", tmp_path)
        assert [one.code for one in outcome.found["hostile.py"]] == ["TL001"]
        assert (tmp_path / "hostile.py").read_text() == HANGS + "1 = x\n"


NEWER = {
    "exception groups": ((3, 11), "try:\n    f()\nexcept* OSError:\n    pass\n"),
    "type statement": ((3, 12), "type Pair = tuple[int, int]\n"),
    "type parameters": ((3, 12), "def f[T](x: T) -> T:\n    return x\n"),
    "quotes in an f-string": ((3, 12), 'x = f"{d["key"]}"\n'),
    "defaults of type parameters": ((3, 13), "class C[T = int]:\n    pass\n"),
    "exceptions without parentheses": ((3, 14), "try:\n    f()\nexcept OSError, ValueError:\n    pass\n"),
    "template strings": ((3, 14), "x = t'{name}'\n"),
}


class TestNewerSyntax:
    @pytest.mark.parametrize("name", NEWER)
    def test_it_is_no_mistake_of_the_file(self, tmp_path: Path, name: str) -> None:
        since, text = NEWER[name]
        outcome = check(write(tmp_path, {"hostile.py": HANGS + text}))
        (found,) = findings_of(outcome)
        if sys.version_info >= since:
            assert found == HANG
        else:
            assert found.code == "TL006"
            assert found.line >= 5
            running = f"{sys.version_info[0]}.{sys.version_info[1]}"
            message = f"the file needs a newer Python than the {running} that runs trainlint: it was not analysed"
            assert outcome.messages["hostile.py"] == [message]

    def test_syntax_of_no_version_is_a_mistake(self, tmp_path: Path) -> None:
        outcome = check(write(tmp_path, {"hostile.py": HANGS + "type Pair = tuple[int, int\ntry f[T]: except A, B\n"}))
        assert [one.code for one in findings_of(outcome)] == ["TL001"]


OLD = {
    "print": 'print "done"\n',
    "print to a file": 'print >>sys.stderr, "done"\nprint "done"\n',
    "exec": "exec code in names\n",
    "raise": 'def f():\n    raise ValueError, "no"\n',
    "raise with a trace": 'def f():\n    raise ValueError("no"), None, trace\n',
    "except": "try:\n    f()\nexcept OSError, error:\n    print(error)\n",
    "except of several": "try:\n    f()\nexcept (OSError, ValueError), e:\n    pass\n",
    "octal": "x = 0755\n",
    "long": "x = 10L\n",
    "long hexadecimal": "x = 0xFFL\n",
    "raw unicode": "x = ur'a'\n",
    "backquotes": "x = `y`\n",
    "unequal": "if x <> y:\n    pass\n",
    "parameters in brackets": "def f(a, (b, c)):\n    pass\n",
    "a lambda's, too": "f = lambda (a, b): a\n",
    "tabs of eight": "if x:\n        y()\n\tz()\n",
}


class TestPython2:
    """It is a mistake where a framework is imported, which no Python 2 has any more; elsewhere nobody trains with it."""

    @pytest.mark.parametrize("name", OLD)
    def test_it_is_a_mistake_where_a_framework_is_imported(self, tmp_path: Path, name: str) -> None:
        outcome = check(write(tmp_path, {"hostile.py": HANGS + OLD[name]}))
        assert [one.code for one in findings_of(outcome)] == ["TL001"]
        assert outcome.messages["hostile.py"][0].startswith("syntax error: ")
        assert outcome.messages["hostile.py"][0].endswith(" (this is Python 2)")

    @pytest.mark.parametrize("name", OLD)
    def test_it_is_none_elsewhere_also_where_somebody_imports_it(self, tmp_path: Path, name: str) -> None:
        train = "import hostile\n" + HANGS
        outcome = check(write(tmp_path, {"hostile.py": OLD[name], "train.py": train}))
        assert outcome.found.keys() == {"train.py", OTHER}

    def test_what_is_no_python_2_either_is_a_mistake_where_somebody_imports_it(self, tmp_path: Path) -> None:
        outcome = check(write(tmp_path, {"hostile.py": "1 = x\n", "train.py": "import hostile\n" + HANGS}))
        assert [one.code for one in outcome.found["hostile.py"]] == ["TL001"]
        assert not outcome.messages["hostile.py"][0].endswith(" (this is Python 2)")

    @pytest.mark.parametrize(
        "text",
        [
            "from errors import Bad\ntry:\n    f()\nexcept OSError, Bad:\n    pass\n",
            "import errors as Bad\ntry:\n    f()\nexcept OSError, Bad:\n    pass\n",
            "class Bad(Exception):\n    pass\ntry:\n    f()\nexcept OSError, Bad:\n    pass\n",
            "Bad = (KeyError, IndexError)\ntry:\n    f()\nexcept OSError, Bad:\n    pass\n",
            "try:\n    f()\nexcept OSError, errors.Bad:\n    pass\n",
        ],
    )
    def test_two_classes_behind_except_are_no_python_2(self, tmp_path: Path, text: str) -> None:
        outcome = check(write(tmp_path, {"hostile.py": HANGS + text}))
        assert [one.code for one in findings_of(outcome)] == ["TL101" if sys.version_info >= (3, 14) else "TL006"]

    def test_the_same_name_may_count_rounds_elsewhere(self, tmp_path: Path) -> None:
        text = "def f():\n    for e in range(3):\n        e = e + 1\ntry:\n    f()\nexcept OSError, e:\n    print(e)\n"
        outcome = check(write(tmp_path, {"hostile.py": HANGS + text}))
        assert [one.code for one in findings_of(outcome)] == ["TL101" if sys.version_info >= (3, 14) else "TL001"]


class TestFilesThatNoRuleAsksAbout:
    """A file that imports a framework is parsed, whatever else stands in it."""

    @pytest.mark.parametrize(
        "framework", ["import torch", "from jax import numpy", "import tensorflow.keras as k", "import flax"]
    )
    def test_one_with_a_framework_has_to_be_python(self, tmp_path: Path, framework: str) -> None:
        outcome = check(write(tmp_path, {"hostile.py": f"{framework}\nx = 1\nfor x in\n"}))
        assert [(one.code, one.line) for one in findings_of(outcome)] == [("TL001", 3)]

    def test_one_without_is_not_parsed(self, tmp_path: Path) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": "import numpy\nfor x in\n"}))) == []

    def test_one_beside_code_that_is_asked_about(self, tmp_path: Path) -> None:
        outcome = check(write(tmp_path, {"hostile.py": "import torch\nfor x in\n", "train.py": HANGS}))
        assert [one.code for one in outcome.found["hostile.py"]] == ["TL001"]
        assert outcome.found["train.py"] == [HANG]

    def test_nobody_looks_when_it_is_not_reported(self, tmp_path: Path) -> None:
        write(tmp_path, {"hostile.py": "import torch\nfor x in\n"})
        assert findings_of(check(tmp_path, "--ignore", "TL001", tmp_path)) == []

    def test_one_that_is_sound_is_clean(self, tmp_path: Path) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": "import torch\nx = 1\n"}))) == []


class TestNothing:
    @pytest.mark.parametrize(
        "text", ["", "\n", " ", "\t\n\f\n", "\ufeff", "\\\n", "# import torch.distributed as dist\n# dist.barrier()", "#"]
    )
    def test_a_file_without_code_is_clean(self, tmp_path: Path, text: str) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": text}))) == []

    def test_a_docstring_alone_is_clean(self, tmp_path: Path) -> None:
        assert findings_of(check(write(tmp_path, {"hostile.py": '"""if get_rank() == 0: dist.barrier()"""'}))) == []

    def test_an_empty_folder_is_said_to_be_empty(self, tmp_path: Path) -> None:
        outcome = check(tmp_path)
        assert (outcome.code, outcome.found) == (0, {})
        assert outcome.stderr == "warning: No Python files found under the given path(s)\n"


def notebook(*cells: object, **more: object) -> str:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more})


def code(source: object) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}


BROKEN_NOTEBOOKS = {
    "nothing": ("", "the file is a broken notebook: Expecting value"),
    "no JSON": ("import torch\n", "the file is a broken notebook: Expecting value"),
    "half a notebook": (notebook(code("import torch"))[:40], "the file is a broken notebook: "),
    "JSON that is no notebook": ('{"cells": 3}', "the file is not a notebook: its JSON has no nbformat"),
    "a list": ("[]", "the file is not a notebook: its JSON has no nbformat"),
    "no list of cells": (notebook(cells={}), "the file is not a notebook: it has no list of cells"),
    "a cell that is none": (notebook(3), "the file is a broken notebook: cell 1 is no object"),
    "a source that is no text": (notebook(code([1, 2])), "the file is a broken notebook: the source of cell 1 is neither"),
    "an old format": ('{"nbformat": 3, "worksheets": []}', "the file is a notebook of format 3; only format 4 and later"),
}


class TestNotebooks:
    @pytest.mark.parametrize("name", BROKEN_NOTEBOOKS)
    def test_a_broken_notebook_is_named_and_the_others_are_checked(self, tmp_path: Path, name: str) -> None:
        text, message = BROKEN_NOTEBOOKS[name]
        outcome = check(write(tmp_path, {"hostile.ipynb": text}))
        assert [one.code for one in findings_of(outcome, "hostile.ipynb")] == ["TL001"]
        assert outcome.messages["hostile.ipynb"][0].startswith(message)

    def test_json_that_is_nested_too_deeply(self, tmp_path: Path) -> None:
        outcome = check(write(tmp_path, {"hostile.ipynb": "[" * 200_000}))
        assert findings_of(outcome, "hostile.ipynb") == [Found("TL004", 1, 1)]
        message = "the file is a broken notebook: its JSON is nested too deeply: it was not analysed"
        assert outcome.messages["hostile.ipynb"] == [message]

    def test_a_mistake_in_a_cell_is_counted_in_the_cell(self, tmp_path: Path) -> None:
        text = notebook(code(HANGS), {"cell_type": "markdown", "source": "# x"}, code("x = 1\nf(]\n"))
        assert findings_of(check(write(tmp_path, {"hostile.ipynb": text})), "hostile.ipynb") == [Found("TL001", 2, 3)]

    def test_half_a_character_in_a_cell(self, tmp_path: Path) -> None:
        text = notebook(code(HANGS), code("y = 1\nx = '\ud800'\n"))
        outcome = check(write(tmp_path, {"hostile.ipynb": text}))
        assert findings_of(outcome, "hostile.ipynb") == [Found("TL001", 2, 6)]

    def test_a_finding_in_a_notebook_full_of_magics(self, tmp_path: Path) -> None:
        magics = "%time x = 1\n!pip install torch\ndist.get_rank?\n"
        outcome = check(write(tmp_path, {"hostile.ipynb": notebook(code("%%bash\nif ["), code(magics + HANGS))}))
        assert findings_of(outcome, "hostile.ipynb") == [Found("TL101", 7, 5)]
