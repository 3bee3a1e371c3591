"""Launch lines: which launchers start which script, with which options."""

from __future__ import annotations

import pytest

from trainlint.documents.document import Documents
from trainlint.jobs.launch_lines import Launch, launches
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

FILES = {"/p/train.py", "/p/tools/train_net.py", "/p/pkg/main.py", "/p/run/train.py"}


def launched(text: str, path: str = "/p/run.sh") -> list[Launch]:
    program = Program({}, ModuleFinder(FILES, ["/p"]), load_knowledge({}))
    words = frozenset((b"torchrun", b"deepspeed", b"accelerate", b"srun", b"mpirun", b"python", b"python3"))
    program.documents = Documents({path: words}, {path: text}.get)
    return list(program.ask(launches))


@pytest.mark.parametrize(
    ("line", "kinds", "file"),
    [
        ("torchrun --nproc_per_node=8 train.py", ["torchrun"], "/p/train.py"),
        ("python3 -m torch.distributed.run --nnodes 2 --standalone train.py", ["python", "torchrun"], "/p/train.py"),
        ("python -u -W ignore -m torch.distributed.launch --use_env train.py", ["python", "launch"], "/p/train.py"),
        ("CUDA_VISIBLE_DEVICES=0 nohup $PYTHON train.py > log 2>&1 &", ["python"], "/p/train.py"),
        ("srun -N 2 --gres=gpu:8 --ntasks-per-node=8 -u python train.py", ["srun", "python"], "/p/train.py"),
        ("time mpirun --allow-run-as-root -np 4 -mca btl tcp python train.py", ["mpi", "python"], "/p/train.py"),
        ("accelerate launch --config_file a.yaml --multi_gpu train.py", ["accelerate"], "/p/train.py"),
        ("deepspeed --include localhost:0,1 train.py --deepspeed", ["deepspeed"], "/p/train.py"),
        ("srun torchrun --rdzv_backend c10d -m pkg.main", ["srun", "torchrun"], "/p/pkg/main.py"),
        ("python -m pkg.main", ["python"], "/p/pkg/main.py"),
        ('torchrun "$DIR/train_net.py"', ["torchrun"], None),
        ("torchrun /elsewhere/tools/train_net.py", ["torchrun"], None),
        ("deepspeed tools/train_net.py", ["deepspeed"], "/p/tools/train_net.py"),
        ("deepspeed train_net.py", ["deepspeed"], "/p/tools/train_net.py"),
    ],
)
def test_launchers_and_script(line: str, kinds: list[str], file: str | None) -> None:
    (launch,) = launched(line)
    assert [launcher.kind for launcher in launch.launchers] == kinds
    assert launch.path == file
    assert launch.is_sure


@pytest.mark.parametrize(
    "line",
    ["pip install torchrun", "python -c 'import torch'", "echo torchrun train.py", "python", "bash train.sh", "srun hostname"],
)
def test_what_starts_no_script(line: str) -> None:
    assert launched(line) == []


def test_options_go_by_their_names_with_hyphens() -> None:
    (launch,) = launched(
        "N=4\ntorchrun --nproc_per_node $N --nproc-per-node=8 --standalone train.py --lr=$LR --local_rank 0 --tag -x"
    )
    torchrun = launch.launcher("torchrun")
    assert torchrun is not None
    assert [(option.name, option.text) for option in torchrun.options] == [
        ("--nproc-per-node", "4"),
        ("--nproc-per-node", "8"),
        ("--standalone", None),
    ]
    last = torchrun.option("--nproc-per-node")
    assert last is not None
    assert last.number == 8
    assert launch.argument("--local-rank").text == "0"  # type: ignore[union-attr]
    assert launch.argument("--lr").text is None  # type: ignore[union-attr]
    assert launch.argument("--nproc-per-node") is None


def test_words_that_nobody_knows_make_it_unsure() -> None:
    (launch,) = launched("torchrun $ARGS train.py")
    assert not launch.is_sure
    (launch,) = launched("torchrun --nnodes=$N train.py $ARGS")
    assert launch.is_sure


def test_the_environment_of_a_line() -> None:
    (launch,) = launched("export A=1\nB=2\nC=3 torchrun train.py\nexport D=4\n")
    assert [(each.name, each.value.text) for each in launch.environment()] == [("A", "1"), ("C", "3")]


def test_the_nearest_script_of_that_name() -> None:
    (launch,) = launched("torchrun train.py", "/p/run/go.sh")
    assert launch.path == "/p/run/train.py"


def test_whole_lines_in_variables() -> None:
    (launch,) = launched('CMD="torchrun --nproc_per_node 2"\n$CMD train.py\n')
    assert launch.launcher("torchrun").option("--nproc-per-node").number == 2  # type: ignore[union-attr]
