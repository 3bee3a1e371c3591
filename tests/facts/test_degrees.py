"""The sizes of a job: what is read of lines and files, and what is left open."""

from __future__ import annotations

import pytest

from trainlint.documents.document import Documents
from trainlint.jobs.parallel_constraints import impossible
from trainlint.jobs.parallel_launch_options import Setup, lines
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

WORDS = frozenset((b"torchrun", b"deepspeed", b"python", b"tensor_model_parallel_size", b"tensor_parallel_degree"))


def program(**files: str) -> Program:
    made = Program({}, ModuleFinder({"/p/pretrain_gpt.py"}, ["/p"]), load_knowledge({}))
    texts = {f"/p/{name.replace('_', '.')}": text for name, text in files.items()}
    made.documents = Documents(dict.fromkeys(texts, WORDS), texts.get)
    return made


def setup(text: str) -> Setup:
    (found,) = lines(program(run_sh=text))
    return found


def numbers(text: str) -> dict[str, int]:
    return {what: size.value for what, size in setup(text).sizes.items()}


RUN = "torchrun --nproc_per_node 8 pretrain_gpt.py "


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (RUN + "--tensor-model-parallel-size 4 --num_layers=8", {"tp": 4, "layers": 8}),
        (
            "TP=2\nA=(--tensor-model-parallel-size $TP)\nA+=(--sequence-parallel)\n" + RUN + '"${A[@]}"',
            {"tp": 2, "splits_sequence": 1},
        ),
        ('O="--num-layers 8 --data-path $1"\nP="$O --tensor-model-parallel-size 2"\n' + RUN + "$P", {"tp": 2, "layers": 8}),
        (RUN + "--tensor-model-parallel-size $TP --num-layers 8", {"layers": 8}),
        (RUN + "--tensor-model-parallel-size 2 --tensor-model-parallel-size 4", {"tp": 4}),
        ("TP=2 # your number\n" + RUN + "--tensor-model-parallel-size $TP", {}),
        ("if x; then\nTP=2\nfi\n" + RUN + "--tensor-model-parallel-size $TP", {}),
    ],
)
def test_sizes_of_a_line(text: str, known: dict[str, int]) -> None:
    assert numbers(text) == known


@pytest.mark.parametrize(
    ("line", "is_whole"),
    [
        (RUN + "--tensor-model-parallel-size 4 --data-path $DATA --save ${1}", True),
        (RUN + "--tensor-model-parallel-size 4 $EXTRA_ARGS", False),
        (RUN + '--tensor-model-parallel-size 4 "$@"', False),
        (RUN + "--tensor-model-parallel-size=4 $1", False),
        ("E=()\n" + RUN + '--tensor-model-parallel-size 4 "${E[@]}"', True),
    ],
)
def test_whether_all_options_are_seen(line: str, is_whole: bool) -> None:
    assert setup(line).is_whole is is_whole


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (RUN, 8),
        ("torchrun --nnodes 2 --nproc-per-node 4 pretrain_gpt.py ", 8),
        ("deepspeed --num_gpus 4 pretrain_gpt.py ", 4),
        ("torchrun --nnodes 2 pretrain_gpt.py ", None),
        ("torchrun --nnodes $N --nproc_per_node 8 pretrain_gpt.py ", None),
        ("python pretrain_gpt.py ", None),
        ("# change this on several nodes\nN=1\nM=$N\ntorchrun --nnodes $M --nproc_per_node 8 pretrain_gpt.py ", None),
        ("# change this elsewhere\n\nN=1\ntorchrun --nnodes $N --nproc_per_node 8 pretrain_gpt.py ", 8),
    ],
)
def test_processes_of_a_line(text: str, count: int | None) -> None:
    world = setup(text + "--tensor-model-parallel-size 2").world
    assert (None if world is None else world.value) == count


def test_a_line_overrides_a_file_of_torchtitan() -> None:
    toml = "[parallelism]\ndata_parallel_shard_degree = 2\ntensor_parallel_degree = 4\n"
    start = "torchrun --nproc_per_node 8 -m torchtitan.train --job.config_file train.toml"
    assert not list(impossible(program(train_toml=toml, run_sh=start)))
    (found,) = impossible(program(train_toml=toml, run_sh=start + " --parallelism.tensor_parallel_degree 2"))
    assert (found.at.document.path, found.at.written) == ("/p/run.sh", "--parallelism.tensor_parallel_degree 2")
    assert not list(impossible(program(train_toml=toml, run_sh=start + " --parallelism.tensor_parallel_degree $TP")))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("trainer.devices=8 trainer.num_nodes=1 model.tensor_model_parallel_size=3", ["model.tensor_model_parallel_size=3"]),
        ("trainer.devices=8 ++trainer.num_nodes=3 +model.pipeline_model_parallel_size=6", []),
        ("trainer.devices=8 model.tensor_model_parallel_size=3", []),
        ("trainer.devices=$N trainer.num_nodes=1 model.tensor_model_parallel_size=3", []),
        ("trainer.devices=8 trainer.num_nodes=1 other.tensor_model_parallel_size=3", []),
        ("trainer.devices=[0,1,2] trainer.num_nodes=1 model.tensor_model_parallel_size=2", []),
        (
            "trainer.nnodes=1 trainer.n_gpus_per_node=4 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=8",
            ["actor_rollout_ref.actor.megatron.tensor_model_parallel_size=8"],
        ),
        ("model.tensor_model_parallel_size=4 model.num_attention_heads=6", ["model.num_attention_heads=6"]),
    ],
)
def test_what_a_line_sets_of_a_configuration(words: str, says: list[str]) -> None:
    assert [found.at.written for found in impossible(program(run_sh=f"python train.py {words}"))] == says


def test_numbers_without_end_are_none() -> None:
    assert not list(impossible(program(run_sh=RUN + "--tensor-model-parallel-size " + "9" * 5000)))
    assert not list(impossible(program(run_sh=RUN + "--tensor-model-parallel-size 0 --num-attention-heads 0 --num-layers 0")))


def test_each_law_is_told_where_it_is_broken() -> None:
    text = RUN + "--tensor-model-parallel-size 3 --num-attention-heads 16 --ffn-hidden-size 100 --num-layers 5"
    assert [found.at.written.partition(" ")[0] for found in impossible(program(run_sh=text))] == [
        "--tensor-model-parallel-size",
        "--num-attention-heads",
        "--ffn-hidden-size",
    ]
