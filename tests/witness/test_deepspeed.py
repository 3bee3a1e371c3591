"""TL920, TL921 and TL923 against DeepSpeed itself: what it refuses is reported, what it takes is not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trainlint import check_paths
from trainlint.knowledge import load_knowledge

pytestmark = pytest.mark.deepspeed

OBSERVER = Path(__file__).parent / "observers" / "configurations.py"
SCRIPT = """\
import argparse

import deepspeed


def main(model):
    parser = deepspeed.add_config_arguments(argparse.ArgumentParser())
    engine, *_ = deepspeed.initialize(args=parser.parse_args(), model=model)
    return engine
"""
IN_CODE = """\
import deepspeed


def main(model):
    engine, *_ = deepspeed.initialize(model=model, config={configuration})
    return engine
"""
EXAMPLES = settings(
    max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

#: Sizes that are often right together, and some that nobody can have.
SIZES = st.one_of(st.sampled_from([1, 2, 4, 8, 16, 32, 64]), st.integers(1, 48), st.sampled_from([0, -1, None]))


@st.composite
def with_sizes(draw: Callable[..., Any]) -> dict[str, Any]:
    """A configuration with two sizes or three, or the micro-batch alone."""
    names = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")
    chosen = draw(st.sampled_from([names, names[:2], names[1:], names[::2], names[:1], names[1:2]]))
    found = {name: draw(SIZES) for name in chosen}
    if draw(st.booleans()) and len(chosen) == len(names) and None not in found.values():
        found[names[0]] = found[names[1]] * found[names[2]] * draw(st.integers(1, 8))
    if found.get(names[0]) is None and found.get(names[1]) is None:
        found[names[0]] = 8  # without both it is refused for another reason
    return {**found, "zero_optimization": {"stage": draw(st.integers(0, 3))}}


@st.composite
def with_precisions(draw: Callable[..., Any]) -> dict[str, Any]:
    """A configuration with some of the keys for precisions."""
    keys = draw(st.sets(st.sampled_from(["fp16", "bf16", "bfloat16"])))
    values = st.sampled_from([{}, {"enabled": True}, {"enabled": False}, {"enabled": "auto"}])
    return {"train_micro_batch_size_per_gpu": 4, "zero_optimization": {}, **{key: draw(values) for key in sorted(keys)}}


class DeepSpeed:
    """The class that reads configurations, in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, OBSERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def says(self, configuration: dict[str, Any], processes: int = 1) -> str:
        """What becomes of a configuration with so many processes."""
        said = str(self.answer(configuration, processes))
        assert said in ("taken", "sizes", "precision"), said
        return said

    def answer(self, *question: Any) -> Any:
        """What the observer answers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def deepspeed() -> Iterator[DeepSpeed]:
    """It takes seconds to start: one for all tests."""
    made = DeepSpeed()
    with made.process:  # its end closes the pipes, and that ends the process
        yield made


def reported(folder: Path, **files: str) -> set[str]:
    """The codes that are reported of a folder with these files (``__`` stands for the dot of a name)."""
    for old in folder.iterdir():
        old.unlink()
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return {found.code for found in check_paths([folder], select=["TL920", "TL921"])}


@EXAMPLES
@given(configuration=with_sizes())
def test_sizes_that_fit_no_number_of_processes(configuration: dict[str, Any], deepspeed: DeepSpeed, tmp_path: Path) -> None:
    most = max(1, configuration.get("train_batch_size") or 1)
    refused = all(deepspeed.says(configuration, processes) == "sizes" for processes in range(1, most + 1))
    assert reported(tmp_path, ds__json=json.dumps(configuration)) == ({"TL920"} if refused else set())


@EXAMPLES
@given(configuration=with_sizes(), processes=st.integers(1, 12))
def test_sizes_and_the_processes_of_a_launch_line(
    configuration: dict[str, Any], processes: int, deepspeed: DeepSpeed, tmp_path: Path
) -> None:
    line = f"deepspeed --num_gpus {processes} train.py --deepspeed_config ds.json\n"
    expected = {"TL920"} if deepspeed.says(configuration, processes) == "sizes" else set()
    assert reported(tmp_path, ds__json=json.dumps(configuration), train__py=SCRIPT, run__sh=line) == expected


@EXAMPLES
@given(configuration=with_sizes(), processes=st.integers(1, 12))
def test_sizes_in_the_code_and_the_processes_of_a_launch_line(
    configuration: dict[str, Any], processes: int, deepspeed: DeepSpeed, tmp_path: Path
) -> None:
    script = IN_CODE.format(configuration=configuration)
    expected = {"TL920"} if deepspeed.says(configuration, processes) == "sizes" else set()
    assert reported(tmp_path, train__py=script, run__sh=f"torchrun --nproc_per_node {processes} train.py\n") == expected


@EXAMPLES
@given(configuration=with_precisions())
def test_two_precisions(configuration: dict[str, Any], deepspeed: DeepSpeed, tmp_path: Path) -> None:
    expected = {"TL921"} if deepspeed.says(configuration) == "precision" else set()
    assert reported(tmp_path, ds__json=json.dumps(configuration)) == expected
    script = IN_CODE.format(configuration=configuration)
    assert reported(tmp_path, train__py=script, run__sh="deepspeed train.py\n") == expected


def test_what_is_generated_is_refused_and_taken(deepspeed: DeepSpeed) -> None:
    """The tests above say something only if both come."""
    assert deepspeed.says({"train_batch_size": 8, "train_micro_batch_size_per_gpu": 3}) == "sizes"
    assert deepspeed.says({"train_batch_size": 8, "train_micro_batch_size_per_gpu": 2}, 2) == "taken"
    assert deepspeed.says({"train_batch_size": 8, "fp16": {"enabled": True}, "bf16": {"enabled": True}}) == "precision"


def test_the_keys_that_are_known_are_those_of_the_models(deepspeed: DeepSpeed) -> None:
    known = load_knowledge({}).tables["configurations.keys"]
    theirs = deepspeed.answer("keys")
    assert {section: sorted(known[f"deepspeed.{section}"]) for section in theirs} == theirs
