"""One rank after the other: the wait stands after the test, inside of the loop.

kohya-ss/sd-scripts @ e1143caf381a : library/train_util.py:2908
"""

import torch.distributed as dist
from accelerate import Accelerator


def load_in_turns(accelerator: Accelerator, load):
    model = None
    for index in range(accelerator.state.num_processes):
        if index == accelerator.state.local_process_index:
            model = load()
        accelerator.wait_for_everyone()
    return model


def print_in_order(text):
    for turn in range(dist.get_world_size()):
        if turn == dist.get_rank():
            print(f"[{turn}] {text}", flush=True)
        dist.barrier()


def wait_for_my_turn(rank, size, work):
    for turn in range(size):
        if rank != turn:
            dist.barrier()
            continue
        work()
        dist.barrier()
