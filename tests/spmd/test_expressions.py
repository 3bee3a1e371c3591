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
HEAD = "import contextlib\nimport dataclasses\nimport enum\nimport functools\nimport math\nimport torch.distributed as dist\n\n"

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
rank * 0.5 == 1
0.5 * rank > 1
world != world or rank == 1
world == world and rank
(rank == 0) == (rank < 2)
(rank == 1) == 1
(rank > 1) != False
(rank > 1) is True
(rank > 1) is not True
(rank > 1) > 0
rank == 0.5 * 4
2.0 * rank != 4
hash(rank) % 2
math.isclose(rank, 2.0)
math.sqrt(rank) == 1
math.log2(rank + 1) == 1
(rank + 1) / 2 == 1.5
round(rank * 0.3, 1) == 0.6
pow(2, rank) == 4
pow(rank, 2, 3) == 1
bin(rank) == "0b10"
hex(rank + 9) == "0xa"
chr(rank + 97) == "c"
~(rank > 1) == -2
-(rank > 1) == -1
rank - world == -1
world % (rank + 1)
rank not in (world - 1, 0)
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
rank * "ab" == "ab"
f"{rank:02d}" == "01"
f"{rank!r}" == "3"
str(rank).rjust(2) == " 1"
str(rank).ljust(2, "x") == "1x"
f"rank-{rank}".title() == "Rank-3"
f"rank{rank}".removeprefix("rank") == "2"
f"{rank}rank".removesuffix("rank") == "2"
f"r{rank}".endswith("2")
f"{rank}" in ("1", "2")
str(rank) in {"1": 0, "3": 0}
len(f"{rank + 8}") == 2
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
ITEMS = """\
rank in range(2, 100)
rank not in range(3, 50, 7)
rank in list(range(2, 40))
len({}) == rank
len(()) == rank
rank in {0: [0], 1: [], 2: (2, 3), 3: [0]}[rank]
len([[], [0, 1], [2], []][rank]) > 0
[rank] * 2 == [1, 1]
[rank] + [1] == [0, 1]
rank in {0, 1} | {3}
rank in {0, 1} & {1, 2}
rank in {0, 1, 2} - {1}
rank in {0, 1} ^ {1, 2}
rank in [0] + [2, 3]
rank in (0,) + (3,)
rank in frozenset([1, 3])
rank in set((1, 3))
rank in tuple([1, 3])
rank in sorted([3, 1])
sorted({2: 1, rank: 1})[0] == 1
any(a == rank and b for a, b in [(0, 1), (1, 0), (3, 1)])
any(a == rank for a, b in {0: 1, 2: 3}.items())
any(b == rank for b in {0: 1, 2: 3}.values())
any(b == rank for b in {0: 1, 2: 3}.keys())
any(i == rank and w for i, w in enumerate(["a", "", "c", ""]))
any(i == rank and w for i, w in enumerate(["a", "", "c"], 1))
any(rank in group for group in [[0, 1], [3]])
[rank in group for group in [[0, 1], [2, 3]]][1]
[[0, 1], [2, 3]][rank // 2] == [0, 1]
[[0, 1], [2, 3]][rank // 2][0] == 2
[[0, 1], [2, 3]][rank // 2][rank % 2] == 2
[i for i in range(4) if i % 2 == rank % 2][0] == 1
{i for i in range(4) if i > rank} == {3}
len({i % 2 for i in range(rank)}) == 2
rank in {r // 2 for r in range(world)}
[group for group in [[0, 1], [2, 3]] if rank in group][0][1] == rank
[i for i, group in enumerate([[0, 1], [2, 3]]) if rank in group][0]
len([group for group in [[0, 1], [1, 2]] if rank in group]) == 2
any(rank not in group and 0 in group for group in [[0, 1], [2, 3]])
sum(rank in group for group in [[0, 1], [1, 2], [1, 3]]) == 3
sum(group[0] for group in [[0, 1], [1, 2]] if rank in group) == 1
(0, (1, 2))[rank > 1] == (1, 2)
[[0, 1], [2, 3]][1][rank % 2] == 2
[[0, 1], [2, 3]][rank % 2][1] == 3
{"first": [0, 1], "last": [2, 3]}["last"][rank - 2] == 3 and rank > 1
rank in {"first": [0, 1], "last": [2, 3]}["last"]
rank in [[0, 1], [2, 3]][1]
rank in [[0, 1], [2, 3]][0] + [3]
[0, 2, 1, 3].index(rank) > 1
[0, 0, 1].count(rank) == 2
(0, 1, 2, 3)[-rank:] == (3,)
[0, 1, 2, 3][rank:rank] or rank == 1
[0, 1, 2, 3][: rank + 1 : 2] == [0, 2]
list(range(world))[rank:] == [3]
{"a": rank}["a"] > 1
{"a": rank}.get("a") == 2
{"a": {"b": rank}}["a"]["b"] == 2
((rank, 1), 2)[0][0] == 1
[rank, *range(2)][0] == 2
None in [rank or None, 1]
sum(range(rank)) == 3
len(set([rank, 1, 2])) == 2
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
}
MORE_BODIES = {
    "a function compared with a text": """
        def mine():
            return 1
        x = mine == "mine" or rank == 1
    """,
    "a function unlike a text": """
        def mine():
            return 1
        x = mine != "mine" and rank
    """,
    "a function is there": """
        def mine():
            return 1
        x = mine and mine is not None and rank
    """,
    "another name of a function": """
        def mine(r):
            return r > 1
        asks = mine
        x = asks is not None and asks(rank)
    """,
    "a bound method is there": """
        class Box:
            def asks(self, r):
                return r == 3
        box = Box()
        x = box.asks and box.asks(rank)
    """,
    "a bound method kept": """
        class Box:
            least = 2
            def asks(self, r):
                return r >= self.least
        asks = Box().asks
        x = asks(rank)
    """,
    "a default that is a name": """
        usual = 2
        def mine(r, least=usual):
            return r >= least
        x = mine(rank) or mine(rank, 3)
    """,
    "None by default": """
        def mine(r, least=None):
            if least is None:
                return r == 0
            return r > least
        x = mine(rank) or mine(rank, 2)
    """,
    "None or a default": """
        def mine(r, least=None):
            least = least if least is not None else 2
            return r >= least
        x = mine(rank)
    """,
    "a default or what is given": """
        def mine(r, least=None):
            return r >= (2 if least is None else least)
        x = mine(rank, 1)
    """,
    "chosen by what is the same": """
        least = 1
        x = (rank if least is not True else 0) > 1
    """,
    "a property of a derived class": """
        class Base:
            @property
            def first(self):
                return True
        class Box(Base):
            def __init__(self, r):
                self.r = r
            @property
            def first(self):
                return self.r == 0
        def asks(box: Base):
            return box.first
        x = asks(Box(rank))
    """,
    "a data class with a constructor": """
        @dataclasses.dataclass
        class Box:
            r: int = 0
            def __init__(self, given):
                self.r = given - 1
        x = Box(rank).r == 1
    """,
    "a data class handed its fields by name": """
        @dataclasses.dataclass
        class Box:
            least: int
            r: int
        x = Box(r=rank, least=1).r > Box(r=rank, least=1).least
    """,
    "a data class beside a constant": """
        @dataclasses.dataclass
        class Box:
            r: int
            kind = 2
        x = Box(rank).kind == rank
    """,
    "entered by name": """
        class Box:
            def __enter__(self):
                return rank > 2
            def __exit__(self, *error):
                return None
        box = Box()
        with box as x:
            pass
    """,
    "entered what a function makes": """
        class Box:
            def __enter__(self):
                return rank > 1
            def __exit__(self, *error):
                return None
        def make():
            return Box()
        with make() as x:
            pass
    """,
    "entered a generator": """
        @contextlib.contextmanager
        def asks(r):
            yield r == 1
        with asks(rank) as x:
            pass
    """,
    "entered a generator that yields nothing": """
        @contextlib.contextmanager
        def quietly():
            yield
        with quietly():
            x = rank == 2
    """,
    "chosen function": """
        def first(r):
            return r == 0
        def last(r):
            return r == 3
        x = (first if rank < 2 else last)(rank)
    """,
    "chosen object": """
        class Chief:
            def speaks(self):
                return True
        class Worker:
            def speaks(self):
                return False
        box = Chief() if rank == 0 else Worker()
        x = box.speaks()
    """,
    "class of a chosen object": """
        class Chief:
            kind = 1
        class Worker:
            kind = 2
        box = Chief() if rank == 0 else Worker()
        x = isinstance(box, Chief)
    """,
    "class of a chosen object among several": """
        class Chief:
            kind = 1
        class Helper(Chief):
            kind = 3
        class Worker:
            kind = 2
        box = Chief() if rank == 0 else Helper() if rank == 1 else Worker()
        x = not isinstance(box, (Worker, Helper)) or rank == 2
    """,
    "an item of a pair": """
        def mine(r):
            return r == 1, r == 2
        x = mine(rank)[1] or mine(rank)[-2]
    """,
    "pairs of several lengths": """
        def mine(r):
            if r:
                return r, r - 1, 2
            return 0, 1
        x = mine(rank)[1] == 1
    """,
    "a pair kept whole": """
        def mine(r):
            return r, 4
        both = mine(rank)
        x = both[0] == 3 and both[1] == 4
    """,
    "counted up to the rank": "x = 0\nwhile x < rank:\n    x += 2\nx = x == 2",
    "a member of an enumeration": """
        class Role(enum.Enum):
            CHIEF = 0
            WORKER = 1
        x = Role(min(rank, 1)) == Role.CHIEF
    """,
    "a number of an enumeration": """
        class Role(enum.IntEnum):
            CHIEF = 0
            LAST = 3
        x = rank == Role.LAST
    """,
    "a partial with a keyword": """
        def mine(r, least=0):
            return r > least
        x = functools.partial(mine, least=2)(rank)
    """,
    "a class method of a derived class": """
        class Base:
            least = 1
            @classmethod
            def asks(cls, r):
                return r > cls.least
        class Box(Base):
            least = 2
        x = Box.asks(rank)
    """,
    "raised for some": """
        def mine(r):
            if r > 5:
                raise ValueError
            return r > 1
        x = mine(rank)
    """,
    "nothing left to return": """
        def mine(r):
            try:
                return r == 1
            finally:
                r = 0
        x = mine(rank)
    """,
    "walrus": "x = 0\nif (half := rank // 2) > 0:\n    x = half",
}


GROUPS = {
    "numbers": {each: f"x = {each}" for each in NUMBERS.splitlines()},
    "texts": {each: f"x = {each}" for each in TEXTS.splitlines()},
    "containers": {each: f"x = {each}" for each in CONTAINERS.splitlines()},
    "items": {each: f"x = {each}" for each in ITEMS.splitlines()},
    "statements": {name: textwrap.dedent(body).strip() for name, body in BODIES.items()},
    "more statements": {name: textwrap.dedent(body).strip() for name, body in MORE_BODIES.items()},
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
