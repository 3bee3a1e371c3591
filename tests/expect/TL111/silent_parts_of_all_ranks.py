"""All ranks meet before the parts are put together, the reader waits for the files, or reads what it has written itself."""

import glob
import os
import time
from pathlib import Path

import torch
import torch.distributed as dist
from accelerate import Accelerator


def waited(found, out):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.save(found, os.path.join(out, f"results_{rank}.pt"))
    dist.barrier()
    if rank == 0:
        return [torch.load(os.path.join(out, f"results_{r}.pt")) for r in range(dist.get_world_size())]
    return None


def counted(found, out):
    """Whoever has the sum of the lengths has waited."""
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.save(found, f"{out}/{rank}.pt")
    total = torch.tensor(len(found))
    dist.all_reduce(total)
    if rank == 0:
        for number in range(dist.get_world_size()):
            total -= len(torch.load(f"{out}/{number}.pt"))
    return total


def watched(found, out):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.save(found, f"{out}/{rank}.pt")
    if rank == 0:
        for number in range(dist.get_world_size()):
            while not os.path.exists(f"{out}/{number}.pt"):
                time.sleep(1)
            found += torch.load(f"{out}/{number}.pt")


def own(found, out, rounds):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    for number in range(rounds):
        torch.save(found[number], f"{out}/{rank}_{number}.pt")
    again = []
    for number in range(rounds):
        again += torch.load(f"{out}/{rank}_{number}.pt")
    return again


def other_files(found, out):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.save(found, f"{out}/results_{rank}.pt")
    if rank == 0:
        old = [torch.load(f"{out}/inputs_{number}.pt") for number in range(dist.get_world_size())]
        return old, glob.glob(f"{out}/inputs_*.pt"), glob.glob("logs/results_*.pt")
    return None


def with_accelerate(found, out):
    accelerator = Accelerator()
    torch.save(found, f"{out}/{accelerator.process_index}.pt")
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        for number in range(accelerator.num_processes):
            found += torch.load(f"{out}/{number}.pt")


def resumed(found, out):
    """What is read was written by the run before."""
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        for number in range(dist.get_world_size()):
            found += torch.load(f"{out}/{number}.pt")
    torch.save(found, f"{out}/{rank}.pt")


def one_rank(found, out, shards):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        for number in range(shards):
            torch.save(found[number], f"{out}/{number}.pt")
        return [torch.load(f"{out}/{number}.pt") for number in range(shards)]
    return None


def another_pattern(found, out):
    accelerator = Accelerator()
    torch.save(found, Path(out) / f"found_{accelerator.process_index}.pt")
    if accelerator.is_main_process:
        return sorted(Path(out).glob("settings_*.pt"))
    return None


def another_folder(found, out):
    accelerator = Accelerator()
    torch.save(found, Path(out) / "new" / f"found_{accelerator.process_index}.pt")
    if accelerator.is_main_process:
        return [torch.load(part) for part in Path(out).glob("found_*.pt")]
    return None
