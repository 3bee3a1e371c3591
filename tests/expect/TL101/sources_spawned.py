"""Functions that are started once for each rank and handed their number."""

import functools
import multiprocessing

import torch.distributed as dist
import torch.multiprocessing as mp
import torch_xla.distributed.xla_multiprocessing as xmp
from torch.multiprocessing import Process, spawn


def by_spawn(index, world):
    dist.init_process_group("gloo", rank=index, world_size=world)
    if index == 0:
        dist.barrier()  # expect: TL101


def by_bare_spawn(gpu, folder):
    if gpu == 0:
        dist.barrier()  # expect: TL101


def by_xmp(index, flags):
    if index == 0:
        dist.barrier()  # expect: TL101


def by_start_processes(number):
    if number == 0:
        dist.barrier()  # expect: TL101


def by_partial(number, folder):
    if number == 0:
        dist.barrier()  # expect: TL101


def by_process(worker, world, folder):
    if worker == 0:
        dist.barrier()  # expect: TL101


def by_standard_process(worker, world):
    if worker == 0:
        dist.barrier()  # expect: TL101


def by_process_in_a_list(worker, world):
    if worker == 0:
        dist.barrier()  # expect: TL101


def launched_by_keyword(who, world):
    if who == 0:
        dist.barrier()  # expect: TL101


def of_everybody(index, world):
    if world > 1:
        dist.barrier()


def not_the_first_parameter(index, gpus):
    if gpus == 0:
        dist.barrier()


def shared_argument(number, depth):
    if depth == 0:
        dist.barrier()


def main(world, folder, depth):
    mp.spawn(by_spawn, args=(world,), nprocs=world, join=True)
    spawn(fn=by_bare_spawn, args=(folder,), nprocs=world)
    xmp.spawn(by_xmp, args=({},), nprocs=8)
    mp.start_processes(by_start_processes, nprocs=world, start_method="fork")
    mp.spawn(functools.partial(by_partial, folder=folder), nprocs=world)
    mp.spawn(of_everybody, args=(world,), nprocs=world)
    mp.spawn(not_the_first_parameter, (world,), world)
    started = []
    for rank in range(world):
        process = Process(target=by_process, args=(rank, world, folder))
        process.start()
        started.append(process)
    workers = [multiprocessing.Process(target=by_standard_process, args=(i, world)) for i in range(world)]
    context = mp.get_context("spawn")
    more = [context.Process(target=by_process_in_a_list, args=(i, world)) for i in range(world)]
    for i in range(world):
        mp.Process(target=launched_by_keyword, kwargs={"who": i, "world": world}).start()
        mp.Process(target=shared_argument, args=(i, depth)).start()
    return started, workers, more
