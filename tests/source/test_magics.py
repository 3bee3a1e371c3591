"""IPython's syntax made harmless."""

from __future__ import annotations

import ast

import pytest

from trainlint.source.notebook import plain_python


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("%matplotlib inline\nx = 1", "0\nx = 1"),
        ("!pip install torch\nx = 1", "0\nx = 1"),
        ("!!ls\nx", "0\nx"),
        ("?print\nprint?\nmodel.fit??\n%time?\nx", "0\n0\n0\n0\nx"),
        ("for i in x:\n    %time\n    !echo $i\ny", "for i in x:\n    0\n    0\ny"),
        ("if x:\n\t!ls\n", "if x:\n\t0\n"),
        ("files = !ls *.py\nx", "files = _\nx"),
        ("a, b.c = %sql select 1\nx", "a, b.c = _\nx"),
        (", f a b\n;g a\n/h a", "0\n0\n0"),
        ("!pip install \\\n  torch \\\n  jax\nx = 1", "0\n\n\nx = 1"),
        ("x = !ls \\\n -l\ny", "x = _\n\ny"),
        ("!echo \"it's (\nx = 1", "0\nx = 1"),
        ("pip install torch -q\ncd ../data\nls -la\nx", "0\n0\nls -la\nx"),  # the last one is a subtraction
        ("%pip install x\r\ny\r\n", "0\r\ny\r\n"),
        ("%%time\nx = 1", "\nx = 1"),
        ("\n%%capture out\n%%time\nx = 1", "\n\n\nx = 1"),
        ("%%bash\nfor x in (\n  done", "\n\n"),
        ("%%writefile train.py\nimport torch", "\n"),
        ("%%\nx", "\n"),
        ("x = 1\n%%time\ny", "x = 1\n0\ny"),
    ],
)
def test_magic(cell, code):
    assert plain_python(cell).code == code
    ast.parse(code)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("%time loss = train(x)", "0;    loss = train(x)"),
        ("if x:\n    %time fit()\n", "if x:\n    0;    fit()\n"),
        ("%timeit -n 10 -r3 f(x)\ny", "0;                f(x)\ny"),
        ("%prun -l 10 -s cumtime f(x); g(x)  # why", "0;                     f(x); g(x)  # why"),
        ("%memit -r 1 f()", "0;          f()"),
        ("%time f(1, \\\n  2)\ny", "0;    f(1, \\\n  2)\ny"),
        ("%time for x in y: f(x)\nz", "0\nz"),  # no semicolon can stand before a loop
        ("%time ls -la (\nz", "0\nz"),
        ("%time\nz", "0\nz"),
        ("%time  # nothing\nz", "0\nz"),
    ],
)
def test_python_after_a_magic_is_kept_where_it_stands(cell, code):
    assert plain_python(cell).code == code
    ast.parse(code)


@pytest.mark.parametrize(
    "cell",
    [
        "x = (a\n  % b\n  / c)",
        "x = a \\\n  % b",
        "s = '''\n%time\n!ls\nwhat?\n'''",
        "s = 'a\\\n%b'",
        "# what?\nprint('why?')  # how?",
        "s = '%d' % x\nt = 'a=%s' % s\nd['a=%s'] = 1",
        "f(a='%d', b=\"!x\")",
        "x != y\nx %= 2\nx /= 3",
        "pip = 1\nls = pip\ncat (x)\ncd",
        "'''Why?'''",
        "def f():\n    '''Why?\n    %s\n    '''\n",
        "",
        "\n\n",
    ],
)
def test_python_is_not_touched(cell):
    assert plain_python(cell) == (cell, frozenset())


def test_changed_lines_are_named():
    assert plain_python("x\n!ls \\\n  a\n%time f()\n%%z\ny").changed == {2, 3, 4, 5}
    assert plain_python("%%bash\na\nb").changed == {1, 2, 3}


def test_wrong_python_stays_wrong():
    assert plain_python("%time\nx = = 1\n").code == "0\nx = = 1\n"
    assert plain_python("f(\n%time\n").code == "f(\n%time\n"


@pytest.mark.parametrize(
    "cell",
    ["%time x = 1\n!ls\nfor i in y:\n  %run a.py\n  z?\n", "?x\n/f\n,g\n!l\n", "a = !l\nb=%x\n", "pip install x\n"],
)
def test_no_line_grows_or_moves(cell):
    before, after = cell.split("\n"), plain_python(cell).code.split("\n")
    assert before != after
    assert len(before) == len(after)
    assert all(len(new) <= len(old) for old, new in zip(before, after, strict=True))
