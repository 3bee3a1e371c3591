"""TL930 launch-mismatch. Its page, which is also its test: rules/environment/TL930-launch-mismatch.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainlint.authoring import Program, Reason, Rule, Suspect

if TYPE_CHECKING:
    from trainlint.jobs import launch_mismatches

RULE = Rule.ours(
    code="TL930",
    summary="a launch line that contradicts the batch system, itself, or the script",
    needs=("local-rank", "group"),
    reads=("launch",),
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
    "twice": "each of the {one} tasks of a node starts {other}\n"
    "`srun` runs the launcher once per task, and each uses all GPUs of the node. Request one task per node "
    "(`--ntasks-per-node=1`).",
    "nodes": "the launcher expects {one} node{ones}, but the job starts it on {other}\n"
    "With too few, the nodes train separately; with too many, they wait until the timeout. Write "
    "`--nnodes=$SLURM_NNODES`.",
    "alone": "only the first of {other} nodes runs this\n"
    "A batch script runs on the first node only; the other nodes are paid for and idle. Start the launcher with `srun`.",
    "gpus": "{one} processes for {other} GPU{others}\n"
    "The processes whose local rank has no GPU fail at their first CUDA call. Request as many GPUs as processes.",
    "visible": "{one} processes, but only {other} visible GPU{others}\n"
    "The processes whose local rank has no GPU fail at their first CUDA call.",
    "ignored": "DeepSpeed uses the GPUs {one}, whatever `CUDA_VISIBLE_DEVICES` says\n"
    "It ignores the variable ({other}) when GPUs are selected on its command line. Remove one of the two.",
    "meeting": "{one} nodes without a rendezvous endpoint (`--rdzv_endpoint`)\n"
    "Without `--rdzv_endpoint` or `--master_addr` each node waits for the other nodes at its own address, until the "
    "timeout; `torchrun` does not read `MASTER_ADDR`.",
    "standalone": "`--standalone` on {one} nodes\n"
    "`--standalone` is for one node: each waits for the other nodes at its own address, until the timeout.",
    "localhost": "`{other}` is the rendezvous endpoint of {one} nodes\n"
    "That is a different machine on each of them: they wait for each other until the timeout. Use the name of the "
    "first node.",
    "rank": "all {one} nodes have the same node rank ({other})\n"
    "`srun` starts the same command on each node, and the batch script fills in its own variables: each is node 0, and "
    "waits for the other nodes. Use `--rdzv_backend=c10d`, which assigns the ranks, or expand the variable on the "
    "node: `srun bash -c 'torchrun … --node_rank=$SLURM_NODEID …'`.",
    "old": "`torch.distributed.launch --use_env` is deprecated in favor of `torchrun`\n"
    "Each start warns, and the module will be removed. `torchrun` takes the same options.",
}
#: By kind: what is wrong between a line and its script, and why.
_COMPARED = {
    "unpassed": "the launcher passes no `--local_rank` here, and the script reads its local rank nowhere else\n"
    "The launcher sets the variable `LOCAL_RANK` and adds no option: each process keeps the default, and all processes "
    'of a node use one GPU. Read `os.environ["LOCAL_RANK"]`.',
    "unknown": "the script does not accept `--local-rank`, which `torch.distributed.launch` adds\n"
    "Its parser ends each process at once. Use `torchrun`, which adds nothing.",
    "hyphen": "`torch.distributed.launch` adds `--local-rank`, but the script accepts `--local_rank`\n"
    "Since PyTorch 2.0 the option has a hyphen, and argparse distinguishes the two. Use `torchrun` and read "
    "`LOCAL_RANK`.",
    "idle": "one task per node, so only one GPU of {other} is used\n"
    "The script is one process of many, whose ranks come from SLURM, and starts no other processes. Request as many "
    "tasks as GPUs (`--ntasks-per-node={other}`).",
}


def _message(found: launch_mismatches.Disagreement) -> str:
    ones, others = ("" if number == "1" else "s" for number in (found.one, found.other))
    return _TEXTS[found.kind].format(one=found.one, other=found.other, ones=ones, others=others)


def _compared(found: launch_mismatches.LocalRankMismatch) -> Suspect:
    path, spot = found.launch.document.path, found.word.spot
    because = tuple(Reason(*each) for each in found.because)
    message = _COMPARED[found.kind].format(other=found.other)
    return Suspect(path=path, spot=spot, node="Text", statement=spot, message=message, because=because)
