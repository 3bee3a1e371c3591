"""What is said twice of a job of accelerate's: where it is told, and what is left alone."""

from __future__ import annotations

import pytest

from trainlint.documents.document import Documents
from trainlint.jobs.accelerate import configurations, contradictions
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

WORDS = frozenset((b"accelerate", b"distributed_type"))
FSDP = "distributed_type: FSDP\nnum_machines: 1\nnum_processes: 8\nfsdp_config:\n  fsdp_version: 2\n"


def program(**files: str) -> Program:
    made = Program({}, ModuleFinder({"/p/train.py"}, ["/p"]), load_knowledge({}))
    texts = {f"/p/{name.replace('_', '.')}": text for name, text in files.items()}
    made.documents = Documents(dict.fromkeys(texts, WORDS), texts.get)
    return made


def told(**files: str) -> list[str]:
    return [found.at.says for found in contradictions(program(**files))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("distributed_type: NO\nnum_processes: 1\n", "NO"),
        ("distributed_type: 'NO'\nmachine_rank: 0\n", "NO"),
        ("distributed_type: fsdp\nnum_processes: 1\n", "FSDP"),
        ("distributed_type: ${TYPE}\nnum_processes: 1\n", None),
    ],
)
def test_the_type_of_a_configuration(text: str, kind: str | None) -> None:
    (found,) = configurations(program(a_yaml=text))
    assert found.kind == kind


@pytest.mark.parametrize(
    "text", ["distributed_type: FSDP\n", "num_processes: 8\n", "- distributed_type\n", "a:\n  distributed_type: NO\n"]
)
def test_what_is_no_configuration(text: str) -> None:
    assert not configurations(program(a_yaml=text))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("distributed_type: 'NO'\nnum_processes: 2\n", ["num_processes: 2"]),
        ("distributed_type: 'NO'\nnum_processes: 2\nmpirun_config:\n  mpirun_hostfile: h\n", []),
        ("distributed_type: 'NO'\nnum_processes: 2\ncompute_environment: AMAZON_SAGEMAKER\n", []),
        ("distributed_type: MULTI_GPU\nnum_machines: 2\nnum_processes: 7\n", ["num_processes: 7"]),
        ("distributed_type: MULTI_GPU\nnum_machines: 2\nnum_processes: auto\n", []),
        ("distributed_type: MULTI_GPU\nnum_machines: 2\nnum_processes: 4\ngpu_ids: 0,1\n", []),
        ("distributed_type: MULTI_GPU\nnum_machines: 1\nnum_processes: 1\ngpu_ids: 0\n", ["gpu_ids: 0"]),
        ("distributed_type: FSDP\nnum_processes: 4\ngpu_ids: '0,1'\n", ["num_processes: 4"]),
        ("distributed_type: FSDP\nnum_processes: 4\ndeepspeed_config:\n  zero_stage: 2\n", ["deepspeed_config"]),
        ("distributed_type: DEEPSPEED\nnum_processes: 4\ndeepspeed_config:\n  zero_stage: 2\nfsdp_config: {}\n", []),
    ],
)
def test_a_configuration_alone(text: str, says: list[str]) -> None:
    assert told(a_yaml=text) == says


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("accelerate launch --config_file a.yaml train.py", []),
        ("accelerate launch --config_file a.yaml --use_fsdp train.py", []),
        ("accelerate launch --config_file=a.yaml --multi_gpu train.py", ["--multi_gpu"]),
        ("accelerate launch --config_file $C --multi_gpu train.py", []),
        ("export CUDA_VISIBLE_DEVICES=2,3\naccelerate launch --config_file a.yaml train.py", ["8 processes"]),
        ("export CUDA_VISIBLE_DEVICES=2,3\naccelerate launch --config_file a.yaml --num_processes 2 train.py", []),
        ("export CUDA_VISIBLE_DEVICES=2,3\naccelerate launch --config_file a.yaml --num_machines $N train.py", []),
        ("if a; then\nexport CUDA_VISIBLE_DEVICES=2\nfi\naccelerate launch --config_file a.yaml train.py", []),
        ("CUDA_VISIBLE_DEVICES= accelerate launch --config_file a.yaml train.py", []),
        ("CUDA_VISIBLE_DEVICES=0 accelerate launch --num_processes 2 train.py", ["--num_processes 2"]),
        ("CUDA_VISIBLE_DEVICES=0 accelerate launch --config_file other.yaml --num_processes 2 train.py", []),
        ("accelerate launch --config_file a.yaml --zero_stage 2 --gradient_clipping 1 train.py", ["--zero_stage 2"]),
        ("accelerate launch --fsdp_offload_params true train.py", []),
    ],
)
def test_a_line(line: str, says: list[str]) -> None:
    assert told(a_yaml=FSDP, run_sh=line) == says
