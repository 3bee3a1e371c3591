"""Which ranks a test lets in, with Python's own answer as the truth.

Each expression guards a barrier, and a second barrier is for the ranks that the first leaves out. Where Python says that each of
four ranks comes to exactly one of them nothing may be said; with one rank moved from one barrier to the other it must be.
"""

from __future__ import annotations

import bisect
import textwrap
from pathlib import Path

import pytest

from trainlint import check_paths

WORLD = 4
HEAD = "import dataclasses\nimport functools\nimport math\nimport torch.distributed as dist\n\n"

NUMBERS = """\
rank
not rank
-rank
~rank + 1
rank == 0
0 == rank
rank != 3
rank < 2
rank <= 2
rank > 1
rank >= 1
0 < rank < 3
0 <= rank <= 0
rank == 0 or rank == 3
rank != 0 and rank != 2
not (rank == 1 or rank == 2)
rank + 1 == world
rank - 1 < 0
rank * 2 > world
rank // 2
rank / 2 == 1
rank % 2
rank % 3 == 0
rank ** 2 > 4
2 ** rank > 4
rank << 1 == 4
world >> rank
rank & 1
rank & 2
rank | 1 == 1
rank ^ 2
-rank % world == 1
-rank // 2 == -1
(rank + 1) % world
(rank - 1) % world == 0
rank < world - 1
world - rank - 1
rank == world // 2
rank == world / 2
abs(rank - 2) < 1
min(rank, 1)
max(rank, 2) == 2
min(rank, world - 2, 1) == 1
max([rank, 1]) == 1
sum([rank, -2])
sum([rank, 1], -2) > 0
round(rank / 2) == 0
pow(rank, 2) == 4
divmod(rank, 2)[0]
divmod(rank, 3)[1] == 0
divmod(rank, 2) == (1, 0)
int(str(rank)) == 3
int(f"{rank}") > 1
float(rank) == 2.0
float(rank) > 1.5
bool(rank)
bool(rank - 2)
math.ceil(rank / 2) == 1
math.floor(rank / 2) == 1
rank is 0 if rank else True
rank == 0.0
rank == True
rank == False
rank == None
(rank or 2) == 2
(rank and 2) == 2
(rank and world) or 0
1 if rank else 0
0 if rank > 2 else 1
"x" if rank == 2 else ""
(1 if rank else 2) if rank < 2 else 0
(rank, world)[0]
[rank, 1][-2]
[rank - 1, 1][0]
"""
TEXTS = """\
str(rank) == "1"
str(rank) != "3"
f"{rank}" == "2"
f"r{rank}" == "r2"
"r%d" % rank == "r1"
"r{}".format(rank) == "r3"
str(rank).isdigit()
str(rank).startswith("1")
str(rank).zfill(2) == "02"
f"Rank{rank}".lower() == "rank1"
f"rank{rank}".upper() == "RANK2"
f" {rank} ".strip() == "3"
f"r{rank}".replace("r", "") == "0"
f"r{rank}"[1] == "2"
f"r{rank}"[-1] == "2"
"abcd".find("x") + 1 == rank
len(str(rank + 9)) == 2
len("ab" * rank) > 2
"".join(["a"] * rank) == "aa"
"1" < str(rank)
str(rank) <= "1"
"yes" if rank % 2 else "no" == "yes"
("yes" if rank % 2 else "no") == "yes"
"""
CONTAINERS = """\
rank in (0,)
rank in (0, 3)
rank not in (0, 3)
rank in [1]
rank in {1, 2}
rank in ()
rank not in []
rank in range(2)
rank in range(1, 3)
rank in range(0, 4, 3)
rank in range(3, 0, -1)
rank not in range(1, world)
rank in {0: "a", 2: "b"}
{0: 1, 1: 0}.get(rank, 1)
{0: 0, 1: 1, 2: 1, 3: 0}[rank]
[1, 0, 0, 1][rank]
(0, 1, 1, 1)[rank]
[0, 1, 2, 3][rank] == 2
[3, 2, 1, 0][rank] == 2
[3, 2, 1, 0][-rank] == 0
(0, 1, 2, 3)[rank:]
(0, 1, 2, 3)[rank:] == (3,)
[0, 1, 2, 3][:rank]
[0, 1, 2, 3][1:rank]
[0, 1, 2, 3][rank::2] == [1, 3]
[0, 1, 2][rank:rank + 1]
list(range(world))[rank] == 1
len(range(rank)) == 2
len(range(rank, 10, world)) == 3
len([0] * rank) > 1
len([rank, rank]) == rank
len({0, rank}) == 1
len({rank: 1, 2: 2}) == 1
(rank, 1) == (2, 1)
(rank, 1) < (2, 0)
(rank, 1) > (1, 1)
[rank] == [3]
[rank] != [3]
(rank,) + (1,) == (0, 1)
[0] * rank == [0, 0]
any([rank == 1, rank == 2])
all([rank > 0, rank < 3])
any(rank == i for i in (0, 3))
all(rank != i for i in (0, 3))
any(i > rank for i in range(3))
all(i <= rank for i in range(3))
any([])
sum(i for i in range(rank)) == 1
sum(1 for i in range(10) if i % world == rank) == 3
sum([i for i in range(4) if i != rank]) == 4
max(i for i in range(rank + 1)) == 2
min([rank, 2, 1]) == 1
{i: i * i for i in range(4)}[rank] == 4
[i * 2 for i in range(4)][rank] == 6
[a + b for a, b in zip((0, 1, 2, 3), (3, 1, 1, 0))][rank] == 3
list(reversed(range(4)))[rank] == 3
sorted([3, rank])[0] == 2
sorted([rank, 1])[1] == 1
tuple(range(rank)) == (0, 1)
set(range(rank)) == {0}
(lambda r: r > 1)(rank)
(lambda r, least=2: r >= least)(rank)
(lambda r, least=2: r >= least)(rank, 1)
(lambda *all_of_them: all_of_them[1])(0, rank)
(lambda **named: named["r"])(r=rank)
{i: 1 for i in range(2)}.get(rank, 0)
{i: 0 for i in range(2)}.get(rank, 1)
{i: i for i in range(4)}.get(rank) == 3
isinstance(rank, int)
isinstance(rank, str)
isinstance(rank, (str, int))
(mine := rank - 2)
"""
BODIES = {
    "chosen by arms": """
        if rank == 0:
            x = 1
        elif rank == 1:
            x = 0
        else:
            x = rank == 2
    """,
    "unpacked": "first, (second, third) = rank, (rank + 1, rank - 1)\nx = third",
    "swapped": "a, b = rank, 1\na, b = b, a\nx = b - a",
    "added to": "x = rank\nx += 1\nx *= 2\nx -= 4",
    "halved": "x = rank\nx //= 2",
    "chained assignment": "x = y = rank - 1",
    "item set": "d = {}\nd['r'] = rank\nx = d['r'] - 1",
    "item set over another": "d = {'r': 5}\nd['r'] = rank\nx = d['r'] - 1",
    "put into a list": "a = []\nif rank > 1:\n    a.append(1)\nx = a",
    "finally": """
        x = 0
        try:
            x = rank
        finally:
            x = x - 1
    """,
    "a call": """
        def mine(r, least=1):
            if r < least:
                return 0
            return r
        x = mine(rank)
    """,
    "a call with a keyword": """
        def mine(r, *, least=1):
            return r >= least
        x = mine(rank, least=2)
    """,
    "no return": """
        def mine(r):
            if r > 1:
                return 1
        x = mine(rank)
    """,
    "several returned": """
        def mine(r):
            return r, r - 1
        _, x = mine(rank)
    """,
    "closure": """
        def make(least):
            def asks(r):
                return r > least
            return asks
        x = make(1)(rank)
    """,
    "partial": """
        def mine(a, b):
            return a - b
        x = functools.partial(mine, rank)(2)
    """,
    "an object": """
        class Box:
            kind = 0
            def __init__(self, r, least=1):
                self.r = r
                self.least = least
            def asks(self):
                return self.r > self.least
        x = Box(rank).asks()
    """,
    "an object set from outside": """
        class Box:
            r = 0
        box = Box()
        box.r = rank
        x = box.r
    """,
    "an attribute of the class": """
        class Box:
            r = 1
        x = Box().r == rank and Box.r
    """,
    "a property": """
        class Box:
            def __init__(self, r):
                self._r = r
            @property
            def last(self):
                return self._r == 3
        x = Box(rank).last
    """,
    "a static method": """
        class Box:
            @staticmethod
            def first(r):
                return r == 0
        x = Box.first(rank)
    """,
    "a static method of an object": """
        class Box:
            @staticmethod
            def first(r):
                return r == 0
        x = Box().first(rank)
    """,
    "a static method that is handed its object": """
        class Box:
            @staticmethod
            def asks(self):
                return self.least()
            def least(self):
                return 2
        x = Box.asks(Box()) == rank
    """,
    "a class method": """
        class Box:
            least = 2
            @classmethod
            def asks(cls, r):
                return r >= cls.least
        x = Box.asks(rank)
    """,
    "a derived class": """
        class Base:
            least = 1
            def asks(self, r):
                return r > self.least
        class Box(Base):
            least = 2
        x = Box().asks(rank)
    """,
    "super": """
        class Base:
            def asks(self, r):
                return r > 0
        class Box(Base):
            def asks(self, r):
                return super().asks(r) and r < 3
        x = Box().asks(rank)
    """,
    "called like a function": """
        class Box:
            def __call__(self, r):
                return r % 2
        x = Box()(rank)
    """,
    "entered": """
        class Box:
            def __enter__(self):
                return rank - 1
            def __exit__(self, *error):
                return None
        with Box() as x:
            pass
    """,
    "a data class": """
        @dataclasses.dataclass
        class Box:
            r: int
            least: int = 1
        x = Box(rank).r > Box(rank).least
    """,
    "a field of a data class": """
        @dataclasses.dataclass
        class Box:
            r: int = dataclasses.field(default=1)
            kind: int = dataclasses.field(default=2, repr=False)
        x = Box().r == rank or Box(3).kind == rank
    """,
    "what makes a field": """
        def two():
            return 2
        @dataclasses.dataclass
        class Box:
            r: int = dataclasses.field(default_factory=two)
        x = Box().r == rank
    """,
    "getattr": """
        class Box:
            r = 2
        x = getattr(Box(), "r") == rank or getattr(Box(), "none", 0) == rank
    """,
    "match": """
        match rank:
            case 0 | 3:
                x = 1
            case n if n > 1:
                x = 0
            case _:
                x = 0
    """,
    "deleted": "d = {0: 1, 1: 1}\ndel d[1]\nx = rank in d",
    "conditions one after the other": """
        x = 1
        if rank == 0:
            x = 0
        if rank == 3:
            x = 0
    """,
    "loop in a loop": """
        x = 0
        for i in range(3):
            for j in range(rank):
                if i == j:
                    break
                x += 1
        x = x > 3
    """,
    "walrus": "x = 0\nif (half := rank // 2) > 0:\n    x = half",
}


