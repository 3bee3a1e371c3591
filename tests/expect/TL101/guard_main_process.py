"""`is_main_process`: a helper of one's own, accelerate's property, and the state object's."""

import torch.distributed as dist
from accelerate import Accelerator, PartialState


def get_rank():
    if not dist.is_available() or not dist.is_initialized():
        return 0
    return dist.get_rank()


def is_main_process():
    return get_rank() == 0


def write_results(rows, out_file):
    if is_main_process():
        with open(out_file, "w") as handle:
            handle.writelines(rows)
        dist.barrier()  # expect: TL101


def push(repo):
    accelerator = Accelerator()
    if accelerator.is_main_process:
        repo.push_to_hub(commit_message="end of epoch")
        accelerator.wait_for_everyone()  # expect: TL101


def with_state():
    state = PartialState()
    if state.is_main_process:
        state.wait_for_everyone()  # expect: TL101


class Finetuner:
    def __init__(self, accelerator: Accelerator):
        self.accelerator = accelerator

    def log_images(self, images):
        if self.accelerator.is_main_process:
            images = self.accelerator.gather(images)  # expect: TL101
        return images
