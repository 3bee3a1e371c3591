"""What the leaving ranks miss is one to four calls further down."""

import torch
import torch.distributed as dist


def synchronize():
    if not dist.is_initialized() or dist.get_world_size() == 1:
        return
    dist.barrier()


def gather_rows(rows):
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, rows)
    return [row for part in parts for row in part]


def merge(results):
    return {name: gather_rows(rows) for name, rows in results.items()}


def summarize(results):
    return {name: len(rows) for name, rows in merge(results).items()}


def publish(results, path):
    path.write_text(str(summarize(results)))


def one_deep(rank, path):
    if rank != 0:
        return
    synchronize()  # expect: TL102


def two_deep(rank, results):
    if rank != 0:
        return None
    return merge(results)  # expect: TL102


def three_deep(rank, results):
    if rank != 0:
        return None
    counts = summarize(results)  # expect: TL102
    return counts


def four_deep(rank, results, path):
    if rank != 0:
        return
    publish(results, path)  # expect: TL102


def save_checkpoint(model, path):
    state = [None] * dist.get_world_size()
    dist.all_gather_object(state, model.shards())
    torch.save(state, path)


def names_tell_nothing(rank, model, path):
    if rank != 0:
        return
    save_checkpoint(model, path)  # expect: TL102
