"""Context managers made of two guarded barriers that pair up.

ultralytics/yolov5 @ 6935a54e603d : utils/torch_utils.py:33
huggingface/accelerate @ 23f2ab396713 : src/accelerate/state.py:416
"""

import torch.distributed as dist
from accelerate import Accelerator

from zero_first import Waiter, torch_distributed_zero_first, wait_for_the_master


def main(rank, make_dataset):
    with torch_distributed_zero_first(rank):
        dataset = make_dataset()
    with wait_for_the_master(rank):
        dataset.index()
    with Waiter(rank):
        dataset.cache()
    dist.barrier()


def tokenize(dataset, tokenizer):
    accelerator = Accelerator()
    with accelerator.main_process_first():
        dataset = dataset.map(tokenizer)
    with accelerator.local_main_process_first():
        dataset.cache()
    return dataset
