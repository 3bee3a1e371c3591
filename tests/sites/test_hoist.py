from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, hoisted, source_of, spot_of
from trainlint.edits.changes import Hoist
from trainlint.edits.site import open_site

MOVED = {
    "last": ("if r:\n    save()\n    barrier()\nnext()\n", "if r:\n    save()\nbarrier()\nnext()\n"),
    "last, with its comments": (
        "def f():\n    if r:  # a\n        save()\n\n        # w\n        # here\n        barrier()  # all\n    # c\n    g()\n",
        "def f():\n    if r:  # a\n        save()\n\n    # w\n    # here\n    barrier()  # all\n    # c\n    g()\n",
    ),
    "last, before a closing comment": (
        "if r:\n    save()\n    barrier()\n    # done\nnext()\n",
        "if r:\n    save()\n    # done\nbarrier()\nnext()\n",
    ),
    "last, without a line end": ("if r:\n    save()\n    barrier()", "if r:\n    save()\nbarrier()"),
    "last before else": (
        "if r:\n    save()\n    barrier()\nelse:\n    other()\n",
        "if r:\n    save()\nelse:\n    other()\nbarrier()\n",
    ),
    "last of elif": (
        "if r:\n    save()\nelif s:\n    other()\n    barrier()\n",
        "if r:\n    save()\nelif s:\n    other()\nbarrier()\n",
    ),
    "last of else": (
        "if r:\n    save()\nelse:\n    other()\n    barrier()\n",
        "if r:\n    save()\nelse:\n    other()\nbarrier()\n",
    ),
    "first": ("if r:\n    barrier()\n    save()\n", "barrier()\nif r:\n    save()\n"),
    "first, before a return": (
        "def f():\n    if r:\n        barrier()  # all\n        return 1\n    g()\n",
        "def f():\n    barrier()  # all\n    if r:\n        return 1\n    g()\n",
    ),
    "first, above what is said of the guard": (
        "a()\n# why\nif r:\n    barrier()\n    save()\n",
        "a()\nbarrier()\n# why\nif r:\n    save()\n",
    ),
    "only": ("if r:\n    barrier()\nnext()\n", "barrier()\nnext()\n"),
    "only, with all comments": (
        "def f():\n    # guard\n    if r:  # main\n        # loose\n\n        # wait\n        barrier()  # all\n",
        "def f():\n    # guard\n    # main\n    # loose\n    # wait\n    barrier()  # all\n",
    ),
    "only, on one line": ("if r: barrier()  # all\n", "barrier()  # all\n"),
    "only, with a semicolon": ("if r: barrier();\n", "barrier()\n"),
    "only of else": (
        "if r:\n    save()\nelse:  # others\n    barrier()  # all\nnext()\n",
        "if r:\n    save()\n# others\nbarrier()  # all\nnext()\n",
    ),
    "only of else, on one line": ("if r: save()\nelse: barrier()\n", "if r: save()\nbarrier()\n"),
    "last on its line": ("if r:\n    a(); barrier()  # c\n", "if r:\n    a()  # c\nbarrier()\n"),
    "first on its line": ("if r:\n    barrier(); a()\n", "barrier()\nif r:\n    a()\n"),
    "last behind a colon": ("if r: a(); barrier()\n", "if r: a()\nbarrier()\n"),
    "over lines": (
        "if r:\n    save()\n    barrier(\n        a,\n        # why\n        b,\n    )\n",
        "if r:\n    save()\nbarrier(\n    a,\n    # why\n    b,\n)\n",
    ),
    "a string keeps its lines": (
        'if r:\n    save()\n    barrier("""\n    a\n        b\n    """,\n    c)\n',
        'if r:\n    save()\nbarrier("""\n    a\n        b\n    """,\nc)\n',
    ),
    "CRLF and tabs": (
        "if a:\r\n\tif r:\r\n\t\tsave()\r\n\t\tbarrier()\r\n\tnext()\r\n",
        "if a:\r\n\tif r:\r\n\t\tsave()\r\n\tbarrier()\r\n\tnext()\r\n",
    ),
    "a loop's own break does not matter": (
        "for e in x:\n    if r:\n        for i in y:\n            break\n        barrier()\n",
        "for e in x:\n    if r:\n        for i in y:\n            break\n    barrier()\n",
    ),
    "a function's own return does not matter": (
        "if r:\n    def f():\n        return 1\n    barrier()\n",
        "if r:\n    def f():\n        return 1\nbarrier()\n",
    ),
    "names of keywords and attributes are no variables": (
        "if r:\n    group = wait = 1\n    barrier(a.wait, group=g)\n",
        "if r:\n    group = wait = 1\nbarrier(a.wait, group=g)\n",
    ),
}
GUARDS = {"CRLF and tabs": "if r"}


