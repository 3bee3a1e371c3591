"""The same decorators written in the project: the place is the call in the decorated body, not the wrapper."""

import functools

import torch.distributed as dist


def main_process_only(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return func(*args, **kwargs)
        return None

    return wrapper


def rank0_only(fn):
    def inner(*args, **kwargs):
        if dist.is_initialized() and dist.get_rank() != 0:
            return
        return fn(*args, **kwargs)

    return inner


@main_process_only
def export_onnx(model, path):
    model.export(path)
    dist.barrier()  # expect: TL101


@rank0_only
def tidy(folder):
    folder.clean()
    dist.barrier()  # expect: TL101
