"""Those who left have left in the mode in which nothing in the loop behind communicates; an assertion that most ranks pass."""

import os
import time

import torch
import torch.distributed as dist


def gather(features):
    parts = [torch.zeros_like(features) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, features)
    return torch.cat(parts)


def evaluate(model, loader, args):
    if not args.parallel_eval:
        if dist.get_rank() != 0:
            return None
    scores = []
    for batch in loader:
        with torch.no_grad():
            features = model(batch)
            if args.parallel_eval:
                features = gather(features)
        scores.append(features.mean().item())
    return scores


def cached(folder, build):
    rank = dist.get_rank()
    ready = os.path.join(folder, "ready")
    if rank == 0 and not os.path.exists(ready):
        build(folder)
    while not os.path.exists(ready):
        assert rank != 0  # it has built the cache
        time.sleep(1)
    dist.barrier()


def check(args, train):
    if args.processes > 1:
        args.node = int(os.environ["NODE"])
        args.local_rank = int(os.environ["LOCAL_RANK"])
        args.rank = args.node * args.gpus + args.local_rank
    assert 0 <= args.local_rank <= args.rank < args.processes
    dist.barrier()
    train(args)
