from __future__ import annotations

import pytest

from tests.sites.site_texts import SAFE, changed, source_of, spot_of
from trainlint.edits.changes import Surround
from trainlint.edits.site import open_site

WRAPPED = {
    "a loop": ("for x in y:\n    f(x)\nnext()\n", "with a:\n    for x in y:\n        f(x)\nnext()\n"),
    "in a function, with comments": (
        "def f():\n  # why\n  for x in y:  # all\n    # each\n\n    g(x)\n  h()\n",
        "def f():\n  # why\n  with a:\n    for x in y:  # all\n      # each\n\n      g(x)\n  h()\n",
    ),
    "with an else": (
        "for x in y:\n    f(x)\nelse:\n    g()\n",
        "with a:\n    for x in y:\n        f(x)\n    else:\n        g()\n",
    ),
    "on one line, without a line end": ("for x in y: f(x)", "with a:\n    for x in y: f(x)"),
    "with tabs and other line ends": ("for x in y:\r\n\tf(x)\r\n", "with a:\r\n\tfor x in y:\r\n\t\tf(x)\r\n"),
    "over lines": (
        "for x in (\n    1,\n    2,\n):\n    f(x)\n",
        "with a:\n    for x in (\n        1,\n        2,\n    ):\n        f(x)\n",
    ),
}
REFUSED = {
    "a string over lines": 'for x in y:\n    f("""a\nb""")\n',
    "an f-string over lines": 'for x in y:\n    f(f"""a{x}\nb""")\n',
}


def wrapped(text: str) -> str | None:
    source = source_of(text)
    loop = spot_of(source, "For", "for ")
    return changed(open_site(source, loop), Surround(*SAFE, loop, "with a:"))


@pytest.mark.parametrize(("text", "expected"), WRAPPED.values(), ids=WRAPPED)
def test_goes_into_a_block(text: str, expected: str) -> None:
    assert wrapped(text) == expected


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_is_refused(text: str) -> None:
    assert wrapped(text) is None
