"""Two tests of what nobody knows, but all ranks alike: whether the ranks come to as many barriers, tried out with many values.

Rank 0 comes to a barrier by the first test, the others by the second. Where Python finds no values for which the two differ,
nothing may be said; where it finds some, it must be.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from trainlint import check_paths

VALUES = {
    "n": (-2, -1, 0, 1, 2, 3, 4, 5, 6),  # what is compared with whole numbers is taken for one
    "f": (-1.0, 0.0, 0.5, 2.5),
    "m": (-1, 0, 1, 2, 3),
    "s": ("", "a", "b", "ab"),
    "on": (True, False),
    "off": (True, False),
    "many": ((), (1,), (1, 2)),
    "maybe": (None, 1, 0, "a"),
}
PAIRS = """\
on | on
on | not on
on | not not on
on | on is True
on | on == True
not on | on is False
on | off
on and off | off and on
on and off | on
on or off | not (not on and not off)
on or off | off
not (on and off) | not on or not off
not (on and off) | not on and not off
on and not off | not (off or not on)
on if off else False | on and off
on and (off or on) | on
on and n > 1 | n > 1 and on
on and n > 1 | n > 1
n == 1 | 1 == n
n == 1 | n != 1
n == 1 | not n != 1
n != 1 | not n == 1
n == 1 | n == 2
n > 1 | 1 < n
n > 1 | n >= 1
n > 1 | n >= 2
n > 1 | not n <= 1
n >= 1 | not n < 1
n >= 1 | 1 <= n
n >= 1 | not 1 > n
n < 1 | not 1 <= n
n < 1 | n <= 1
n < 1 | not n > 1
n <= 1 | not n > 1
n <= 1 | not n >= 1
n > 1 | n > 2
n == 0 | not n
n != 0 | n
n > 0 | n
n in (1, 2) | n == 1 or n == 2
n in (1, 2) | n == 1
n in (1, 2) | n == 1 or n == 3
n in [1, 2] | n in (2, 1)
n not in (1, 2) | n != 1 and n != 2
n not in (1, 2) | not n in (1, 2)
n not in (1, 2) | n != 1 or n != 2
n in (1,) | n == 1
n > 1 and n < 3 | 1 < n < 3
n > 1 and n < 3 | 1 < n <= 3
n > 1 or n <= 1 | True
n > 1 and n <= 1 | False
n == 1 and n == 2 | False
n == 1 or n != 1 | True
n == 1 and n == 1 | n == 1
n > m | n >= m
n > m | not n <= m
n > m | m > n
n == m | not n != m
n == m | n != m
n > 1 and m > 1 | m > 1 and n > 1
n > 1 and m > 1 | n > 1 or m > 1
n > 1 and m > 1 | n > 1
s == "a" | "a" == s
s == "a" | s != "a"
s == "a" | not s != "a"
s == "a" | s == "b"
s in ("a", "b") | s == "a" or s == "b"
s in ("a", "b") | s == "a"
s not in ("a", "b") | not (s == "a" or s == "b")
s not in ("a", "b") | s != "a"
s == "a" and s == "b" | False
s == "" | not s
s != "" | s
s | s == "a"
s.startswith("a") | s.startswith("b")
many | not many
len(many) == 1 | len(many) == 2
len(many) > 1 | len(many) >= 1
maybe is None | maybe is not None
maybe is not None | maybe
maybe is None or on | on or maybe is None
maybe is None or on | on
n % 2 | n % 2
n % 2 | n % 2 == 0
n % 2 == 0 | not n % 2
n % 2 == 0 | not n % 2 != 0
n % 2 == 0 | n % 3 == 0
n + 1 > 2 | 2 < n + 1
n + 1 == 2 | n + 1 != 2
n + m == 2 | n + m == 2
n + m == 2 | n - m == 2
n * 2 > 2 | not n * 2 <= 2
n != 5 and not n | False
n != 5 and n | False
n == 5 and not n | False
n != 5 or n | True
f != 2.5 and not f | False
f != 2.5 and f | False
f == 2.5 and not f | False
s != "a" and not s | False
s != "a" and s | False
s == "a" and not s | False
s == "a" and s | s == "a"
on is not True and on | False
on is True and on | on
on is not True and not on | not on
n > 1 and n > 2 | n > 2
n > 1 and n > 2 | n > 1
n > 1 and not n > 2 | n == 2
n > 3 and n < 2 | False
n > 3 or n < 2 | True
n >= 2 and n <= 2 | n == 2
n >= 3 and n < 3 | False
bool(n) | n
bool(on) | on
bool(on) | not on
(1 if on else 0) == 1 | on
(1 if on else 0) == 1 | not on
(1 if on else 0) | on
("x" if on else "y") == "x" | on
("x" if on else "y") != "x" | on
(n if on else 1) == 1 | n == 1 or not on
(n if on else 1) == 1 | n == 1
(2 if on else 1) > 1 | on
(2 if on else 1) >= 1 | True
(None if on else 1) is None | on
(None if on else 1) is not None | not on
(None if on else 1) is not None | on
any([on, off]) | on or off
any([on, off]) | on and off
all([on, off]) | on and off
all([on, off]) | on
(on or off) and n > 1 | (on and n > 1) or (off and n > 1)
(on or off) and n > 1 | on and n > 1
(on or off) or n > 1 | on or (off or n > 1)
not (on or off) | not on and not off
not (on or off) | not on
((n > 1) if on else (m > 1)) if on else off | (on and n > 1) or (not on and off)
((n > 1) if on else (m > 1)) if on else off | (on and n > 1) or (not on and m > 1)
(on if off else True) if on else off | on or off
(on if off else True) if on else off | on
(on if off else 1) if on else 0 | on
(on if off else n > 1) if on else 0 | on and (off or n > 1)
(on if off else n > 1) if on else 0 | on and n > 1
(off if on else True) if not on else on | True
n == 1 if on else n == 2 | (on and n == 1) or (not on and n == 2)
n == 1 if on else n == 2 | n == 1 or n == 2
not (n == 1 and on) | n != 1 or not on
not (n == 1 and on) | n != 1
n in (1, 2, 3, 4, 5) | n in (1, 2, 3, 4, 5)
n in (1, "a") | n == 1 or n == "a"
n in {1, 2} | n == 2 or n == 1
bool(many) | many
bool(many) | not many
(maybe or 1) == 1 | (maybe or 1) == 1
(maybe is None and on) or (maybe is not None and off) | off if maybe is not None else on
(maybe is None and on) or (maybe is not None and off) | on
maybe is None | not maybe is not None
not maybe is None | maybe is not None
not maybe == None | maybe != None
on if maybe is not None else off | off if maybe is None else on
on if maybe is not None else off | off if maybe is not None else on
maybe is None and maybe is not None | False
maybe is None or maybe is not None | True
n < m < 2 | n < m and m < 2
n < m < 2 | m < 2
n - m == 0 | not n - m != 0
f > 0.5 | not f <= 0.5
f > 0.5 | f >= 0.5
all([on, n > 1]) | on and n > 1
any([]) or on | on
all([]) and on | on
any([on]) | on
any((on, n == 1, off)) | on or off or n == 1
isinstance(maybe, str) | isinstance(maybe, str)
isinstance(maybe, str) | not isinstance(maybe, str)
"""


def differ(first: str, second: str) -> bool:
    """Whether there are values for which one test holds and the other does not."""
    names = [name for name in VALUES if name in (first + second)]
    tests = [compile(f"bool({test})", "<test>", "eval", dont_inherit=True) for test in (first, second)]
    for values in itertools.product(*(VALUES[name] for name in names)):
        known = dict(zip(names, values, strict=True))
        if eval(tests[0], {}, known) != eval(tests[1], {}, known):  # noqa: S307 - written above
            return True
    return False


SPLIT = "    if rank == 0 and ({first}):\n        dist.barrier()\n    if rank != 0 and ({second}):\n        dist.barrier()\n"
NESTED = (
    "    if rank == 0:\n        if {first}:\n            dist.barrier()\n"
    "    else:\n        if not ({second}):\n            return\n        dist.barrier()\n"
)


def reported(folder: Path, pairs: list[tuple[str, str]], form: str) -> list[tuple[str, str]]:
    """The pairs of which something is said."""
    head = "import torch.distributed as dist\n\nrank = dist.get_rank()\n\n\n"
    parameters = ", ".join(VALUES)
    text, of_line = head, {}
    for number, (first, second) in enumerate(pairs):
        function = f"def f{number}({parameters}):\n{form.format(first=first, second=second)}\n\n"
        for line in range(text.count("\n") + 1, (text + function).count("\n") + 1):
            of_line[line] = (first, second)
        text += function
    (folder / "train.py").write_text(text, encoding="utf-8")
    found = check_paths([folder / "train.py"], select=["TL101", "TL102", "TL103", "TL109", "TL004"])
    seen = {of_line[each.span.line] for each in found}
    return [pair for pair in pairs if pair in seen]


ALL = [(first, second) for first, _, second in (line.partition(" | ") for line in PAIRS.splitlines())]


@pytest.mark.parametrize("form", [SPLIT, NESTED], ids=["split", "nested"])
def test_what_is_said_is_what_values_show(tmp_path: Path, form: str) -> None:
    assert reported(tmp_path, ALL, form) == [pair for pair in ALL if differ(*pair)]