@pytest.mark.parametrize("name", MOVED)
def test_a_statement_leaves_its_guard(name: str) -> None:
    before, after = MOVED[name]
    assert hoisted(before, "barrier", GUARDS.get(name, "if r")) == after


REFUSED = {
    "in the middle": "if r:\n    a()\n    barrier()\n    b()\n",
    "only, with else": "if r:\n    barrier()\nelse:\n    b()\n",
    "only of elif": "if r:\n    a()\nelif s:\n    barrier()\n",
    "deeper": "if r:\n    for x in y:\n        barrier()\n",
    "behind a break": "for e in x:\n    if r:\n        if s:\n            break\n        barrier()\n",
    "behind a continue": "for e in x:\n    if r:\n        for i in y: pass\n        else: continue\n        barrier()\n",
    "behind a return": "def f():\n    if r:\n        if s: return\n        barrier()\n",
    "behind a raise": "if r:\n    if s: raise E\n    barrier()\n",
    "behind a yield": "def f():\n    if r:\n        yield 1\n        barrier()\n",
    "behind an exit": "if r:\n    if s: sys.exit(1)\n    barrier()\n",
    "others have left": "def f():\n    if r:\n        a()\n        barrier()\n    else:\n        return\n",
    "others have left, only of else": "def f():\n    if r:\n        return\n    else:\n        barrier()\n",
    "uses what the branch assigned": "if r:\n    x = a()\n    barrier(x)\n",
    "uses an attribute assigned": "if r:\n    self.x = a()\n    barrier(self.x.y)\n",
    "uses an item assigned": "if r:\n    d['k'] = a()\n    barrier(d)\n",
    "uses a loop's variable": "if r:\n    for x in y: pass\n    barrier(x)\n",
    "uses a with's name": "if r:\n    with a as x: pass\n    barrier(x)\n",
    "uses what was imported": "if r:\n    from a import barrier\n    barrier()\n",
    "uses a module imported": "if r:\n    import barriers.all\n    barriers.all.wait()\n",
    "uses what was defined": "if r:\n    def barrier(): pass\n    barrier()\n",
    "uses a walrus": "if r:\n    f(x := 1)\n    barrier(x)\n",
    "condition names what it uses": "if (r := rank()) == 0:\n    barrier(r)\n    a()\n",
    "condition names, only": "if r or (x := rank()):\n    barrier()\n",
    "condition waits": "async def f():\n    if r or await x:\n        barrier()\n",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_what_would_change_the_program_is_refused(text: str) -> None:
    start = "if (r" if "if (r" in text else "if r"
    assert hoisted(text, "barriers" if "barriers" in text else "barrier", start) is None


@pytest.mark.parametrize(
    ("text", "start", "kind"),
    [
        ("def f():\n    if r:\n        a()\n        return b()\n", "return", "Return"),
        ("for e in x:\n    if r:\n        a()\n        break\n", "break", "Break"),
        ("if r:\n    pass\n    a()\n", "pass", "Pass"),
        ("if r:\n    a()\n    raise E\n", "raise", "Raise"),
        ("def f():\n    if r:\n        a()\n        yield b\n", "yield", "Expr"),
        ("if r:\n    x = gather(r)\n    r = 1\n    x\n", "r = 1", "Assign"),
        ("if r:\n    r = broadcast()\n    a()\n", "r = ", "Assign"),
        ("if r:\n    a()\n    x = gather()\nelse:\n    x = None\n", "x = gather", "Assign"),
    ],
)
def test_only_statements_that_do_not_steer_are_moved(text: str, start: str, kind: str) -> None:
    assert hoisted(text, start, "if r", kind=kind) is None


def test_an_assignment_can_move() -> None:
    assert hoisted("if r:\n    a()\n    x = gather(y)\n", "x", "if r", kind="Assign") == "if r:\n    a()\nx = gather(y)\n"


def test_an_elif_is_no_guard_to_leave() -> None:
    source = source_of("if a:\n    b()\nelif r:\n    c()\n    barrier()\n")
    guard = spot_of(source, "If", "elif")
    statement = spot_of(source, "Expr", "barrier")
    assert open_site(source, spot_of(source, "If", "if a")).edits(Hoist(*SAFE, statement, guard)) is None
    assert open_site(source, guard).edits(Hoist(*SAFE, statement, guard)) is None


def test_the_guard_is_opened_when_the_site_is_the_statement() -> None:
    source = source_of("if r:\n    a()\n    barrier()\n")
    statement = spot_of(source, "Expr", "barrier")
    change = Hoist(*SAFE, statement, spot_of(source, "If", "if r"))
    assert changed(open_site(source, statement), change) == "if r:\n    a()\nbarrier()\n"
