"""Ranks that are no process ranks, and calls that only share a collective's name."""

import numpy as np
import torch
import torch.distributed as dist


def low_rank(lora_rank, adapter):
    if lora_rank == 0:
        dist.barrier()
    return adapter


def tensor_rank(tensor):
    if tensor.ndim == 0 or torch.linalg.matrix_rank(tensor) == 0:
        dist.barrier()


def retrieval(reranker, hits, ranking):
    for position, hit in enumerate(ranking):
        if position == 0:
            dist.barrier()
        reranker.rerank(hit, hits)


def tensor_gather(rank, scores, index):
    if rank == 0:
        scores = torch.gather(scores, 1, index)
        scores = scores.gather(1, index).scatter(1, index, 0.0)
    return scores


def numpy_broadcast(rank, mask, image):
    if rank == 0:
        mask, image = np.broadcast_arrays(mask, image)
        mask = np.broadcast_to(mask, image.shape)
    return np.add.reduce(mask)


def cuda_synchronize(rank):
    if rank == 0:
        torch.cuda.synchronize()


def threads(rank, barrier):
    if rank == 0:
        barrier.wait()


def horovod_optimizer(rank, optimizer):
    if rank == 0:
        optimizer.synchronize()


def functools_reduce(rank, values):
    from functools import reduce

    if rank == 0:
        return reduce(max, values)
    return None


class Radio:
    def broadcast(self, message):
        print(message)

    def barrier(self):
        print("no entry")


def radio(rank):
    station = Radio()
    if rank == 0:
        station.broadcast("news")
        station.barrier()
