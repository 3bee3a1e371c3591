"""Correct: ranks ask for their own work and go the same way to the next collective."""

import threading
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp


def waits_for_its_own(state, folder):
    future = dcp.async_save(state, checkpoint_id=folder)
    if not future.done():
        future.result()
    dist.barrier()


def agrees_first(write, state):
    future = ThreadPoolExecutor(1).submit(write, state)
    done = torch.tensor([int(future.done())])
    dist.all_reduce(done, op=dist.ReduceOp.MIN)
    if done.item():
        dist.barrier()


def agrees_on_the_answer(write, state):
    future = ThreadPoolExecutor(1).submit(write, state)
    answers = [None] * dist.get_world_size()
    dist.all_gather_object(answers, future.done())
    if all(answers):
        dist.barrier()


def only_logs(send, files):
    thread = threading.Thread(target=send, args=(files,))
    thread.start()
    if thread.is_alive():
        print("still sending")
    thread.join()
    dist.barrier()


def as_a_flag(steps, enough):
    """An event that the loop itself sets is as equal as what it was set by."""
    stop = threading.Event()
    for number, step in enumerate(steps):
        dist.all_reduce(step)
        if number > enough:
            stop.set()
        if stop.is_set():
            break


class Task:
    """Something else that can be done."""

    def __init__(self, steps):
        self.steps = steps

    def done(self):
        return self.steps > 3


def of_another_class(steps):
    task = Task(steps)
    if task.done():
        dist.barrier()


def of_who_knows_what(episode):
    if episode.done():
        dist.barrier()
