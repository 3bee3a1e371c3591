"""What the rules about XLA claim, on torch_xla's CPU device: it counts itself what is compiled, run and fetched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.witness.running import observe, program, repaired

pytestmark = pytest.mark.xla


def compiled(path: Path, steps: int) -> int:
    """How many programs XLA compiles in so many steps."""
    return int(observe("xla", path, steps)["compiled"])


def test_a_shorter_last_batch_is_another_program(tmp_path: Path) -> None:
    """TL501."""
    assert compiled(program("xla/last_batch_of_its_own"), 2) == 2
    assert compiled(repaired("xla/last_batch_of_its_own", tmp_path), 2) == 1


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("chosen_by_a_mask", "weighed_by_a_mask"), ("padded_to_the_longest", "padded_to_one_length")],
    ids=["TL502", "TL503"],
)
def test_shapes_of_the_data_are_compiled_again_and_again(wrong: str, right: str) -> None:
    few, many = (compiled(program(f"xla/{wrong}"), steps) for steps in (3, 6))
    assert many == few + 3
    assert compiled(program(f"xla/{right}"), 3) == compiled(program(f"xla/{right}"), 6) == 1


def test_the_host_waits_for_what_it_asks() -> None:
    """TL504."""
    assert [observe("xla", program("xla/asked_in_every_step"), steps)["fetched"] for steps in (3, 6)] == [3, 6]
    assert [observe("xla", program("xla/asked_at_the_end"), steps)["fetched"] for steps in (3, 6)] == [1, 1]


def test_steps_that_nothing_ends_are_one_program(tmp_path: Path) -> None:
    """TL505."""
    assert observe("xla", program("xla/never_cut"), 6)["run"] == 1
    assert observe("xla", repaired("xla/never_cut", tmp_path), 6)["run"] == 6


def test_cores_that_step_alone_drift_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TL506. What the repair adds cannot be run here: between processes, XLA's CPU device (2.9) has no all-reduce."""
    monkeypatch.setenv("CPU_NUM_DEVICES", "2")
    monkeypatch.setenv("WITNESS_FILE", str(tmp_path / "sum"))
    monkeypatch.setenv("PJRT_DEVICE", "CPU")
    subprocess.run([sys.executable, program("xla/each_core_its_own")], check=True, timeout=100)
    sums = {path.read_text(encoding="utf-8") for path in tmp_path.glob("sum.*")}
    assert len(sums) == 2


def test_tensors_are_put_where_they_lay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TL508."""
    monkeypatch.setenv("WITNESS_FILE", str(tmp_path / "saved"))
    observe("xla", program("xla/saved_where_it_lies"), 2)
    assert observe("loads", tmp_path / "saved") == "NotImplementedError"
    (tmp_path / "repair").mkdir()
    observe("xla", repaired("xla/saved_where_it_lies", tmp_path / "repair"), 2)
    assert observe("loads", tmp_path / "saved") == "loaded"
