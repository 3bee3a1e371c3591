"""Names tell nothing: `save_checkpoint`, `evaluate`, `get_rng_state` and even `peak_gpu_memory` communicate here."""

import torch
import torch.distributed as dist


def synchronize():
    if dist.get_world_size() == 1:
        return
    dist.barrier()


def save_checkpoint(state, path, rank):
    if rank == 0:
        torch.save(state, path)
    synchronize()


def get_rng_state():
    states = [None] * dist.get_world_size()
    dist.all_gather_object(states, torch.get_rng_state())
    return states


def peak_gpu_memory():
    peak = torch.tensor(float(torch.cuda.max_memory_allocated()), device="cuda:0")
    dist.reduce(peak, 0, dist.ReduceOp.MAX)
    return peak.item()


@torch.no_grad()
def evaluate(model, loader):
    correct = torch.zeros(1)
    for images, labels in loader:
        correct += (model(images).argmax(1) == labels).sum()
    dist.all_reduce(correct)
    return correct


def end_of_epoch(rank, model, path):
    if rank == 0:
        save_checkpoint(model.state_dict(), path, rank)  # expect: TL101


def snapshot(rank):
    if rank == 0:
        return {"rng": get_rng_state()}  # expect: TL101
    return None


def memory(rank):
    if rank == 0:
        print(f"peak {peak_gpu_memory():.0f} bytes")  # expect: TL101


def validate(rank, model, loader):
    if rank == 0:
        accuracy = evaluate(model, loader)  # expect: TL101
        print(accuracy)
