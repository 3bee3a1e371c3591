"""How many items ranks 0 to 3 get: computed for lengths that nobody knows."""

from __future__ import annotations

import bisect
import re
from pathlib import Path

from trainlint import check_paths

HEAD = "import itertools\nimport math\nimport torch.distributed as dist\nrank, world = dist.get_rank(), dist.get_world_size()\n"


def counts(folder: Path, items: str, body: str = "") -> str | None:
    """What the message says the ranks get of ``items``; None when nothing is reported."""
    source = f"{HEAD}def f(a, b, n):\n{body}    for x in {items}:\n        dist.all_reduce(x)\n"
    (folder / "train.py").write_text(source, encoding="utf-8")
    found = check_paths([folder / "train.py"], select=["TL109"])
    if not found:
        return None
    return _shares(found[0].message)


def _shares(message: str) -> str:
    """How many iterations the ranks run, as the message says."""
    found = re.search(r" run (\d[^.]*) iterations", message)
    return found[1] if found else ""


def all_counts(folder: Path, cases: dict[str, tuple[str, str]], imports: str = "") -> dict[str, str | None]:
    """The same of many at once, by name: what each goes over, and the statements before its loop."""
    text, begins = HEAD + imports, []
    for number, (items, body) in enumerate(cases.values()):
        begins.append(text.count("\n") + 1)
        text += f"\n\ndef f{number}(a, b, n):\n{body}    for x in {items}:\n        dist.all_reduce(x)\n"
    (folder / "train.py").write_text(text, encoding="utf-8")
    names = list(cases)
    found: dict[str, str | None] = dict.fromkeys(cases)
    for each in check_paths([folder / "train.py"], select=["TL109"]):
        found[names[bisect.bisect(begins, each.span.line) - 1]] = _shares(each.message)
    return found


