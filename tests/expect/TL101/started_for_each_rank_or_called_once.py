"""A worker is started once for each rank, or called in this process when there is one device: the call makes nothing good."""

import torch.distributed as dist
import torch.multiprocessing as mp


def keep(net, rank, folder):
    if rank == 0:
        net.write(folder)
        dist.barrier()  # expect: TL101


def worker(rank, settings, net):
    dist.init_process_group("nccl", rank=rank, world_size=settings.devices)
    for _ in range(settings.rounds):
        net.round()
    if rank == 0:
        print("done")
        dist.barrier()  # expect: TL101
    keep(net, rank, settings.folder)


def main(settings, net):
    if settings.devices > 1:
        mp.spawn(worker, args=(settings, net), nprocs=settings.devices)
    else:
        worker(0, settings, net)


def only_called(rank, net):
    if rank == 0:
        net.round()
        dist.barrier()


def alone(net):
    only_called(0, net)
