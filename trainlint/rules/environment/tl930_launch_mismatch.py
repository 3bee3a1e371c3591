"""TL930 launch-mismatch. Its page, which is also its test: rules/environment/TL930-launch-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Level, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.authoring import Program
    from trainlint.jobs import launch_mismatches

RULE = Rule(
    code="TL930",
    name="launch-mismatch",
    summary="a launch line that does not fit the batch system, itself, or the script",
    level=Level.WARNING,
    certainty="flow",
    fix="none",
    needs=("local-rank", "group"),
    reads=("launch",),
    since="0.1",
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each such line: by itself, or compared with the script that it starts."""
    from trainlint.jobs import launch_mismatches

    if program.modules:
        for each in launch_mismatches.local_rank_mismatches(program):
            yield _compared(each)
        return
    for found in launch_mismatches.disagreements(program):
        path = found.launch.document.path
        yield Suspect(
            path=path,
            spot=found.word.spot,
            node="Text",
            statement=found.word.spot,
            message=_message(found),
            because=tuple(Reason(path, spot, said) for spot, said in found.because),
        )


#: By kind: what is wrong, and why, with the two numbers (or texts) of the line.
_TEXTS = {
    "twice": "each of the {one} tasks of a node starts {other} processes\n"
    "`srun` runs the launcher once in each task, and each takes all GPUs of the node. Ask for one task on each node "
    "(`--ntasks-per-node=1`).",
    "nodes": "the launcher counts on {one} node(s), the job starts it on {other}\n"
    "With too few the nodes train apart from each other, with too many they wait until they give up. Write "
    "`--nnodes=$SLURM_NNODES`.",
    "alone": "of {other} nodes only the first runs this\n"
    "A batch script runs on the first node; the others are paid for and wait. Start the launcher with `srun`.",
    "gpus": "{one} processes for {other} GPU(s)\n"
    "The processes whose local rank has no GPU fail at their first call of CUDA. Ask for as many GPUs as processes.",
    "visible": "{one} processes, and {other} GPU(s) that they may see\n"
    "The processes whose local rank has no GPU fail at their first call of CUDA.",
    "ignored": "DeepSpeed takes the GPUs {one}, whatever `CUDA_VISIBLE_DEVICES` says\n"
    "It passes over the variable ({other}) when it is told of GPUs itself. Leave one of the two out.",
    "meeting": "{one} nodes, and no place where they meet\n"
    "Without `--rdzv_endpoint` or `--master_addr` each node looks for the others at its own address, until it gives up; "
    "`torchrun` does not read `MASTER_ADDR`.",
    "standalone": "{one} nodes, and `--standalone`\n"
    "`--standalone` is for one node: each meets at its own address, and waits for the others until it gives up.",
    "localhost": "{one} nodes that meet at `{other}`\n"
    "That is another machine on each of them: they wait for each other until they give up. Name the first node.",
    "rank": "all {one} nodes have the same number ({other})\n"
    "`srun` starts the same words on each node, and what the batch script fills in is that of its own: each is node 0, and waits "
    "for the others. Use `--rdzv_backend=c10d`, which numbers the nodes, or fill it in there: "
    "`srun bash -c 'torchrun … --node_rank=$SLURM_NODEID …'`.",
    "old": "`torch.distributed.launch --use_env` is `torchrun`\n"
    "PyTorch has deprecated the module: each start warns, and it will be removed. `torchrun` takes the same options.",
}
#: By kind: what is wrong between a line and its script, and why.
_COMPARED = {
    "unpassed": "nothing passes `--local_rank` here, and the script reads its number nowhere else\n"
    "The launcher sets the variable `LOCAL_RANK` and adds no option: each process keeps the default, and all of a node use one "
    'GPU. Read `os.environ["LOCAL_RANK"]`.',
    "unknown": "the script knows no `--local-rank`, which `torch.distributed.launch` adds\n"
    "Its parser ends each process at once. Use `torchrun`, which adds nothing.",
    "hyphen": "`torch.distributed.launch` adds `--local-rank`, the script knows `--local_rank`\n"
    "Since PyTorch 2.0 the option has a hyphen, and argparse tells the two apart. Use `torchrun` and read `LOCAL_RANK`.",
    "idle": "one task on each node, and one GPU of {other} is used\n"
    "The script is one process of many, numbered by SLURM, and starts no others. Ask for as many tasks as GPUs "
    "(`--ntasks-per-node={other}`).",
}


def _message(found: launch_mismatches.Disagreement) -> str:
    return _TEXTS[found.kind].format(one=found.one, other=found.other)


def _compared(found: launch_mismatches.LocalRankMismatch) -> Suspect:
    path, spot = found.launch.document.path, found.word.spot
    because = tuple(Reason(*each) for each in found.because)
    message = _COMPARED[found.kind].format(other=found.other)
    return Suspect(path=path, spot=spot, node="Text", statement=spot, message=message, because=because)