GROUPS = {
    "numbers": {each: f"x = {each}" for each in NUMBERS.splitlines()},
    "texts": {each: f"x = {each}" for each in TEXTS.splitlines()},
    "containers": {each: f"x = {each}" for each in CONTAINERS.splitlines()},
    "statements": {name: textwrap.dedent(body).strip() for name, body in BODIES.items()},
}


def let_in(body: str) -> set[int]:
    """The ranks for which Python says that ``x`` is true behind these statements."""
    head = HEAD.replace("import torch.distributed as dist\n", "")
    found = set()
    for rank in range(WORLD):
        names: dict[str, object] = {"rank": rank, "world": WORLD}
        exec(compile(head + body, "<body>", "exec", dont_inherit=True), names)  # noqa: S102 - written above
        if names["x"]:
            found.add(rank)
    return found


def function(number: int, body: str, others: set[int]) -> str:
    """A function with a barrier for the ranks that the statements let in, and one for ``others``; and its call."""
    second = " or ".join(f"rank == {each}" for each in sorted(others)) or "rank < 0"
    text = f"{body}\nif x:\n    dist.barrier()\nif {second}:\n    dist.barrier()\n"
    return (
        f"def f{number}(rank, world):\n{textwrap.indent(text, '    ')}\n\nf{number}(dist.get_rank(), dist.get_world_size())\n\n"
    )


def reported(folder: Path, bodies: dict[str, str], moved: bool) -> list[str]:
    """What something is said of; ``moved``: one rank of each is sent to the wrong barrier."""
    text, begins = HEAD, []
    for number, body in enumerate(bodies.values()):
        others = set(range(WORLD)) - let_in(body)
        begins.append(text.count("\n") + 1)
        text += function(number, body, others ^ {number % WORLD} if moved else others)
    (folder / "train.py").write_text(text, encoding="utf-8")
    found = check_paths([folder / "train.py"], select=["TL101", "TL102", "TL103", "TL109", "TL004"])
    names = list(bodies)
    return sorted({names[bisect.bisect(begins, each.span.line) - 1] for each in found}, key=names.index)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("group", GROUPS)
def test_each_rank_comes_to_one_barrier(tmp_path: Path, group: str) -> None:
    assert reported(tmp_path, GROUPS[group], moved=False) == []


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("group", GROUPS)
def test_one_rank_is_sent_to_the_other_barrier(tmp_path: Path, group: str) -> None:
    assert reported(tmp_path, GROUPS[group], moved=True) == list(GROUPS[group])
