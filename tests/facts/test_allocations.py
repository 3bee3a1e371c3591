"""What the batch system gives to a launch line."""

from __future__ import annotations

import pytest

from tests.facts.test_launches import launched
from trainlint.jobs.launch_lines import allocation


def given(orders: str, line: str) -> tuple[int | None, int | None, int | None] | None:
    head = "".join(f"#SBATCH {order}\n" for order in orders.split(";") if order)
    found = allocation(launched(f"#!/bin/bash\n{head}{line}\n")[-1])
    return None if found is None else (found.nodes.number, found.tasks.number, found.gpus.number)


@pytest.mark.parametrize(
    ("orders", "line", "expected"),
    [
        ("", "torchrun train.py", None),
        ("--nodes=2;--ntasks-per-node=4;--gres=gpu:8", "srun python train.py", (2, 4, 8)),
        ("-N 2;--gpus-per-node=a100:4", "srun python train.py", (2, 1, 4)),
        ("--nodes=2;--ntasks=16;--gpus=16", "srun python train.py", (2, 8, 8)),
        ("--nodes=2 --ntasks-per-node=8 --gres=gpu:h100:8", "srun --ntasks-per-node=1 python train.py", (2, 1, 8)),
        ("--nodes=4;--ntasks-per-node=8", "srun -N 1 -n 1 python train.py", (1, 1, None)),
        ("--nodes=4;--ntasks-per-node=8", "srun -n 2 python train.py", (2, 1, None)),
        ("--nodes=2-4;--gpus=8", "srun python train.py", (None, 1, None)),
        ("--ntasks=8", "srun python train.py", (None, None, None)),
        ("--nodes=2;--gpus-per-task=1;--ntasks-per-node=$N", "srun python train.py", (2, None, None)),
        ("--nodes=2;--ntasks-per-gpu=1;--gres=gpu:8", "srun python train.py", (2, None, 8)),
        ("--nodes=2", "srun --nodes=$NODES python train.py", (None, 1, None)),
        ("--nodes=2", "srun $ARGS python train.py", (None, None, None)),
        ("--nodes=2;--nodes=4", "srun python train.py", (None, 1, None)),
    ],
)
def test_numbers(orders: str, line: str, expected: tuple[int | None, int | None, int | None] | None) -> None:
    assert given(orders, line) == expected
