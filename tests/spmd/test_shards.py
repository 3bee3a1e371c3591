"""How many items ranks 0 to 3 get: computed for lengths that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainlint import check_paths

HEAD = "import itertools\nimport math\nimport torch.distributed as dist\nrank, world = dist.get_rank(), dist.get_world_size()\n"


def counts(folder: Path, items: str, body: str = "") -> str | None:
    """What the message says the ranks get of ``items``; None when nothing is reported."""
    source = f"{HEAD}def f(a, b, n):\n{body}    for x in {items}:\n        dist.all_reduce(x)\n"
    (folder / "train.py").write_text(source, encoding="utf-8")
    found = check_paths([folder / "train.py"], select=["TL109"])
    if not found:
        return None
    return found[0].message.partition("get ")[2].partition(".")[0]


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
)


@pytest.mark.parametrize(("items", "expected"), UNEVEN.items(), ids=UNEVEN)
def test_ranks_get_different_numbers(tmp_path: Path, items: str, expected: str) -> None:
    assert counts(tmp_path, items) == expected


@pytest.mark.parametrize("items", EVEN)
def test_nothing_is_said(tmp_path: Path, items: str) -> None:
    assert counts(tmp_path, items) is None


def test_a_check_forbids_lengths(tmp_path: Path) -> None:
    assert counts(tmp_path, "a[rank::world]", "    assert len(a) % world == 0\n") is None
    assert counts(tmp_path, "a[rank::world]", "    if len(a) % world:\n        raise ValueError\n") is None
    assert counts(tmp_path, "a[rank::world]", "    assert len(a) % 2 == 0\n") == "253, 253, 252 and 252"


def test_what_is_exchanged_is_no_longer_known(tmp_path: Path) -> None:
    assert counts(tmp_path, "c[0]", "    c = [a[rank::world]]\n") == "253, 252, 252 and 252"
    assert counts(tmp_path, "c[0]", "    c = [a[rank::world]]\n    dist.broadcast_object_list(c)\n") is None