UNEVEN = {
    "a[rank::world]": "253, 252, 252 and 252",
    "list(a)[rank::world]": "253, 252, 252 and 252",
    "(a + [1])[rank::world]": "253, 253, 252 and 252",
    "a[rank * (len(a) // world):]": "1009, 757, 505 and 253",
    "a[: len(a) // world + (rank < len(a) % world)]": "253, 252, 252 and 252",
    "range(len(a[rank::world]))": "253, 252, 252 and 252",
    "enumerate(zip(a[rank::world], range(10000)))": "253, 252, 252 and 252",
    "itertools.chain(a[rank::world], a)": "1262, 1261, 1261 and 1261",
    "a[rank::world] * 2": "506, 504, 504 and 504",
    "range(5 + rank)": "5, 6, 7 and 8",
    "[1, 2, 3, 4, 5][rank::world]": "2, 1, 1 and 1",
    "range(rank, 10, world)": "3, 3, 2 and 2",
    "[y for y in a[rank::world] if y]": "253, 252, 252 and 252",
    "a[rank:][::world]": "253, 252, 252 and 252",
    "a[rank:len(a):world]": "253, 252, 252 and 252",
    "a[rank:2 * rank + 1]": "1, 2, 3 and 4",
    "a[: rank]": "0, 1, 2 and 3",
    "a[: -rank]": "0, 1008, 1007 and 1006",
    "a[-rank:]": "1009, 1, 2 and 3",
    "a[rank * math.ceil(len(a) / world) : (rank + 1) * math.ceil(len(a) / world)]": "253, 253, 253 and 250",
    "a[len(a) * rank // world : len(a) * (rank + 1) // world]": "252, 252, 252 and 253",
    "a[int(len(a) * rank / world) : int(len(a) * (rank + 1) / world)]": "252, 252, 252 and 253",
    "a[: len(a) - rank]": "1009, 1008, 1007 and 1006",
    "a[: max(rank, 2)]": "2, 2, 2 and 3",
    "a[: min(rank, 2)]": "0, 1, 2 and 2",
    "a[: abs(rank - 1)]": "1, 0, 1 and 2",
    "a[: rank + 1 if rank else 5]": "5, 2, 3 and 4",
    "tuple(a)[rank::world]": "253, 252, 252 and 252",
    "sorted(a)[rank::world]": "253, 252, 252 and 252",
    "list(reversed(a))[rank::world]": "253, 252, 252 and 252",
    "reversed(a[rank::world])": "253, 252, 252 and 252",
    "sorted(a[rank::world])": "253, 252, 252 and 252",
    "iter(a[rank::world])": "253, 252, 252 and 252",
    "list(iter(a))[rank::world]": "253, 252, 252 and 252",
    "range(rank)": "0, 1, 2 and 3",
    "range(rank, 4)": "4, 3, 2 and 1",
    "range(1, rank)": "0, 0, 1 and 2",
    "range(rank, len(a), world)": "253, 252, 252 and 252",
    "range(rank, len(a) - 1, world)": "253, 252, 252 and 252",
    "range(len(a) - rank)": "1009, 1008, 1007 and 1006",
    "range(len(a) // world + rank)": "252, 253, 254 and 255",
    "range(3, rank, -1)": "3, 2, 1 and 0",
    "range(len(a), rank, -1)": "1009, 1008, 1007 and 1006",
    "range(10)[rank::world]": "3, 3, 2 and 2",
    "range(len(a))[rank::world]": "253, 252, 252 and 252",
    "list(range(10))[rank::world]": "3, 3, 2 and 2",
    "range(world - rank)": "4, 3, 2 and 1",
    "range(world // (rank + 1))": "4, 2, 1 and 1",
    "range(2 ** rank)": "1, 2, 4 and 8",
    "range(rank & 1)": "0, 1, 0 and 1",
    "range(not rank)": "1, 0, 0 and 0",
    "range(5 if rank == 0 else 4)": "5, 4, 4 and 4",
    "range(int(rank == 0))": "1, 0, 0 and 0",
    "range(rank == 0)": "1, 0, 0 and 0",
    "range(int(rank / 2))": "0, 0, 1 and 1",
    "range(math.ceil((len(a) - rank) / world))": "253, 252, 252 and 252",
    "range((len(a) - rank + world - 1) // world)": "253, 252, 252 and 252",
    "range(-(-(len(a) - rank) // world))": "253, 252, 252 and 252",
    "[1, 2, 3][rank:]": "3, 2, 1 and 0",
    "(1, 2, 3, 4, 5, 6)[rank::world]": "2, 2, 1 and 1",
    "[1, 2, 3][: rank]": "0, 1, 2 and 3",
    "rank * [1]": "0, 1, 2 and 3",
    "a[rank::world] + b": "1398, 1397, 1397 and 1397",
    "a + b[rank::world]": "1296, 1295, 1295 and 1295",
    "a[rank::world] + a[rank::world]": "506, 504, 504 and 504",
    "(a + [1, 2])[rank::world]": "253, 253, 253 and 252",
    "(a + [1, 2, 3])[rank::world]": "254, 253, 253 and 253",
    "(a * 2)[rank::world]": "505, 505, 504 and 504",
    "(2 * a)[rank::world]": "505, 505, 504 and 504",
    "a[rank::world] * world": "1012, 1008, 1008 and 1008",
    "zip(a[rank::world], a)": "253, 252, 252 and 252",
    "zip(a, a[rank::world])": "253, 252, 252 and 252",
    "zip(range(rank + 2), a)": "2, 3, 4 and 5",
    "enumerate(a[rank::world])": "253, 252, 252 and 252",
    "enumerate(a[rank::world], 1)": "253, 252, 252 and 252",
    "map(str, a[rank::world])": "253, 252, 252 and 252",
    "map(max, a[rank::world], a)": "253, 252, 252 and 252",
    "itertools.chain(a[rank::world], b)": "1398, 1397, 1397 and 1397",
    "itertools.chain(a[rank::world], a[rank::world])": "506, 504, 504 and 504",
    "itertools.islice(a, rank)": "0, 1, 2 and 3",
    "itertools.islice(a, rank, None, world)": "253, 252, 252 and 252",
    "itertools.islice(a, rank, None)": "1009, 1008, 1007 and 1006",
    "itertools.islice(a, rank, 10, world)": "3, 3, 2 and 2",
    "itertools.islice(a[rank::world], 0, None)": "253, 252, 252 and 252",
    "itertools.islice(a[rank::world], 0, None, 2)": "127, 126, 126 and 126",
    "itertools.islice(itertools.count(), rank)": "0, 1, 2 and 3",
    "[x for x in a[rank::world]]": "253, 252, 252 and 252",
    "[x for x in a if x][rank::world]": "253, 252, 252 and 252",
    "(x for x in a[rank::world])": "253, 252, 252 and 252",
    "[x for i, x in enumerate(a) if i % world == rank]": "253, 252, 252 and 252",
    "[i for i in range(len(a)) if i % world == rank]": "253, 252, 252 and 252",
    "[a[i] for i in range(rank, len(a), world)]": "253, 252, 252 and 252",
    "[a[i::world] for i in range(world)][rank]": "253, 252, 252 and 252",
    "{x: 1 for x in range(rank)}.items()": "0, 1, 2 and 3",
    "a[rank::world] if n else a[rank::world]": "253, 252, 252 and 252",
    "a[rank::world] if rank else a": "1009, 252, 252 and 252",
    "a[rank::world] or b": "253, 252, 252 and 252",
}
EVEN = (
    "a",
    "a[rank:]  [: len(a) // world]",
    "a[: len(a) // world * world][rank::world]",
    "a[rank : math.ceil(len(a) / world) * world : world]",
    "range(rank, 8, world)",
    "[1, 2, 3, 4][rank::world]",
    "(a * world)[rank::world]",
    "range(rank, n * world, world)",
    "range(min(len(a[rank::world]), n))",
    "zip(a[rank::world], range(n))",
    "itertools.islice(a[rank::world], n)",
    "itertools.islice(itertools.cycle(a[rank::world]), n)",
    "a if rank == 0 else b",
    "even_out(a, world)[rank::world]",
    "itertools.islice(itertools.cycle(a[rank::world]), 0, None, 2)",
    "itertools.islice(itertools.cycle(a[rank::world]), 3, None)",
    "itertools.islice(a[rank::world], 0, None, n)",
    "a[rank::world][:10]",
    "a[rank * n : (rank + 1) * n]",
    "a[rank * (len(a) // world) : (rank + 1) * (len(a) // world)]",
    "a[: len(a) - len(a) % world][rank::world]",
    "a[: (len(a) // world) * world][rank::world]",
    "a[rank : len(a) - len(a) % world : world]",
    "a[: len(a) // world]",
    "a[: round(len(a) / world)]",
    "range(0, len(a), world)",
    "range(rank * 2, rank * 2 + 2)",
    "range(world)",
    "range(5 if rank == 0 else 5)",
    "range(divmod(len(a), world)[0])",
    "range(divmod(len(a), world)[1])",
    "range(math.floor(len(a) / world))",
    "(1, 2, 3, 4, 5, 6, 7, 8)[rank::world]",
    "[[1, 2], [1], [1, 2], [1, 4]][rank][:1]",
    "[1, 2] * (len(a) // world)",
    "a + b",
    "zip(a, b)",
    "enumerate(a)",
    "itertools.chain(a, b)",
    "itertools.islice(a, 5)",
    "itertools.islice(a, None, None, world)",
    "itertools.islice(a, 2, 10)",
    "itertools.islice(a[rank::world], 10)",
    "itertools.islice(itertools.count(rank), 5)",
    "itertools.repeat(1, 3)",
    "[x for x in a]",
    "[x for i, x in enumerate(a) if i % world == 0]",
    "[i for i in range(8) if i % world == rank]",
    "[x for x in a for y in b]",
    '{"a": 1, "b": 2}',
    "a if rank else a",
    "a if rank == 0 else a[:]",
    "a[:0]",
    "a[rank:rank]",
)


def test_ranks_get_different_numbers(tmp_path: Path) -> None:
    assert all_counts(tmp_path, {items: (items, "") for items in UNEVEN}) == UNEVEN


def test_nothing_is_said(tmp_path: Path) -> None:
    assert all_counts(tmp_path, {items: (items, "") for items in EVEN}) == dict.fromkeys(EVEN)


def test_a_check_forbids_lengths(tmp_path: Path) -> None:
    assert counts(tmp_path, "a[rank::world]", "    assert len(a) % world == 0\n") is None
    assert counts(tmp_path, "a[rank::world]", "    if len(a) % world:\n        raise ValueError\n") is None
    assert counts(tmp_path, "a[rank::world]", "    assert len(a) % 2 == 0\n") == "253, 253, 252 and 252"


def test_what_is_exchanged_is_no_longer_known(tmp_path: Path) -> None:
    assert counts(tmp_path, "c[0]", "    c = [a[rank::world]]\n") == "253, 252, 252 and 252"
    assert counts(tmp_path, "c[0]", "    c = [a[rank::world]]\n    dist.broadcast_object_list(c)\n") is None
