"""The programs of tests/mpi_suite that were written by hand: four gloo processes wait in the wrong ones and in no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi_suite.table import PROGRAMS
from tests.witness.ranks import LONG, Job, run
from tests.witness.test_ranks import LEFT_ALONE, WAITED

RANKS = 4  # some programs are about quarters of the ranks
WAIT = 6  # seconds
FILES = {f"{each.parent.name}-{each.stem}": each for each in sorted(PROGRAMS.glob("*/*.py"))}


def wrong(file: Path) -> bool:
    """Whether a program says that it is."""
    return "# wrong" in file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Job]:
    """How all the programs end."""
    programs: dict[str, tuple[Path, float]] = {key: (file, WAIT if wrong(file) else LONG) for key, file in FILES.items()}
    return run(programs, tmp_path_factory.mktemp("suite") / "jobs", RANKS)


@pytest.mark.witness
@pytest.mark.parametrize("key", FILES)
def test_ranks_wait_in_wrong_programs_only(key: str, outcomes: dict[str, Job]) -> None:
    waited = [each for each in outcomes[key] if "returned" not in each]
    assert bool(waited) == wrong(FILES[key]), outcomes[key]
    lines = FILES[key].read_text(encoding="utf-8").splitlines()
    for each in waited:
        assert WAITED.search(each["message"]) or LEFT_ALONE in each["message"], each
    assert not waited or any(WAITED.search(each["message"]) for each in waited)
    # Somebody waits at a line that is marked; where that one has paired with another collective, somebody else waits elsewhere.
    places = [line for each in waited for name, line, _ in each["places"] if name == FILES[key].name]
    assert not waited or any("# wrong" in lines[line - 1] for line in places)
