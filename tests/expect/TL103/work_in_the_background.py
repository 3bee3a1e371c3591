"""Whether a thread or process is done with its work is another answer on every rank."""

import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import Pool, Process

import torch.distributed as dist
import torch.distributed.checkpoint as dcp


class Saver:
    """Saves in a thread, and looks from time to time whether it is done."""

    def __init__(self, write):
        self.pool = ThreadPoolExecutor(1)
        self.write = write
        self.pending = None

    def save(self, state):
        self.pending = self.pool.submit(self.write, state)

    def finish(self, blocking=False):
        if (pending := self.pending) is not None:
            if blocking or pending.done():
                pending.result()
                dist.barrier()  # expect: TL103
                self.pending = None


def of_shards(state, folder, steps):
    future = dcp.async_save(state, checkpoint_id=folder)
    for step in steps:
        step()
        if future.done():
            dist.barrier()  # expect: TL103
            break


def upload(files, send):
    thread = threading.Thread(target=send, args=(files,))
    thread.start()
    while thread.is_alive():
        dist.all_reduce(files.count)  # expect: TL103


def in_another_process(work):
    process = Process(target=work)
    process.start()
    if not process.is_alive():
        dist.barrier()  # expect: TL103


def of_a_pool(work, items):
    with Pool(4) as pool:
        answer = pool.apply_async(work, items)
        if answer.ready():
            dist.barrier()  # expect: TL103


def of_processes(work):
    executor = ProcessPoolExecutor()
    future = executor.submit(work)
    if not future.running():
        dist.barrier()  # expect: TL103
