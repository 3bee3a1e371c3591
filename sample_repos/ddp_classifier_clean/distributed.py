"""Life cycle of the process group, and the few collectives this project needs."""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Iterator

import torch
import torch.distributed as dist


def launch_group(timeout_minutes: int = 30) -> torch.device:
    """Join the process group when torchrun started us; return the device of this process."""
    on_gpu = torch.cuda.is_available()
    if "RANK" not in os.environ:
        return torch.device("cuda" if on_gpu else "cpu")
    patience = datetime.timedelta(minutes=timeout_minutes)
    dist.init_process_group("nccl" if on_gpu else "gloo", timeout=patience)
    if not on_gpu:
        return torch.device("cpu")
    torch.cuda.set_device(get_local_rank())
    return torch.device("cuda", get_local_rank())


def leave_group() -> None:
    """Destroy the process group, if there is one."""
    if is_distributed():
        dist.destroy_process_group()


def is_distributed() -> bool:
    """True in every process of a torchrun job, False in a plain ``python train.py``."""
    return dist.is_available() and dist.is_initialized()


def get_rank() -> int:
    """Global rank of this process; 0 outside a job."""
    return dist.get_rank() if is_distributed() else 0


def get_local_rank() -> int:
    """Rank of this process on its node."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def get_world_size() -> int:
    """Number of processes of the job; 1 outside a job."""
    return dist.get_world_size() if is_distributed() else 1


def is_main() -> bool:
    """True in the one process that logs and writes."""
    return get_rank() == 0


def wait_for_all() -> None:
    """Block until every process has arrived."""
    if is_distributed():
        dist.barrier()


def reduce_sum(values: torch.Tensor) -> torch.Tensor:
    """Sum of ``values`` over all processes, in every process."""
    if get_world_size() == 1:
        return values
    total = values.clone()
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    return total


def reduce_mean(values: torch.Tensor) -> torch.Tensor:
    """Mean of ``values`` over all processes, in every process."""
    return reduce_sum(values) / get_world_size()


def share_everything(item: object) -> list[object]:
    """The ``item`` of every process, in order of rank, in every process."""
    if not is_distributed():
        return [item]
    everything: list[object] = [None] * get_world_size()
    dist.all_gather_object(everything, item)
    return everything


def collect_on_main(item: object) -> list[object]:
    """The ``item`` of every process, in the main process; an empty list in the others."""
    if not is_distributed():
        return [item]
    if is_main():
        collected: list[object] = [None] * get_world_size()
        dist.gather_object(item, collected, dst=0)
        return collected
    dist.gather_object(item, None, dst=0)
    return []


def agree_on_flag(flag: bool, device: torch.device) -> bool:
    """What the main process thinks of ``flag``, in every process."""
    if get_world_size() == 1:
        return flag
    verdict = torch.tensor([int(flag)], device=device)
    dist.broadcast(verdict, src=0)
    return bool(verdict.item())


@contextlib.contextmanager
def main_process_first() -> Iterator[None]:
    """Run the body in the main process, then in all others."""
    if not is_main():
        wait_for_all()
    yield
    if is_main():
        wait_for_all()
