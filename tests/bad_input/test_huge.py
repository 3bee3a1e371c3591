"""Machine-written text: analysed where it can be, TL004 where it cannot, and never the end of the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input import hostile
from tests.bad_input.hostile import DEEP_TREES, SUMMANDS, TERMS, beside, guarded
from tests.bad_input.running import OTHER, Found, check, findings_of, write

HANG = Found("TL101", 6, 9)
SITE_REFUSED = Found("TL004", 6, 9)
FILE_REFUSED = Found("TL004", 1, 1)

# Each text, and what is found in it.
BESIDE = {
    "10,000-term and": (beside(f"x = {hostile.ands(TERMS, 'b')}\n"), HANG),
    "10,000-term and as a rank test": (beside(f"if {hostile.ands(TERMS, 'rank == 0')}:\n    print()\n"), HANG),
    "2,000-term sum": (beside(f"x = {hostile.sums(SUMMANDS, 'b')}\n"), HANG),
    "10,000 elifs": (beside(hostile.elifs(TERMS, "a", "b()")), FILE_REFUSED),
    "10,000 adjacent strings": (beside(f"x = {hostile.pieces(TERMS)}\n"), HANG),
    "10,000 strings, one a line": (beside("x = (\n" + "    'a'\n" * TERMS + ")\n"), HANG),
    "10,000 chained calls": (beside(hostile.chain(TERMS) + "\n"), HANG if DEEP_TREES else FILE_REFUSED),
    "10,000 subscripts": (beside("a" + "[0]" * TERMS + "\n"), HANG if DEEP_TREES else FILE_REFUSED),
    "10,000 nots": (beside("x = " + "not " * TERMS + "a\n"), FILE_REFUSED),
    "10,000 brackets": (beside("x = " + "(" * TERMS + ")" * TERMS + "\n"), Found("TL004", 10, 205)),
    "1,000 nested blocks": (beside("".join(" " * depth + "if a:\n" for depth in range(1000))), FILE_REFUSED._replace(line=110)),
    "10,000 targets": (beside("a = " * TERMS + "b()\n"), HANG),
    "10,000 cases": (beside(hostile.cases(TERMS)), HANG),
    "10,000 functions in a chain": (
        beside("".join(f"def f{number}(): return f{number + 1}()\n" for number in range(TERMS))),
        HANG,
    ),
    "a line of 1 MB": (beside(f"x = {'1' * 4000 + ','}\n" + "y = '" + "z" * 1_000_000 + "'\n"), HANG),
    "100,000 statements": (beside("def g(a):\n" + "    f(a)\n" * 100_000), HANG),
}

# The collective stands inside the statement; a statement that libcst would take too long for, or die of, is not opened.
INSIDE = {
    "last of 10,000 ands": (guarded(hostile.ands(TERMS, "dist.barrier()")), SITE_REFUSED),
    "first of 10,000 ands": (guarded(hostile.ands(TERMS, "b").replace("a", "dist.barrier()", 1)), SITE_REFUSED),
    "last of 2,000 ands of calls": (guarded(hostile.ands(2000, "dist.barrier()", "f(a)")), SITE_REFUSED),
    "last of 400 ands": (guarded(hostile.ands(400, "dist.barrier()")), Found("TL101", 6, 9 + 399 * len("a and "))),
    "last of 2,000 summands": (guarded("x = " + hostile.sums(SUMMANDS, "dist.barrier()")), SITE_REFUSED),
    "beside 10,000 strings": (guarded(f"log(dist.barrier(), {hostile.pieces(TERMS)})"), SITE_REFUSED),
    "argument of the last of 10,000 calls": (
        guarded(hostile.chain(TERMS, ".f(dist.barrier())")),
        SITE_REFUSED if DEEP_TREES else FILE_REFUSED,
    ),
    "first of 10,000 calls": (guarded("dist.barrier()" + ".f()" * TERMS), SITE_REFUSED if DEEP_TREES else FILE_REFUSED),
    "last of 900 chained calls": (guarded(hostile.chain(900, ".f(dist.barrier())")), SITE_REFUSED),
    "behind 10,000 calls on the same line": (
        guarded(hostile.chain(TERMS) + "; dist.barrier()"),
        Found("TL101", 6, 9 + len(hostile.chain(TERMS) + "; ")) if DEEP_TREES else FILE_REFUSED,
    ),
    "behind 900 calls on the same line": (
        guarded(hostile.chain(900) + "; dist.barrier()"),
        Found("TL101", 6, 9 + len(hostile.chain(900) + "; ")),
    ),
    "in the 10,000th elif": (hostile.elif_function(TERMS), FILE_REFUSED),
    "in the 300th elif": (hostile.elif_function(300), Found("TL101", 606, 9)),
    "in the 1,200th elif": (hostile.elif_function(1200), Found("TL101", 2406, 9)),
}

ALL = {**{f"beside {name}": case for name, case in BESIDE.items()}, **INSIDE}


#: They take seconds each.
SLOW = {"beside 100,000 statements"}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.heavy if name in SLOW else ()) for name in ALL])
def test_what_is_found_in(tmp_path: Path, name: str) -> None:
    text, expected = ALL[name]
    outcome = check(write(tmp_path, {"hostile.py": text}))
    assert findings_of(outcome) == [expected]
    if expected == SITE_REFUSED:
        assert outcome.messages["hostile.py"][0].startswith("TL101 could not look at this statement: ")
    elif expected.code == "TL004":
        assert outcome.messages["hostile.py"][0].endswith("was not analysed")


@pytest.mark.parametrize("name", INSIDE)
def test_a_repair_of(tmp_path: Path, name: str) -> None:
    text, expected = ALL[name]
    write(tmp_path, {"hostile.py": text})
    outcome = check(tmp_path, "--fix", "--unsafe-fixes", tmp_path)
    assert OTHER not in outcome.found
    repaired = (tmp_path / "hostile.py").read_text()
    assert repaired == text or (expected.code == "TL101" and len(repaired) < len(text))


def test_ten_megabytes(tmp_path: Path) -> None:
    text = beside("x = 1  # what a generator writes when nobody stops it\n" * 200_000)
    assert len(text) > 10_000_000
    outcome = check(write(tmp_path, {"hostile.py": text}))
    assert findings_of(outcome) == [FILE_REFUSED]
    assert outcome.messages["hostile.py"] == ["the file is larger than 2,097,152 bytes: it was not analysed"]


def test_ten_megabytes_without_a_word_of_training_code(tmp_path: Path) -> None:
    assert findings_of(check(write(tmp_path, {"hostile.py": "x = 1\n" * 1_800_000}))) == []


def test_a_file_that_is_not_even_read(tmp_path: Path) -> None:
    write(tmp_path, {})
    with (tmp_path / "hostile.py").open("wb") as file:
        file.truncate(65 << 20)
    outcome = check(tmp_path)
    assert findings_of(outcome) == [FILE_REFUSED]
    assert outcome.messages["hostile.py"] == ["the file is larger than 64 MB: it was not analysed"]
