"""The barrier turns itself off inside of code that only the main process runs.

speechbrain/speechbrain @ f15a53c5dad3 : speechbrain/utils/distributed.py:196
"""

import functools
import os

import torch.distributed as dist

MAIN_ONLY = 0


def if_main_process():
    return int(os.environ.get("RANK", 0)) == 0


def main_process_only(function):
    @functools.wraps(function)
    def guarded(*args, **kwargs):
        global MAIN_ONLY
        MAIN_ONLY += 1
        try:
            if if_main_process():
                return function(*args, **kwargs)
        finally:
            MAIN_ONLY -= 1
        return None

    return guarded


def ddp_barrier():
    if MAIN_ONLY >= 1 or not dist.is_initialized():
        return
    dist.barrier()
