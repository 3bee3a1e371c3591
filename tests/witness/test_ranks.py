"""TL101 to TL109: two gloo processes that wait for each other, and do not once the program is right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.expectations import copy_alone
from tests.witness import ranks
from tests.witness.ranks import LONG, WAIT, Job, names, right, stuck, wrong
from trainlint import check_paths
from trainlint.app.dev import expectations
from trainlint.codes import DEFAULT

WAITED = re.compile(
    r"gloo/transport/tcp/\S+ Timed out waiting \d+ms for (recv|send) operation to complete"
    r"|^Application timeout caused pair closure$"
    r"|^[Ww]ait timeout"  # of the store, by which the members of a new group find each other
)
LEFT_ALONE = "gloo/transport/tcp/"  # the other rank has given up first, which closes the connection
ERRORS = {"builtins.RuntimeError", "torch.distributed.DistStoreError", "torch.distributed.DistBackendError"}
MIXED = ["loss_that_is_no_number", "record_that_cannot_be_read", "statistic_before_gradient"]
"""Programs in which a rank first gets a wrong number, silently."""


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Job]:
    """How the ranks of each program end that a selected test is about: as it is, ``-good`` and ``-repaired``."""
    here = [each for each in request.session.items if each.path == request.path and each.get_closest_marker("witness")]
    selected = {each.callspec.params["name"] for each in here}
    programs: dict[str, tuple[Path, float]] = {}
    for name in sorted(selected):
        programs[name] = (wrong(name), WAIT)
        good = right(name)
        if good is not None:
            programs[f"{name}-good"] = (good, LONG)
        if ranks.repairable(name, tmp_path_factory.mktemp(name)):
            programs[f"{name}-repaired"] = (ranks.repaired(name, tmp_path_factory.mktemp(name)), LONG)
    return ranks.run(programs, tmp_path_factory.mktemp("jobs") / "jobs")


@pytest.mark.witness
@pytest.mark.parametrize("name", names())
def test_waits_in_the_collective(name: str, outcomes: dict[str, Job]) -> None:
    places, job = stuck(wrong(name)), outcomes[name]
    own = {file.name for file in ranks.files(wrong(name))}
    messages = []
    for rank, ended in enumerate(job):
        if rank not in places:
            assert "returned" in ended or "left" in ended, ended
            continue
        assert ended.get("raised") in ERRORS, ended
        assert ended["places"][-1][0].startswith("torch/"), ended  # the error came up inside of PyTorch, called from ...
        assert [tuple(each[:2]) for each in ended["places"] if each[0] in own][-1] == places[rank], ended
        assert ended["seconds"] >= WAIT - 0.5, ended
        messages.append(ended["message"])
    assert any(WAITED.search(each) for each in messages), messages
    assert all(WAITED.search(each) or LEFT_ALONE in each for each in messages), messages


@pytest.mark.witness
@pytest.mark.parametrize("name", names())
def test_right_version_ends_well(name: str, outcomes: dict[str, Job]) -> None:
    versions = [key for key in (f"{name}-good", f"{name}-repaired") if key in outcomes]
    assert versions, f"trainlint does not repair {name}, and there is no {name}_good"
    for key in versions:
        assert all("returned" in ended for ended in outcomes[key]), (key, outcomes[key])
        results = [ended["returned"] for ended in outcomes[key]]
        assert results[0] is not None, key
        assert results == [results[0]] * len(results), key


@pytest.mark.witness
@pytest.mark.parametrize("name", MIXED)
def test_a_rank_that_does_not_wait_has_a_wrong_number(name: str, outcomes: dict[str, Job]) -> None:
    (through,) = [ended for ended in outcomes[name] if "returned" in ended]
    version = outcomes.get(f"{name}-good") or outcomes[f"{name}-repaired"]
    assert through["returned"] != version[0]["returned"]


# The rest needs no framework.


def differences(root: Path, folder: Path) -> str:
    """What trainlint reports otherwise than a program says; nothing if all is right."""
    copy = copy_alone(root, folder)
    found = expectations.problems(copy, check_paths([copy], select=sorted({*DEFAULT, "TL103"})))
    return expectations.explain(copy, found) if found else ""


@pytest.mark.parametrize("name", [each for each in names() if ranks.judged(each)])
def test_reported_as_it_says(name: str, tmp_path: Path) -> None:
    assert not differences(wrong(name), tmp_path)


@pytest.mark.parametrize("name", [each for each in names() if right(each)])
def test_right_version_is_silent(name: str, tmp_path: Path) -> None:
    path = right(name)
    assert path is not None
    assert not stuck(path)
    assert not expectations.read_project(path)
    assert not differences(path, tmp_path)


def test_repaired_version_is_silent(tmp_path: Path) -> None:
    repaired = [each for each in names() if ranks.repairable(each, tmp_path / each)]
    assert len(repaired) >= 5
    for name in repaired:
        (tmp_path / f"{name}-repaired").mkdir()
        assert check_paths([ranks.repaired(name, tmp_path / f"{name}-repaired")]) == []


def test_there_is_a_program_for_every_rule_about_ranks_that_wait() -> None:
    assert {code for name in names() for code in ranks.expected(name)} == {f"TL10{number}" for number in range(1, 10)}
    assert len(names()) >= 30
    assert all(stuck(wrong(name)) for name in names())
